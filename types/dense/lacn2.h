/* The estimate of one operator's 1-norm from its products (LAPACK's lacn2), between two of its turns. */
#ifndef TW_TYPES_DENSE_LACN2_H
#define TW_TYPES_DENSE_LACN2_H
#include <stdint.h>

enum tw_lacn2_status {
    TW_LACN2_RUNNING,  /* wants the product that kase says: 1 with the operator, 2 with its adjoint */
    TW_LACN2_DONE,     /* est is the norm, or a lower bound of it */
    TW_LACN2_OVERFLOW, /* the last product was not finite: once more, with more care */
    TW_LACN2_HOPELESS  /* nor was that: the norm is beyond all numbers of the type, or there was a NaN */
};
struct tw_lacn2 {
    int32_t status, kase, isave[3];
    double est;
};
/* An exponent of numbers beyond all exponents. */
#define TW_HOPELESS INT64_MAX
enum { TW_LACN2_MOST = 64 }; /* that one task works on */

/* The product that comes next, of those that the `k` estimates want; 0: none. Adjoint ones first: then all are in step
 * again. */
static inline int tw_lacn2_next(const struct tw_lacn2 *s, int k)
{
    int next = 0;
    for (int j = 0; j < k; j++)
        if (s[j].status == TW_LACN2_RUNNING && s[j].kase > next) next = s[j].kase;
    return next;
}
#endif
