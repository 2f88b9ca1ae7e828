/* Eigenvalues and eigenvectors of a hermitian matrix by two stages (or one: TILEWORK_ROUTE): dense to band (he2hb),
 * band to tridiagonal (hb2st), the tridiagonal matrix' eigenvectors by divide and conquer, and back: Z = Q1 (Q2 S). One
 * graph; what waits for a value, without holding up other work, is the reduction: for A's largest element, by which it
 * is decided whether to scale, as LAPACK does. */
#include <math.h>
#include "algorithms/eigen/from_band.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/task/arrays.h"

struct args {
    enum tw_jobz jobz;
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double *w;
    struct tw_matrix *Z;
};

/* One call. */
struct problem {
    struct args a;
    struct tw_matrix *L; /* A's lower triangle, in square tiles: what is reduced */
    int b;
    double scale; /* by which A is multiplied */
    int final;    /* Z may go home */
    struct tw_wanted wanted;
    tw_int *m;
    struct tw_pencil pencil;
    enum tw_route route;
};

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* Sub-diagonals of the band. Narrow: stage 2 costs 6 n^2 b flops of one sweep after another; wide: stage 1's products,
 * and with vectors the way back, are faster. Where a GPU's is wide is an H200's measurement (docs/performance.md). */
int tw_syevd_band(enum tw_type type, tw_int n, int vectors)
{
    const int wide = n >= (vectors ? 8192 : 16384) && type != TW_COMPLEX_DOUBLE;
    tw_int b = tw_gpus() > 0 && wide ? 128 : 64;

    (void)tw_variable_integer(TW_TILEWORK_BAND, &b); /* checked before */
    return (int)tw_max(1, tw_min(b, n - 1));
}
/* On GPUs large tiles: the host takes longer for a panel's products with a tile each than a GPU. One H200, double,
 * seconds with nb as elsewhere (768, 1024, 1408) / 1408 / 2048 / 4096: 4096 values 0.115 / 0.102 / 0.103 / 0.098,
 * vectors 0.144 / 0.126 / 0.140 / 0.117; 8192 values 0.267 / - / 0.221 / 0.208; 16384 values 0.633 / - / 0.591 / -.
 * With more than eight to a side GPUs have enough to do. Where their memory is limited they have to fit, some for each
 * stream. */
static tw_int large_tiles(const struct tw_sizes *s, tw_int nb)
{
    const tw_int n = tw_max(s->m, s->n), large = n <= 8192 ? 4096 : tw_max(2048, (n + 7) / 8);
    const size_t room = tw_gpu_memory();

    if (tw_reproducible() || tw_gpus() == 0 || n < 4096) return nb;
    return room && 16 * (double)large * (double)large * (double)tw_sizeof(s->type) > (double)room ? nb : large;
}
const struct tw_tuning tw_tuning_eigen = {.nb = large_tiles, .not_over_arrays = 1, .crossover = 512};

/* ---- the steps --------------------------------------------------------------------------------------------------- */

static struct tw_spectrum spectrum_of(const struct problem *p)
{
    return (struct tw_spectrum){.type = p->L->type, /* what was given may be gone */
                                .n = p->L->n,
                                .b = p->b,
                                .wanted = p->wanted,
                                .scale = p->scale,
                                .w = p->a.w,
                                .m = p->m,
                                .Z = p->a.jobz == TW_VECTORS ? p->a.Z : NULL,
                                .final = p->final,
                                .pencil = p->pencil};
}

static void stages(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_spectrum x = spectrum_of(p);

    if (tw_from_band_begin(seq, &x) || tw_he2hb_begin(seq, &x.q, x.n, x.b)) {
        tw_from_band_end(&x);
        return;
    }
    tw_he2hb_loop(seq, &x.q, p->L, x.B, x.Z != NULL);
    tw_loop_barrier(seq);
    tw_from_band_loop(seq, &x);
}

/* In one stage: what follows is the same without a band. */
static void one_stage(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_spectrum x = spectrum_of(p);
    struct tw_sytrd r = {.L = p->L, .b = tw_sytrd_width(p->L->n)};

    x.b = 0;
    if (tw_from_band_begin(seq, &x) || (x.Z && tw_reflections_begin(seq, &x.q, x.n, tw_sytrd_kept(x.n), 1))) {
        tw_from_band_end(&x);
        return;
    }
    r.d = x.d, r.e = x.e, r.q = x.Z ? &x.q : NULL;
    tw_sytrd_loop(seq, &r);
    tw_loop_barrier(seq);
    tw_from_band_loop(seq, &x);
}

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    const double norm = *(const double *)value;
    const char *before;

    if (!isfinite(norm)) {
        tw_not_finite(seq, p->L->n, p->wanted, p->a.w, p->m);
        return;
    }
    if (p->route == TW_ROUTE_LAPACK) {
        const struct tw_spectrum x = spectrum_of(p);
        tw_lapack_loop(seq, &x, p->L);
        return;
    }
    p->scale = p->route == TW_ROUTE_ONE ? tw_sytrd_scale(p->L->type, norm) : tw_scale_of(p->L->type, norm);
    before = tw_loop_in_stage(seq, p->route == TW_ROUTE_ONE ? "tridiagonal" : "band");
    if (p->scale != 1) tw_scale_loop(seq, TW_LOWER, 0, (tw_scalar){p->scale, 0}, p->L);
    (void)tw_loop_in_stage(seq, before);
    (p->route == TW_ROUTE_ONE ? one_stage : stages)(seq, p);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

/* Eigenvectors that will be wanted; of an interval a tenth is taken for a guess, as its tasks are modelled. */
static double columns_of(enum tw_jobz jobz, tw_int n, const struct tw_wanted *wanted)
{
    if (jobz == TW_NOVECTORS) return 0;
    return wanted->which == TW_INTERVAL ? (double)tw_max(1, n / 10)
                                        : (double)tw_wanted_at_least(wanted->which, n, wanted->il, wanted->iu);
}

void tw_syevr_loop(struct tw_sequence *seq, enum tw_jobz jobz, enum tw_uplo uplo, struct tw_matrix *A,
                   struct tw_wanted wanted, tw_int *m, double *w, struct tw_matrix *Z, int final,
                   struct tw_pencil pencil)
{
    static const double modelled = 1;
    struct problem p = {
        .a = {jobz, uplo, A, w, Z}, .scale = 1, .final = final, .wanted = wanted, .m = m, .pencil = pencil};
    const char *before;
    struct tw_data *norm;

    (void)tw_route(&p.route); /* checked before */
    p.route = tw_route_of(p.route, A->type, A->n, columns_of(jobz, A->n, &wanted),
                          tw_syevd_band(A->type, A->n, jobz == TW_VECTORS));
    if (p.route == TW_ROUTE_LAPACK && A->n > 46340) {
        tw_loop_fail(seq, TW_E_OPTION, "TILEWORK_ROUTE=lapack: LAPACK's sizes of workspaces end at order 46340");
        return;
    }
    p.b = p.route == TW_ROUTE_ONE ? tw_sytrd_width(A->n) : tw_syevd_band(A->type, A->n, jobz == TW_VECTORS);
    before = tw_loop_in_stage(seq, p.route == TW_ROUTE_LAPACK ? NULL /* of which A's copy is the beginning */
                                   : p.route == TW_ROUTE_ONE  ? "tridiagonal"
                                                              : "band");
    p.L = tw_lower_copy(seq, uplo, A,
                        p.route == TW_ROUTE_LAPACK ? A->n : tw_order_of_tiles(A->type, tw_min(A->nb, A->n), p.b));
    norm = p.L ? tw_max_norm_of_triangle(seq, TW_LOWER, p.L) : NULL;
    (void)tw_loop_in_stage(seq, before);
    if (!p.L) return;
    if (norm) {
        const struct tw_use uses[] = {{NULL, p.L, TW_RW}, {NULL, Z, TW_RW}, {NULL, pencil.B, TW_R}};
        tw_when(seq, norm, &modelled, uses, 3, with_norm, &p, sizeof p);
        tw_data_free_later(norm);
    }
    tw_matrix_free_later(p.L);
}

void tw_syevd_loop(struct tw_sequence *seq, enum tw_jobz jobz, enum tw_uplo uplo, struct tw_matrix *A, double *w,
                   struct tw_matrix *Z, int final)
{
    tw_syevr_loop(seq, jobz, uplo, A, (struct tw_wanted){.which = TW_ALL}, NULL, w, Z, final,
                  (struct tw_pencil){.B = NULL});
}

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    tw_syevd_loop(seq, a->jobz, a->uplo, a->A, a->w, a->Z, 1);
}

int tw_syevd_variables(void)
{
    static const enum tw_variable_id ids[] = {TW_TILEWORK_ROUTE, TW_TILEWORK_BARRIERS, TW_TILEWORK_BAND,
                                              TW_TILEWORK_LEAF, TW_TILEWORK_CHASE};
    int e = 0;

    for (size_t k = 0; k < sizeof ids / sizeof *ids && !e; k++)
        e = tw_variable_check(ids[k]);
    return e;
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobz));
    TW_CHECK(who, 2, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 3, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 3, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 4, a->w || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->jobz == TW_NOVECTORS && a->Z ? "a matrix, without eigenvectors asked for" : NULL);
    if (a->jobz == TW_VECTORS) {
        TW_CHECK(who, 5, tw_bad_general(a->Z));
        TW_CHECK(who, 5, tw_bad_pair(a->A, a->Z));
        TW_CHECK(who, 5, a->Z->m != a->A->n || a->Z->n != a->A->n ? "its shape is not A's" : NULL);
    }
    if (a->A->n == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    return tw_eigen_memory(who,
                           tw_syevd_bytes(a->A->type, a->A->n, a->jobz == TW_VECTORS ? (double)a->A->n : 0, a->A->nb),
                           a->A, NULL, a->Z);
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_syevd(a->A->type, (double)a->A->n, a->jobz);
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return tw_syevd_bytes(s->type, s->n, (double)tw_min(s->k, s->n), nb);
}

const struct tw_routine tw_routine_syevd = {.name = "syevd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, Z)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .tuning = &tw_tuning_eigen,
                                            .needs = {.given = "Tnn nk", .own_bytes = own_bytes}};

int tw_syevd(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z)
{
    return tw_run(&tw_routine_syevd, &(struct args){jobz, uplo, A, w, Z});
}

int tw_syevd_async(enum tw_jobz jobz, enum tw_uplo uplo, tw_matrix *A, double *w, tw_matrix *Z, tw_sequence *seq)
{
    return tw_queue(&tw_routine_syevd, seq, &(struct args){jobz, uplo, A, w, Z});
}
