/* Polar decomposition A = U H by the dynamically weighted Halley iteration (Y. Nakatsukasa, Z. Bai, F. Gygi, SIAM J.
 * Matrix Anal. Appl. 31, 2010; Y. Nakatsukasa, N. J. Higham, SIAM J. Sci. Comput. 35, 2013): X becomes X (a I + b X^H
 * X) inv(I + c X^H X), whose a, b, c are the best ones for singular values between l and 1, until l is 1 to rounding.
 * That takes six steps at most, whatever A is.
 *
 * Where c is large a step is a QR factorization, (sqrt(c) X; I) = (Q1; Q2) R, X := b/c X + (a - b/c)/sqrt(c) Q1 Q2^H,
 * which is stable at any condition; at last a Cholesky factorization of I + c X^H X, which is well-conditioned then,
 * and two triangular solves. l comes from an estimate of A's condition by the R of its QR factorization; which steps
 * there are depends on it alone, so that they are all submitted at once. Where A has more rows than columns it is R
 * that is iterated on.
 *
 * The first steps' factorizations are stable as long as no row of the identity grows, for which nothing is done in
 * advance: rows in order of their size, and pivots, would. So where A's condition is high U^H A is looked at, which has
 * to be hermitian, and where it is not U comes from A's singular vectors.
 *
 * X has whole rows of tiles, the last ones zeros, so that X and I stand in one matrix with all tiles as they are. */
#include <float.h>
#include <math.h>
#include "algorithms/dense/estimate.h"
#include "algorithms/dense/reflectors.h"
#include "algorithms/svd/svd_loops.h"
#include "runtime/base/account.h"
#include "runtime/task/arrays.h"

struct args {
    struct tw_matrix *A, *H;
};

/* One call. F: A's QR factorization, and R from there. */
struct polar {
    struct args a;
    tw_int nb;
    struct tw_matrix *A, *X, *F, *tau, *R; /* A's copy in square tiles; n x n and more rows of zeros; R alone */
    struct tw_data *rcond;
    double norm; /* of R, the 1-norm */
    double largest, scale;
    double least; /* singular value of X, at least about that */
};

static struct tw_matrix *temporary(struct tw_sequence *seq, const struct polar *p, tw_int m, tw_int n)
{
    struct tw_matrix *T = tw_matrix_temporary(p->a.A->type, m, n, p->nb, p->nb);
    if (!T) tw_loop_fail(seq, TW_E_MEMORY, "gepolar: %s", tw_last_message());
    return T;
}
static void give_back(struct tw_matrix *T)
{
    if (T) tw_matrix_free_later(T);
}
static tw_scalar real(double x)
{
    return (tw_scalar){x, 0};
}
static double eps_of(const struct polar *p)
{
    return tw_is_single(p->a.A->type) ? FLT_EPSILON : DBL_EPSILON;
}
static int priority(struct tw_sequence *seq)
{
    return tw_priority(seq, 1, 1, 0);
}

/* The first rows of `from`, and zeros below where `to` has more. */
static void first_rows(struct tw_sequence *seq, const struct tw_matrix *from, const struct tw_matrix *to)
{
    for (int j = 0; j < to->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < to->mt; i++) {
            struct tw_data *T = tw_tile(to, i, j);
            const struct tw_block block = {.m = i < from->mt ? tw_min(tw_tile_rows(from, i), T->m) : 0, .n = T->n};
            if (block.m < T->m) tw_task_laset(seq, priority(seq), 'G', tw_zero, tw_zero, T);
            if (block.m > 0) tw_task_lacpy_block(seq, priority(seq), &block, tw_tile(from, i, j), T, block.m == T->m);
        }
}

/* ---- the steps --------------------------------------------------------------------------------------------------- */

/* What follows from singular values that are at least l; and l behind the step. */
struct weights {
    double a, b, c, l;
};
static struct weights weights_of(double l)
{
    const double l2 = l * l, d = cbrt(4 * (1 - l2) / (l2 * l2)), root = sqrt(1 + d);
    struct weights w = {.a = root + sqrt(8 - 4 * d + 8 * (2 - l2) / (l2 * root)) / 2};

    w.b = (w.a - 1) * (w.a - 1) / 4;
    w.c = w.a + w.b - 1;
    w.l = fmin(1, l * (w.a + w.b * l2) / (1 + w.c * l2));
    return w;
}

static void by_qr(struct tw_sequence *seq, const struct polar *p, const struct weights *w)
{
    struct tw_matrix *X = p->X, *W = temporary(seq, p, X->m + X->n, X->n), *tau = temporary(seq, p, X->n, 1);
    const double first = w->b / w->c, second = (w->a - first) / sqrt(w->c);
    struct tw_reflectors r = {0};

    for (int j = 0; W && j < X->nt; j++)
        for (int i = 0; i < W->mt; i++)
            if (i < X->mt)
                tw_task_geadd(seq, priority(seq), 'N', real(sqrt(w->c)), tw_tile(X, i, j), tw_zero, tw_tile(W, i, j));
            else
                tw_task_laset(seq, priority(seq), 'G', tw_zero, i - X->mt == j ? tw_one : tw_zero, tw_tile(W, i, j));
    if (W && tau && !tw_reflectors_begin(seq, &r, 'C', W, X->n)) {
        tw_factor_q_loop(&r, tau, NULL);
        tw_form_q_loop(&r, tau);
        for (int j = 0; j < X->nt && !tw_loop_status(seq); j++) /* Q2 is the inverse of R: upper triangular */
            for (int i = 0; i < X->mt; i++)
                for (int k = j; k < X->nt; k++)
                    tw_task_gemm(seq, priority(seq), 'N', 'C', real(second), tw_tile(W, i, k), tw_tile(W, X->mt + j, k),
                                 k == j ? real(first) : tw_one, tw_tile(X, i, j));
    }
    tw_reflectors_end(&r);
    give_back(W), give_back(tau);
}

static void by_cholesky(struct tw_sequence *seq, const struct polar *p, const struct weights *w)
{
    struct tw_matrix *X = p->X, *Z = temporary(seq, p, X->n, X->n), *Y = temporary(seq, p, X->m, X->n);
    const double first = w->b / w->c;

    if (Z && Y) {
        for (int j = 0; j < X->nt && !tw_loop_status(seq); j++)
            for (int i = j; i < X->nt; i++) {
                tw_task_laset(seq, priority(seq), 'G', tw_zero, i == j ? tw_one : tw_zero, tw_tile(Z, i, j));
                for (int k = 0; k < X->mt; k++)
                    if (i == j)
                        tw_task_herk(seq, priority(seq), 'L', 'C', w->c, tw_tile(X, k, j), 1, tw_tile(Z, j, j));
                    else
                        tw_task_gemm(seq, priority(seq), 'C', 'N', real(w->c), tw_tile(X, k, i), tw_tile(X, k, j),
                                     tw_one, tw_tile(Z, i, j));
            }
        tw_potrf_loop(seq, TW_LOWER, Z);
        for (int j = 0; j < X->nt && !tw_loop_status(seq); j++)
            for (int i = 0; i < X->mt; i++)
                tw_task_lacpy(seq, priority(seq), 'G', tw_tile(X, i, j), tw_tile(Y, i, j));
        tw_trsm_loop(seq, TW_RIGHT, TW_LOWER, TW_CONJTRANS, TW_NONUNIT, tw_one, Z, Y, 0);
        tw_trsm_loop(seq, TW_RIGHT, TW_LOWER, TW_NOTRANS, TW_NONUNIT, tw_one, Z, Y, 0);
        for (int j = 0; j < X->nt && !tw_loop_status(seq); j++)
            for (int i = 0; i < X->mt; i++)
                tw_task_geadd(seq, priority(seq), 'N', real(w->a - first), tw_tile(Y, i, j), real(first),
                              tw_tile(X, i, j));
    }
    give_back(Z), give_back(Y);
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

/* T = U^H A, for A = U T. */
static struct tw_matrix *square_factor(struct tw_sequence *seq, const struct polar *p, struct tw_matrix *U)
{
    struct tw_matrix *T = temporary(seq, p, p->a.A->n, p->a.A->n);
    if (T) tw_gemm_loop(seq, TW_CONJTRANS, TW_NOTRANS, tw_one, U, p->A, tw_zero, T);
    return T;
}

/* H = (T + T^H) / 2. */
static void hermitian_factor(struct tw_sequence *seq, const struct polar *p, const struct tw_matrix *T)
{
    struct tw_matrix *H = temporary(seq, p, T->n, T->n);

    if (H) {
        for (int j = 0; j < H->nt && !tw_loop_status(seq); j++)
            for (int i = 0; i < H->mt; i++) {
                tw_task_geadd(seq, priority(seq), 'N', real(0.5), tw_tile(T, i, j), tw_zero, tw_tile(H, i, j));
                tw_task_geadd(seq, priority(seq), 'C', real(0.5), tw_tile(T, j, i), tw_one, tw_tile(H, i, j));
            }
        tw_copy_loop(seq, H, p->a.H, 1);
    }
    give_back(H);
}

/* Of a matrix whose columns are dependent: those of U may be, too. Singular values far below the rounding unit, which
 * are rounding's, may have come only part of the way to 1: any distance from orthonormal columns is possible. */
struct regular {
    tw_int n; /* X may be gone */
    double eps;
};
static void regular_or_not(struct tw_sequence *seq, const void *value, void *args)
{
    const struct regular *r = args;
    if (!(*(const double *)value <= 10 * sqrt((double)r->n) * r->eps)) tw_loop_info(seq, r->n);
}
static void look_at_columns(struct tw_sequence *seq, const struct polar *p)
{
    static const double modelled = 0;
    struct tw_matrix *X = p->X, *G = temporary(seq, p, X->n, X->n);
    const struct regular r = {X->n, eps_of(p)};
    struct tw_data *most = NULL;

    for (int j = 0; G && j < X->nt && !tw_loop_status(seq); j++)
        for (int i = j; i < X->nt; i++) {
            tw_task_laset(seq, priority(seq), 'G', tw_zero, i == j ? tw_minus_one : tw_zero, tw_tile(G, i, j));
            for (int k = 0; k < X->mt; k++)
                tw_task_gemm(seq, priority(seq), 'C', 'N', tw_one, tw_tile(X, k, i), tw_tile(X, k, j), tw_one,
                             tw_tile(G, i, j));
        }
    if (G) most = tw_max_norm_of_triangle(seq, TW_LOWER, G);
    if (most) {
        tw_when(seq, most, &modelled, NULL, 0, regular_or_not, (void *)&r, sizeof r);
        tw_data_free_later(most);
    }
    give_back(G);
}

/* U from A's singular vectors. */
static void by_values(struct tw_sequence *seq, const struct polar *p)
{
    const tw_int n = p->a.A->n;
    double *values = tw_loop_keep(seq, (size_t)n * sizeof *values);
    struct tw_matrix *A = tw_copied(seq, p->A, p->nb, p->nb), *W = temporary(seq, p, p->a.A->m, n),
                     *Vt = temporary(seq, p, n, n), *U = temporary(seq, p, p->a.A->m, n), *T = NULL;

    if (A && W && Vt && U && values) {
        tw_gesdd_loop(seq, A, values, NULL, (struct tw_svd_side){.to = W, .columns = n},
                      (struct tw_svd_side){.to = Vt, .columns = n});
        tw_gemm_loop(seq, TW_NOTRANS, TW_NOTRANS, tw_one, W, Vt, tw_zero, U);
        if (p->a.H && (T = square_factor(seq, p, U))) hermitian_factor(seq, p, T);
        tw_copy_loop(seq, U, p->a.A, 1);
    }
    give_back(A), give_back(W), give_back(Vt), give_back(U), give_back(T);
}

/* How far T is from its adjoint: residuals of sound steps leave some units of rounding in each element. */
struct judged {
    struct polar p;
    struct tw_matrix *U, *T;
};
static void with_difference(struct tw_sequence *seq, const void *value, void *args)
{
    const struct judged *x = args;
    const double eps = eps_of(&x->p), size = ldexp(x->p.scale, ilogb(x->p.largest)); /* at least A's 2-norm */

    if (!(*(const double *)value <= 10 * eps * size)) {
        by_values(seq, &x->p);
        return;
    }
    if (!(x->p.least > eps)) look_at_columns(seq, &x->p);
    if (x->p.a.H) hermitian_factor(seq, &x->p, x->T);
    tw_copy_loop(seq, x->U, x->p.a.A, 1);
}
static void judge(struct tw_sequence *seq, const struct judged *x)
{
    static const double modelled = 0;
    struct tw_matrix *D = temporary(seq, &x->p, x->T->n, x->T->n);
    struct tw_data *most = NULL;

    for (int j = 0; D && j < D->nt && !tw_loop_status(seq); j++)
        for (int i = j; i < D->mt; i++) {
            tw_task_geadd(seq, priority(seq), 'N', tw_one, tw_tile(x->T, i, j), tw_zero, tw_tile(D, i, j));
            tw_task_geadd(seq, priority(seq), 'C', tw_minus_one, tw_tile(x->T, j, i), tw_one, tw_tile(D, i, j));
        }
    if (D) most = tw_max_norm_of_triangle(seq, TW_LOWER, D);
    if (most) {
        const struct tw_use uses[] = {{NULL, x->U, TW_R},   {NULL, x->T, TW_R},      {NULL, x->p.A, TW_R},
                                      {NULL, x->p.X, TW_R}, {NULL, x->p.a.A, TW_RW}, {NULL, x->p.a.H, TW_RW}};
        tw_when(seq, most, &modelled, uses, sizeof uses / sizeof *uses, with_difference, (void *)x, sizeof *x);
        tw_data_free_later(most);
    }
    give_back(D);
}

/* U is X, or Q (X; 0). */
static void leave(struct tw_sequence *seq, const struct polar *p)
{
    const int suspect = !(p->least > 1e-6);
    struct judged x = {.p = *p, .U = temporary(seq, p, p->a.A->m, p->X->n)};
    struct tw_reflectors r;

    if (x.U) first_rows(seq, p->X, x.U);
    if (x.U && p->a.A->m > p->X->n) {
        if (!tw_reflectors_begin(seq, &r, 'C', p->F, p->X->n)) tw_apply_q_loop(&r, p->tau, 'L', TW_NOTRANS, x.U, 0);
        tw_reflectors_end(&r);
    }
    if (x.U && (p->a.H || suspect)) x.T = square_factor(seq, p, x.U);
    if (x.T && suspect) judge(seq, &x);
    if (x.T && !suspect) hermitian_factor(seq, p, x.T);
    if (x.U && !suspect) tw_copy_loop(seq, x.U, p->a.A, 1);
    give_back(x.U), give_back(x.T);
}

static void with_condition(struct tw_sequence *seq, const void *value, void *args)
{
    struct polar *p = args;
    const double eps = eps_of(p), rcond = *(const double *)value;
    double l;
    int steps = 0;

    /* |inv(R)| in the 2-norm is at most sqrt(n) times that in the 1-norm, of which the estimate is a bound from below,
     * within 3 as a rule; X is A over `scale` */
    p->least = rcond * p->norm / p->scale / sqrt((double)p->X->n) / 3;
    l = p->least > eps ? p->least : eps * eps; /* below the rounding unit it is not known */

    for (; 1 - l > 5 * eps && steps < 8; steps++) {
        const struct weights w = weights_of(l);
        if (w.c > 100)
            by_qr(seq, p, &w);
        else
            by_cholesky(seq, p, &w);
        l = w.l;
    }
    tw_account_figure("steps", steps);
    leave(seq, p);
}

/* ---- the beginning ----------------------------------------------------------------------------------------------- */

static void estimated(struct tw_sequence *seq, const struct tw_lacn2 *s, const struct tw_estimate *e)
{
    (void)seq;
    ((double *)e->results->host)[0] = tw_rcond(e->anorm, s);
}

/* norm: of R, the 1-norm. X is A, or R, times 1 / scale, of a 2-norm of at most 1. */
static void with_norm_of_r(struct tw_sequence *seq, const void *value, void *args)
{
    static const double modelled = 1;
    struct polar *p = args;
    const struct tw_use uses[] = {{p->rcond, p->X, TW_RW}, {NULL, p->A, TW_R},    {NULL, p->F, TW_R},
                                  {NULL, p->tau, TW_R},    {NULL, p->a.A, TW_RW}, {NULL, p->a.H, TW_RW},
                                  {NULL, p->R, TW_RW}};
    struct tw_estimate e = {.inverse = {.of = TW_TRIANGLE, .A = p->R, .uplo = TW_UPPER, .diag = TW_NONUNIT},
                            .trans = TW_NOTRANS,
                            .adjoint = TW_CONJTRANS,
                            .X = tw_matrix_temporary(p->R->type, p->R->n, 1, p->R->nb, 1),
                            .careful = 1,
                            .done = estimated,
                            .results = p->rcond};

    p->norm = e.anorm = *(const double *)value;
    if (!e.X) {
        tw_loop_fail(seq, TW_E_MEMORY, "gepolar: %s", tw_last_message());
        return;
    }
    tw_estimate_begin(seq, &e);
    tw_when(seq, p->rcond, &modelled, uses, sizeof uses / sizeof *uses, with_condition, p, sizeof *p);
}

/* The 2-norm is at most the root of the product of the two others. */
static void with_bound(struct tw_sequence *seq, const void *value, void *args)
{
    static const double modelled = 1;
    struct polar *p = args;
    const struct tw_use uses[] = {{p->rcond, p->X, TW_RW}, {NULL, p->A, TW_R},    {NULL, p->F, TW_R},
                                  {NULL, p->tau, TW_R},    {NULL, p->a.A, TW_RW}, {NULL, p->a.H, TW_RW},
                                  {NULL, p->R, TW_RW}};
    struct tw_data *norm;

    p->scale = sqrt(p->scale * *(const double *)value) * (1 + 1e-3);
    for (int j = 0; j < p->X->nt; j++)
        for (int i = 0; i < p->X->mt; i++)
            tw_task_lascl(seq, priority(seq), 'G', 0, real(1 / p->scale), tw_tile(p->X, i, j));
    if ((norm = tw_sum_norm_tasks(seq, TW_ONE_NORM, TW_STRUCT_TRIANGULAR, TW_UPPER, TW_NONUNIT, p->R, 1))) {
        tw_when(seq, norm, &modelled, uses, sizeof uses / sizeof *uses, with_norm_of_r, p, sizeof *p);
        tw_data_free_later(norm);
    }
}
static void with_one_norm(struct tw_sequence *seq, const void *value, void *args)
{
    static const double modelled = 1;
    struct polar *p = args;
    const struct tw_use uses[] = {{p->rcond, p->X, TW_RW}, {NULL, p->A, TW_R},    {NULL, p->F, TW_R},
                                  {NULL, p->tau, TW_R},    {NULL, p->a.A, TW_RW}, {NULL, p->a.H, TW_RW},
                                  {NULL, p->R, TW_RW}};
    struct tw_data *norm = tw_sum_norm_tasks(seq, TW_INF_NORM, TW_STRUCT_GENERAL, TW_GENERAL, TW_NONUNIT, p->X, 1);

    p->scale = *(const double *)value;
    if (norm) {
        tw_when(seq, norm, &modelled, uses, sizeof uses / sizeof *uses, with_bound, p, sizeof *p);
        tw_data_free_later(norm);
    }
}

/* The upper triangle of a factorization. */
static void triangle(struct tw_sequence *seq, const struct polar *p)
{
    for (int j = 0; j < p->R->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < p->R->mt; i++) {
            struct tw_data *from = tw_tile(p->F, i, j), *to = tw_tile(p->R, i, j);
            const struct tw_block block = {.m = to->m, .n = to->n};
            if (i >= j) tw_task_laset(seq, priority(seq), 'G', tw_zero, tw_zero, to);
            if (i <= j) tw_task_lacpy_part(seq, priority(seq), i == j ? 'U' : 'G', &block, from, to, i < j);
        }
}

/* A's copies, brought into range by a power of two: X gets them, or R. */
static void begin(struct tw_sequence *seq, struct polar *p)
{
    static const double modelled = 1;
    const tw_int n = p->a.A->n;
    struct tw_reflectors r = {0};
    struct tw_data *norm = NULL;

    if (!p->rcond) {
        tw_loop_fail(seq, TW_E_MEMORY, "gepolar: no memory for a number");
        return;
    }
    tw_scale_by_power_loop(seq, -ilogb(p->largest), p->F); /* 1 / largest may be beyond the range */
    if (p->a.A->m == n) first_rows(seq, p->F, p->X);
    if (!tw_reflectors_begin(seq, &r, 'C', p->F, n)) {
        tw_factor_q_loop(&r, p->tau, NULL);
        triangle(seq, p);
        if (p->a.A->m > n) first_rows(seq, p->R, p->X);
        norm = tw_sum_norm_tasks(seq, TW_ONE_NORM, TW_STRUCT_GENERAL, TW_GENERAL, TW_NONUNIT, p->X, 1);
    }
    if (norm) {
        const struct tw_use uses[] = {{p->rcond, p->X, TW_RW}, {NULL, p->A, TW_R},    {NULL, p->F, TW_R},
                                      {NULL, p->tau, TW_R},    {NULL, p->a.A, TW_RW}, {NULL, p->a.H, TW_RW},
                                      {NULL, p->R, TW_RW}};
        tw_when(seq, norm, &modelled, uses, sizeof uses / sizeof *uses, with_one_norm, p, sizeof *p);
        tw_data_free_later(norm);
    }
    tw_reflectors_end(&r);
}

static void with_largest(struct tw_sequence *seq, const void *value, void *args)
{
    struct polar *p = args;
    const tw_int n = p->a.A->n, rows = (n + p->nb - 1) / p->nb * p->nb;

    p->largest = *(const double *)value;
    if (!(p->largest > 0) || !isfinite(p->largest)) { /* a NaN, an infinity, or nothing but zeros */
        tw_loop_info(seq, p->largest == 0 ? n : n + 1);
        if (p->largest == 0 && p->a.H) tw_scale_loop(seq, TW_GENERAL, 0, tw_zero, p->a.H);
        return;
    }
    p->F = tw_copied(seq, p->A, p->nb, p->nb);
    p->X = temporary(seq, p, rows, n);
    p->R = temporary(seq, p, n, n);
    p->tau = temporary(seq, p, n, 1);
    p->rcond = tw_data_vector(1, sizeof(double), (int[2]){-1, -1});
    if (p->F && p->X && p->R && p->tau) begin(seq, p);
    give_back(p->F), give_back(p->X), give_back(p->R), give_back(p->tau);
    if (p->rcond) tw_data_free_later(p->rcond);
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    struct polar p = {.a = *(const struct args *)args};
    const tw_int nb = tw_min(p.a.A->nb, p.a.A->m);
    struct tw_data *norm;

    p.nb = nb;
    if (!(p.A = tw_copied(seq, p.a.A, nb, nb))) return;
    if ((norm = tw_max_norm_tasks(seq, p.A))) {
        const struct tw_use uses[] = {{NULL, p.A, TW_R}, {NULL, p.a.A, TW_RW}, {NULL, p.a.H, TW_RW}};
        tw_when(seq, norm, &modelled, uses, 3, with_largest, &p, sizeof p);
        tw_data_free_later(norm);
    }
    give_back(p.A);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

static double bytes(enum tw_type type, double m, double n)
{
    return (double)tw_sizeof(type) * (2 * m * n + 5 * n * n);
}
static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return bytes(s->type, (double)s->m, (double)s->n);
}

static int check(const char *who, void *args)
{
    const struct args *a = args;

    TW_CHECK(who, 1, tw_bad_general(a->A));
    TW_CHECK(who, 1, a->A->m < a->A->n ? "it has more columns than rows" : NULL);
    TW_CHECK(who, 1, a->A->m > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    if (a->H) {
        TW_CHECK(who, 2, tw_bad_general(a->H));
        TW_CHECK(who, 2, tw_bad_pair(a->A, a->H));
        TW_CHECK(who, 2, a->H == a->A ? "it is also A" : NULL);
        TW_CHECK(who, 2, a->H->m != a->A->n || a->H->n != a->A->n ? "it is not n x n" : NULL);
    }
    if (a->A->n == 0) return TW_NOTHING;
    return tw_eigen_memory(who, bytes(a->A->type, (double)a->A->m, (double)a->A->n), a->A, a->H, NULL);
}

static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)a->A->m, n = (double)a->A->n;
    return tw_flop_factor(a->A->type) * (30 * n * n * n + (m > n ? 6 * m * n * n : 0));
}

const struct tw_routine tw_routine_gepolar = {.name = "gepolar",
                                              .arguments = 2,
                                              .size = sizeof(struct args),
                                              .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_RW, H)),
                                              .check = check,
                                              .loop = loop,
                                              .flops = flops,
                                              .tuning = &tw_tuning_panels,
                                              .needs = {.given = "mn nn", .own_bytes = own_bytes}};

int tw_gepolar(tw_matrix *A, tw_matrix *H)
{
    return tw_run(&tw_routine_gepolar, &(struct args){A, H});
}

int tw_gepolar_async(tw_matrix *A, tw_matrix *H, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gepolar, seq, &(struct args){A, H});
}
