/* What the routines' LAPACK doors share: letters, checks in LAPACK's order, which way a call goes. */
#ifndef TW_ALGORITHMS_LAPACK_LAPACK_ARGUMENTS_H
#define TW_ALGORITHMS_LAPACK_LAPACK_ARGUMENTS_H
#include <math.h>
#include <tilework/matrix.h>
#include "algorithms/dense/dense_loops.h"
#include "runtime/base/account.h"
#include "runtime/base/doing.h"
#include "runtime/base/gate.h"
#include "runtime/machine/tuning.h"

/* Element i of an array of real numbers in the type's precision; the first one. */
static inline double get_real(enum tw_type type, const void *x, tw_int i)
{
    return tw_is_single(type) ? (double)((const float *)x)[i] : ((const double *)x)[i];
}
static inline void put_real_at(enum tw_type type, void *x, tw_int i, double value)
{
    if (tw_is_single(type))
        ((float *)x)[i] = (float)value;
    else
        ((double *)x)[i] = value;
}
static inline void put_real(enum tw_type type, void *x, double value)
{
    put_real_at(type, x, 0, value);
}

/* LAPACK's own routine is going to be called, in this call of a door. */
static inline void by_vendor(const char *routine, tw_int order)
{
    tw_account_vendor(routine, order);
    tw_straight_begins();
}

/* A thin problem counts as one of the lesser order. */
static inline double order_unless_thin(double order, tw_int m, tw_int n)
{
    return tw_min(m, n) < TW_THIN ? fmin(order, (double)tw_min(m, n)) : order;
}

/* For the routine r: `order` is the order of the Cholesky factorization with as many flops. Arrays that 32-bit LAPACK
 * could not address always go by tiles. */
static inline int fits_lapack(const struct tw_routine *r, enum tw_type type, double order, tw_int n, tw_int nrhs,
                              tw_int lda, tw_int ldb)
{
    const double limit = INT32_MAX;
    return n <= INT32_MAX && (double)n * (double)lda <= limit && (double)nrhs * (double)ldb <= limit &&
           tw_prefers_lapack(r->tuning, type, (tw_int)fmin(order, limit));
}
/* The same, and if it is so, LAPACK's routine of this name is going to be called, which is told. */
static inline int straight(const struct tw_routine *r, enum tw_type type, double order, tw_int n, tw_int nrhs,
                           tw_int lda, tw_int ldb)
{
    const int yes = fits_lapack(r, type, order, n, nrhs, lda, ldb);
    if (yes) by_vendor(r->name, n);
    return yes;
}

/* LAPACK's letters in either case; 0 for others. */
static inline char letter(char c, char first, char second)
{
    const char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
    return upper == first || upper == second ? upper : 0;
}

/* Tiles over the user's m x n array, of the order that the routine's row wants for a problem with inner size k. */
static inline int wrap_for(struct tw_matrix **A, const struct tw_routine *r, enum tw_type type, char part, tw_int m,
                           tw_int n, tw_int k, const void *a, tw_int lda)
{
    TW_INSIDE int refused = tw_begin(); /* the order of tiles is chosen from the machine's profile */

    *A = NULL;
    if (refused) return refused;
    return tw_matrix_wrap(A, type, part == 'G' ? TW_GENERAL : (enum tw_uplo)part, m, n, (void *)a, lda,
                          tw_choose_nb_over_array(r->tuning, &(struct tw_sizes){type, m, n, k}));
}
static inline int wrap_triangle(struct tw_matrix **A, const struct tw_routine *r, enum tw_type type, char uplo,
                                tw_int n, const void *a, tw_int lda)
{
    return wrap_for(A, r, type, uplo, n, n, 0, a, lda);
}
static inline int wrap_pair(struct tw_matrix **A, struct tw_matrix **B, const struct tw_routine *r, enum tw_type type,
                            char uplo, tw_int n, const void *a, tw_int lda, tw_int m_b, tw_int n_b, void *b, tw_int ldb)
{
    int e = wrap_triangle(A, r, type, uplo, n, a, lda);
    *B = NULL;
    if (!e) e = tw_matrix_wrap(B, type, TW_GENERAL, m_b, n_b, b, ldb, tw_matrix_nb(*A));
    return e;
}

/* Element (i, i). */
static inline const char *real_at(enum tw_type type, const void *a, tw_int lda, tw_int i)
{
    return (const char *)a + (size_t)i * (size_t)(lda + 1) * tw_sizeof(type);
}

#define ARGUMENT(i, sound, why)                                                                                        \
    do {                                                                                                               \
        if (!(sound)) return tw_illegal(routine, i, why);                                                              \
    } while (0)
#define UPLO(i)      ARGUMENT(i, (uplo = letter(uplo, 'U', 'L')), "neither 'U' nor 'L'")
#define DIAG(i)      ARGUMENT(i, (diag = letter(diag, 'N', 'U')), "neither 'N' nor 'U'")
#define TRANS(i)     ARGUMENT(i, (trans = (char)(letter(trans, 'N', 'T') | letter(trans, 'C', 'C'))), "not 'N', 'T' or 'C'")
#define SIZE(i, n)   ARGUMENT(i, (n) >= 0, #n " < 0")
#define LD(i, ld, n) ARGUMENT(i, (ld) >= tw_max(1, n), #ld " < max(1, " #n ")")
#define ARRAY(i, p)  ARGUMENT(i, (p) != NULL, "NULL")

/* What the matrix door alone looks at is whether arrays overlap: its argument mine is this door's argument i. */
static inline tw_int overlap(const char *routine, tw_int info, int mine, int i)
{
    return info == -mine ? tw_illegal(routine, i, "its array overlaps another argument's") : info;
}

/* The content of the arrays is defined again. */
static inline tw_int finish(tw_int info, struct tw_matrix *A, struct tw_matrix *B)
{
    const int e = tw_matrix_destroy(A), f = tw_matrix_destroy(B);
    return info ? info : e ? e : f;
}

#endif
