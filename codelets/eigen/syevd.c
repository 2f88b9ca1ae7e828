/* A whole hermitian eigenvalue problem as one task: LAPACK's syevd, on a core.
 *
 * Arguments  jobz
 * Buffers    A     RW  n x n, the lower triangle; with vectors it becomes these
 *            w     W   n doubles, ascending
 *            info  RW  LAPACK's */
#include <math.h>
#include <stdlib.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/eigen/eigen_tasks.h"

struct args {
    char jobz;
};

static int cpu(const struct tw_body *body)
{
    const struct tw_buffer *a = &body->buf[0], *w = &body->buf[1];
    float *single = tw_is_single(body->type) ? malloc((size_t)a->m * sizeof *single) : NULL;
    int info;

    if (tw_is_single(body->type) && !single) return tw_fail(TW_E_MEMORY, "no memory for %d eigenvalues", a->m);
    info = TW_CPU(body)->syevd(((const struct args *)body->args)->jobz, 'L', a->m, a->ptr, a->ld,
                               single ? (void *)single : w->ptr);
    for (int i = 0; single && i < a->m; i++)
        ((double *)w->ptr)[i] = (double)single[i];
    free(single);
    for (int i = 0; info > 0 && i < a->m; i++) /* which of them are right is not known */
        ((double *)w->ptr)[i] = NAN;
    if (info < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's syevd of order %d", a->m);
    tw_combine_info(body->buf[2].ptr, 0, info);
    return 0;
}

static struct tw_codelet codelet = {.name = "syevd", .color = 0x882255, .rate = TW_RATE_TRI, .share = 0.3, .cpu = cpu};

void tw_task_syevd(struct tw_sequence *seq, int priority, char jobz, struct tw_data *A, struct tw_data *w,
                   struct tw_data *info)
{
    const struct tw_access access[] = {{A, TW_RW}, {w, TW_W}, {info, TW_RW}};
    const double n = A->m;

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &(struct args){jobz},
                                     .args_size = sizeof(struct args),
                                     .access = access,
                                     .naccess = 3,
                                     .priority = priority,
                                     .flops = tw_flops_sytrd(A->type, n) +
                                              (jobz == 'V' ? tw_flop_factor(A->type) * 16 * n * n * n / 3 : 0),
                                     .size = n,
                                     .coord = {-1, -1, -1, -1}});
}
