/* Cheap factors, refined: those of single precision for residuals and solutions in double, those of half precision's
 * products for GMRES, or those without row exchanges, of A's own precision.
 *
 * The matrix is converted (without row exchanges: copied, and factored itself) tile by tile and factored behind that;
 * the first solution follows in the same graph. Then a task looks at the residuals, and a continuation corrects, is
 * content, or factors in double precision, or with row exchanges. */
#include "algorithms/dense/mixed.h"
#include <math.h>
#include "algorithms/dense/gmres.h"
#include "types/dense/mixed.h"

enum { MOST = 30, MOST_OF_GMRES = 50, TRIES = 2, HOPE = 2 };

/* Without exchanges: above this growth of U's elements, 1 / sqrt(eps), the factors have lost half of the digits, and
 * are no use to a caller that solves with them later. */
static double growth_limit(enum tw_type type)
{
    return tw_is_single(type) ? 0x1p12 : 0x1p26;
}

/* One call; what its continuations get. */
struct system {
    struct tw_mixed_problem p; /* A in square tiles, B and X in tiles that fit */
    struct tw_matrix *SA,
        *SX;             /* of single precision: what is factored, and solutions; without exchanges A itself, and R */
    struct tw_matrix *K; /* what residuals are of: A, without exchanges a copy */
    struct tw_matrix *R; /* residuals, then corrections */
    /* tiles of one double for the block columns of A, then for X's: a conversion met what single precision does not
     * have; or NULL */
    struct tw_matrix *lost;
    struct tw_matrix *xmax, *rmax; /* a double for each column of X */
    struct tw_data *anorm, *info, *state;
    struct tw_data *amax, *umax; /* the largest |a_ij| and |u_ij|, without exchanges alone */
    struct tw_gmres g;           /* factors of half precision's products alone */
    int within;                  /* its steps since it began */
    int cycles;                  /* how often it did */
    int step, exchanged;         /* exchanged: it is the end, factors with exchanges are in A */
    double berr;                 /* of the step before, or when GMRES began */
};

static int priority(struct tw_sequence *seq)
{
    return tw_priority(seq, 1, 1, 0);
}
static struct tw_data *const *column(const struct tw_matrix *M, int j)
{
    return &M->tile[(size_t)j * (size_t)M->mt];
}
static void clear(struct tw_sequence *seq, struct tw_matrix *M)
{
    for (int j = 0; j < M->nt; j++)
        for (int i = 0; i < M->mt; i++)
            tw_task_laset(seq, priority(seq), 'G', tw_zero, tw_zero, tw_tile(M, i, j));
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

static void convert(struct tw_sequence *seq, const struct system *s, struct tw_matrix *from, struct tw_matrix *to)
{
    for (int j = 0; j < to->nt && !tw_loop_status(seq); j++)
        for (int i = 0; i < to->mt; i++)
            tw_task_lag2(seq, priority(seq), 'G', tw_tile(from, i, j), tw_tile(to, i, j),
                         tw_tile(s->lost, 0, s->SA->nt + j));
}

/* In the order in which the factorization takes the tiles, and in which they travel to where that happens. */
static void convert_matrix(struct tw_sequence *seq, const struct system *s)
{
    const int general = s->p.of == TW_LU_FACTORS, lower = s->p.uplo == TW_LOWER;

    for (int j = 0; j < s->SA->nt && !tw_loop_status(seq); j++)
        for (int i = general || !lower ? 0 : j; i < (general || lower ? s->SA->mt : j + 1); i++)
            tw_task_lag2(seq, tw_priority(seq, s->SA->nt - tw_min(i, j), s->SA->nt, 0),
                         general || i != j ? 'G' : (char)s->p.uplo, tw_tile(s->p.A, i, j), tw_tile(s->SA, i, j),
                         tw_tile(s->lost, 0, j));
}

/* ---- solving ----------------------------------------------------------------------------------------------------- */

/* Factors with row exchanges in A, and X := inv(A) X. */
static void factor_and_solve(struct tw_sequence *seq, const struct system *s, struct tw_matrix *A, struct tw_matrix *X,
                             struct tw_data *info)
{
    if (s->p.of == TW_LU_FACTORS && X->nt > 1) {
        tw_getrf_info_loop(seq, A, s->p.ipiv, X, info);
        tw_trsm_loop(seq, TW_LEFT, TW_UPPER, TW_NOTRANS, TW_NONUNIT, tw_one, A, X, 0);
    } else if (s->p.of == TW_LU_FACTORS) {
        /* Products with few columns wait for places on a GPU: they come behind. */
        tw_getrf_info_loop(seq, A, s->p.ipiv, NULL, info);
        tw_inverse_loop(seq, &(struct tw_inverse){.of = s->p.of, .A = A, .ipiv = s->p.ipiv}, TW_NOTRANS, X);
    } else {
        tw_potrf_info_loop(seq, s->p.uplo, A, 0, info);
        tw_inverse_loop(seq, &(struct tw_inverse){.of = s->p.of, .A = A, .uplo = s->p.uplo}, TW_NOTRANS, X);
    }
}

static void all_the_way(struct tw_sequence *seq, const struct system *s)
{
    if (s->K != s->p.A) tw_copy_loop(seq, s->K, s->p.A, 0);
    tw_copy_loop(seq, s->p.B, s->p.X, 0);
    factor_and_solve(seq, s, s->p.A, s->p.X, tw_info(seq));
}

static void add_correction(struct tw_sequence *seq, const struct system *s)
{
    for (int j = 0; j < s->R->nt; j++)
        for (int i = 0; i < s->R->mt; i++)
            tw_task_geadd(seq, priority(seq), 'N', tw_one, tw_tile(s->R, i, j), tw_one, tw_tile(s->p.X, i, j));
}

/* X := X + inv(A) R */
static void correct(struct tw_sequence *seq, const struct system *s)
{
    const struct tw_inverse inverse = {
        .of = s->p.of, .A = s->SA, .ipiv = s->p.nopiv ? NULL : s->p.ipiv, .uplo = s->p.uplo};

    if (s->SX != s->R) convert(seq, s, s->R, s->SX);
    tw_inverse_loop(seq, &inverse, TW_NOTRANS, s->SX);
    if (s->SX != s->R) convert(seq, s, s->SX, s->R);
    add_correction(seq, s);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void go_on(struct tw_sequence *seq, const void *state, void *p);

/* `next` gets the value of `data`. What it may change: all of it; once factors with exchanges are there, nothing. */
static void when(struct tw_sequence *seq, const struct system *s, struct tw_data *data, const void *modelled,
                 void (*next)(struct tw_sequence *seq, const void *value, void *p))
{
    const struct tw_use all[] = {{NULL, s->p.A, TW_RW},
                                 {NULL, s->p.X, TW_RW},
                                 {NULL, s->p.B, TW_R},
                                 {NULL, s->SA, TW_R},
                                 {NULL, s->SX, TW_RW},
                                 {NULL, s->R, TW_RW},
                                 {NULL, s->xmax, TW_RW},
                                 {NULL, s->rmax, TW_RW},
                                 {s->anorm, NULL, TW_R},
                                 {s->info, NULL, TW_R},
                                 {NULL, s->K, TW_R},
                                 {NULL, s->lost, TW_RW},
                                 {s->amax, NULL, TW_R},
                                 {s->umax, NULL, TW_R},
                                 {NULL, s->p.ipiv, TW_RW},
                                 {NULL, s->g.rows, TW_R},
                                 {NULL, s->g.cols, TW_R},
                                 {NULL, s->g.zeros, TW_RW},
                                 {NULL, s->g.W, TW_RW},
                                 {NULL, s->g.V, TW_RW},
                                 {NULL, s->g.Z, TW_RW},
                                 {NULL, s->g.state, TW_RW},
                                 {data == s->state ? s->g.left : s->state, NULL, TW_RW}};
    struct tw_use uses[sizeof all / sizeof *all];
    int n = 0;

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if ((all[k].data || all[k].matrix) && (!s->exchanged || all[k].matrix == s->R)) uses[n++] = all[k];
    tw_when(seq, data, modelled, uses, n, next, s, sizeof *s);
}
static void decide(struct tw_sequence *seq, const struct system *s)
{
    static const struct tw_mixed modelled = {TW_MIXED_GOOD, 0, 1};
    when(seq, s, s->state, &modelled, go_on);
}

static void look(struct tw_sequence *seq, const struct system *s)
{
    const int lost = s->lost ? s->lost->nt : 0;
    const struct tw_growth growth = {s->amax, s->umax, s->exchanged ? INFINITY : growth_limit(s->p.A->type)};
    const struct tw_refinement r = {.structure = s->p.of == TW_LU_FACTORS ? TW_STRUCT_GENERAL : TW_STRUCT_HERMITIAN,
                                    .uplo = s->p.uplo,
                                    .trans = TW_NOTRANS,
                                    .A = s->K,
                                    .B = s->p.B,
                                    .X = s->p.X};

    clear(seq, s->xmax);
    clear(seq, s->rmax);
    for (int j = 0; j < s->R->nt && !tw_loop_status(seq); j++) {
        tw_residual_loop(seq, &r, j, column(s->R, j), NULL);
        for (int i = 0; i < s->R->mt; i++) {
            tw_task_colmax(seq, priority(seq), tw_tile(s->p.X, i, j), tw_tile(s->xmax, 0, j));
            tw_task_colmax(seq, priority(seq), tw_tile(s->R, i, j), tw_tile(s->rmax, 0, j));
        }
    }
    tw_task_mixed_look(seq, tw_priority(seq, 1, 1, 1), s->p.A->type, s->p.A->n, s->state, s->anorm,
                       s->exchanged ? tw_info(seq) : s->info, lost ? s->lost->tile : NULL, lost, s->xmax->tile,
                       s->rmax->tile, s->xmax->nt, s->amax ? &growth : NULL);
    decide(seq, s);
}

/* At the residuals and at new factors' U. Without memory the sequence has failed. */
static void look_at_growth(struct tw_sequence *seq, struct system *s)
{
    if ((s->umax = tw_max_norm_of_upper(seq, s->p.A))) look(seq, s);
}

/* GMRES begun anew gains about as much again. Is that enough for the steps that are left, if they were HOPE times as
 * good? Factors with infinities and NaN in them leave X = 0, whose error is infinite. */
static int gmres_goes_on(const struct system *s, const struct tw_mixed *m)
{
    const double limit = 0x1p-53 * tw_mixed_limit((double)s->p.A->n);
    double gained;

    if (s->cycles == 0) return 1;
    if (s->step >= MOST_OF_GMRES || !(m->berr < s->berr)) return 0;
    gained = log(s->berr / m->berr) / s->within;
    return HOPE * gained * (MOST_OF_GMRES - s->step) >= log(m->berr / limit);
}

/* Residuals are too large, but there is hope: of single precision's factors LAPACK's, 30 times. Without exchanges they
 * soon halve, or never. */
static int correctable(const struct system *s, const struct tw_mixed *m)
{
    if (m->status != TW_MIXED_MORE) return 0;
    if (s->p.half) return gmres_goes_on(s, m);
    return s->step < MOST && (!s->p.nopiv || s->step < TRIES || 2 * m->berr <= s->berr);
}

static const double done = 0; /* where plans are made of it */

/* Another step of GMRES, or what its steps have come to, which counts for less when the residual is made anew. */
static void after_step(struct tw_sequence *seq, const void *left, void *args)
{
    struct system *s = args;

    s->step++, s->within++;
    if (*(const double *)left != 0 && s->within < TW_GMRES_MOST && s->step < MOST_OF_GMRES) {
        tw_gmres_step(seq, &s->g, s->within);
        when(seq, s, s->g.left, &done, after_step);
        return;
    }
    tw_gmres_correction(seq, &s->g);
    add_correction(seq, s);
    look(seq, s);
}
static void gmres(struct tw_sequence *seq, struct system *s)
{
    s->within = 0, s->cycles++;
    tw_gmres_begin(seq, &s->g);
    tw_gmres_step(seq, &s->g, 0);
    when(seq, s, s->g.left, &done, after_step);
}

static void tell(const struct system *s, const struct tw_mixed *m)
{
    const int known = m->status == TW_MIXED_GOOD || (s->exchanged && m->status == TW_MIXED_MORE);

    if (known && s->p.berr) *s->p.berr = m->berr;
    if (s->p.growth) *s->p.growth = m->growth;
}

static void go_on(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_mixed *m = value;
    struct system *s = args;

    if (s->exchanged) {
        tell(s, m);
        return;
    }
    if (correctable(s, m)) {
        s->berr = m->berr;
        if (s->p.half) {
            gmres(seq, s);
            return;
        }
        s->step++;
        correct(seq, s);
        look(seq, s);
        return;
    }
    *s->p.iter = m->status == TW_MIXED_GOOD       ? s->step
                 : m->status == TW_MIXED_OVERFLOW ? -2
                 : m->status == TW_MIXED_SINGULAR ? -3
                                                  : -MOST - 1;
    tell(s, m);
    if (m->status == TW_MIXED_GOOD) return;
    all_the_way(seq, s);
    s->exchanged = 1;
    if (s->p.nopiv) look_at_growth(seq, s);
    if (s->p.nopiv) tw_data_free_later(s->umax);
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

/* Wanted by looks alone: its tasks come behind the factorization's. */
static int norm(struct tw_sequence *seq, struct system *s)
{
    const int general = s->p.of == TW_LU_FACTORS;
    s->anorm = tw_sum_norm_tasks(seq, TW_INF_NORM, general ? TW_STRUCT_GENERAL : TW_STRUCT_HERMITIAN,
                                 general ? TW_GENERAL : s->p.uplo, TW_NONUNIT, s->K, 0);
    return s->anorm ? 0 : -1;
}

static void begin_without_exchanges(struct tw_sequence *seq, struct system *s)
{
    const struct tw_inverse inverse = {.of = TW_LU_FACTORS, .A = s->p.A};

    for (int k = 0; k < s->p.ipiv->mt; k++)
        tw_task_no_exchanges(seq, priority(seq), s->p.A->type, k * s->p.ipiv->mb, tw_tile(s->p.ipiv, k, 0));
    tw_copy_loop(seq, s->p.B, s->p.X, 0);
    tw_getrf_nopiv_loop(seq, s->p.A, s->info);
    tw_inverse_loop(seq, &inverse, TW_NOTRANS, s->p.X);
    if (!norm(seq, s)) look_at_growth(seq, s);
}

/* The scaled matrix, whose elements are 1 at most, in the order in which the factorization takes the tiles. */
static void convert_scaled(struct tw_sequence *seq, const struct system *s)
{
    const int general = s->p.of == TW_LU_FACTORS, lower = s->p.uplo == TW_LOWER;

    for (int j = 0; j < s->SA->nt && !tw_loop_status(seq); j++)
        for (int i = general || !lower ? 0 : j; i < (general || lower ? s->SA->mt : j + 1); i++)
            tw_task_lag2_scaled(seq, tw_priority(seq, s->SA->nt - tw_min(i, j), s->SA->nt, 0),
                                general || i != j ? 'G' : (char)s->p.uplo, tw_tile(s->p.A, i, j),
                                tw_tile(s->g.rows, i, 0), tw_tile(s->g.cols, j, 0), tw_tile(s->SA, i, j));
}

/* X = 0 is the first solution: GMRES does all the rest. */
static void begin_half(struct tw_sequence *seq, struct system *s)
{
    enum tw_products before;

    clear(seq, s->lost);
    tw_gmres_scalings(seq, &s->g, s->p.A, s->info);
    convert_scaled(seq, s);
    before = tw_loop_products(seq, TW_PRODUCTS_HALF);
    if (s->p.of == TW_LU_FACTORS)
        tw_getrf_info_loop(seq, s->SA, s->p.ipiv, NULL, s->info);
    else
        tw_potrf_info_loop(seq, s->p.uplo, s->SA, 0, s->info);
    (void)tw_loop_products(seq, before);
    clear(seq, s->p.X);
    if (!norm(seq, s)) look(seq, s);
}

static void begin(struct tw_sequence *seq, struct system *s)
{
    const enum tw_products before =
        tw_loop_products(seq, TW_PRODUCTS_SPLIT); /* GPUs' single precision by itself is no faster than double */

    clear(seq, s->lost);
    convert_matrix(seq, s);
    convert(seq, s, s->p.B, s->SX);
    factor_and_solve(seq, s, s->SA, s->SX, s->info);
    (void)tw_loop_products(seq, before);
    convert(seq, s, s->SX, s->p.X);
    if (!norm(seq, s)) look(seq, s);
}

static int make_lower_precision(struct system *s)
{
    const struct tw_matrix *A = s->p.A, *X = s->p.X;
    const enum tw_type half = A->type == TW_DOUBLE ? TW_FLOAT : TW_COMPLEX_FLOAT;

    s->K = s->p.A;
    s->SA = tw_matrix_temporary(half, A->n, A->n, A->nb, A->nb);
    s->SX = tw_matrix_temporary(half, X->m, X->n, X->mb, X->nb);
    s->lost = tw_matrix_temporary(TW_DOUBLE, 1, A->nt + X->nt, 1, 1);
    if (!s->SA || !s->SX || !s->lost) return -1;
    if (!s->p.half) return 0;
    s->g.system =
        (struct tw_refinement){.structure = s->p.of == TW_LU_FACTORS ? TW_STRUCT_GENERAL : TW_STRUCT_HERMITIAN,
                               .uplo = s->p.uplo,
                               .trans = TW_NOTRANS,
                               .A = s->p.A};
    s->g.inverse = (struct tw_inverse){.of = s->p.of, .A = s->SA, .ipiv = s->p.ipiv, .uplo = s->p.uplo};
    s->g.R = s->R, s->g.SX = s->SX;
    return tw_gmres_make(&s->g, X);
}

static int make_copy(struct tw_sequence *seq, struct system *s)
{
    s->K = tw_copied(seq, s->p.A, s->p.A->nb, s->p.A->nb);
    s->amax = tw_max_norm_tasks(seq, s->p.A);
    s->SA = s->p.A;
    s->SX = s->R;
    return s->K && s->amax ? 0 : -1;
}

static int make(struct tw_sequence *seq, struct system *s)
{
    const struct tw_matrix *X = s->p.X;
    const int none[2] = {-1, -1};

    s->R = tw_matrix_temporary(X->type, X->m, X->n, X->mb, X->nb);
    s->xmax = tw_matrix_temporary(TW_DOUBLE, 1, X->n, 1, X->nb);
    s->rmax = tw_matrix_temporary(TW_DOUBLE, 1, X->n, 1, X->nb);
    s->info = tw_data_vector(1, sizeof(int64_t), none);
    s->state = tw_data_vector(1, sizeof(struct tw_mixed), none);
    if (!s->R || !s->xmax || !s->rmax || !s->info || !s->state) return -1;
    return s->p.nopiv ? make_copy(seq, s) : make_lower_precision(s);
}

static void end(struct system *s)
{
    struct tw_matrix *const matrices[] = {s->SA == s->p.A ? NULL : s->SA,
                                          s->SX == s->R ? NULL : s->SX,
                                          s->K == s->p.A ? NULL : s->K,
                                          s->R,
                                          s->lost,
                                          s->xmax,
                                          s->rmax};
    struct tw_data *const others[] = {s->anorm, s->info, s->state, s->amax, s->umax};

    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        tw_matrix_free_later(matrices[k]);
    tw_gmres_end(&s->g);
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        tw_data_free_later(others[k]);
}

static void solve(struct tw_sequence *seq, struct system *s)
{
    if (make(seq, s))
        tw_loop_fail(seq, TW_E_MEMORY, "refined factors: a copy of the matrix: %s", tw_last_message());
    else if (s->p.nopiv)
        begin_without_exchanges(seq, s);
    else if (s->p.half)
        begin_half(seq, s);
    else
        begin(seq, s);
    end(s);
}

void tw_mixed_loop(struct tw_sequence *seq, const struct tw_mixed_problem *p)
{
    const tw_int nb = p->A->nb, kb = p->X->nb;
    const int general = p->of == TW_LU_FACTORS; /* others have square tiles */
    struct system s = {.p = *p};

    s.p.A = general ? tw_retiled(seq, p->A, nb, nb) : p->A;
    s.p.B = tw_retiled(seq, p->B, nb, kb);
    s.p.X = tw_retiled_for(seq, p->X, nb, kb, 0);
    if (s.p.A && s.p.B && s.p.X) solve(seq, &s);
    tw_retiled_end(seq, p->X, s.p.X, 1);
    tw_retiled_end(seq, p->B, s.p.B, 0);
    if (general) tw_retiled_end(seq, p->A, s.p.A, 1);
}

int tw_mixed_check(const char *who, const struct tw_mixed_problem *p, int b)
{
    TW_CHECK(who, b, tw_bad_side_of(p->A, p->B));
    TW_CHECK(who, b, tw_shares(p->A, p->B) ? "it is the matrix A itself" : NULL);
    TW_CHECK(who, b + 1, tw_bad_side_of(p->A, p->X));
    TW_CHECK(who, b + 1, p->X->n != p->B->n ? "its number of columns is not B's" : NULL);
    TW_CHECK(who, b + 1, tw_shares(p->X, p->B) || tw_shares(p->X, p->A) ? "it is another operand itself" : NULL);
    TW_CHECK(who, b + 2, p->iter ? NULL : "NULL");
    *p->iter = 0;
    if (p->berr) *p->berr = -1;
    if (p->A->n == 0) return TW_NOTHING;
    return 0;
}
