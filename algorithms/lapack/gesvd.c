/* Singular values and vectors with a job for each side under the names of LAPACK and LAPACKE; gesdd's method. */
#include "algorithms/lapack/singular.h"

#define GESVD(T, INT, INTS, R, RS, ...)                                                                                \
    char jobu, char jobvt, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt, RS *superb
#define GESVD_REAL(T, INT, INTS, R, RS, ...)                                                                           \
    char jobu, char jobvt, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt, T *work, INT lwork
#define GESVD_COMPLEX(T, INT, INTS, R, RS, ...)                                                                        \
    char jobu, char jobvt, INT m, INT n, T *a, INT lda, RS *s, T *u, INT ldu, T *vt, INT ldvt, T *work, INT lwork,     \
        RS *rwork

#define ITSELF(p)                                                                                                      \
    static int lapack_##p##gesvd(char jobu, char jobvt, int m, int n, void *a, int lda, void *s, void *u, int ldu,     \
                                 void *vt, int ldvt, void *superb)                                                     \
    {                                                                                                                  \
        return LAPACKE_##p##gesvd(LAPACK_COL_MAJOR, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb);           \
    }
ITSELF(s)
ITSELF(d)
ITSELF(c)
ITSELF(z)
static int (*const lapack_gesvd[TW_NTYPES])(char, char, int, int, void *, int, void *, void *, int, void *, int,
                                            void *) = {lapack_sgesvd, lapack_dgesvd, lapack_cgesvd, lapack_zgesvd};

/* A call. */
struct problem {
    const char *routine;
    enum tw_type type;
    char jobu, jobvt;
    tw_int m, n;
    void *a;
    tw_int lda;
    void *s, *u;
    tw_int ldu;
    void *vt;
    tw_int ldvt;
    void *superb; /* NULL: not asked for */
};
/* Which arrays there are, and their shapes: U is m x u, V^T v x n. */
struct shapes {
    int has_u, has_vt;
    tw_int u, v;
};
static struct shapes shapes(const struct problem *p)
{
    const tw_int k = tw_min(p->m, p->n);
    return (struct shapes){p->jobu == 'A' || p->jobu == 'S', p->jobvt == 'A' || p->jobvt == 'S',
                           p->jobu == 'A' ? p->m : k, p->jobvt == 'A' ? p->n : k};
}

/* LAPACKE's function wants room for superb. */
static tw_int straight_gesvd(const struct problem *p)
{
    const int m = (int)p->m, n = (int)p->n, over = p->jobu == 'O' || p->jobvt == 'O';
    const size_t k = (size_t)tw_min(p->m, p->n);
    void *superb;
    struct roomy r;
    tw_int info;

    if (!general_finite(p->type, m, n, p->a, p->lda)) return no_values(p->type, (tw_int)k, p->s);
    superb = p->superb ? p->superb : malloc(k * sizeof(double));
    r = roomy_begin(p->type, 'R', m, n, p->a, (int)p->lda);
    if (r.a && superb)
        info = told(p->routine, lapack_gesvd[p->type](p->jobu, p->jobvt, m, n, r.a, r.lda, p->s, p->u, (int)p->ldu,
                                                      p->vt, (int)p->ldvt, superb));
    else
        info = tw_fail(TW_E_MEMORY, "%s: no memory for a copy of the matrix", p->routine);
    roomy_end(&r, over && info >= 0, p->type, m, n, p->a, (int)p->lda);
    for (size_t i = 0; p->superb && info == 0 && i + 1 < k; i++) /* where all converged LAPACK leaves anything there */
        put_real_at(p->type, p->superb, (tw_int)i, 0);
    if (superb != p->superb) free(superb);
    return info;
}

static tw_int tiles(const struct problem *p)
{
    const tw_int k = tw_min(p->m, p->n);
    const struct shapes shape = shapes(p);
    double *values = values_begin(p->type, k, p->s), *superb = p->superb ? values_begin(p->type, k, p->superb) : NULL;
    struct tw_matrix *A = NULL, *U = NULL, *VT = NULL;
    tw_int info = values && (superb || !p->superb) ? 0 : no_memory_for_values(p->routine, k);

    if (!info) info = wrap_for(&A, &tw_routine_gesvd, p->type, 'G', p->m, p->n, k, p->a, p->lda);
    if (!info) info = svd_wrap(&U, p->type, shape.has_u, p->m, shape.u, p->u, p->ldu, tw_matrix_nb(A));
    if (!info) info = svd_wrap(&VT, p->type, shape.has_vt, shape.v, p->n, p->vt, p->ldvt, tw_matrix_nb(A));
    if (!info) info = tw_gesvd((enum tw_svd_job)p->jobu, (enum tw_svd_job)p->jobvt, A, values, U, VT, superb);
    values_end(p->type, info >= 0 ? k : 0, values, p->s);
    if (superb) values_end(p->type, info >= 0 ? k - 1 : 0, superb, p->superb);
    info = finish(info, U, VT);
    return finish(info, A, NULL);
}

/* What LAPACK 3.11 refuses to go below. */
static tw_int least_gesvd(enum tw_type type, char job, tw_int m, tw_int n)
{
    const tw_int k = tw_min(m, n), most = tw_max(m, n);
    const int first = most >= (tw_int)((float)k * 1.6F) && job == 'N'; /* QR or LQ, whose Q is not needed */

    if (k == 0) return 1;
    if (tw_is_complex(type)) return first ? 3 * k : 2 * k + most;
    return first ? 5 * k : tw_max(3 * k + most, 5 * k);
}

static tw_int solve(struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int m = p->m, n = p->n, lda = p->lda, ldu = p->ldu, ldvt = p->ldvt;
    struct shapes shape;

    ARGUMENT(1, (p->jobu = svd_letter(p->jobu)), "not 'A', 'S', 'O' or 'N'");
    ARGUMENT(2, (p->jobvt = svd_letter(p->jobvt)), "not 'A', 'S', 'O' or 'N'");
    ARGUMENT(2, p->jobu != 'O' || p->jobvt != 'O', "a cannot become both U and V^T");
    SIZE(3, m);
    SIZE(4, n);
    LD(6, lda, m);
    shape = shapes(p);
    ARGUMENT(9, ldu >= 1 && (!shape.has_u || ldu >= m), "ldu < max(1, m), or < 1 without U");
    ARGUMENT(11, ldvt >= 1 && (!shape.has_vt || ldvt >= shape.v), "ldvt < the rows of V^T, or < 1");
    WORKSPACE(13, w, least_gesvd(type, m >= n ? p->jobu : p->jobvt, tw_min(m, INT32_MAX), tw_min(n, INT32_MAX)));
    if (m == 0 || n == 0) return 0;
    ARRAY(5, p->a);
    ARRAY(7, p->s);
    if (shape.has_u) ARRAY(8, p->u);
    if (shape.has_vt) ARRAY(10, p->vt);
    if (svd_by_lapack(&tw_routine_gesvd, "gesvd", type, m, n, lda, ldu, ldvt)) return straight_gesvd(p);
    return tiles(p);
}

static tw_int gesvd(const char *routine, enum tw_type type, char jobu, char jobvt, tw_int m, tw_int n, void *a,
                    tw_int lda, void *s, void *u, tw_int ldu, void *vt, tw_int ldvt, void *superb)
{
    return solve(&(struct problem){routine, type, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb},
                 OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, char jobu, char jobvt, tw_int m, tw_int n, void *a, tw_int lda,
                      void *s, void *u, tw_int ldu, void *vt, tw_int ldvt, void *superb, struct workspace w)
{
    struct problem p = {call->lapack, call->type, svd_letter(jobu), svd_letter(jobvt), m, n, a, lda, s, u, ldu, vt,
                        ldvt,         superb};
    const struct shapes shape = shapes(&p);
    struct rows A = {call->type, m, n, a, NULL, lda}, U = {call->type, m, shape.u, u, NULL, ldu},
                VT = {call->type, shape.v, n, vt, NULL, ldvt};
    tw_int info;

    LAYOUT;
    NOT_NAN(6, nan_general(call, m, n, a, lda));
    ROW_LD(7, lda, n);
    ROW_LD(10, ldu, shape.has_u ? shape.u : 1);
    ROW_LD(12, ldvt, shape.has_vt ? n : 1);
    p.jobu = jobu, p.jobvt = jobvt; /* refused, or not, where LAPACK does */
    if (ROWS)
        p.lda = tw_max(1, m), p.ldu = tw_max(1, shape.has_u ? m : 1), p.ldvt = tw_max(1, shape.has_vt ? shape.v : 1);
    if (!ROWS || w.lwork == -1) return leave(call, solve(&p, w));
    if (rows_begin_sides(&A, &U, shape.has_u, &VT, shape.has_vt)) return no_memory(call->routine);
    p.a = A.mine, p.u = shape.has_u ? U.mine : u, p.vt = shape.has_vt ? VT.mine : vt;
    info = solve(&p, w);
    rows_end(&A, info >= 0 && (p.jobu == 'O' || p.jobvt == 'O')), rows_end(&U, info >= 0), rows_end(&VT, info >= 0);
    return leave(call, info);
}

static tw_int lapacke_gesvd(const struct tw_lapacke *call, char jobu, char jobvt, tw_int m, tw_int n, void *a,
                            tw_int lda, void *s, void *u, tw_int ldu, void *vt, tw_int ldvt, void *superb)
{
    return lapacke(call, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb, OWN_WORKSPACE);
}

/* LAPACK tells what did not converge in the second and further elements of real types' work, or in rwork. */
static tw_int lapacke_work(const struct tw_lapacke *call, char jobu, char jobvt, tw_int m, tw_int n, void *a,
                           tw_int lda, void *s, void *u, tw_int ldu, void *vt, tw_int ldvt, void *work, tw_int lwork,
                           void *rwork)
{
    const tw_int k = tw_min(m, n);
    char *to = tw_is_complex(call->type) ? rwork : work ? (char *)work + tw_sizeof(call->type) : NULL;
    void *superb = to && k > 1 && lwork != -1 ? malloc((size_t)k * sizeof(double)) : NULL;
    const tw_int info =
        lapacke(call, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb, (struct workspace){work, lwork});

    if (superb && info > 0) memcpy(to, superb, (size_t)(k - 1) * tw_sizeof(tw_real_type(call->type)));
    free(superb);
    return info;
}

TW_LAPACK_DOOR(gesvd, GESVD, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb)
TW_LAPACKE_CHECKED(gesvd, GESVD, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, superb)
TW_LAPACKE_WORK_REAL(gesvd, GESVD_REAL, lapacke_work, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, NULL)
TW_LAPACKE_WORK_COMPLEX(gesvd, GESVD_COMPLEX, lapacke_work, jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork,
                        rwork)
TW_LAPACK_ROW(gesvd, TW_LAPACK_WORDS(GESVD), TW_LAPACKE_WORDS(GESVD), TW_LAPACKE_WORDS(GESVD_REAL))
TW_LAPACK_ROW_NAMED(gesvd_complex, "gesvd", NULL, NULL, TW_LAPACKE_WORDS(GESVD_COMPLEX))
