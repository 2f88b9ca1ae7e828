/* Facts of the running library that every room may ask for. */
#ifndef TW_RUNTIME_BASE_FACTS_H
#define TW_RUNTIME_BASE_FACTS_H

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Seconds by StarPU's clock, which a simulation has, too. */
double tw_now(void);
/* How often the library has been started: who keeps what belongs to a running library compares. */
unsigned long tw_starts(void);
/* 1 if any CUDA worker runs (then CUDA workspaces are worth attaching). */
int tw_has_cuda(void);
int tw_reproducible(void);
#pragma GCC visibility pop
#endif
