/* BLAS-3 of all doors, one row per routine: every combination of letters, all types, shapes from 0 and 1 to several
 * ragged tiles, operands in tiles of one shape and of different ones, at once and queued, against products of full
 * copies. What is not to be read is NaN: the other triangles, C with beta = 0, A and B with alpha = 0, the diagonal
 * with diag 'U'. With an argument only the calls under BLAS' names, which then go the way that TILEWORK_CROSSOVER
 * says. */
#include <complex.h>

#include "tt.h"

/* One call. A letter that its routine does not have is 0. */
struct call {
    enum tw_type t;
    char side, uplo, ta, tb, diag;
    int m, n, k; /* C, or what trmm and trsm overwrite, is m x n (rank-k updates: n x n) */
    tw_scalar alpha, beta;
    tw_sequence *seq; /* NULL: at once */
};
typedef int (*run_fn)(const struct call *c, tw_matrix *A, tw_matrix *B, tw_matrix *C);

#define SIDE (enum tw_side) c->side
#define UPLO (enum tw_uplo) c->uplo
#define TA   (enum tw_trans) c->ta
#define TB   (enum tw_trans) c->tb
#define DIAG (enum tw_diag) c->diag
#define RUN(name, ...)                                                                                                 \
    static int run_##name(const struct call *c, tw_matrix *A, tw_matrix *B, tw_matrix *C)                              \
    {                                                                                                                  \
        (void)A, (void)B, (void)C;                                                                                     \
        return c->seq ? tw_##name##_async(__VA_ARGS__, c->seq) : tw_##name(__VA_ARGS__);                               \
    }
RUN(gemm, TA, TB, c->alpha, A, B, c->beta, C)
RUN(symm, SIDE, UPLO, c->alpha, A, B, c->beta, C)
RUN(hemm, SIDE, UPLO, c->alpha, A, B, c->beta, C)
RUN(syrk, UPLO, TA, c->alpha, A, c->beta, C)
RUN(herk, UPLO, TA, c->alpha.re, A, c->beta.re, C)
RUN(syr2k, UPLO, TA, c->alpha, A, B, c->beta, C)
RUN(her2k, UPLO, TA, c->alpha, A, B, c->beta.re, C)
RUN(trmm, SIDE, UPLO, TA, DIAG, c->alpha, A, C)
RUN(trsm, SIDE, UPLO, TA, DIAG, c->alpha, A, C)

/* ---- the routines under BLAS' names, by type ------------------------------------------------------------------- */

struct operand {
    enum tw_type t;
    char part; /* of it that is stored and has content: 'G', 'L', 'U' */
    int m, n, ld;
    void *a, *before; /* what it was */
    struct tt_place place;
};
typedef tw_int (*door_fn)(const struct call *c, const struct operand *A, const struct operand *B, struct operand *C);

/* alpha and beta as AL and BE, their real parts as RAL and RBE. */
#define BY_TYPE(name, ...)                                                                                             \
    {                                                                                                                  \
        const double RAL = c->alpha.re, RBE = c->beta.re;                                                              \
        (void)A, (void)B, (void)RAL, (void)RBE;                                                                        \
        if (c->t == TW_FLOAT) {                                                                                        \
            const float AL = (float)RAL, BE = (float)RBE;                                                              \
            (void)BE;                                                                                                  \
            return tw_s##name(__VA_ARGS__);                                                                            \
        }                                                                                                              \
        if (c->t == TW_DOUBLE) {                                                                                       \
            const double AL = RAL, BE = RBE;                                                                           \
            (void)BE;                                                                                                  \
            return tw_d##name(__VA_ARGS__);                                                                            \
        }                                                                                                              \
        BY_COMPLEX(name, __VA_ARGS__)                                                                                  \
    }
#define BY_COMPLEX(name, ...)                                                                                          \
    {                                                                                                                  \
        const double _Complex AL = CMPLX(c->alpha.re, c->alpha.im), BE = CMPLX(c->beta.re, c->beta.im);                \
        const double RAL = c->alpha.re, RBE = c->beta.re;                                                              \
        (void)A, (void)B, (void)AL, (void)BE, (void)RAL, (void)RBE;                                                    \
        if (c->t == TW_COMPLEX_FLOAT) return tw_c##name(__VA_ARGS__);                                                  \
        assert_int_equal(c->t, TW_COMPLEX_DOUBLE);                                                                     \
        return tw_z##name(__VA_ARGS__);                                                                                \
    }
#define DOOR(name)                                                                                                     \
    static tw_int door_##name(const struct call *c, const struct operand *A, const struct operand *B, struct operand *C)
#define X(M) M->a, M->ld
/* clang-format off */
DOOR(gemm) BY_TYPE(gemm, c->ta, c->tb, c->m, c->n, c->k, AL, X(A), X(B), BE, X(C))
DOOR(symm) BY_TYPE(symm, c->side, c->uplo, c->m, c->n, AL, X(A), X(B), BE, X(C))
DOOR(hemm) BY_COMPLEX(hemm, c->side, c->uplo, c->m, c->n, AL, X(A), X(B), BE, X(C))
DOOR(syrk) BY_TYPE(syrk, c->uplo, c->ta, c->n, c->k, AL, X(A), BE, X(C))
DOOR(herk) BY_COMPLEX(herk, c->uplo, c->ta, c->n, c->k, RAL, X(A), RBE, X(C))
DOOR(syr2k) BY_TYPE(syr2k, c->uplo, c->ta, c->n, c->k, AL, X(A), X(B), BE, X(C))
DOOR(her2k) BY_COMPLEX(her2k, c->uplo, c->ta, c->n, c->k, AL, X(A), X(B), RBE, X(C))
DOOR(trmm) BY_TYPE(trmm, c->side, c->uplo, c->ta, c->diag, c->m, c->n, AL, X(A), X(C))
DOOR(trsm) BY_TYPE(trsm, c->side, c->uplo, c->ta, c->diag, c->m, c->n, AL, X(A), X(C))
    /* clang-format on */

    enum form {
        GEMM,
        SYMM,
        RANK_K,
        RANK_2K,
        TRMM,
        TRSM
    };
struct row {
    const char *name;
    run_fn run;
    door_fn door;
    enum form form;
    int hermitian;
    const char *sides, *uplos, *tas, *tbs, *diags; /* the letters that it takes; "" has one element, 0 */
};
/* Letters of complex types; real ones take 'C' for 'T' everywhere. */
static const struct row rows[] = {
    {"gemm", run_gemm, door_gemm, GEMM, 0, "", "", "NTC", "NTC", ""},
    {"symm", run_symm, door_symm, SYMM, 0, "LR", "LU", "", "", ""},
    {"hemm", run_hemm, door_hemm, SYMM, 1, "LR", "LU", "", "", ""},
    {"syrk", run_syrk, door_syrk, RANK_K, 0, "", "LU", "NT", "", ""},
    {"herk", run_herk, door_herk, RANK_K, 1, "", "LU", "NC", "", ""},
    {"syr2k", run_syr2k, door_syr2k, RANK_2K, 0, "", "LU", "NT", "", ""},
    {"her2k", run_her2k, door_her2k, RANK_2K, 1, "", "LU", "NC", "", ""},
    {"trmm", run_trmm, door_trmm, TRMM, 0, "LR", "LU", "NTC", "", "NU"},
    {"trsm", run_trsm, door_trsm, TRSM, 0, "LR", "LU", "NTC", "", "NU"},
};
enum { ROWS = sizeof rows / sizeof *rows };

static tt_z value_of(enum tw_type t, tw_scalar s)
{
    return tt_complex(t) ? CMPLX(s.re, s.im) : s.re;
}
static int is_zero(enum tw_type t, tw_scalar s)
{
    return value_of(t, s) == 0;
}

/* ---- operands ----------------------------------------------------------------------------------------------- */

/* filled: 0 leaves NaN. */
static void make(struct operand *o, enum tw_type t, char part, int m, int n, int pad)
{
    *o = (struct operand){.t = t, .part = part, .m = m, .n = n, .ld = m + pad};
    o->a = tt_array(t, o->ld, n);
}
static void fill(struct operand *o, uint64_t seed, int triangular, char diag)
{
    if (triangular)
        tt_triangle(o->t, o->part, diag, o->n, o->a, o->ld, seed);
    else
        tt_random(o->t, o->part, o->m, o->n, o->a, o->ld, seed);
}
/* How the operands of one call are cut: tiles of mb x nb each; triangles in nb x nb. */
struct cut {
    int mb[3], nb[3];
};
static void enter(struct operand *o, int mb, int nb)
{
    static int turn, storages;
    const char stored = o->part != 'G' && turn % 2 ? o->part : 'G'; /* triangles as such, or in a whole matrix */

    if (!storages) storages = tt_storages();
    if (mb == nb || o->part != 'G') {
        (void)tt_enter(&o->place, (enum tt_storage)(turn++ % storages), o->t, (enum tw_uplo)stored, o->m, o->n, o->a,
                       o->ld, nb);
        return;
    }
    o->place = (struct tt_place){TT_WRAPPED, o->t, NULL, o->a, NULL, o->ld, o->n};
    if (turn++ % 2) {
        assert_int_equal(tw_matrix_wrap_tiles(&o->place.A, o->t, TW_GENERAL, o->m, o->n, o->a, o->ld, mb, nb), 0);
    } else {
        o->place.storage = TT_CREATED;
        assert_int_equal(tw_matrix_create_tiles(&o->place.A, o->t, TW_GENERAL, o->m, o->n, mb, nb, NULL), 0);
        assert_int_equal(tw_matrix_set_lapack(o->place.A, o->a, o->ld), 0);
    }
}
/* written: 0 if it has to be what it was. */
static void leave(struct operand *o, int written)
{
    if (o->place.A) tt_leave(&o->place);
    assert_int_equal(tt_touched(o->t, o->part, o->m, o->n, o->a, o->ld), 0);
    if (!written && o->ld > 0 && o->n > 0)
        assert_memory_equal(o->a, o->before, (size_t)o->ld * (size_t)o->n * tt_size(o->t));
}
static void drop(struct operand *o)
{
    free(o->a), free(o->before);
}
static tt_z *full(const struct operand *o, enum tt_structure s, char diag, char trans)
{
    return tt_op(trans, o->m, o->n, tt_full(s, o->t, o->part, diag, o->m, o->n, o->before, o->ld));
}

/* [x y], both m x k, as m x 2k; or one below the other, both k x m: 2k x m. Frees both. */
static tt_z *beside(int m, int k, tt_z *x, tt_z *y)
{
    tt_z *z = calloc((size_t)(2 * m * k + 1), sizeof *z);
    assert_non_null(z);
    memcpy(z, x, (size_t)(m * k) * sizeof *z);
    memcpy(z + m * k, y, (size_t)(m * k) * sizeof *z);
    free(x), free(y);
    return z;
}
static tt_z *below(int k, int m, tt_z *x, tt_z a, tt_z *y, tt_z b)
{
    tt_z *z = calloc((size_t)(2 * m * k + 1), sizeof *z);
    assert_non_null(z);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < k; i++) {
            z[i + j * 2 * k] = a * x[i + j * k];
            z[i + k + j * 2 * k] = b * y[i + j * k];
        }
    free(x), free(y);
    return z;
}

/* ---- one call ----------------------------------------------------------------------------------------------- */

/* The residual of what is in C, with the operands as they were. */
static double residual(const struct row *r, const struct call *c, const struct operand *A, const struct operand *B,
                       const struct operand *C)
{
    const enum tt_structure s = r->hermitian ? TT_HERMITIAN : TT_SYMMETRIC;
    const char other = r->hermitian ? 'C' : 'T';
    const tt_z alpha = value_of(c->t, c->alpha), beta = value_of(c->t, c->beta);
    const int m = C->m, n = C->n;
    const int nothing = alpha == 0 || c->k == 0;
    tt_z *P = NULL, *Q = NULL, *C0;
    double result = 0;

    if (r->hermitian && C->part != 'G' && nothing &&
        creal(beta) == 1) /* BLAS returns at once: even the diagonal stays */
        return C->ld > 0 && C->n > 0 && memcmp(C->a, C->before, (size_t)C->ld * (size_t)C->n * tt_size(C->t)) ? 1e300
                                                                                                              : 0;
    C0 = full(C, C->part == 'G' ? TT_GENERAL : s, 'N', 'N');

    switch (r->form) {
    case GEMM:
        P = full(A, TT_GENERAL, 'N', c->ta), Q = full(B, TT_GENERAL, 'N', c->tb);
        result = tt_product_residual(c->t, 'G', m, n, c->k, alpha, P, Q, beta, C0, C->a, C->ld);
        break;
    case SYMM:
        P = full(A, s, 'N', 'N'), Q = full(B, TT_GENERAL, 'N', 'N');
        result = tt_product_residual(c->t, 'G', m, n, A->n, alpha, c->side == 'L' ? P : Q, c->side == 'L' ? Q : P, beta,
                                     C0, C->a, C->ld);
        break;
    case RANK_K:
        P = full(A, TT_GENERAL, 'N', c->ta == 'N' ? 'N' : other);
        Q = full(A, TT_GENERAL, 'N', c->ta == 'N' ? other : 'N');
        result = tt_product_residual(c->t, c->uplo, n, n, c->k, r->hermitian ? creal(alpha) : alpha, P, Q,
                                     r->hermitian ? creal(beta) : beta, C0, C->a, C->ld);
        break;
    case RANK_2K: {
        const char left = c->ta == 'N' ? 'N' : other, right = c->ta == 'N' ? other : 'N';
        P = beside(n, c->k, full(A, TT_GENERAL, 'N', left), full(B, TT_GENERAL, 'N', left));
        Q = below(c->k, n, full(B, TT_GENERAL, 'N', right), alpha, full(A, TT_GENERAL, 'N', right),
                  r->hermitian ? conj(alpha) : alpha);
        result = tt_product_residual(c->t, c->uplo, n, n, nothing ? 0 : 2 * c->k, 1, P, Q,
                                     r->hermitian ? creal(beta) : beta, C0, C->a, C->ld);
        break;
    }
    case TRMM:
        P = full(A, TT_TRIANGULAR, c->diag, c->ta);
        result = tt_product_residual(c->t, 'G', m, n, A->n, alpha, c->side == 'L' ? P : C0, c->side == 'L' ? C0 : P, 0,
                                     C0, C->a, C->ld);
        break;
    case TRSM:
        P = full(A, TT_TRIANGULAR, c->diag, c->ta);
        Q = tt_full(TT_GENERAL, c->t, 'G', 'N', m, n, C->a, C->ld);
        for (int e = 0; e < m * n; e++)
            C0[e] = alpha == 0 ? 0 : alpha * C0[e]; /* B is not read with alpha = 0: it is NaN then */
        if (alpha == 0)
            result = tt_norm('M', m, n, Q) == 0 ? 0 : 1e300;
        else
            result = c->side == 'L' ? tt_equation_residual(c->t, m, n, A->n, P, Q, C0)
                                    : tt_equation_residual(c->t, m, n, A->n, Q, P, C0);
        break;
    }
    free(P), free(Q), free(C0);
    return result;
}

/* Shapes and content of the operands. */
static void make_operands(const struct row *r, const struct call *c, struct operand *A, struct operand *B,
                          struct operand *C)
{
    const int triangle = r->form == SYMM || r->form == TRMM || r->form == TRSM,
              rank = r->form == RANK_K || r->form == RANK_2K;
    const int order = c->side == 'L' ? c->m : c->n, reads = !is_zero(c->t, c->alpha),
              reads_c = r->form == TRMM || r->form == TRSM ? reads : !is_zero(c->t, c->beta);

    if (triangle)
        make(A, c->t, c->uplo, order, order, 1);
    else if (rank)
        make(A, c->t, 'G', c->ta == 'N' ? c->n : c->k, c->ta == 'N' ? c->k : c->n, 1);
    else
        make(A, c->t, 'G', c->ta == 'N' ? c->m : c->k, c->ta == 'N' ? c->k : c->m, 1);
    if (r->form == GEMM)
        make(B, c->t, 'G', c->tb == 'N' ? c->k : c->n, c->tb == 'N' ? c->n : c->k, 2);
    else if (r->form == RANK_2K)
        make(B, c->t, 'G', A->m, A->n, 2);
    else
        make(B, c->t, 'G', c->m, c->n, 2);
    make(C, c->t, rank ? c->uplo : 'G', rank ? c->n : c->m, c->n, 3);
    if (reads) fill(A, 1, r->form == TRMM || r->form == TRSM, c->diag);
    if (reads) fill(B, 2, 0, 'N');
    if (reads_c) fill(C, 3, 0, 'N');
}

/* cut NULL: under BLAS' name. */
static void one(const struct row *r, const struct call *c, const struct cut *cut, int several)
{
    struct operand A, B, C;
    double value;

    make_operands(r, c, &A, &B, &C);
    A.before = tt_copy(c->t, A.ld, A.n, A.a), B.before = tt_copy(c->t, B.ld, B.n, B.a);
    C.before = tt_copy(c->t, C.ld, C.n, C.a);
    if (cut) {
        enter(&A, cut->mb[0], cut->nb[0]), enter(&B, cut->mb[1], cut->nb[1]), enter(&C, cut->mb[2], cut->nb[2]);
        tt_expect_info(r->run(c, A.place.A, B.place.A, C.place.A), 0, "%s", r->name);
    } else {
        tt_expect_info(r->door(c, &A, &B, &C), 0, "%s", r->name);
    }
    if (c->seq) tt_expect_info(tw_sequence_wait(c->seq), 0, "%s", r->name);
    leave(&A, 0), leave(&B, 0), leave(&C, 1);
    for (int i = 0; C.part != 'G' && r->hermitian && i < C.n && !is_zero(c->t, c->alpha) && c->k > 0; i++)
        assert_true(cimag(tt_get(c->t, C.a, (size_t)(i * (C.ld + 1)))) == 0); /* BLAS sets it */
    value = residual(r, c, &A, &B, &C);
    tt_expect(r->name, c->t, value, several && !is_zero(c->t, c->alpha) ? c->k : 0,
              "%c%c%c%c%c %d x %d x %d tiles %d x %d alpha %g beta %g%s", c->side ? c->side : '-',
              c->uplo ? c->uplo : '-', c->ta ? c->ta : '-', c->tb ? c->tb : '-', c->diag ? c->diag : '-', c->m, c->n,
              c->k, cut ? cut->mb[2] : 0, cut ? cut->nb[2] : 0, c->alpha.re, c->beta.re, c->seq ? " queued" : "");
    drop(&A), drop(&B), drop(&C);
}

/* ---- all of them --------------------------------------------------------------------------------------------- */

static const int shapes[][3] = {{83, 61, 97}, {64, 96, 32}, {1, 40, 33}, {40, 1, 5}, {33, 31, 1},
                                {7, 9, 8},    {40, 33, 0},  {0, 7, 3},   {5, 0, 3},  {1, 1, 1}};
static const tw_scalar scalars[][2] = {{{1, 0}, {0, 0}}, {{-1, 0}, {1, 0}}, {{0.5, -0.25}, {-0.75, 0.125}},
                                       {{0, 0}, {2, 1}}, {{0, 0}, {0, 0}},  {{2, 0.5}, {0, 0}},
                                       {{0, 0}, {1, 0}}};
/* Tiles of A, B and C: alike; larger than the matrices; of different nb; rectangular. */
static const struct cut cuts[] = {{{32, 32, 32}, {32, 32, 32}},
                                  {{200, 200, 200}, {200, 200, 200}},
                                  {{16, 32, 24}, {16, 32, 24}},
                                  {{32, 20, 32}, {20, 32, 25}},
                                  {{9, 9, 200}, {9, 9, 200}}};
#define COUNT(x) ((int)(sizeof(x) / sizeof *(x)))

/* Straight to BLAS, whose bits may be the reference's; or by tiles. */
static enum { ALL, TILED_DOOR } doors;
static void under_blas_name(const struct row *r, const struct call *of, int several)
{
    struct call c = *of;
    c.seq = NULL;
    if (r->hermitian && !tt_complex(c.t)) return; /* BLAS has no dhemm */
    one(r, &c, NULL, several && doors == TILED_DOOR);
}

static int letters(const char *of)
{
    return of[0] ? (int)strlen(of) : 1;
}

/* What a real type does not have of a row: nothing; 'C' for herk's and her2k's transposes, too. Complex types: as the
 * row says. */
static void each_combination(const struct row *r, enum tw_type t, tw_sequence *seq)
{
    const int count = letters(r->sides) * letters(r->uplos) * letters(r->tas) * letters(r->tbs) * letters(r->diags);
    static int turn;

    for (int l = 0; l < count; l++) {
        struct call c = {.t = t};
        int at = l;
        c.side = r->sides[at % letters(r->sides)], at /= letters(r->sides);
        c.uplo = r->uplos[at % letters(r->uplos)], at /= letters(r->uplos);
        c.ta = r->tas[at % letters(r->tas)], at /= letters(r->tas);
        c.tb = r->tbs[at % letters(r->tbs)], at /= letters(r->tbs);
        c.diag = r->diags[at];
        /* Every shape; the first and the last combination also with all scalars. */
        const int cases = COUNT(shapes) + (l == 0 || l == count - 1 ? COUNT(scalars) : 0);
        for (int s = 0; s < cases; s++) {
            const int *shape = shapes[s < COUNT(shapes) ? s : 0];
            const int pair = s < COUNT(shapes) ? turn % COUNT(scalars) : s - COUNT(shapes), cut = turn % COUNT(cuts);
            c.m = shape[0], c.n = shape[1], c.k = shape[2];
            if (r->form == SYMM || r->form == TRMM || r->form == TRSM) c.k = c.side == 'L' ? c.m : c.n;
            c.alpha = scalars[pair][0], c.beta = scalars[pair][1];
            c.seq = turn % 3 == 1 ? seq : NULL;
            if (doors == ALL) one(r, &c, &cuts[cut], s == 0 && cut != 1);
            under_blas_name(r, &c, s == 0);
            turn++;
        }
    }
}

static void row(const char *name)
{
    tw_sequence *seq;
    assert_int_equal(tw_sequence_create(&seq), 0);
    for (int r = 0; r < ROWS; r++)
        for (enum tw_type t = TW_FLOAT; !strcmp(rows[r].name, name) && (int)t < TW_NTYPES; t++)
            each_combination(&rows[r], t, seq);
    assert_int_equal(tw_sequence_destroy(seq), 0);
}

#define TEST(name)                                                                                                     \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state, row(#name);                                                                                       \
    }
TEST(gemm)
TEST(symm)
TEST(hemm)
TEST(syrk)
TEST(herk)
TEST(syr2k)
TEST(her2k)
TEST(trmm)
TEST(trsm)

/* ---- what is refused ---------------------------------------------------------------------------------------- */

static void illegal_arguments(void **state)
{
    const tw_scalar one = {1, 0};
    tw_matrix *A, *B, *F, *L, *S;
    (void)state;
    assert_int_equal(tw_matrix_create(&A, TW_COMPLEX_DOUBLE, TW_GENERAL, 10, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&B, TW_COMPLEX_DOUBLE, TW_GENERAL, 10, 8, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&S, TW_COMPLEX_DOUBLE, TW_GENERAL, 10, 10, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&L, TW_COMPLEX_DOUBLE, TW_LOWER, 10, 10, 4, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 10, 8, 4, NULL), 0);
    tt_expect_info(tw_symm('X', TW_LOWER, one, L, A, one, B), -1, "side");
    tt_expect_info(tw_symm(TW_LEFT, TW_GENERAL, one, L, A, one, B), -2, "uplo");
    tt_expect_info(tw_symm(TW_LEFT, TW_LOWER, one, NULL, A, one, B), -4, "NULL");
    tt_expect_info(tw_hemm(TW_LEFT, TW_UPPER, one, L, A, one, B), -4, "the other triangle is stored");
    tt_expect_info(tw_hemm(TW_RIGHT, TW_LOWER, one, L, A, one, B), -5, "orders differ");
    tt_expect_info(tw_symm(TW_LEFT, TW_LOWER, one, L, F, one, B), -5, "types differ");
    tt_expect_info(tw_symm(TW_LEFT, TW_LOWER, one, L, A, one, S), -7, "C's shape");
    tt_expect_info(tw_symm(TW_LEFT, TW_LOWER, one, L, A, one, A), -7, "C is B");
    tt_expect_info(tw_syr2k('X', TW_NOTRANS, one, A, B, one, L), -1, "uplo");
    tt_expect_info(tw_syr2k(TW_LOWER, TW_CONJTRANS, one, A, B, one, L), -2, "syr2k of complex matrices has no 'C'");
    tt_expect_info(tw_her2k(TW_LOWER, TW_TRANS, one, A, B, 1, L), -2, "her2k of complex matrices has no 'T'");
    tt_expect_info(tw_her2k(TW_LOWER, TW_NOTRANS, one, A, S, 1, L), -5, "B's shape");
    tt_expect_info(tw_her2k(TW_LOWER, TW_CONJTRANS, one, A, B, 1, L), -7, "C's order");
    tt_expect_info(tw_syr2k(TW_UPPER, TW_NOTRANS, one, A, B, one, L), -7, "the other triangle is stored");
    assert_int_equal(tw_matrix_destroy(A) | tw_matrix_destroy(B) | tw_matrix_destroy(S), 0);
    assert_int_equal(tw_matrix_destroy(L) | tw_matrix_destroy(F), 0);
}

/* ---- BLAS' infos: each argument bad in its turn, then the rest behind it, too ------------------------------------ */

/* What a call's arguments are: 's'ide, 'u'plo, 't'rans, 'd'iag, 'n' a size, 'l' a leading dimension; '-' what is not
 * looked at. Sizes are 5, and so are good leading dimensions. */
#define ARGS double _Complex *x, const char *l, const tw_int *n
#define INFO(name, ...)                                                                                                \
    static tw_int s##name(ARGS)                                                                                        \
    {                                                                                                                  \
        (void)n;                                                                                                       \
        float *y = (float *)x;                                                                                         \
        return tw_s##name(__VA_ARGS__);                                                                                \
    }
#define INFO_COMPLEX(name, ...)                                                                                        \
    static tw_int z##name(ARGS)                                                                                        \
    {                                                                                                                  \
        (void)n;                                                                                                       \
        double _Complex *y = x;                                                                                        \
        return tw_z##name(__VA_ARGS__);                                                                                \
    }
#define INFO_BOTH(name, ...) INFO(name, __VA_ARGS__) INFO_COMPLEX(name, __VA_ARGS__)
INFO_BOTH(gemm, l[1], l[2], n[3], n[4], n[5], 1, y, n[8], y, n[10], 1, y, n[13])
INFO_BOTH(symm, l[1], l[2], n[3], n[4], 1, y, n[7], y, n[9], 1, y, n[12])
INFO_COMPLEX(hemm, l[1], l[2], n[3], n[4], 1, y, n[7], y, n[9], 1, y, n[12])
INFO_BOTH(syrk, l[1], l[2], n[3], n[4], 1, y, n[7], 1, y, n[10])
INFO_COMPLEX(herk, l[1], l[2], n[3], n[4], 1, y, n[7], 1, y, n[10])
INFO_BOTH(syr2k, l[1], l[2], n[3], n[4], 1, y, n[7], y, n[9], 1, y, n[12])
INFO_COMPLEX(her2k, l[1], l[2], n[3], n[4], 1, y, n[7], y, n[9], 1, y, n[12])
INFO_BOTH(trmm, l[1], l[2], l[3], l[4], n[5], n[6], 1, y, n[9], y, n[11])
INFO_BOTH(trsm, l[1], l[2], l[3], l[4], n[5], n[6], 1, y, n[9], y, n[11])

static void infos(void **state)
{
    static const struct {
        const char *name, *arguments;
        tw_int (*of_s)(ARGS), (*of_z)(ARGS);
    } calls[] = {
        {"gemm", "ttnnn--l-l--l", sgemm, zgemm}, {"symm", "sunn--l-l--l", ssymm, zsymm},
        {"hemm", "sunn--l-l--l", NULL, zhemm},   {"syrk", "utnn--l--l", ssyrk, zsyrk},
        {"herk", "utnn--l--l", NULL, zherk},     {"syr2k", "utnn--l-l--l", ssyr2k, zsyr2k},
        {"her2k", "utnn--l-l--l", NULL, zher2k}, {"trmm", "sutdnn--l-l", strmm, ztrmm},
        {"trsm", "sutdnn--l-l", strsm, ztrsm},
    };
    double _Complex x[25] = {0};
    (void)state;
    for (int k = 0; k < COUNT(calls) * 2; k++) {
        tw_int (*call)(ARGS) = k % 2 ? calls[k / 2].of_z : calls[k / 2].of_s;
        const char *a = calls[k / 2].arguments;
        const int count = (int)strlen(a);
        if (!call) continue;
        for (int bad = 1; bad <= count; bad++)
            for (int rest = 0; rest < 2; rest++) {
                char l[16];
                tw_int n[16];
                if (a[bad - 1] == '-') continue;
                for (int i = 1; i <= count; i++) {
                    const int wrong = i == bad || (rest && i > bad);
                    l[i] = wrong ? 'x' : a[i - 1] == 's' ? 'r' : a[i - 1] == 'u' ? 'l' : 'N'; /* either case */
                    n[i] = !wrong ? 5 : a[i - 1] == 'l' ? 4 : -1;
                }
                tt_expect_info(call(x, l, n), -bad, "%s: argument %d", calls[k / 2].name, bad);
            }
    }
    /* BLAS' letters of rank-k updates of complex matrices; with real ones 'C' is 'T'. */
    tt_expect_info(zsyrk(x, "-LC", (tw_int[16]){0, 0, 0, 5, 5, 0, 0, 5, 0, 0, 5}), -2, "zsyrk 'C'");
    tt_expect_info(zherk(x, "-LT", (tw_int[16]){0, 0, 0, 5, 5, 0, 0, 5, 0, 0, 5}), -2, "zherk 'T'");
    tt_expect_info(tw_ssyrk('L', 'C', 5, 5, 1, (float *)x, 5, 1, (float *)x + 25, 5), 0, "ssyrk 'C'");
    /* What is not read need not be there. */
    tt_expect_info(tw_dgemm('N', 'N', 5, 5, 5, 0, NULL, 5, NULL, 5, 2, (double *)x, 5), 0, "alpha = 0");
    tt_expect_info(tw_dgemm('N', 'N', 5, 5, 5, 1, NULL, 5, (double *)x, 5, 2, (double *)x, 5), -7, "NULL");
    tt_expect_info(tw_dgemm('N', 'N', 5, 5, 5, 1, (double *)x, 5, NULL, 5, 2, (double *)x, 5), -9, "NULL");
    tt_expect_info(tw_dgemm('N', 'N', 5, 5, 5, 1, (double *)x, 5, (double *)x, 5, 2, NULL, 5), -12, "NULL");
    tt_expect_info(tw_dgemm('N', 'N', 0, 5, 5, 1, NULL, 1, NULL, 5, 2, NULL, 1), 0, "m = 0");
    tt_expect_info(tw_dsyrk('L', 'N', 5, 0, 1, NULL, 5, 0.5, (double *)x, 5), 0, "k = 0");
    tt_expect_info(tw_dsymm('L', 'L', 5, 5, 0, NULL, 5, NULL, 5, 0.5, (double *)x, 5), 0, "alpha = 0");
    tt_expect_info(tw_dtrsm('L', 'L', 'N', 'N', 5, 5, 0, NULL, 5, (double *)x, 5), 0, "alpha = 0");
    tt_expect_info(tw_dtrmm('L', 'L', 'N', 'N', 5, 5, 1, NULL, 5, (double *)x, 5), -8, "NULL");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),  cmocka_unit_test(symm),
        cmocka_unit_test(hemm),  cmocka_unit_test(syrk),
        cmocka_unit_test(herk),  cmocka_unit_test(syr2k),
        cmocka_unit_test(her2k), cmocka_unit_test(trmm),
        cmocka_unit_test(trsm),  cmocka_unit_test(illegal_arguments),
        cmocka_unit_test(infos),
    };
    (void)argv;
    doors = argc > 1 ? TILED_DOOR : ALL;
    return tt_run(tests);
}
