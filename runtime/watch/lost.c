/* Cores that other programs take. Linux counts, for each thread, how long it stood in a queue for a core
 * (/proc/thread-self/schedstat, the second number): reading it takes a third of a microsecond from a file that stays
 * open. Where the kernel does not count, nothing is known. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include <starpu.h>

#include "runtime/watch/watch.h"

static pthread_key_t key; /* closes a thread's file when it ends: 1 + the descriptor */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_it(void *file)
{
    close((int)(intptr_t)file - 1);
}
static void make_key(void)
{
    pthread_key_create(&key, close_it);
}

double tw_lost_so_far(void)
{
    static _Thread_local int file = -2; /* -1: there is none */
    char text[96], *second;
    ssize_t n;

    if (file == -2) {
        pthread_once(&once, make_key);
        file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
        if (file >= 0) pthread_setspecific(key, (void *)(intptr_t)(file + 1));
    }
    if (file < 0 || (n = pread(file, text, sizeof text - 1, 0)) <= 0) return -1;
    text[n] = 0;
    strtoull(text, &second, 10);
    return 1e-9 * (double)strtoull(second, NULL, 10) + 1e-9; /* above 0: known */
}

void tw_lost_tell(struct tw_record *r, double at_start, double at_end)
{
    static _Thread_local double before, recording;
    const double this_one = tw_record_origin();

    if (!(at_start > 0) || !(at_end >= at_start)) return; /* not known, or the recording began meanwhile */
    r->lost = at_end - at_start;
    if (recording == this_one && at_start > before) r->lost_before = at_start - before;
    before = at_end;
    recording = this_one;
}
