/* Choices made from the machine profile: tile orders, and when LAPACK alone is best. */
#ifndef TW_RUNTIME_MACHINE_TUNING_H
#define TW_RUNTIME_MACHINE_TUNING_H
#include "runtime/base/types.h"
#include "runtime/machine/rate.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* nb for a factorization of order n (m x n for general); `source` (may be NULL) says why: "option", "TILEWORK_NB", "profile". */
tw_int tw_choose_nb(enum tw_type type, tw_int m, tw_int n, const char **source);
/* The same for a product whose result is m x n, and which has no critical path: on cores larger tiles, as long as each core has several of the result's. */
tw_int tw_choose_product_nb(enum tw_type type, tw_int m, tw_int n);
/* 1 if a problem of order n is better given to LAPACK directly. Starts nothing. */
int tw_prefers_lapack(enum tw_type type, tw_int n);
/* 1 if panels are solved as products with the inverse of their diagonal tile: on GPUs, unless TILEWORK_TRSM says otherwise. */
int tw_solve_by_inverse(void);
#pragma GCC visibility pop
#endif
