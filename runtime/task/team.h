/* Several cores for one task: a CPU body opens a team, kernels hand it parts, idle CPU workers come and take some. */
#ifndef TW_RUNTIME_TASK_TEAM_H
#define TW_RUNTIME_TASK_TEAM_H
#include "runtime/base/parts.h"
#include "runtime/task/submit.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* In a CPU body that has work for up to `most` cores, this one included: invites CPU workers that are outside any body.
 * None is waited for, and who comes when all is done goes again. NULL where nobody could come, in reproducible mode,
 * and without memory: then the kernel does all of it. Followed by tw_team_close in the same body. */
struct tw_team *tw_team_open(const struct tw_body *body, int most);
void tw_team_close(struct tw_team *team);
#pragma GCC visibility pop

/* This worker is inside a body (body.c says so) or no longer: those outside are invited. */
void tw_team_worker_busy(int busy);
/* For tests: parts taken by other threads than the body's own, since the process started. */
unsigned long tw_team_helped(void);
#endif
