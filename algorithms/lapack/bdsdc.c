/* Singular values and vectors of real bidiagonal matrices under the names of LAPACK and LAPACKE: bdsdc. d becomes the
 * values; e, which LAPACK's destroys, stays. Vectors in the compact form (compq 'P') are LAPACK's work. */
#include "algorithms/lapack/values.h"
#include "algorithms/svd/svd_loops.h"

#define BDSDC(T, INT, INTS, ...)                                                                                       \
    char uplo, char compq, INT n, T *d, T *e, T *u, INT ldu, T *vt, INT ldvt, T *q, INTS *iq
#define BDSDC_WORK(T, INT, INTS, ...)                                                                                  \
    char uplo, char compq, INT n, T *d, T *e, T *u, INT ldu, T *vt, INT ldvt, T *q, INTS *iq, T *work, INTS *iwork

struct call {
    char uplo, compq;
    tw_int n, ldu, ldvt;
    void *d, *e, *u, *vt, *q, *iq;
    size_t int_size; /* of iq's elements */
};

static tw_int tiles(const char *routine, enum tw_type type, const struct call *c)
{
    struct tw_matrix *U = NULL, *Vt = NULL;
    const tw_int n = c->n;
    struct reals r;
    tw_int info = 0;

    if (reals_begin(&r, type, n, c->d, c->e)) return no_memory_for_values(routine, n);
    if (c->compq == 'I') info = wrap_for(&U, &tw_routine_bdsdc, type, 'G', n, n, n, c->u, c->ldu);
    if (c->compq == 'I' && !info) info = wrap_for(&Vt, &tw_routine_bdsdc, type, 'G', n, n, n, c->vt, c->ldvt);
    if (!info) info = tw_bdsdc(c->uplo == 'U' ? TW_UPPER : TW_LOWER, n, r.d, r.e, r.d, U, Vt);
    info = finish(info, U, Vt);
    reals_end(&r, type, info >= 0 ? n : 0, c->d);
    return info;
}

/* Of the compact form, as LAPACK's text has it for its small parts of order 25. Smaller matrices, for which the text
 * has none or less than none, have n: how their values were sorted. */
static size_t integers_of(tw_int n)
{
    return n > 25 ? 3 * (size_t)n * (1 + (size_t)(log((double)n / 26) / log(2.0))) : (size_t)n;
}

/* LAPACKE's integers are 32 bits wide. */
static tw_int by_itself(const char *routine, enum tw_type type, const struct call *c)
{
    const size_t count = c->compq == 'P' ? integers_of(c->n) : 0;
    /* LAPACK's text is 3 n short of what its code uses from order 26 on */
    lapack_int *iq = calloc(count + (count ? 3 * (size_t)c->n : 0) + 1, sizeof *iq);
    const int n = (int)c->n, ldu = (int)c->ldu, ldvt = (int)c->ldvt;
    int info;

    if (!iq) return no_memory_for_values(routine, c->n);
    info = type == TW_FLOAT
               ? LAPACKE_sbdsdc(LAPACK_COL_MAJOR, c->uplo, c->compq, n, c->d, c->e, c->u, ldu, c->vt, ldvt, c->q, iq)
               : LAPACKE_dbdsdc(LAPACK_COL_MAJOR, c->uplo, c->compq, n, c->d, c->e, c->u, ldu, c->vt, ldvt, c->q, iq);
    for (size_t i = 0; c->iq && i < count; i++)
        if (c->int_size == 8)
            ((int64_t *)c->iq)[i] = iq[i];
        else
            ((int32_t *)c->iq)[i] = (int32_t)iq[i];
    free(iq);
    return told(routine, info);
}

static tw_int solve(const char *routine, enum tw_type type, struct call c)
{
    const tw_int n = c.n, least = c.compq == 'I' || c.compq == 'i' ? tw_max(1, n) : 1;
    const int compact = c.compq == 'P' || c.compq == 'p';

    ARGUMENT(1, (c.uplo = letter(c.uplo, 'U', 'L')), "neither 'U' nor 'L'");
    ARGUMENT(2, compact || letter(c.compq, 'N', 'I'), "not 'N', 'P' or 'I'");
    c.compq = compact ? 'P' : letter(c.compq, 'N', 'I');
    SIZE(3, n);
    ARGUMENT(7, c.ldu >= least, "ldu < max(1, n)");
    ARGUMENT(9, c.ldvt >= least, "ldvt < max(1, n)");
    if (n == 0) return 0;
    ARRAY(4, c.d);
    ARGUMENT(5, c.e || n == 1, "NULL");
    ARGUMENT(6, c.u || c.compq != 'I', "NULL");
    ARGUMENT(8, c.vt || c.compq != 'I', "NULL");
    ARGUMENT(10, c.q || c.compq != 'P', "NULL");
    ARGUMENT(11, c.iq || c.compq != 'P' || n <= 25, "NULL");
    if (c.compq == 'P')
        ARGUMENT(3, n <= INT32_MAX / 256, "too large for LAPACK, whose work vectors in the compact form are");
    else if (!by_lapack(&tw_routine_bdsdc, "bdsdc", 0, type, n, 0, tw_max(c.ldu, c.ldvt), 0))
        return tiles(routine, type, &c);
    if (!reals_finite(type, n, c.d) || !reals_finite(type, n - 1, c.e)) return no_values(type, n, c.d);
    return by_itself(routine, type, &c);
}

static tw_int bdsdc(const char *routine, enum tw_type type, char uplo, char compq, tw_int n, void *d, void *e, void *u,
                    tw_int ldu, void *vt, tw_int ldvt, void *q, void *iq)
{
    return solve(routine, type, (struct call){uplo, compq, n, ldu, ldvt, d, e, u, vt, q, iq, sizeof(tw_int)});
}

static tw_int lapacke_bdsdc(const struct tw_lapacke *call, char uplo, char compq, tw_int n, void *d, void *e, void *u,
                            tw_int ldu, void *vt, tw_int ldvt, void *q, void *iq)
{
    const int vectors = compq == 'I' || compq == 'i';
    struct rows U = {call->type, n, n, u, NULL, ldu}, Vt = {call->type, n, n, vt, NULL, ldvt};
    struct call c = {uplo, compq, n, ldu, ldvt, d, e, u, vt, q, iq, call->int_size};
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_reals(call, n, d));
    NOT_NAN(6, nan_reals(call, n - 1, e));
    ROW_LD(8, ldu, vectors ? n : 1);
    ROW_LD(10, ldvt, vectors ? n : 1);
    if (!ROWS || !vectors) return leave(call, solve(call->lapack, call->type, c));
    if (rows_room(&U) || rows_room(&Vt)) {
        rows_end(&U, 0), rows_end(&Vt, 0);
        return no_memory(call->routine);
    }
    c.u = U.mine, c.vt = Vt.mine, c.ldu = c.ldvt = tw_max(1, n);
    info = solve(call->lapack, call->type, c);
    rows_end(&U, info >= 0), rows_end(&Vt, info >= 0);
    return leave(call, info);
}
/* Its workspaces have no lengths. */
static tw_int lapacke_bdsdc_work(const struct tw_lapacke *call, char uplo, char compq, tw_int n, void *d, void *e,
                                 void *u, tw_int ldu, void *vt, tw_int ldvt, void *q, void *iq, void *work, void *iwork)
{
    (void)work, (void)iwork;
    return lapacke_bdsdc(call, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq);
}

TW_LAPACK_DOOR_REAL(bdsdc, BDSDC, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq)
TW_LAPACKE_CHECKED_REAL(bdsdc, BDSDC, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq)
TW_LAPACKE_WORK_REAL(bdsdc, BDSDC_WORK, lapacke_bdsdc_work, uplo, compq, n, d, e, u, ldu, vt, ldvt, q, iq, work, iwork)
TW_LAPACK_ROW(bdsdc, TW_LAPACK_WORDS(BDSDC), TW_LAPACKE_WORDS(BDSDC), TW_LAPACKE_WORDS(BDSDC_WORK))
