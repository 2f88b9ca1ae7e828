/* Cholesky factorization, A = L L^H or U^H U: the right-looking tile algorithm (Buttari, Langou, Kurzak, Dongarra, "A
 * class of parallel tiled linear algebra algorithms for multicore architectures", Parallel Computing 35, 2009), by
 * blocks of columns where the GPUs cannot hold the matrix. */
#include <limits.h>
#include <stdlib.h>
#include "algorithms/dense/dense_loops.h"

/* Bottom levels in closed form: the longest way from a task to the end goes along the diagonal, so that
 *   potrf(k)      p + (nt-1-k)(t + s + p)
 *   trsm(m, k)    t, then the gemms and the trsm that follow in row m up to column m, its last syrk and its potrf
 *   syrk(m, k)    the syrks left on that tile, then potrf(m)
 *   gemm(m, n, k) the gemms left on that tile, then trsm(m, n) */
struct levels {
    struct tw_costs c;
    int nt;
};
static double level_potrf(const struct levels *l, int k)
{
    return l->c.potrf + (l->nt - 1 - k) * (l->c.trsm + l->c.syrk + l->c.potrf);
}
static double level_trsm(const struct levels *l, int m, int k)
{
    return l->c.trsm + (m - k - 1) * (l->c.gemm + l->c.trsm) + l->c.syrk + level_potrf(l, m);
}
static double level_syrk(const struct levels *l, int m, int k)
{
    return (m - k) * l->c.syrk + level_potrf(l, m);
}
static double level_gemm(const struct levels *l, int m, int n, int k)
{
    return (n - k) * l->c.gemm + level_trsm(l, m, n);
}

/* One factorization. Both triangles are one algorithm: T(m, k), m >= k, is A(m, k) of the lower triangle or A(k, m) of
 * the upper one, L's tile or its adjoint's. */
struct potrf {
    struct tw_sequence *seq;
    struct tw_matrix *A;
    char uplo;
    struct levels l;
    double total; /* length of the critical path */
    tw_int rows;  /* that the info counts before A's */
    struct tw_data *info;
};
#define T(m, k)           (f->uplo == 'L' ? tw_tile(f->A, m, k) : tw_tile(f->A, k, m))
#define PANEL(k, lev)     tw_priority_ahead(f->seq, k, k, f->A->nt, lev, f->total, 1)
#define UPDATE(k, n, lev) tw_priority_ahead(f->seq, k, n, f->A->nt, lev, f->total, 0)

/* The inverse of diagonal tile k that its panel is solved with; NULL: by substitution. */
static struct tw_data *inverse_of(const struct tw_matrix *A, int k)
{
    const int wanted = k < A->nt - 1 && tw_solve_by_inverse() && A->nb >= 64 && A->nb <= 8192;
    struct tw_data *M = wanted ? tw_data_tile(A->type, (int)A->nb, (int)A->nb) : NULL;
    if (M) tw_data_set_owner(M, tw_tile(A, k, k)->owner);
    return M;
}

/* The four tasks. M: the inverse of diagonal tile k, or NULL. */
static void factor(const struct potrf *f, int k, struct tw_data *M)
{
    const int priority = PANEL(k, level_potrf(&f->l, k));
    if (M)
        tw_task_potrf_inverse(f->seq, priority, f->uplo, T(k, k), M, f->rows + k * f->A->nb, f->info);
    else
        tw_task_potrf(f->seq, priority, f->uplo, T(k, k), f->rows + k * f->A->nb, f->info);
    tw_bring_home(f->seq, T(k, k));
}

static void solve(const struct potrf *f, int m, int k, struct tw_data *M)
{
    const int priority = PANEL(k, level_trsm(&f->l, m, k));
    if (M)
        tw_task_trsm_inverse(f->seq, priority, f->uplo, T(k, k), M, T(m, k));
    else
        tw_task_trsm(f->seq, priority, f->uplo == 'L' ? 'R' : 'L', f->uplo, 'C', 'N', tw_one, T(k, k), T(m, k));
    tw_bring_home(f->seq, T(m, k));
}

static void update(const struct potrf *f, int m, int n, int k)
{
    const int priority = UPDATE(k, n, level_gemm(&f->l, m, n, k));
    if (f->uplo == 'L')
        tw_task_gemm(f->seq, priority, 'N', 'C', tw_minus_one, T(m, k), T(n, k), tw_one, T(m, n));
    else
        tw_task_gemm(f->seq, priority, 'C', 'N', tw_minus_one, T(n, k), T(m, k), tw_one, T(m, n));
}

static void update_diagonal(const struct potrf *f, int n, int k)
{
    tw_task_herk(f->seq, UPDATE(k, n, level_syrk(&f->l, n, k)), f->uplo, f->uplo == 'L' ? 'N' : 'C', -1, T(n, k), 1,
                 T(n, n));
}

/* ---- the order of submission ------------------------------------------------------------------------------------- */

/* Row by row, the bordered form: the factor of the leading submatrix of order m - 1 gives row m. On GPUs the matrix
 * arrives in this order (tw_fetch_ahead), and submitting takes a good part of the time of a short run: right-looking,
 * the second panel would not be submitted before all the updates by the first. */
static void by_rows(const struct potrf *f)
{
    const int nt = f->A->nt, fetch = tw_fetch_helps(f->seq, (const struct tw_matrix *[]){f->A}, 1);
    struct tw_data **M = calloc((size_t)nt, sizeof *M);

    if (!M) {
        tw_loop_fail(f->seq, TW_E_MEMORY, "potrf: no memory for %d pointers", nt);
        return;
    }
    for (int m = 0, fetched = 0; m < nt && !tw_loop_status(f->seq); m++) {
        if (fetch &&
            fetched < m + 2) { /* twice as far each time: most of the requests' time falls beside running tasks */
            const int to = (int)tw_min(nt, 2 * m + 4);
            tw_fetch_ahead(f->seq, f->A, fetched, to);
            fetched = to;
        }
        for (int n = 0; n < m; n++) {
            for (int k = 0; k < n; k++)
                update(f, m, n, k);
            solve(f, m, n, M[n]);
        }
        for (int k = 0; k < m; k++)
            update_diagonal(f, m, k);
        M[m] = inverse_of(f->A, m);
        factor(f, m, M[m]);
    }
    for (int m = 0; m < nt; m++)
        tw_data_free_later(M[m]);
    free(M);
}

/* Panel k is final. */
static void panel(const struct potrf *f, int k)
{
    struct tw_data *M = inverse_of(f->A, k);
    factor(f, k, M);
    for (int m = k + 1; m < f->A->nt; m++)
        solve(f, m, k, M);
    tw_data_free_later(M);
}

/* Panel k's share is taken off columns from … to - 1. */
static void update_columns(const struct potrf *f, int k, int from, int to)
{
    for (int n = from; n < to; n++) {
        update_diagonal(f, n, k);
        for (int m = n + 1; m < f->A->nt; m++)
            update(f, m, n, k);
    }
}

/* A block of columns that fills half of the GPUs' memory. */
static int block_end(const struct tw_matrix *A, int from, long room, long *tiles)
{
    int to = from;
    for (*tiles = 0; to < A->nt && (to == from || *tiles + A->nt - to <= room / 2); to++)
        *tiles += A->nt - to;
    return to;
}

/* Right-looking, in one block of columns, or, where the GPUs hold only so many tiles, in several: the columns of a
 * block are right-looking among themselves; what is left of them comes panel by panel, each read once, instead of the
 * whole rest of the matrix in and out in each step. */
static void by_blocks(const struct potrf *f, long room)
{
    struct tw_sequence *seq = f->seq;
    long tiles;

    for (int from = 0, to; from < f->A->nt; from = to) {
        to = block_end(f->A, from, room, &tiles);
        for (int k = 0; k < from && !tw_loop_status(seq); k++) {
            update_columns(f, k, from, to);
            for (int m = from; m < f->A->nt; m++)
                tw_done_with(seq, T(m, k));
            tw_loop_throttle(seq, 2 * tiles); /* else the scheduler would bring in later panels at once */
        }
        for (int k = from; k < to && !tw_loop_status(seq); k++) {
            panel(f, k);
            update_columns(f, k, k + 1, to);
        }
    }
}

void tw_potrf_rows_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int rows)
{
    tw_potrf_info_loop(seq, uplo, A, rows, tw_info(seq));
}

void tw_potrf_info_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A, tw_int rows,
                        struct tw_data *info)
{
    struct potrf f = {.seq = seq, .A = A, .uplo = (char)uplo, .l = {tw_costs_of(A), A->nt}, .rows = rows, .info = info};
    const long room = tw_gpu_tiles(A);

    f.total = level_potrf(&f.l, 0);
    if (tw_solve_by_inverse() && room == LONG_MAX)
        by_rows(&f);
    else
        by_blocks(&f, room);
}

void tw_potrf_loop(struct tw_sequence *seq, enum tw_uplo uplo, struct tw_matrix *A)
{
    tw_potrf_rows_loop(seq, uplo, A, 0);
}

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    tw_potrf_loop(seq, a->uplo, a->A);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    return a->A->n == 0 ? TW_NOTHING : 0;
}

static double flops(const void *p)
{
    const struct tw_matrix *A = ((const struct args *)p)->A;
    return tw_flops_potrf(A->type, (double)A->n);
}

const struct tw_routine tw_routine_potrf = {.name = "potrf",
                                            .arguments = 2,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_factorization,
                                            .needs = {"Tnn", NULL, "nb"}};

int tw_potrf(enum tw_uplo uplo, tw_matrix *A)
{
    return tw_run(&tw_routine_potrf, &(struct args){uplo, A});
}

int tw_potrf_async(enum tw_uplo uplo, tw_matrix *A, tw_sequence *seq)
{
    return tw_queue(&tw_routine_potrf, seq, &(struct args){uplo, A});
}
