/* Some singular values and vectors by a random range finder (N. Halko, P. G. Martinsson, J. A. Tropp, SIAM Review 53,
 * 2011): Q, an orthonormal basis of (A A^H)^q A W with as many random columns W as are wanted and some more, and the
 * singular value decomposition of Q^H A.
 *
 * The error's bound is their lemma 4.1: (1 - Q Q^H) A times 16 further random vectors, of which the longest, times 2.4
 * sqrt(2 / pi), is below the norm with a probability of less than 1e-6. With a tolerance the number of columns doubles
 * until that is small enough: a task looks, and a continuation goes on; nothing waits. Products and panels are dense's
 * tasks, on cores and GPUs. */
#include <math.h>
#include "algorithms/dense/reflectors.h"
#include "algorithms/eigen/from_band.h"
#include "algorithms/svd/svd_loops.h"
#include "types/random.h"

enum { PROBES = 16, FIRST = 32 };
#define FACTOR (2.4 * 0.79788456080286535588) /* 2.4 sqrt(2 / pi) */

struct args {
    struct tw_matrix *A;
    double tol;
    int oversampling, power;
    uint64_t seed;
    double *s;
    struct tw_matrix *U, *Vt;
    int *rank;
    double *error;
};

/* One call. A: in square tiles, or a copy times `scale`. */
struct problem {
    struct args a;
    struct tw_matrix *A;
    double scale;
    struct tw_data *norm;        /* A's Frobenius norm */
    tw_int width;                /* random columns of this round */
    struct tw_matrix *Q, *B, *Z; /* m x width; Z: Q^H A's left singular vectors */
};

static struct tw_matrix *temporary(struct tw_sequence *seq, const struct problem *p, tw_int m, tw_int n)
{
    struct tw_matrix *T = tw_matrix_temporary(p->A->type, m, n, p->A->nb, p->A->nb);
    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "gersvd: %s", tw_last_message());
    return T;
}
static void give_back(struct tw_matrix *T)
{
    if (T) tw_matrix_free_later(T);
}
static tw_int least(const struct problem *p)
{
    return tw_min(p->A->m, p->A->n);
}

/* ---- random vectors ---------------------------------------------------------------------------------------------- */

/* Normal numbers (Box and Muller), the same for all tiles. What tasks get is the stream itself, in a pointer's place:
 * nothing has to live until they run. */
static double normal(uint64_t stream, tw_int i, tw_int j)
{
    const double u = (tw_uniform(stream, i, j) + 1) / 2, v = tw_uniform(stream + 1, i, j);
    return sqrt(-2 * log(u)) * cos(3.14159265358979323846 * v);
}
static void entries(uint64_t stream, int reals, int single, tw_int i0, tw_int j0, tw_int m, tw_int n, void *to,
                    tw_int ld)
{
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = 0; i < m; i++)
            for (int part = 0; part < reals; part++) {
                const double x = normal(stream + 2 * (uint64_t)part, i0 + i, j0 + j) * (reals == 2 ? sqrt(0.5) : 1);
                const tw_int at = reals * (i + j * ld) + part;
                if (single)
                    ((float *)to)[at] = (float)x;
                else
                    ((double *)to)[at] = x;
            }
}
#define ENTRIES(letter, reals, single)                                                                                 \
    static int letter##entries(const void *stream, tw_int i0, tw_int j0, tw_int m, tw_int n, void *to, tw_int ld)      \
    {                                                                                                                  \
        entries((uint64_t)(uintptr_t)stream, reals, single, i0, j0, m, n, to, ld);                                     \
        return 0;                                                                                                      \
    }
ENTRIES(s, 1, 1)
ENTRIES(d, 1, 0)
ENTRIES(c, 2, 1)
ENTRIES(z, 2, 0)
static const tw_block_fn entries_of[TW_NTYPES] = {sentries, dentries, centries, zentries};

/* A times random columns. */
static struct tw_matrix *sample(struct tw_sequence *seq, const struct problem *p, uint64_t stream, tw_int columns)
{
    struct tw_matrix *W = temporary(seq, p, p->A->n, columns), *Y = temporary(seq, p, p->A->m, columns);

    for (int j = 0; W && Y && j < W->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < W->mt; i++)
            tw_task_generate(seq, entries_of[p->A->type], (const void *)(uintptr_t)stream, 'G', i * W->mb, j * W->nb,
                             tw_tile(W, i, j));
    if (W && Y) tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->A, W, tw_zero, Y);
    give_back(W);
    return Y;
}

/* ---- one round --------------------------------------------------------------------------------------------------- */

/* Y's columns become orthonormal ones of the same range. */
static void orthonormal(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *Y)
{
    struct tw_matrix *tau = temporary(seq, p, Y->n, 1);
    struct tw_reflectors r = {0};

    if (tau && !tw_reflectors_begin(seq, &r, 'C', Y, Y->n)) {
        tw_factor_q_loop(&r, tau, NULL);
        tw_form_q_loop(&r, tau);
    }
    tw_reflectors_end(&r);
    give_back(tau);
}

static void find_range(struct tw_sequence *seq, struct problem *p)
{
    struct tw_matrix *Z = p->a.power > 0 ? temporary(seq, p, p->A->n, p->width) : NULL;

    p->Q = sample(seq, p, tw_mix(p->a.seed ^ 0x73766463), p->width);
    if (p->Q) orthonormal(seq, p, p->Q);
    for (int k = 0; Z && p->Q && k < p->a.power && !tw_loop_status(seq); k++) {
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, p->A, p->Q, tw_zero, Z);
        orthonormal(seq, p, Z);
        tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->A, Z, tw_zero, p->Q);
        orthonormal(seq, p, p->Q);
    }
    give_back(Z);
}

/* The lengths of what Q does not have of A times further random vectors. */
static struct tw_data *look_outside(struct tw_sequence *seq, const struct problem *p)
{
    struct tw_data *lengths = tw_data_tile(p->A->type, 1, PROBES);
    struct tw_matrix *Y = sample(seq, p, tw_mix(p->a.seed ^ 0x6572726f), PROBES),
                     *C = temporary(seq, p, p->width, PROBES), *tall;

    if (lengths && Y && C) {
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, p->Q, Y, tw_zero, C);
        tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_minus_one, p->Q, C, tw_one, Y);
        tall = tw_retiled(seq, Y, Y->m, Y->n);
        if (tall) tw_task_lengths(seq, tw_priority(seq, 0, 1, 0), 0, tw_tile(tall, 0, 0), lengths);
        tw_retiled_end(seq, Y, tall, 0);
    } else if (!lengths) {
        tw_loop_fail(seq, TW_E_MEMORY, "gersvd: no memory for lengths");
    }
    give_back(Y), give_back(C);
    return lengths;
}

static void a_round(struct tw_sequence *seq, struct problem *p);

/* U = Q Z, and Vt, of as many columns as there are. */
static void leave(struct tw_sequence *seq, const struct problem *p, struct tw_matrix *Vt)
{
    struct tw_matrix *U = p->Z->n < p->a.U->n ? temporary(seq, p, p->A->m, p->Z->n) : p->a.U;

    if (!U) return;
    tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, p->Q, p->Z, tw_zero, U);
    if (U != p->a.U) tw_copy_loop(seq, U, p->a.U, 1), give_back(U);
    if (Vt != p->a.Vt) tw_common_rows_loop(seq, Vt, p->a.Vt, 1);
}

struct looked {
    struct problem p;
    struct tw_matrix *Vt;
};
static void with_error(struct tw_sequence *seq, const void *value, void *args)
{
    struct looked *x = args;
    const struct tw_gersvd_found *f = value;

    if (f->enough) {
        leave(seq, &x->p, x->Vt);
        return;
    }
    x->p.width = tw_min(2 * x->p.width, least(&x->p));
    a_round(seq, &x->p);
}

/* As many columns as A has: its own values and vectors, without random ones. */
static void all_of_them(struct tw_sequence *seq, const struct problem *p)
{
    const tw_int k = p->a.U->n, count = least(p);
    struct tw_data *S = tw_data_vector((size_t)count, sizeof(double), (int[2]){-1, -1}),
                   *found = tw_data_vector(1, sizeof(struct tw_gersvd_found), (int[2]){-1, -1}),
                   *lengths = tw_data_tile(p->A->type, 1, 1);

    if (S && found && lengths) {
        const struct tw_gersvd_wanted wanted = {count, k, 0, p->scale, p->a.tol, p->a.s, p->a.error, p->a.rank};
        tw_task_laset(seq, tw_priority(seq, 0, 1, 0), 'G', tw_zero, tw_zero, lengths);
        tw_gesdd_loop(seq, p->A, S->host, NULL, (struct tw_svd_side){.to = p->a.U, .columns = k, .token = S},
                      (struct tw_svd_side){.to = p->a.Vt, .columns = k});
        tw_task_gersvd_look(seq, tw_priority(seq, 0, 1, 1), &wanted, tw_info(seq), S, lengths, p->norm, found,
                            tw_tile(p->a.U, 0, 0));
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "gersvd: no memory for %lld values", (long long)count);
    }
    if (S) tw_data_free_later(S);
    if (found) tw_data_free_later(found);
    if (lengths) tw_data_free_later(lengths);
}

static void values(struct tw_sequence *seq, struct problem *p, struct tw_data *lengths)
{
    static const struct tw_gersvd_found modelled = {0, 1, 1};
    const tw_int most = p->a.U->n, k = tw_min(most, p->width);
    struct tw_data *S = tw_data_vector((size_t)p->width, sizeof(double), (int[2]){-1, -1}),
                   *found = tw_data_vector(1, sizeof(struct tw_gersvd_found), (int[2]){-1, -1});
    struct looked x = {.Vt = k < most ? temporary(seq, p, k, p->A->n) : p->a.Vt};

    p->B = temporary(seq, p, p->width, p->A->n);
    p->Z = temporary(seq, p, p->width, k);
    if (S && found && p->B && p->Z && x.Vt) {
        const struct tw_gersvd_wanted wanted = {.count = p->width,
                                                .most = most,
                                                .factor = FACTOR,
                                                .scale = p->scale,
                                                .tol = p->a.tol,
                                                .s = p->a.s,
                                                .error = p->a.error,
                                                .rank = p->a.rank};
        tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, p->Q, p->A, tw_zero, p->B);
        tw_gesdd_loop(seq, p->B, S->host, NULL, (struct tw_svd_side){.to = p->Z, .columns = k, .token = S},
                      (struct tw_svd_side){.to = x.Vt, .columns = k});
        tw_task_gersvd_look(seq, tw_priority(seq, 0, 1, 1), &wanted, tw_info(seq), S, lengths, p->norm, found,
                            tw_tile(p->Z, 0, 0));
        x.p = *p;
        if (p->a.tol > 0) {
            const struct tw_use uses[] = {{NULL, p->A, TW_R},   {NULL, p->Q, TW_R},    {NULL, p->Z, TW_R},
                                          {NULL, x.Vt, TW_RW},  {NULL, p->a.U, TW_RW}, {NULL, p->a.Vt, TW_RW},
                                          {p->norm, NULL, TW_R}};
            tw_when(seq, found, &modelled, uses, 7, with_error, &x, sizeof x);
        } else {
            leave(seq, p, x.Vt);
        }
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "gersvd: no memory for %lld values", (long long)p->width);
    }
    if (S) tw_data_free_later(S);
    if (found) tw_data_free_later(found);
    give_back(p->B), give_back(p->Z);
    if (x.Vt != p->a.Vt) give_back(x.Vt);
}

static void a_round(struct tw_sequence *seq, struct problem *p)
{
    struct tw_data *lengths = NULL;

    if (p->width == least(p)) {
        all_of_them(seq, p);
        return;
    }
    find_range(seq, p);
    if (p->Q) lengths = look_outside(seq, p);
    if (p->Q && lengths) values(seq, p, lengths);
    if (lengths) tw_data_free_later(lengths);
    give_back(p->Q);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    struct problem *p = args;
    const double norm = *(const double *)value;
    struct tw_matrix *copy = NULL;

    if (!isfinite(norm)) {
        for (tw_int i = 0; i < p->a.U->n; i++)
            p->a.s[i] = NAN;
        *p->a.error = NAN;
        tw_loop_info(seq, p->a.U->n);
        return;
    }
    p->scale = tw_scale_of(p->A->type, norm);
    if (p->scale != 1) {
        if (!(copy = tw_copied(seq, p->A, p->A->nb, p->A->nb))) return;
        tw_scale_loop(seq, TW_GENERAL, 0, (tw_scalar){p->scale, 0}, copy);
        p->A = copy;
    }
    if ((p->norm = tw_frobenius_norm_tasks(seq, p->A))) {
        a_round(seq, p);
        tw_data_free_later(p->norm);
    }
    give_back(copy);
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    const struct args *a = args;
    struct problem p = {.a = *a, .A = tw_retiled(seq, a->A, a->A->nb, a->A->nb)};
    struct tw_data *norm;

    if (!p.A) return;
    p.width = tw_min(a->U->n + a->oversampling, least(&p));
    if (a->tol > 0) p.width = tw_min(p.width, FIRST + (tw_int)a->oversampling);
    if ((norm = tw_max_norm_tasks(seq, p.A))) {
        const struct tw_use uses[] = {{NULL, p.A, TW_RW}, {NULL, a->U, TW_RW}, {NULL, a->Vt, TW_RW}};
        tw_when(seq, norm, &modelled, uses, 3, with_norm, &p, sizeof p);
        tw_data_free_later(norm);
    }
    tw_retiled_end(seq, a->A, p.A, 0);
}

/* With so many random columns. */
static double bytes(enum tw_type type, tw_int m, tw_int n, tw_int width, tw_int nb)
{
    const tw_int k = tw_min(width, n);
    return tw_svd_bytes(type, width, n, k, k, nb) + (double)tw_sizeof(type) * (double)width * ((double)m + (double)n);
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    return bytes(s->type, s->m, s->n, tw_min(s->k, tw_min(s->m, s->n)), nb);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;
    tw_int k, width;
    int e;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, tw_max(a->A->m, a->A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    TW_CHECK(who, 2, isnan(a->tol) ? "NaN" : NULL);
    TW_CHECK(who, 3, a->oversampling < 0 ? "negative" : NULL);
    TW_CHECK(who, 4, a->power < 0 || a->power > 1000 ? "not from 0 to 1000" : NULL);
    TW_CHECK(who, 7, tw_bad_general(a->U));
    TW_CHECK(who, 7, tw_bad_pair(a->A, a->U));
    k = a->U->n;
    TW_CHECK(who, 6, a->s || k == 0 ? NULL : "NULL");
    TW_CHECK(who, 7, a->U == a->A ? "it is also A" : NULL);
    TW_CHECK(who, 7, a->U->m != a->A->m || k > tw_min(a->A->m, a->A->n) ? "it is not m x k with k <= min(m, n)" : NULL);
    TW_CHECK(who, 8, tw_bad_general(a->Vt));
    TW_CHECK(who, 8, tw_bad_pair(a->A, a->Vt));
    TW_CHECK(who, 8, a->Vt == a->A || a->Vt == a->U ? "it is also A or U" : NULL);
    TW_CHECK(who, 8, a->Vt->m != k || a->Vt->n != a->A->n ? "it is not k x n" : NULL);
    TW_CHECK(who, 9, a->rank ? NULL : "NULL");
    TW_CHECK(who, 10, a->error ? NULL : "NULL");
    *a->rank = 0, *a->error = 0;
    if (k == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    width = tw_min(k + a->oversampling, tw_min(a->A->m, a->A->n));
    return tw_eigen_memory(who, bytes(a->A->type, a->A->m, a->A->n, width, a->A->nb), a->A, a->U, a->Vt);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)a->A->m, n = (double)a->A->n,
                 l = (double)tw_min(a->U->n + a->oversampling, tw_min(a->A->m, a->A->n));
    return tw_flop_factor(a->A->type) * (2 * m * n * l * (2 + 2 * a->power) + 4 * (m + n) * l * l * (1 + a->power));
}

const struct tw_routine tw_routine_gersvd = {
    .name = "gersvd",
    .arguments = 10,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_product,
    .needs = {.given = "mn mk kn", .own_bytes = own_bytes}};

int tw_gersvd(tw_matrix *A, double tol, int oversampling, int power, uint64_t seed, double *s, tw_matrix *U,
              tw_matrix *Vt, int *rank, double *error)
{
    const int info =
        tw_run(&tw_routine_gersvd, &(struct args){A, tol, oversampling, power, seed, s, U, Vt, rank, error});

    if (info == 0 && tol > 0 && *error > tol)
        tw_fail(0, "gersvd: tolerance not reached: error %g > %g with all %d values", *error, tol, *rank);
    return info;
}

int tw_gersvd_async(tw_matrix *A, double tol, int oversampling, int power, uint64_t seed, double *s, tw_matrix *U,
                    tw_matrix *Vt, int *rank, double *error, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gersvd, seq, &(struct args){A, tol, oversampling, power, seed, s, U, Vt, rank, error});
}
