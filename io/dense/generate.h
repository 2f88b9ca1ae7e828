/* What a description of a generator means; types/dense/generator.h has what comes of it. */
#ifndef TW_IO_DENSE_GENERATE_H
#define TW_IO_DENSE_GENERATE_H
#include "io/io.h"
#include "types/dense/generator.h"

struct tw_kind {
    const char *name, *text;
    int square;    /* the matrix must be */
    int imaginary; /* complex types get imaginary parts */
    int spd;       /* by construction, for square shapes; setup may change the generator's copy */
    /* Read the parameters (the text after the colon; NULL without one) and precompute. NULL: the kind takes none. */
    int (*setup)(tw_generator *g, const char *parameters);
};
/* TW_E_OPTION: `kind "…": ` + what is wrong + the legal kinds. */
int tw_kind_fail(const tw_generator *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

int tw_setup_entry(tw_generator *g, const char *parameters); /* minor:K, nan:I,J, zerocol:J */
int tw_setup_kms(tw_generator *g, const char *parameters);
int tw_setup_spectrum(tw_generator *g, const char *parameters);
int tw_setup_gp(tw_generator *g, const char *parameters);
int tw_setup_svd(tw_generator *g, const char *parameters);
int tw_setup_orthogonal(tw_generator *g, const char *parameters);
int tw_setup_lowrank(tw_generator *g, const char *parameters);
int tw_setup_graded(tw_generator *g, const char *parameters);
int tw_setup_kahan(tw_generator *g, const char *parameters);
int tw_setup_chebyshev(tw_generator *g, const char *parameters);
int tw_setup_dyadic(tw_generator *g, const char *parameters);
#endif
