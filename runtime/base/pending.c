/* Sequences: counting what is unfinished, the first failure, cancelling. */
#include <stdarg.h>
#include <stdio.h>
#include <starpu.h>

#include "runtime/base/doing.h"
#include "runtime/base/file.h"
#include "runtime/base/loop.h"
#include "runtime/base/sequence.h"
#include "runtime/base/state.h"

static atomic_ulong cancel_epoch; /* raised by tw_cancel_all: every sequence started before is cancelled */

void tw_cancel_all(void)
{
    atomic_fetch_add(&cancel_epoch, 1);
    tw_outfiles_cancel();
}
unsigned long tw_cancel_epoch(void)
{
    return atomic_load(&cancel_epoch);
}

void tw_sequence_fail_locked(struct tw_sequence *seq, int code, const char *message)
{
    if (atomic_load(&seq->status) != 0) return; /* the first failure counts */
    snprintf(seq->message, sizeof seq->message, "%s", message);
    atomic_store(&seq->status, code);
}

void tw_sequence_fail(struct tw_sequence *seq, int code, const char *message)
{
    starpu_pthread_mutex_lock(&seq->lock);
    tw_sequence_fail_locked(seq, code, message);
    starpu_pthread_mutex_unlock(&seq->lock);
}

int tw_sequence_stopped(struct tw_sequence *seq)
{
    if (seq->epoch != atomic_load_explicit(&cancel_epoch, memory_order_relaxed))
        tw_sequence_fail(seq, TW_E_CANCELLED, "cancelled");
    return atomic_load_explicit(&seq->status, memory_order_acquire);
}

int tw_loop_status(struct tw_sequence *seq)
{
    return tw_sequence_stopped(seq);
}

void tw_loop_fail(struct tw_sequence *seq, int code, const char *format, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    tw_sequence_fail(seq, code, text);
}

/* ---- counting unfinished tasks --------------------------------------------------------------------------------------
 * Everything happens under the lock, and tw_sequence_end_task does not touch the sequence after releasing it: the
 * waiter may free it at once. */

static void wait_until(struct tw_sequence *seq, long target, enum tw_doing what)
{
    const double from = seq->outstanding > target ? tw_doing_begins() : 0;

    while (seq->outstanding > target) {
        seq->wake_at = target;
        starpu_pthread_cond_wait(&seq->changed, &seq->lock);
    }
    seq->wake_at = -1;
    tw_doing_ended(what, from);
}

void tw_sequence_wait_until(struct tw_sequence *seq, long target)
{
    wait_until(seq, target, TW_DOING_WAIT);
}

static long window(void)
{
    return (long)tw_rt.config.window;
}

void tw_sequence_begin_task(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&seq->lock);
    if (seq->outstanding >= window()) wait_until(seq, window() - 1 - window() / 8, TW_DOING_FULL);
    seq->outstanding++;
    starpu_pthread_mutex_unlock(&seq->lock);
}

void tw_sequence_begin_callback(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&seq->lock);
    seq->outstanding++;
    starpu_pthread_mutex_unlock(&seq->lock);
}

void tw_sequence_end_task(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&seq->lock);
    if (--seq->outstanding <= seq->wake_at) starpu_pthread_cond_broadcast(&seq->changed);
    starpu_pthread_mutex_unlock(&seq->lock);
}

void tw_sequence_ran(struct tw_sequence *seq, unsigned long id, double end)
{
    starpu_pthread_mutex_lock(&seq->lock);
    if (!seq->any_ran || end >= seq->last_end) seq->any_ran = 1, seq->last_ran = id, seq->last_end = end;
    starpu_pthread_mutex_unlock(&seq->lock);
}

long tw_sequence_outstanding(struct tw_sequence *seq)
{
    starpu_pthread_mutex_lock(&seq->lock);
    long n = seq->outstanding;
    starpu_pthread_mutex_unlock(&seq->lock);
    return n;
}

const char *tw_loop_in_stage(struct tw_sequence *seq, const char *stage)
{
    const char *before = seq->stage;
    seq->stage = stage;
    return before;
}

enum tw_lane tw_loop_in_lane(struct tw_sequence *seq, enum tw_lane lane)
{
    const enum tw_lane before = seq->lane;
    seq->lane = lane;
    return before;
}

enum tw_products tw_loop_products(struct tw_sequence *seq, enum tw_products products)
{
    const enum tw_products before = (enum tw_products)seq->products;
    seq->products = (int)products;
    return before;
}

int tw_loop_splits_products(const struct tw_sequence *seq, enum tw_type type)
{
    if (type != TW_FLOAT) return 0;
    return tw_rt.config.fp32 == TW_FP32_TF32 ||
           (seq->products == TW_PRODUCTS_SPLIT && tw_rt.config.fp32 == TW_FP32_AUTO);
}

int tw_loop_halves_products(const struct tw_sequence *seq, enum tw_type type)
{
    return tw_is_single(type) && seq->products == TW_PRODUCTS_HALF;
}

void tw_loop_info(struct tw_sequence *seq, tw_int info)
{
    starpu_pthread_mutex_lock(&seq->lock);
    if (info > 0 && (seq->info == 0 || seq->order < seq->info_order)) seq->info = info, seq->info_order = seq->order;
    starpu_pthread_mutex_unlock(&seq->lock);
}

void tw_loop_wait(struct tw_sequence *seq)
{
    if (seq->pending) seq->hooks->settle(seq);
    starpu_pthread_mutex_lock(&seq->lock);
    tw_sequence_wait_until(seq, 0);
    starpu_pthread_mutex_unlock(&seq->lock);
    seq->emptied = 1;
}

void tw_loop_throttle(struct tw_sequence *seq, long most)
{
    starpu_pthread_mutex_lock(&seq->lock);
    tw_sequence_wait_until(seq, most);
    starpu_pthread_mutex_unlock(&seq->lock);
}
