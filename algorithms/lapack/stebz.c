/* Some eigenvalues of real tridiagonal matrices by bisection under the names of LAPACK and LAPACKE: stebz. */
#include "algorithms/lapack/values.h"

#define STEBZ(T, INT, INTS, ...)                                                                                       \
    char range, char order, INT n, T vl, T vu, INT il, INT iu, T abstol, const T *d, const T *e, INTS *m,              \
        INTS *nsplit, T *w, INTS *iblock, INTS *isplit
#define STEBZ_WORK(T, INT, INTS, ...) STEBZ(T, INT, INTS, ), T *work, INTS *iwork

/* Integers of the caller's, of either width. */
static void put(void *to, size_t size, tw_int i, tw_int value)
{
    if (size == 8)
        ((int64_t *)to)[i] = value;
    else
        ((int32_t *)to)[i] = (int32_t)value;
}

struct request {
    char range, order;
    tw_int n;
    double vl, vu;
    tw_int il, iu;
    double abstol;
    const void *d, *e;
    void *m, *nsplit, *w, *iblock, *isplit;
    size_t size; /* of these integers */
};

static void put_results(const struct request *r, tw_int m, tw_int nsplit, const tw_int *iblock, const tw_int *isplit)
{
    put(r->m, r->size, 0, m);
    put(r->nsplit, r->size, 0, nsplit);
    for (tw_int i = 0; i < m; i++)
        put(r->iblock, r->size, i, iblock[i]);
    for (tw_int i = 0; i < nsplit; i++)
        put(r->isplit, r->size, i, isplit[i]);
}

/* LAPACK's stebz squares numbers as they are, and finds wrong eigenvalues, or none, where squares leave the range: it
 * gets such matrices times a power of two, which brings the largest element to the order of 1. */
static int exponent_of(enum tw_type type, const struct request *r)
{
    const int most = type == TW_FLOAT ? 30 : 300;
    double largest = 0;

    for (tw_int i = 0; i < 2 * r->n - 1; i++)
        largest = fmax(largest, fabs(i < r->n ? get_real(type, r->d, i) : get_real(type, r->e, i - r->n)));
    return largest > 0 && abs(ilogb(largest)) > most ? -ilogb(largest) : 0;
}
/* The same matrix and interval times 2^exponent; its own copies of d and e are in `space`. */
static struct request scaled(enum tw_type type, const struct request *r, int exponent, double *space)
{
    struct request s = *r;

    for (tw_int i = 0; i < r->n; i++)
        put_real_at(type, space, i, ldexp(get_real(type, r->d, i), exponent));
    for (tw_int i = 0; i < r->n - 1; i++)
        put_real_at(type, space + r->n, i, ldexp(get_real(type, r->e, i), exponent));
    s.d = space, s.e = space + r->n;
    s.vl = ldexp(r->vl, exponent), s.vu = ldexp(r->vu, exponent), s.abstol = ldexp(r->abstol, exponent);
    if (type == TW_FLOAT) s.vu = (double)(float)s.vu, s.vl = fmin((float)s.vl, nextafterf((float)s.vu, -INFINITY));
    s.vl = fmin(s.vl, nextafter(s.vu, -INFINITY)); /* both ends may have come to 0 */
    return s;
}

static tw_int straight_stebz(const char *routine, enum tw_type type, const struct request *r, tw_int *blocks)
{
    const int n = (int)r->n, il = (int)r->il, iu = (int)r->iu, exponent = exponent_of(type, r);
    int m = 0, nsplit = 0, info, *small = malloc(2 * (size_t)n * sizeof *small);
    double *space = exponent ? malloc(2 * (size_t)n * sizeof *space) : NULL;
    const struct request s = space ? scaled(type, r, exponent, space) : *r;

    if (!small || (exponent && !space)) {
        free(small), free(space);
        return no_memory_for_values(routine, n);
    }
    info = type == TW_FLOAT ? LAPACKE_sstebz(s.range, s.order, n, (float)s.vl, (float)s.vu, il, iu, (float)s.abstol,
                                             s.d, s.e, &m, &nsplit, s.w, small, small + n)
                            : LAPACKE_dstebz(s.range, s.order, n, s.vl, s.vu, il, iu, s.abstol, s.d, s.e, &m, &nsplit,
                                             s.w, small, small + n);
    for (int i = 0; i < 2 * n; i++)
        blocks[i] = i < m || (i >= n && i < n + nsplit) ? small[i] : 0;
    for (int i = 0; i < m && exponent; i++)
        put_real_at(type, r->w, i, ldexp(get_real(type, r->w, i), -exponent));
    free(small), free(space);
    if (info >= 0) put_results(r, m, nsplit, blocks, blocks + n);
    return told(routine, info);
}

static tw_int tiles(const char *routine, enum tw_type type, const struct request *r, tw_int *blocks)
{
    double *values = values_begin(type, r->n, r->w);
    tw_int m = 0, nsplit = 0, info;
    struct reals x = {NULL, NULL, NULL};
    const struct tw_bisection to = {&m, &nsplit, values, blocks, blocks + r->n};

    if (!values || reals_begin(&x, type, r->n, (void *)r->d, (void *)r->e)) {
        values_end(type, 0, values, r->w);
        return no_memory_for_values(routine, r->n);
    }
    info = type == TW_FLOAT ? tw_stebz_single((enum tw_which)r->range, (enum tw_order)r->order, r->n, r->vl, r->vu,
                                              r->il, r->iu, r->abstol, x.d, x.e, &to)
                            : tw_stebz((enum tw_which)r->range, (enum tw_order)r->order, r->n, r->vl, r->vu, r->il,
                                       r->iu, r->abstol, x.d, x.e, &m, &nsplit, values, blocks, blocks + r->n);
    values_end(type, info >= 0 ? m : 0, values, r->w);
    reals_end(&x, type, 0, NULL);
    if (info >= 0) put_results(r, m, nsplit, blocks, blocks + r->n);
    return info;
}

static tw_int door(const char *routine, enum tw_type type, struct request *r)
{
    const tw_int n = r->n;
    tw_int *blocks, info;

    ARGUMENT(1, (r->range = (char)(letter(r->range, 'A', 'V') | letter(r->range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    ARGUMENT(2, (r->order = letter(r->order, 'B', 'E')), "neither 'B' nor 'E'");
    SIZE(3, n);
    ARGUMENT(5, r->range != 'V' || r->vl < r->vu, "vl < vu does not hold");
    ARGUMENT(6, r->range != 'I' || (r->il >= 1 && r->il <= tw_max(1, n)), "not 1 <= il <= max(1, n)");
    ARGUMENT(7, r->range != 'I' || (r->iu >= tw_min(n, r->il) && r->iu <= n), "not min(n, il) <= iu <= n");
    ARGUMENT(8, r->abstol == r->abstol, "it is no number");
    ARRAY(11, r->m);
    ARRAY(12, r->nsplit);
    put(r->m, r->size, 0, 0);
    put(r->nsplit, r->size, 0, 0);
    ARGUMENT(3, n <= INT32_MAX / 4, "more than 2^29 rows");
    if (n == 0) return 0;
    ARRAY(9, r->d);
    ARGUMENT(10, r->e || n == 1, "NULL");
    ARRAY(13, r->w);
    ARRAY(14, r->iblock);
    ARRAY(15, r->isplit);
    if (!reals_finite(type, n, r->d) || !reals_finite(type, n - 1, r->e)) return 4; /* as tw_stebz */
    if (!(blocks = malloc(2 * (size_t)n * sizeof *blocks))) return no_memory_for_values(routine, n);
    info = straight(&tw_routine_stebz, type, (double)n, n, 0, 0, 0) ? straight_stebz(routine, type, r, blocks)
                                                                    : tiles(routine, type, r, blocks);
    free(blocks);
    return info;
}

#define PARAMETERS                                                                                                     \
    char range, char order, tw_int n, double vl, double vu, tw_int il, tw_int iu, double abstol, const void *d,        \
        const void *e, void *m, void *nsplit, void *w, void *iblock, void *isplit
#define ARGUMENTS range, order, n, vl, vu, il, iu, abstol, d, e, m, nsplit, w, iblock, isplit

static tw_int stebz(const char *routine, enum tw_type type, PARAMETERS)
{
    struct request r = {ARGUMENTS, sizeof(tw_int)};
    return door(routine, type, &r);
}

/* Without a layout LAPACKE's numbers are LAPACK's. */
static tw_int lapacke_stebz(const struct tw_lapacke *call, PARAMETERS)
{
    struct request r = {ARGUMENTS, call->int_size};
    const int interval = range == 'V' || range == 'v';
    tw_int info;

    NOT_NAN(8, abstol != abstol);
    NOT_NAN(9, nan_reals(call, n, d));
    NOT_NAN(10, nan_reals(call, n - 1, e));
    NOT_NAN(4, interval && vl != vl);
    NOT_NAN(5, interval && vu != vu);
    info = door(call->routine, call->type, &r);
    return info == TW_E_MEMORY ? LAPACK_WORK_MEMORY_ERROR : info;
}
static tw_int lapacke_stebz_work(const struct tw_lapacke *call, PARAMETERS, void *work, void *iwork)
{
    (void)work, (void)iwork;
    return lapacke_stebz(call, ARGUMENTS);
}

TW_LAPACK_DOOR_REAL(stebz, STEBZ, ARGUMENTS)
TW_LAPACKE_VECTORS_REAL(stebz, , STEBZ, 1, lapacke_stebz, ARGUMENTS)
TW_LAPACKE_VECTORS_REAL(stebz, _work, STEBZ_WORK, 0, lapacke_stebz_work, ARGUMENTS, work, iwork)
TW_LAPACK_ROW(stebz, TW_LAPACK_WORDS(STEBZ), TW_LAPACKE_WORDS(STEBZ), TW_LAPACKE_WORDS(STEBZ_WORK), .no_layout = 1)
