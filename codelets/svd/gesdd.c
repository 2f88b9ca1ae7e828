/* A whole singular value problem as one task: LAPACK's gesdd, on a core.
 *
 * Arguments  jobz; s: the caller's array
 * Buffers    info   RW  LAPACK's
 *            A      RW  m x n, used up
 *            U, VT  W   (if jobz is not N) */
#include <math.h>
#include "codelets/eigen/eigen_bodies.h"
#include "codelets/svd/svd_tasks.h"
#include "kernels/svd/cpu/svd_cpu.h"

struct args {
    char jobz;
    double *s;
};

static int cpu(const struct tw_body *body)
{
    const struct args *g = body->args;
    const struct tw_buffer *a = &body->buf[1], *u = &body->buf[2], *vt = &body->buf[3];
    const int vectors = g->jobz != 'N';
    const int info =
        tw_svd_kernels[body->type]->gesdd(g->jobz, a->m, a->n, a->ptr, a->ld, g->s, vectors ? u->ptr : NULL,
                                          vectors ? u->ld : 1, vectors ? vt->ptr : NULL, vectors ? vt->ld : 1);

    if (info < 0) return tw_fail(TW_E_MEMORY, "no memory for LAPACK's gesdd of a matrix of %d x %d", a->m, a->n);
    for (int i = 0; info > 0 && i < tw_min(a->m, a->n); i++) /* which of them are right is not known */
        g->s[i] = NAN;
    tw_combine_info(body->buf[0].ptr, 0, info);
    return 0;
}

static struct tw_codelet codelet = {.name = "gesdd", .color = 0x882255, .rate = TW_RATE_TRI, .share = 0.3, .cpu = cpu};

void tw_task_gesdd(struct tw_sequence *seq, int priority, char jobz, struct tw_data *A, double *s, struct tw_data *U,
                   struct tw_data *VT, struct tw_data *info)
{
    const struct args args = {jobz, s};
    const struct tw_access access[] = {{info, TW_RW}, {A, TW_RW}, {U, TW_W}, {VT, TW_W}};
    const double n = (double)tw_min(A->m, A->n), m = (double)tw_max(A->m, A->n);

    tw_submit(seq, &(struct tw_task){.codelet = &codelet,
                                     .type = A->type,
                                     .args = &args,
                                     .args_size = sizeof args,
                                     .access = access,
                                     .naccess = jobz == 'N' ? 2 : 4,
                                     .priority = priority,
                                     .flops = tw_flops_gebrd(A->type, m, n) +
                                              (jobz == 'N' ? 0 : tw_flop_factor(A->type) * 16 * m * n * n / 3),
                                     .size = n,
                                     .coord = {-1, -1, -1, -1}});
}
