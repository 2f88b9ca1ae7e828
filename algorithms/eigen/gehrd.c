/* Reduction of a general matrix to Hessenberg form, A = Q H Q^H, by Householder reflectors: LAPACK's gehrd, with its
 * storage.
 *
 * Every column needs a product with all of the matrix behind it, which is most of the time, so that there is no
 * look-ahead: panel and update take turns. The matrix is a copy in whole block columns: a panel reads those behind it,
 * and both updates, A - Y V^H and (I - V T^H V^H) of that, are one task for each of them. On a GPU it is one block
 * column, and stays there. */
#include <stdlib.h>
#include "algorithms/eigen/one_stage.h"
#include "codelets/eigen/gehrd_tasks.h"

struct args {
    tw_int ilo, ihi;
    struct tw_matrix *A, *tau;
};

struct reduction {
    struct tw_sequence *seq;
    struct tw_matrix *H; /* in whole block columns */
    struct tw_data *tau;
    int first, last; /* columns */
    int place, panel;
};

static int step(const struct reduction *r, int first)
{
    struct tw_matrix *H = r->H;
    const int width = (int)H->nb, k = first / width,
              columns = (int)tw_min(tw_min(r->panel, (k + 1) * width - first), r->last - 1 - first);
    const struct tw_gehrd_panel p = {first, columns, r->last, width, r->place};
    const int level = r->last - first, blocks = (r->last - 1) / width - k + 1;
    const enum tw_type type = H->type;
    struct tw_data *V = tw_panel_object(type, r->last - first - 1, columns),
                   *T = tw_panel_object(type, columns, columns), *Y = tw_panel_object(type, r->last, columns);

    if (V && T && Y) {
        tw_task_gehrd_panel(r->seq, tw_priority(r->seq, level, r->last, 1), &p, &H->tile[k], blocks, r->tau, V, T, Y);
        for (int j = (first + columns) / width; j < H->nt; j++)
            tw_task_gehrd_update(r->seq, tw_priority(r->seq, level, r->last, 1), &p, j * H->nb, V, T, Y,
                                 tw_tile(H, 0, j));
    } else {
        tw_loop_fail(r->seq, TW_E_MEMORY, "gehrd: no memory for a panel of %d rows", r->last);
    }
    if (V) tw_data_free_later(V);
    if (T) tw_data_free_later(T);
    if (Y) tw_data_free_later(Y);
    return columns;
}

/* Of the products the ones with rows and columns behind each reflector wait; the updates are the rest of the flops. */
static int place_of(enum tw_type type, double n, double columns)
{
    const struct tw_one_stage p = {.type = type,
                                   .m = n,
                                   .n = n,
                                   .steps = columns,
                                   .elements = columns * columns * columns / 3,
                                   .flops = columns * columns * (2 * n + 2 * columns / 3)};
    return tw_one_stage_place(&p);
}

void tw_gehrd_loop(struct tw_sequence *seq, tw_int ilo, tw_int ihi, struct tw_matrix *A, struct tw_matrix *tau)
{
    const tw_int n = A->n;
    const int place = place_of(A->type, (double)n, (double)(ihi - ilo)),
              panel = place == TW_ON_CPUS ? TW_GEHRD_PANEL : TW_GEHRD_PANEL_ON_GPU;
    struct reduction r = {.seq = seq,
                          .H = tw_copied(seq, A, n, tw_one_stage_width(place, n, panel)),
                          .tau = tw_data_tile(A->type, (int)tw_max(1, n - 1), 1),
                          .first = (int)ilo - 1,
                          .last = (int)ihi,
                          .place = place,
                          .panel = panel};

    if (r.H && r.tau) {
        tw_task_laset(seq, tw_priority(seq, 1, 1, 1), 'G', tw_zero, tw_zero, r.tau);
        for (int first = r.first; first < r.last - 1 && !tw_loop_status(seq);)
            first += step(&r, first);
        tw_copy_loop(seq, r.H, A, 1);
        if (tau) tw_tau_out(seq, TW_LOWER, n - 1, r.tau, tau);
    } else if (r.H) {
        tw_loop_fail(seq, TW_E_MEMORY, "gehrd: no memory for %lld factors", (long long)n);
    }
    if (r.H) tw_matrix_free_later(r.H);
    if (r.tau) tw_data_free_later(r.tau);
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    (void)tw_loop_in_stage(seq, "hessenberg");
    tw_gehrd_loop(seq, a->ilo, a->ihi, a->A, a->tau);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    tw_int n;

    TW_CHECK(who, 3, tw_bad_square(a->A));
    TW_CHECK(who, 3, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    n = a->A->n;
    TW_CHECK(who, 1, a->ilo < 1 || a->ilo > tw_max(1, n) ? "not from 1 to n" : NULL);
    TW_CHECK(who, 2, a->ihi < tw_min(a->ilo, n) || a->ihi > n ? "not from ilo to n" : NULL);
    TW_CHECK(who, 4, tw_bad_trd_tau(a->tau, a->A));
    return n == 0 ? TW_NOTHING : tw_eigen_memory(who, 2 * tw_sytrd_bytes(a->A->type, n), a->A, NULL, NULL);
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_gehrd(a->A->type, (double)a->A->n);
}

/* The copy, and a panel's reflectors with what they are multiplied with. */
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return 2 * tw_sytrd_bytes(s->type, s->n) + (double)tw_sizeof(s->type) * (2 * TW_GEHRD_PANEL + 1) * (double)s->n;
}

const struct tw_routine tw_routine_gehrd = {.name = "gehrd",
                                            .arguments = 4,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "nn n1", .own_bytes = own_bytes}};

int tw_gehrd(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau)
{
    return tw_run(&tw_routine_gehrd, &(struct args){ilo, ihi, A, tau});
}

int tw_gehrd_async(tw_int ilo, tw_int ihi, tw_matrix *A, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gehrd, seq, &(struct args){ilo, ihi, A, tau});
}
