/* kms:rho: a Kac-Murdock-Szego matrix. */
#include <math.h>

#include "io/dense/generate.h"

/* A table of powers, since every entry is one of max(m, n). */
int tw_setup_kms(tw_generator *g, const char *parameters)
{
    const tw_int length = tw_max(g->m, g->n);
    double rho = 0.5;
    int e;

    if (parameters) {
        const char *end;
        if (tw_number_parse(parameters, &end, &rho) != TW_NUMBER_OK || *end || !(fabs(rho) < 1.0))
            return tw_kind_fail(g, "rho must be a number between -1 and 1, not \"%.200s\"", parameters);
    }
    if (!(g->work = tw_io_alloc("kind \"kms\": the table of powers", length, sizeof *g->work, &e))) return e;
    for (tw_int k = 0; k < length; k++)
        g->work[k] = pow(rho, (double)k);
    return 0;
}
