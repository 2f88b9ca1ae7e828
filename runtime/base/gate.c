/* Who is inside the library. */
#include "runtime/base/gate.h"

#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"

/* Those inside, and a bit that keeps others out. One word, so that nobody slips in while the gate closes. */
#define CLOSED (1L << 40)
static atomic_long inside;
static atomic_int shut;
static _Thread_local int depth; /* calls of this thread that are under way, one inside the other */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

enum way { START, RUNNING, ASKING, ALIVE, RETURN };

static int come_in(enum way way)
{
    long n = atomic_load(&inside);
    do {
        if (n >= CLOSED && (way != ALIVE || atomic_load(&shut))) return 0;
    } while (!atomic_compare_exchange_weak(&inside, &n, n + 1));
    return 1;
}

static void go(void)
{
    const long n = atomic_fetch_sub(&inside, 1);
    if (n < CLOSED || n % CLOSED != 1) return;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int closed(void)
{
    return tw_fail(TW_E_STATE, atomic_load(&shut) ? "the program ends: the library was stopped"
                                                  : "tw_finalize is under way in another thread");
}

static void wait_until_open(void)
{
    pthread_mutex_lock(&lock);
    while (atomic_load(&inside) >= CLOSED)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static int begin(enum way way)
{
    for (;;) {
        int e;
        if (atomic_load(&tw_life.forked)) return tw_start(); /* which refuses */
        if (depth > 0) {
            if (!atomic_load(&tw_life.running)) return tw_fail(TW_E_STATE, "the library is being stopped");
            depth++;
            return 0;
        }
        if (!come_in(way)) {
            if (way == ASKING) return TW_E_STATE;
            if (way != RETURN || atomic_load(&shut)) return closed();
            wait_until_open();
            continue;
        }
        if (atomic_load(&tw_life.running)) { /* and will, until this thread goes */
            if ((e = tw_start()))            /* a worker's thread, or StarPU is gone */
                go();
            else
                depth = 1;
            return e;
        }
        go(); /* starting takes a lock that tw_finalize holds while it waits for those inside */
        if (way == ASKING) return TW_E_STATE;
        if (way != START) return tw_fail(TW_E_STATE, "the library does not run");
        if ((e = tw_start())) return e;
    }
}

int tw_begin(void)
{
    return begin(START);
}
int tw_begin_running(void)
{
    return begin(RUNNING);
}
int tw_begin_asking(void)
{
    return begin(ASKING);
}
int tw_begin_alive(void)
{
    return begin(ALIVE);
}
int tw_begin_return(void)
{
    return begin(RETURN);
}
void tw_end(void)
{
    if (--depth == 0) go();
}

int tw_inside(void)
{
    return depth > 0;
}
int tw_at_work(void)
{
    return depth > 0 || (atomic_load(&tw_life.running) && starpu_is_initialized() && starpu_worker_get_id() >= 0);
}
void tw_gate_adopt(void)
{
    depth++;
}
void tw_gate_release(void)
{
    depth--;
}

void tw_gate_empty(void)
{
    pthread_mutex_lock(&lock);
    while (atomic_load(&inside) % CLOSED > 0)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

void tw_gate_close(void)
{
    atomic_fetch_add(&inside, CLOSED);
    tw_gate_empty();
}
void tw_gate_open(void)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_sub(&inside, CLOSED);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
void tw_gate_shut(void)
{
    if (!atomic_exchange(&shut, 1)) atomic_fetch_add(&inside, CLOSED);
}
