/* Eigenvalues alone of a real tridiagonal matrix under the names of LAPACK and LAPACKE: sterf. */
#include "algorithms/lapack/values.h"

#define STERF(T, INT, ...) INT n, T *d, T *e

static tw_int sterf(const char *routine, enum tw_type type, tw_int n, void *d, void *e)
{
    struct reals r;
    tw_int info;

    SIZE(1, n);
    if (n == 0) return 0;
    ARRAY(2, d);
    ARGUMENT(3, e || n == 1, "NULL");
    if (by_lapack(&tw_routine_sterf, "sterf", 0, type, n, 0, 0, 0)) {
        if (!reals_finite(type, n, d) || !reals_finite(type, n - 1, e)) return no_values(type, n, d);
        return told(routine, type == TW_FLOAT ? LAPACKE_ssterf((int)n, d, e) : LAPACKE_dsterf((int)n, d, e));
    }
    if (reals_begin(&r, type, n, d, e)) return no_memory_for_values(routine, n);
    info = tw_sterf(n, r.d, r.e, r.d);
    reals_end(&r, type, info >= 0 ? n : 0, d);
    return info;
}

/* Without a layout LAPACKE's numbers are LAPACK's. */
static tw_int lapacke_sterf(const struct tw_lapacke *call, tw_int n, void *d, void *e)
{
    tw_int info;

    NOT_NAN(2, nan_reals(call, n, d));
    NOT_NAN(3, nan_reals(call, n - 1, e));
    info = sterf(call->routine, call->type, n, d, e);
    return info == TW_E_MEMORY ? LAPACK_WORK_MEMORY_ERROR : info;
}

TW_LAPACK_DOOR_REAL(sterf, STERF, n, d, e)
TW_LAPACKE_VECTORS_REAL(sterf, , STERF, 1, lapacke_sterf, n, d, e)
TW_LAPACKE_VECTORS_REAL(sterf, _work, STERF, 0, lapacke_sterf, n, d, e)
TW_LAPACK_ROW(sterf, TW_LAPACK_WORDS(STERF), TW_LAPACKE_WORDS(STERF), TW_LAPACKE_WORDS(STERF), .no_layout = 1)
