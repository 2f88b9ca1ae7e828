/* For ThreadSanitizer's builds: the order of tasks on the same data. When a task that is submitted finds its data free
 * again, StarPU has looked under a spinlock of its own, which ThreadSanitizer cannot see. A word for each handle (some
 * share one) states the order again: the data's earlier users, then the body, then its later users. Data that a task
 * uses without declaring it is ordered by nothing, and reported. */
#ifndef TW_RUNTIME_BASE_ORDER_H
#define TW_RUNTIME_BASE_ORDER_H
#include <stdatomic.h>
#include <stdint.h>
#include <starpu.h>

#ifdef __SANITIZE_THREAD__
#define TW_ORDER_WORDS (1 << 14)
extern atomic_uint tw_order_words[TW_ORDER_WORDS]; /* state.c */
static inline atomic_uint *tw_order_word(const void *address)
{
    return &tw_order_words[((uintptr_t)address >> 4) * 2654435761u % TW_ORDER_WORDS];
}
/* StarPU's own record of the task is made before the task is handed over, too, not in the submission. A task that waits
 * for data may come to a worker by that spinlock alone. */
static inline void tw_task_recorded(struct starpu_task *task)
{
    (void)starpu_task_get_job_id(task);
    atomic_fetch_add_explicit(tw_order_word(task), 1, memory_order_acq_rel);
}
static inline void tw_task_met(const struct starpu_task *task)
{
    (void)atomic_load_explicit(tw_order_word(task), memory_order_acquire);
}
static inline void tw_data_taken(struct starpu_task *task, int n)
{
    for (int k = 0; k < n; k++)
        (void)atomic_load_explicit(tw_order_word(STARPU_TASK_GET_HANDLE(task, k)), memory_order_acquire);
}
static inline void tw_data_left(struct starpu_task *task, int n)
{
    for (int k = 0; k < n; k++)
        atomic_fetch_add_explicit(tw_order_word(STARPU_TASK_GET_HANDLE(task, k)), 1, memory_order_acq_rel);
}
#else
#define tw_task_recorded(task) ((void)0)
#define tw_task_met(task)      ((void)0)
#define tw_data_taken(task, n) ((void)0)
#define tw_data_left(task, n)  ((void)0)
#endif

#endif
