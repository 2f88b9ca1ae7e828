/* The state of the running library, and the workers' sleep between calls. */
#include <pthread.h>
#include <starpu.h>

#include <tilework/starpu.h>

#include "runtime/base/error.h"
#include "runtime/base/gate.h"
#include "runtime/base/order.h"
#include "runtime/base/state.h"

struct tw_runtime tw_rt;
struct tw_life tw_life;
#ifdef __SANITIZE_THREAD__
atomic_uint tw_order_words[TW_ORDER_WORDS];
#endif

static pthread_mutex_t enter_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fewer = PTHREAD_COND_INITIALIZER;
static int entered;
static atomic_int held; /* of the entered ones, those by tw_workers_hold */
static int (*starter)(void);
static void (*waker)(void), (*sleeper)(void);

void tw_state_register(int (*start)(void), void (*wake)(void), void (*sleep)(void))
{
    starter = start;
    waker = wake;
    sleeper = sleep;
}

double tw_now(void)
{
    return starpu_timing_now() * 1e-6;
}
unsigned long tw_starts(void)
{
    return atomic_load(&tw_life.starts);
}
int tw_is_running(void)
{
    return atomic_load(&tw_life.running);
}
int tw_has_cuda(void)
{
    return atomic_load(&tw_life.cuda_workers) > 0; /* may be asked while another thread starts the library */
}
int tw_reproducible(void)
{
    return atomic_load(&tw_life.reproducible);
} /* may be asked while another thread starts the library */

int tw_start(void)
{
    return starter();
}

/* ---- awake or asleep --------------------------------------------------------------------------------------------- */

void tw_enter(void)
{
    pthread_mutex_lock(&enter_lock);
    if (entered++ == 0) waker();
    pthread_mutex_unlock(&enter_lock);
}

void tw_leave(void)
{
    pthread_mutex_lock(&enter_lock);
    if (--entered == 0) sleeper();
    pthread_cond_broadcast(&fewer);
    pthread_mutex_unlock(&enter_lock);
}

int tw_awake(void)
{
    pthread_mutex_lock(&enter_lock);
    int n = entered;
    pthread_mutex_unlock(&enter_lock);
    return n > 0;
}

void tw_enter_reset(void)
{
    entered = 0;
}

void tw_enter_alone(void)
{
    pthread_mutex_lock(&enter_lock);
    entered -= atomic_exchange(&held, 0);
    while (entered > 1)
        pthread_cond_wait(&fewer, &enter_lock);
    pthread_mutex_unlock(&enter_lock);
}

int tw_workers_hold(void)
{
    TW_INSIDE int refused = tw_begin();
    if (!refused) {
        tw_enter();
        atomic_fetch_add(&held, 1);
    }
    return refused;
}

int tw_workers_release(void)
{
    TW_INSIDE int refused = tw_begin_running();
    int n = atomic_load(&held);
    if (refused) return refused;
    do {
        if (n == 0) return tw_fail(TW_E_STATE, "tw_workers_release without tw_workers_hold");
    } while (!atomic_compare_exchange_weak(&held, &n, n - 1));
    tw_leave();
    return 0;
}
