/* Singular values and vectors under the names of LAPACK and LAPACKE, by divide and conquer. */
#include "algorithms/lapack/singular.h"

#define GESDD(T, INT, INTS, R, RS, ...) char jobz, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt
#define GESDD_REAL(T, INT, INTS, R, RS, ...)                                                                           \
    char jobz, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt, T *work, INT lwork, INTS *iwork
#define GESDD_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    char jobz, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt, T *work, INT lwork, RS *rwork,      \
        INTS *iwork

#define ITSELF(p)                                                                                                      \
    static int lapack_##p##gesdd(char jobz, int m, int n, void *a, int lda, void *s, void *u, int ldu, void *vt,       \
                                 int ldvt)                                                                             \
    {                                                                                                                  \
        return LAPACKE_##p##gesdd(LAPACK_COL_MAJOR, jobz, m, n, a, lda, s, u, ldu, vt, ldvt);                          \
    }
ITSELF(s)
ITSELF(d)
ITSELF(c)
ITSELF(z)
int (*const tw_lapack_gesdd[TW_NTYPES])(char, int, int, void *, int, void *, void *, int, void *,
                                        int) = {lapack_sgesdd, lapack_dgesdd, lapack_cgesdd, lapack_zgesdd};

/* A call. */
struct problem {
    const char *routine;
    enum tw_type type;
    char jobz;
    tw_int m, n;
    void *a;
    tw_int lda;
    void *s, *u;
    tw_int ldu;
    void *vt;
    tw_int ldvt;
};
/* Which arrays there are, and their shapes: U is m x u, V^T v x n. */
struct shapes {
    int has_u, has_vt;
    tw_int u, v;
};
static struct shapes shapes(const struct problem *p)
{
    const tw_int k = tw_min(p->m, p->n);
    const int over = p->jobz == 'O', all = p->jobz == 'A', tall = p->m >= p->n;
    return (struct shapes){p->jobz != 'N' && !(over && tall), p->jobz != 'N' && !(over && !tall),
                           all || over ? p->m : k, all || over ? p->n : k};
}

static tw_int not_finite(const struct problem *p)
{
    return tw_illegal(p->routine, 4, "it holds a NaN or an infinity");
}

static tw_int straight_gesdd(const struct problem *p)
{
    const int m = (int)p->m, n = (int)p->n;
    struct roomy r;
    tw_int info;

    if (!general_finite(p->type, m, n, p->a, p->lda)) return not_finite(p);
    r = roomy_begin(p->type, 'R', m, n, p->a, (int)p->lda);
    if (!r.a) return tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix", p->routine);
    info = told(p->routine,
                tw_lapack_gesdd[p->type](p->jobz, m, n, r.a, r.lda, p->s, p->u, (int)p->ldu, p->vt, (int)p->ldvt));
    roomy_end(&r, p->jobz == 'O' && info >= 0, p->type, m, n, p->a, (int)p->lda);
    return info;
}

static tw_int tiles(const struct problem *p)
{
    const tw_int k = tw_min(p->m, p->n);
    const struct shapes shape = shapes(p);
    double *values = values_begin(p->type, k, p->s);
    struct tw_matrix *A, *U = NULL, *VT = NULL;
    tw_int info;

    if (!values) return no_memory_for_values(p->routine, k);
    info = wrap_for(&A, &tw_routine_gesdd, p->type, 'G', p->m, p->n, k, p->a, p->lda);
    if (!info) info = svd_wrap(&U, p->type, shape.has_u, p->m, shape.u, p->u, p->ldu, tw_matrix_nb(A));
    if (!info) info = svd_wrap(&VT, p->type, shape.has_vt, shape.v, p->n, p->vt, p->ldvt, tw_matrix_nb(A));
    if (!info) info = tw_gesdd((enum tw_svd_job)p->jobz, A, values, U, VT);
    values_end(p->type, info >= 0 ? k : 0, values, p->s);
    info = finish(info, U, VT);
    info = finish(info, A, NULL);
    return info > 0 && !general_finite(p->type, p->m, p->n, p->a, p->lda) ? not_finite(p) : info;
}

/* What LAPACK 3.11 refuses to go below. */
static tw_int least_gesdd(enum tw_type type, char jobz, tw_int m, tw_int n)
{
    const tw_int k = tw_min(m, n), most = tw_max(m, n), all = k * k, bidiagonal = jobz == 'N' ? 7 * k : 3 * all + 4 * k;

    if (k == 0) return 1;
    if (tw_is_complex(type)) {
        if (most < (tw_int)((double)k * 17 / 9)) return 2 * k + most + (jobz == 'O' ? all : 0);
        return jobz == 'N'   ? 3 * k
               : jobz == 'O' ? 2 * all + 3 * k
               : jobz == 'S' ? all + 3 * k
                             : all + tw_max(3 * k, k + most);
    }
    if (most < (tw_int)((double)k * 11 / 6)) return 3 * k + tw_max(most, bidiagonal + (jobz == 'O' ? all : 0));
    return jobz == 'N'   ? bidiagonal + k
           : jobz == 'O' ? bidiagonal + 2 * all + 3 * k
           : jobz == 'S' ? bidiagonal + all + 3 * k
                         : all + tw_max(3 * k + bidiagonal, k + most);
}

static tw_int solve(struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int m = p->m, n = p->n, lda = p->lda, ldu = p->ldu, ldvt = p->ldvt;
    struct shapes shape;

    ARGUMENT(1, (p->jobz = svd_letter(p->jobz)), "not 'A', 'S', 'O' or 'N'");
    SIZE(2, m);
    SIZE(3, n);
    LD(5, lda, m);
    shape = shapes(p);
    ARGUMENT(8, ldu >= 1 && (!shape.has_u || ldu >= m), "ldu < max(1, m), or < 1 without U");
    ARGUMENT(10, ldvt >= 1 && (!shape.has_vt || ldvt >= shape.v), "ldvt < the rows of V^T, or < 1");
    WORKSPACE(12, w, least_gesdd(type, p->jobz, tw_min(m, INT32_MAX), tw_min(n, INT32_MAX)));
    if (m == 0 || n == 0) return 0;
    ARRAY(4, p->a);
    ARRAY(6, p->s);
    if (shape.has_u) ARRAY(7, p->u);
    if (shape.has_vt) ARRAY(9, p->vt);
    if (svd_by_lapack(&tw_routine_gesdd, "gesdd", type, m, n, lda, ldu, ldvt)) return straight_gesdd(p);
    return tiles(p);
}

static tw_int gesdd(const char *routine, enum tw_type type, char jobz, tw_int m, tw_int n, void *a, tw_int lda, void *s,
                    void *u, tw_int ldu, void *vt, tw_int ldvt)
{
    return solve(&(struct problem){routine, type, jobz, m, n, a, lda, s, u, ldu, vt, ldvt}, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, char jobz, tw_int m, tw_int n, void *a, tw_int lda, void *s,
                      void *u, tw_int ldu, void *vt, tw_int ldvt, struct workspace w)
{
    struct problem p = {call->lapack, call->type, svd_letter(jobz), m, n, a, lda, s, u, ldu, vt, ldvt};
    const struct shapes shape = shapes(&p); /* of unknown letters nothing is read */
    const int known = p.jobz != 0, has_u = known && shape.has_u, has_vt = known && shape.has_vt;
    struct rows A = {call->type, m, n, a, NULL, lda}, U = {call->type, m, shape.u, u, NULL, ldu},
                VT = {call->type, shape.v, n, vt, NULL, ldvt};
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, m, n, a, lda));
    ROW_LD(6, lda, n);
    ROW_LD(9, ldu, has_u ? shape.u : 1);
    ROW_LD(11, ldvt, known && p.jobz != 'N' ? n : 1); /* LAPACKE's looks at it where V^H goes over A, too */
    p.jobz = jobz;                                    /* refused, or not, where LAPACK does */
    if (ROWS) p.lda = tw_max(1, m), p.ldu = tw_max(1, has_u ? m : 1), p.ldvt = tw_max(1, has_vt ? shape.v : 1);
    if (!ROWS || w.lwork == -1) return leave(call, solve(&p, w));
    if (rows_begin_sides(&A, &U, has_u, &VT, has_vt)) return no_memory(call->routine);
    p.a = A.mine, p.u = has_u ? U.mine : u, p.vt = has_vt ? VT.mine : vt;
    info = solve(&p, w);
    rows_end(&A, info >= 0 && p.jobz == 'O'), rows_end(&U, info >= 0), rows_end(&VT, info >= 0);
    return leave(call, info);
}

static tw_int lapacke_gesdd(const struct tw_lapacke *call, char jobz, tw_int m, tw_int n, void *a, tw_int lda, void *s,
                            void *u, tw_int ldu, void *vt, tw_int ldvt)
{
    return lapacke(call, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, char jobz, tw_int m, tw_int n, void *a, tw_int lda, void *s,
                           void *u, tw_int ldu, void *vt, tw_int ldvt, void *work, tw_int lwork, void *rwork,
                           void *iwork)
{
    (void)rwork, (void)iwork;
    return lapacke(call, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR(gesdd, GESDD, jobz, m, n, a, lda, s, u, ldu, vt, ldvt)
TW_LAPACKE_CHECKED(gesdd, GESDD, jobz, m, n, a, lda, s, u, ldu, vt, ldvt)
TW_LAPACKE_WORK_REAL(gesdd, GESDD_REAL, lapacke_work, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, NULL, iwork)
TW_LAPACKE_WORK_COMPLEX(gesdd, GESDD_COMPLEX, lapacke_work, jobz, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, rwork,
                        iwork)
TW_LAPACK_ROW(gesdd, TW_LAPACK_WORDS(GESDD), TW_LAPACKE_WORDS(GESDD), TW_LAPACKE_WORDS(GESDD_REAL))
TW_LAPACK_ROW_NAMED(gesdd_complex, "gesdd", NULL, NULL, TW_LAPACKE_WORDS(GESDD_COMPLEX))
