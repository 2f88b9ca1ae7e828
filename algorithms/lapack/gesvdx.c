/* Some singular values and vectors under the names of LAPACK and LAPACKE: gesvdx. Vectors are divide and conquer's,
 * also of small matrices, which are LAPACK's gesdd's work: orthogonal where inverse iteration's may be so only roughly.
 * a stays as it is, or not. */
#include "algorithms/lapack/singular.h"

#define GESVDX(T, INT, INTS, R, RS, ...)                                                                               \
    char jobu, char jobvt, char range, INT m, INT n, T *a, INT lda, R vl, R vu, INT il, INT iu, INTS *ns, RS *s, T *u, \
        INT ldu, T *vt, INT ldvt, INTS *superb
#define GESVDX_REAL(T, INT, INTS, R, RS, ...)                                                                          \
    char jobu, char jobvt, char range, INT m, INT n, T *a, INT lda, R vl, R vu, INT il, INT iu, INTS *ns, RS *s, T *u, \
        INT ldu, T *vt, INT ldvt, T *work, INT lwork, INTS *iwork
#define GESVDX_COMPLEX(T, INT, INTS, R, RS, ...)                                                                       \
    char jobu, char jobvt, char range, INT m, INT n, T *a, INT lda, R vl, R vu, INT il, INT iu, INTS *ns, RS *s, T *u, \
        INT ldu, T *vt, INT ldvt, T *work, INT lwork, RS *rwork, INTS *iwork

/* A call. */
struct problem {
    const char *routine;
    enum tw_type type;
    char jobu, jobvt, range;
    tw_int m, n;
    void *a;
    tw_int lda;
    double vl, vu;
    tw_int il, iu;
    void *ns, *s, *u;
    tw_int ldu;
    void *vt;
    tw_int ldvt;
    /* what LAPACK says of each vector, whose first `skipped` elements are not there (LAPACKE's superb); NULL: not
     * asked for */
    void *flags;
    tw_int skipped;
    size_t int_size; /* of ns and flags */
};

static tw_int least(const struct problem *p)
{
    return tw_min(p->m, p->n);
}
/* The most values that there can be. */
static tw_int most_found(const struct problem *p)
{
    return p->range == 'I' ? tw_numbers(p->il, p->iu) : least(p);
}
/* How many there are, and that all their vectors have converged. */
static void tell(const struct problem *p, tw_int found)
{
    put_int_at(p->int_size, p->ns, 0, found);
    for (tw_int i = 0; p->flags && i < found - p->skipped; i++)
        put_int_at(p->int_size, p->flags, i, 0);
}
static tw_int not_finite(const struct problem *p)
{
    (void)no_values(p->type, most_found(p), p->s);
    return 2 * least(p) + 1;
}

/* ---- LAPACK's gesdd, of which what is wanted is kept ------------------------------------------------------------- */

/* Rows of column-major arrays. */
static void copy_rows(enum tw_type type, tw_int m, tw_int n, const char *from, tw_int ldf, char *to, tw_int ldt)
{
    const size_t size = tw_sizeof(type);
    for (tw_int j = 0; j < n; j++)
        memcpy(to + (size_t)(j * ldt) * size, from + (size_t)(j * ldf) * size, (size_t)m * size);
}

static void keep(const struct problem *p, const char *s, const char *u, const char *vt)
{
    const size_t size = tw_sizeof(p->type);
    const tw_int k = least(p);
    const struct selection x = select_singular(p->type, p->range, k, p->vl, p->vu, p->il, p->iu, s);

    for (tw_int i = 0; i < x.count; i++)
        put_real_at(p->type, p->s, i, get_real(p->type, s, x.first + i));
    if (p->jobu == 'V') copy_rows(p->type, p->m, x.count, u + (size_t)(x.first * p->m) * size, p->m, p->u, p->ldu);
    if (p->jobvt == 'V') copy_rows(p->type, x.count, p->n, vt + (size_t)x.first * size, k, p->vt, p->ldvt);
    tell(p, x.count);
}

static tw_int straight_gesvdx(const struct problem *p)
{
    const int m = (int)p->m, n = (int)p->n, k = (int)least(p), vectors = p->jobu == 'V' || p->jobvt == 'V';
    const size_t size = tw_sizeof(p->type);
    char *u, *vt, *s;
    struct roomy r;
    tw_int info = 0;

    if (!general_finite(p->type, m, n, p->a, p->lda)) return not_finite(p);
    u = malloc(vectors ? (size_t)m * (size_t)k * size : 1), vt = malloc(vectors ? (size_t)k * (size_t)n * size : 1);
    s = malloc((size_t)k * sizeof(double));
    r = roomy_begin(p->type, 'R', m, n, p->a, (int)p->lda);
    if (!u || !vt || !s || !r.a)
        info = tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix and its singular vectors", p->routine);
    else
        info = told(p->routine, tw_lapack_gesdd[p->type](vectors ? 'S' : 'N', m, n, r.a, r.lda, s, u, m, vt, k));
    roomy_end(&r, 0, p->type, m, n, p->a, (int)p->lda);
    if (info == 0) keep(p, s, u, vt);
    if (info > 0) (void)no_values(p->type, most_found(p), p->s); /* which are right is not known */
    free(u), free(vt), free(s);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

/* Columns of u that are known to be there; of an interval that is not known, and U has an array of its own. */
static tw_int tiles(const struct problem *p)
{
    const tw_int k = least(p), most = most_found(p);
    const int unknown = p->range == 'V' && p->jobu == 'V';
    const size_t size = tw_sizeof(p->type);
    const double bytes = unknown ? (double)p->m * (double)k * (double)size : 1;
    double *values = malloc((size_t)k * sizeof *values);
    char *room = bytes < (double)PTRDIFF_MAX ? malloc(unknown ? (size_t)p->m * (size_t)k * size : 1) : NULL;
    struct tw_matrix *A = NULL, *U = NULL, *VT = NULL;
    tw_int found = 0, info;

    if (values && room)
        info = wrap_for(&A, &tw_routine_gesvdx, p->type, 'G', p->m, p->n, k, p->a, p->lda);
    else
        info = tw_fail(
            TW_E_MEMORY,
            "%s: no memory for the singular values and vectors of an interval, up to %lld: %.0f bytes (%.2f GiB)",
            p->routine, (long long)k, bytes, bytes / 1073741824.0);
    if (!info)
        info = svd_wrap(&U, p->type, p->jobu == 'V', p->m, most, unknown ? room : p->u, unknown ? p->m : p->ldu,
                        tw_matrix_nb(A));
    if (!info) info = svd_wrap(&VT, p->type, p->jobvt == 'V', most, p->n, p->vt, p->ldvt, tw_matrix_nb(A));
    if (!info)
        info = tw_gesvdx(p->jobu == 'V' ? TW_VECTORS : TW_NOVECTORS, p->jobvt == 'V' ? TW_VECTORS : TW_NOVECTORS,
                         (enum tw_which)p->range, A, p->vl, p->vu, p->il, p->iu, &found, values, U, VT);
    info = finish(finish(info, U, VT), A, NULL);
    for (tw_int i = 0; info >= 0 && i < (info ? most : found); i++)
        put_real_at(p->type, p->s, i, info ? NAN : values[i]);
    if (info == 0 && unknown) copy_rows(p->type, p->m, found, room, p->m, p->u, p->ldu);
    if (info >= 0) tell(p, info ? 0 : found);
    free(values), free(room);
    return info;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* What LAPACK 3.11 refuses to go below. */
static tw_int least_gesvdx(enum tw_type type, tw_int m, tw_int n)
{
    const tw_int k = tw_min(m, n), most = tw_max(m, n);
    const int first = most >= (tw_int)((float)k * 1.6F); /* QR or LQ */

    if (k == 0) return 1;
    if (tw_is_complex(type)) return first ? k * (k + 5) : 3 * k + most;
    return first ? k * (3 * k + 20) : tw_max(k * (2 * k + 19), 4 * k + most);
}

static tw_int solve(struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int m = p->m, n = p->n, k = least(p);

    ARGUMENT(1, (p->jobu = letter(p->jobu, 'V', 'N')), "neither 'V' nor 'N'");
    ARGUMENT(2, (p->jobvt = letter(p->jobvt, 'V', 'N')), "neither 'V' nor 'N'");
    ARGUMENT(3, (p->range = (char)(letter(p->range, 'A', 'V') | letter(p->range, 'I', 'I'))), "not 'A', 'V' or 'I'");
    SIZE(4, m);
    SIZE(5, n);
    ARGUMENT(7, p->lda >= m, "lda < m");
    if (k > 0) {
        RANGE_OF_SINGULAR(8, p, k);
        ARGUMENT(15, p->jobu == 'N' || p->ldu >= m, "ldu < m");
        ARGUMENT(17, p->jobvt == 'N' || p->ldvt >= most_found(p), "ldvt < the most vectors that there can be");
    }
    WORKSPACE(19, w, least_gesvdx(type, counted(m), counted(n)));
    ARRAY(12, p->ns);
    tell(p, 0);
    if (k == 0) return 0;
    ARRAY(6, p->a);
    ARRAY(13, p->s);
    if (p->jobu == 'V') ARRAY(14, p->u);
    if (p->jobvt == 'V') ARRAY(16, p->vt);
    if (svd_by_lapack(&tw_routine_gesvdx, "gesdd", type, m, n, p->lda, p->jobu == 'V' ? p->ldu : 1,
                      p->jobvt == 'V' ? p->ldvt : 1))
        return straight_gesvdx(p);
    return tiles(p);
}

#define PARAMETERS                                                                                                     \
    char jobu, char jobvt, char range, tw_int m, tw_int n, void *a, tw_int lda, double vl, double vu, tw_int il,       \
        tw_int iu, void *ns, void *s, void *u, tw_int ldu, void *vt, tw_int ldvt
#define ARGUMENTS jobu, jobvt, range, m, n, a, lda, vl, vu, il, iu, ns, s, u, ldu, vt, ldvt

static tw_int gesvdx(const char *routine, enum tw_type type, PARAMETERS, void *superb)
{
    return solve(&(struct problem){routine, type, ARGUMENTS, superb, 1, sizeof(tw_int)}, OWN_WORKSPACE);
}

/* a is argument 7 here; LAPACKE itself says 6 of a NaN in it. */
static tw_int lapacke(const struct tw_lapacke *call, struct problem p, struct workspace w)
{
    const int has_u = letter(p.jobu, 'V', 'V') != 0, has_vt = letter(p.jobvt, 'V', 'V') != 0;
    const tw_int m = p.m, n = p.n, most = letter(p.range, 'I', 'I') ? tw_numbers(p.il, p.iu) : tw_max(0, least(&p));
    struct rows A = {call->type, m, n, p.a, NULL, p.lda}, U = {call->type, m, most, p.u, NULL, p.ldu},
                VT = {call->type, most, n, p.vt, NULL, p.ldvt};
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_general(call, m, n, p.a, p.lda));
    ROW_LD(8, p.lda, n);
    ROW_LD(16, p.ldu, has_u ? most : 0);
    ROW_LD(18, p.ldvt, has_vt ? n : 0);
    if (ROWS) p.lda = tw_max(1, m), p.ldu = tw_max(1, m), p.ldvt = tw_max(1, most);
    if (!ROWS || w.lwork == -1 || m < 0 || n < 0 || most > least(&p)) return leave(call, solve(&p, w));
    if (rows_begin_sides(&A, &U, has_u, &VT, has_vt)) return no_memory(call->routine);
    p.a = A.mine, p.u = has_u ? U.mine : p.u, p.vt = has_vt ? VT.mine : p.vt;
    info = solve(&p, w);
    U.n = info == 0 ? get_int(p.int_size, p.ns, 0) : 0;
    if (has_vt && info == 0) tw_transpose(call->type, U.n, n, VT.mine, p.ldvt, VT.user, VT.ld);
    rows_end(&A, 0), rows_end(&U, info == 0), rows_end(&VT, 0);
    return leave(call, info);
}

static tw_int lapacke_gesvdx(const struct tw_lapacke *call, PARAMETERS, void *superb)
{
    return lapacke(call, (struct problem){call->lapack, call->type, ARGUMENTS, superb, 1, call->int_size},
                   OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, PARAMETERS, void *work, tw_int lwork, void *rwork,
                           void *iwork)
{
    (void)rwork;
    return lapacke(call, (struct problem){call->lapack, call->type, ARGUMENTS, iwork, 0, call->int_size},
                   (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gesvdx, GESVDX, ARGUMENTS, superb)
TW_LAPACKE_CHECKED(gesvdx, GESVDX, ARGUMENTS, superb)
TW_LAPACKE_WORK_REAL(gesvdx, GESVDX_REAL, lapacke_work, ARGUMENTS, work, lwork, NULL, iwork)
TW_LAPACKE_WORK_COMPLEX(gesvdx, GESVDX_COMPLEX, lapacke_work, ARGUMENTS, work, lwork, rwork, iwork)
TW_LAPACK_ROW(gesvdx, TW_LAPACK_WORDS(GESVDX), TW_LAPACKE_WORDS(GESVDX), TW_LAPACKE_WORDS(GESVDX_REAL))
TW_LAPACK_ROW_NAMED(gesvdx_complex, "gesvdx", NULL, NULL, TW_LAPACKE_WORDS(GESVDX_COMPLEX))
