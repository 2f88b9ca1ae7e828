/* Eigenvalues and eigenvectors of general matrices under the names of LAPACK and LAPACKE: of real ones with real and
 * imaginary parts in two arrays, of complex ones in one. */
#include "algorithms/lapack/values.h"

#define REAL(T, INT, ...) char jobvl, char jobvr, INT n, T *a, INT lda, T *wr, T *wi, T *vl, INT ldvl, T *vr, INT ldvr
#define REAL_WORK(T, INT, ...)                                                                                         \
    char jobvl, char jobvr, INT n, T *a, INT lda, T *wr, T *wi, T *vl, INT ldvl, T *vr, INT ldvr, T *work, INT lwork
#define COMPLEX(T, INT, ...) char jobvl, char jobvr, INT n, T *a, INT lda, T *w, T *vl, INT ldvl, T *vr, INT ldvr
#define COMPLEX_WORK(T, INT, INTS, R, RS, ...)                                                                         \
    char jobvl, char jobvr, INT n, T *a, INT lda, T *w, T *vl, INT ldvl, T *vr, INT ldvr, T *work, INT lwork, RS *rwork

/* LAPACK's own. wi: of complex types its workspace of 2 n real numbers. */
#define ITSELF(p, values, end)                                                                                         \
    static int lapack_##p##geev(char jobvl, char jobvr, int n, void *a, int lda, void *wr, void *wi, void *vl,         \
                                int ldvl, void *vr, int ldvr, void *work, int lwork)                                   \
    {                                                                                                                  \
        return LAPACKE_##p##geev_work(LAPACK_COL_MAJOR, jobvl, jobvr, n, a, lda, values, vl, ldvl, vr, ldvr, work,     \
                                      lwork end);                                                                      \
    }
#define COMMA ,
ITSELF(s, wr COMMA wi, )
ITSELF(d, wr COMMA wi, )
ITSELF(c, wr, COMMA wi)
ITSELF(z, wr, COMMA wi)
static int (*const lapack_geev[TW_NTYPES])(char, char, int, void *, int, void *, void *, void *, int, void *, int,
                                           void *, int) = {lapack_sgeev, lapack_dgeev, lapack_cgeev, lapack_zgeev};

/* A call. wr: of complex types all of the eigenvalues. */
struct problem {
    const char *routine;
    enum tw_type type;
    char jobvl, jobvr;
    tw_int n;
    void *a;
    tw_int lda;
    void *wr, *wi, *vl;
    tw_int ldvl;
    void *vr;
    tw_int ldvr;
};

static void put_values(const struct problem *p, tw_int i, double re, double im)
{
    const int pairs = tw_is_complex(p->type);

    put_real_at(p->type, p->wr, pairs ? 2 * i : i, re);
    put_real_at(p->type, pairs ? p->wr : p->wi, pairs ? 2 * i + 1 : i, im);
}

static tw_int by_itself(const struct problem *p)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const int n = (int)p->n, left = p->jobvl == 'V', right = p->jobvr == 'V', fewer = tw_is_complex(type);
    struct roomy a, l = {p->vl, (int)p->ldvl, 0}, r = {p->vr, (int)p->ldvr, 0};
    void *wi = p->wi;
    tw_int info;

    if (!general_finite(type, n, n, p->a, p->lda)) {
        for (int i = 0; i < n; i++)
            put_values(p, i, NAN, NAN);
        return n;
    }
    a = roomy_begin(type, 'R', n, n, p->a, (int)p->lda);
    if (left) l = roomy_begin(type, 'R', n, n, p->vl, (int)p->ldvl);
    if (right) r = roomy_begin(type, 'R', n, n, p->vr, (int)p->ldvr);
    if (fewer) wi = malloc(2 * (size_t)n * tw_sizeof(tw_real_type(type)));
    if (a.a && (l.a || !left) && (r.a || !right) && (wi || !fewer)) {
#define CALL(work, lwork)                                                                                              \
    lapack_geev[type](p->jobvl, p->jobvr, n, a.a, a.lda, p->wr, wi, l.a, l.lda, r.a, r.lda, work, lwork)
        STRAIGHT(info, CALL);
#undef CALL
    } else {
        info = tw_fail(TW_E_MEMORY, "%s: no memory for copies of the matrices", routine);
    }
    roomy_end(&a, 0, type, n, n, p->a, p->lda);
    roomy_end(&l, info == 0, type, n, n, p->vl, p->ldvl);
    roomy_end(&r, info == 0, type, n, n, p->vr, p->ldvr);
    if (fewer) free(wi);
    return info;
}

static tw_int tiles(const struct problem *p)
{
    const int left = p->jobvl == 'V', right = p->jobvr == 'V';
    const tw_int n = p->n;
    double *w = n <= INT32_MAX ? malloc(2 * (size_t)n * sizeof *w) : NULL;
    struct tw_matrix *A, *VL = NULL, *VR = NULL;
    tw_int info;

    if (!w) return no_memory_for_values(p->routine, n);
    info = wrap_for(&A, &tw_routine_geev, p->type, 'G', n, n, 0, p->a, p->lda);
    if (!info && left) info = wrap_for(&VL, &tw_routine_geev, p->type, 'G', n, n, 0, p->vl, p->ldvl);
    if (!info && right) info = wrap_for(&VR, &tw_routine_geev, p->type, 'G', n, n, 0, p->vr, p->ldvr);
    if (!info) info = tw_geev(left ? TW_VECTORS : TW_NOVECTORS, right ? TW_VECTORS : TW_NOVECTORS, A, w, w + n, VL, VR);
    for (tw_int i = 0; i < n && info >= 0; i++)
        put_values(p, i, w[i], w[n + i]);
    free(w);
    return finish(finish(info, VL, VR), A, NULL);
}

static tw_int solve(struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int n = p->n, lda = p->lda, ldvl = p->ldvl, ldvr = p->ldvr;
    const int fewer = tw_is_complex(type); /* one argument less */
    int left, right;

    ARGUMENT(1, (p->jobvl = letter(p->jobvl, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(2, (p->jobvr = letter(p->jobvr, 'N', 'V')), "neither 'N' nor 'V'");
    left = p->jobvl == 'V', right = p->jobvr == 'V';
    SIZE(3, n);
    LD(5, lda, n);
    ARGUMENT(9 - fewer, ldvl >= 1 && (!left || ldvl >= n), "ldvl < n, or < 1 without left eigenvectors");
    ARGUMENT(11 - fewer, ldvr >= 1 && (!right || ldvr >= n), "ldvr < n, or < 1 without right eigenvectors");
    WORKSPACE(13 - fewer, w, (fewer ? 2 : left || right ? 4 : 3) * tw_min(n, INT32_MAX));
    if (n == 0) return 0;
    ARRAY(4, p->a);
    ARRAY(6, p->wr);
    if (!fewer) ARRAY(7, p->wi);
    if (left) ARRAY(8 - fewer, p->vl);
    if (right) ARRAY(10 - fewer, p->vr);
    if (by_lapack(&tw_routine_geev, "geev", 0, type, n, n, lda, tw_max(ldvl, ldvr))) return by_itself(p);
    return tiles(p);
}

static tw_int geev(const char *routine, enum tw_type type, char jobvl, char jobvr, tw_int n, void *a, tw_int lda,
                   void *wr, void *wi, void *vl, tw_int ldvl, void *vr, tw_int ldvr)
{
    return solve(&(struct problem){routine, type, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr}, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, char jobvl, char jobvr, tw_int n, void *a, tw_int lda, void *wr,
                      void *wi, void *vl, tw_int ldvl, void *vr, tw_int ldvr, struct workspace w)
{
    struct problem p = {call->lapack, call->type, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr};
    struct rows A = {call->type, n, n, a, NULL, lda}, VL = {call->type, n, n, vl, NULL, ldvl},
                VR = {call->type, n, n, vr, NULL, ldvr};
    const int fewer = tw_is_complex(call->type), left = letter(jobvl, 'V', 'V') != 0,
              right = letter(jobvr, 'V', 'V') != 0;
    tw_int info;

    LAYOUT;
    NOT_NAN(5, nan_general(call, n, n, a, lda));
    ROW_LD(6, lda, n);
    ROW_LD(10 - fewer, ldvl, left ? tw_max(1, n) : 1);
    ROW_LD(12 - fewer, ldvr, right ? tw_max(1, n) : 1);
    if (ROWS) p.lda = p.ldvl = p.ldvr = tw_max(1, n);
    if (!ROWS || w.lwork == -1) return leave(call, solve(&p, w));
    if (rows_begin_sides(&A, &VL, left, &VR, right)) return no_memory(call->routine);
    p.a = A.mine;
    if (left) p.vl = VL.mine;
    if (right) p.vr = VR.mine;
    info = solve(&p, w);
    rows_end(&A, 0), rows_end(&VL, info == 0), rows_end(&VR, info == 0);
    return leave(call, info);
}

static tw_int lapacke_geev(const struct tw_lapacke *call, char jobvl, char jobvr, tw_int n, void *a, tw_int lda,
                           void *wr, void *wi, void *vl, tw_int ldvl, void *vr, tw_int ldvr)
{
    return lapacke(call, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, char jobvl, char jobvr, tw_int n, void *a, tw_int lda,
                           void *wr, void *wi, void *vl, tw_int ldvl, void *vr, tw_int ldvr, void *work, tw_int lwork,
                           void *rwork)
{
    (void)rwork;
    return lapacke(call, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR_REAL(geev, REAL, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr)
TW_LAPACK_DOOR_COMPLEX(geev, COMPLEX, jobvl, jobvr, n, a, lda, w, NULL, vl, ldvl, vr, ldvr)
TW_LAPACKE_CHECKED_REAL(geev, REAL, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr)
TW_LAPACKE_CHECKED_COMPLEX(geev, COMPLEX, jobvl, jobvr, n, a, lda, w, NULL, vl, ldvl, vr, ldvr)
TW_LAPACKE_WORK_REAL(geev, REAL_WORK, lapacke_work, jobvl, jobvr, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, work, lwork,
                     NULL)
TW_LAPACKE_WORK_COMPLEX(geev, COMPLEX_WORK, lapacke_work, jobvl, jobvr, n, a, lda, w, NULL, vl, ldvl, vr, ldvr, work,
                        lwork, rwork)
TW_LAPACK_ROW(geev, TW_LAPACK_WORDS(REAL), TW_LAPACKE_WORDS(REAL), TW_LAPACKE_WORDS(REAL_WORK))
TW_LAPACK_ROW_NAMED(geev_complex, "geev", TW_LAPACK_WORDS(COMPLEX), TW_LAPACKE_WORDS(COMPLEX),
                    TW_LAPACKE_WORDS(COMPLEX_WORK))
