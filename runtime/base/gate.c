/* Who is inside the library. */
#include "runtime/base/gate.h"
#include "runtime/base/doing.h"

#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>

#include "runtime/base/error.h"
#include "runtime/base/state.h"

/* Those inside, and bits that keep others out, or let them wait for a moment. One word, so that nobody slips in while
 * the gate closes. */
#define CLOSED (1L << 40)
#define HELD   (1L << 50)
static atomic_long inside;
static atomic_ulong visits;
static atomic_int shut;
static _Thread_local int depth; /* calls of this thread that are under way, one inside the other */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

enum way { START, RUNNING, ASKING, ALIVE, RETURN };

enum entry { REFUSED, INSIDE, WAIT };
static enum entry come_in(enum way way)
{
    long n = atomic_load(&inside);
    do {
        if (n >= HELD) return WAIT;
        if (n >= CLOSED && (way != ALIVE || atomic_load(&shut))) return REFUSED;
    } while (!atomic_compare_exchange_weak(&inside, &n, n + 1));
    atomic_fetch_add_explicit(&visits, 1, memory_order_relaxed);
    return INSIDE;
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

static void wait_until_open(long bits)
{
    pthread_mutex_lock(&lock);
    while (atomic_load(&inside) >= bits)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static int begin(enum way way)
{
    for (;;) {
        enum entry entry;
        int e;
        if (atomic_load(&tw_life.forked)) return tw_start(); /* which refuses */
        if (depth > 0) {
            if (!atomic_load(&tw_life.running)) return tw_fail(TW_E_STATE, "the library is being stopped");
            depth++;
            return 0;
        }
        if ((entry = come_in(way)) != INSIDE) {
            if (entry == REFUSED && way == ASKING) return TW_E_STATE;
            if (entry == REFUSED && (way != RETURN || atomic_load(&shut))) return closed();
            wait_until_open(entry == WAIT ? HELD : CLOSED);
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
    return depth > 0 || tw_doors_entered > 0 ||
           (atomic_load(&tw_life.running) && starpu_is_initialized() && starpu_worker_get_id() >= 0);
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
int tw_gate_hold(void)
{
    long none = 0;
    return atomic_compare_exchange_strong(&inside, &none, HELD);
}
void tw_gate_let(void)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_sub(&inside, HELD);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
unsigned long tw_gate_visits(void)
{
    return atomic_load(&visits);
}
int tw_gate_inside(void)
{
    return atomic_load(&inside) != 0;
}
void tw_gate_shut(void)
{
    if (!atomic_exchange(&shut, 1)) atomic_fetch_add(&inside, CLOSED);
}
