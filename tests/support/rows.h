/* One row for each dense routine: what it is given, how it is called through which door, and how its result is judged.
 * Tests that go over all routines (faults, storages, bounds, the same bits every time) go over the rows; a routine's
 * own tests are what is its alone. */
#ifndef TESTS_SUPPORT_ROWS_H
#define TESTS_SUPPORT_ROWS_H
#include "tt.h"

/* The first operand, n x n unless `narrow`; what is worked on, and what the residual is told was given, where they
 * differ. */
enum tt_first {
    TT_A_SPD,          /* hermitian positive definite, in the uplo triangle */
    TT_A_SPD_FACTORED, /* given as that; worked on LAPACK's Cholesky factor */
    TT_A_TRIANGLE,     /* such a factor */
    TT_A_HERMITIAN,    /* random, in the uplo triangle */
    TT_A_GENERAL,      /* random */
    TT_A_DOMINANT,     /* random, n added on the diagonal */
    TT_A_LU,           /* given random; worked on LAPACK's LU factors, with their pivots */
    TT_A_QR            /* given random; worked on LAPACK's QR (uplo 'L') or LQ ('U') factors, with their tau */
};
enum tt_vector { TT_NO_VECTOR, TT_PIVOTS, TT_TAU };

struct tt_case {
    const struct tt_row *row;
    enum tw_type type;
    char uplo;
    int n, nrhs, m, k, lda; /* A: m x k; B: n x nrhs; lda: of both */
    int cm, cn;             /* C */
    void *a, *b, *c;        /* as given */
    void *f, *x, *y;        /* worked on: the results */
    void *tau;
    tw_int *ipiv;
    tw_matrix *A, *B, *C, *V; /* V: pivots or tau */
    struct tt_place pa, pb, pc;
};
struct tt_row {
    const char *name;
    const char *uplos; /* "LU", or "G" */
    const char *types; /* letters; NULL: all four */
    int repairs;       /* a fault in its first task is made good (iterative refinement), or does no harm */
    enum tt_first a;
    int exact;  /* a product, whose residual may be exactly 0 */
    int narrow; /* A has nrhs columns less (uplo 'L') or rows ('U') */
    int b;      /* there is a second operand, random */
    enum tt_vector vector;
    char c[3];                                                /* a third one: its rows and columns, 'n' or 'r' each */
    int (*matrix)(const struct tt_case *c, tw_sequence *seq); /* matrix door; async door if seq */
    tw_int (*lapack)(const struct tt_case *c);                /* LAPACK door, NULL: it has none */
    double (*residual)(const struct tt_case *c);              /* of a, b, c and f, x, y */
};
#define TT_RUN(seq, name, ...) ((seq) ? tw_##name##_async(__VA_ARGS__, seq) : tw_##name(__VA_ARGS__))
#define TT_LAPACK(c, name, ...)                                                                                        \
    ((c)->type == TW_FLOAT           ? tw_s##name(__VA_ARGS__)                                                         \
     : (c)->type == TW_DOUBLE        ? tw_d##name(__VA_ARGS__)                                                         \
     : (c)->type == TW_COMPLEX_FLOAT ? tw_c##name(__VA_ARGS__)                                                         \
                                     : tw_z##name(__VA_ARGS__))

/* By family; a row without a name ends each. */
extern const struct tt_row tt_rows_cholesky[], tt_rows_lu[], tt_rows_qr[], tt_rows_blas[];
extern const struct tt_row *tt_row(int k); /* the k-th of all, NULL behind the last */

int tt_row_has(const struct tt_row *r, enum tw_type t);

/* Fill a, b, c and what is worked on, which lies in arrays that `room` gives (NULL: tt_array's; else exactly as many
 * bytes as the elements up to the last one take). */
typedef void *(*tt_room)(void *context, size_t bytes);
void tt_case_make(struct tt_case *c, const struct tt_row *row, enum tw_type type, char uplo, int n, int nrhs, int pad,
                  tt_room room, void *context);
/* Run through the matrix door, or the async door and wait: the info. The results are in f, x, y, ipiv, tau. */
int tt_case_run(struct tt_case *c, enum tt_storage storage, int nb, int async);
/* Free everything; what `room` gave is its owner's. */
void tt_case_free(struct tt_case *c, int with_room);
#endif
