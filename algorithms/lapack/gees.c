/* The Schur form of general matrices under the names of LAPACK and LAPACKE, gees and geesx, which also says how
 * sensitive the eigenvalues and their subspace are that were selected. */
#include "algorithms/lapack/select.h"

#define GEES_REAL(T, INT, INTS, R, RS, W, S)                                                                           \
    char jobvs, char sort, S select, INT n, T *a, INT lda, INTS *sdim, T *wr, T *wi, T *vs, INT ldvs
#define GEES_REAL_WORK(T, INT, INTS, R, RS, W, S)                                                                      \
    char jobvs, char sort, S select, INT n, T *a, INT lda, INTS *sdim, T *wr, T *wi, T *vs, INT ldvs, T *work,         \
        INT lwork, INTS *bwork
#define GEES_COMPLEX(T, INT, INTS, R, RS, W, S)                                                                        \
    char jobvs, char sort, S select, INT n, T *a, INT lda, INTS *sdim, T *w, T *vs, INT ldvs
#define GEES_COMPLEX_WORK(T, INT, INTS, R, RS, W, S)                                                                   \
    char jobvs, char sort, S select, INT n, T *a, INT lda, INTS *sdim, T *w, T *vs, INT ldvs, T *work, INT lwork,      \
        RS *rwork, INTS *bwork
#define GEESX_REAL(T, INT, INTS, R, RS, W, S)                                                                          \
    char jobvs, char sort, S select, char sense, INT n, T *a, INT lda, INTS *sdim, T *wr, T *wi, T *vs, INT ldvs,      \
        T *rconde, T *rcondv
#define GEESX_REAL_WORK(T, INT, INTS, R, RS, W, S)                                                                     \
    char jobvs, char sort, S select, char sense, INT n, T *a, INT lda, INTS *sdim, T *wr, T *wi, T *vs, INT ldvs,      \
        T *rconde, T *rcondv, T *work, INT lwork, INTS *iwork, INT liwork, INTS *bwork
#define GEESX_COMPLEX(T, INT, INTS, R, RS, W, S)                                                                       \
    char jobvs, char sort, S select, char sense, INT n, T *a, INT lda, INTS *sdim, T *w, T *vs, INT ldvs, RS *rconde,  \
        RS *rcondv
#define GEESX_COMPLEX_WORK(T, INT, INTS, R, RS, W, S)                                                                  \
    char jobvs, char sort, S select, char sense, INT n, T *a, INT lda, INTS *sdim, T *w, T *vs, INT ldvs, RS *rconde,  \
        RS *rcondv, T *work, INT lwork, RS *rwork, INTS *bwork

/* A call. wr: of complex types all of the eigenvalues. expert: geesx's, with sense, rconde and rcondv. */
struct problem {
    const char *routine;
    enum tw_type type;
    size_t int_size;
    char jobvs, sort;
    struct selector select;
    int expert;
    char sense;
    tw_int n;
    void *a;
    tw_int lda;
    void *sdim, *wr, *wi, *vs;
    tw_int ldvs;
    void *rconde, *rcondv;
};

/* ---- LAPACK's own ------------------------------------------------------------------------------------------------ */

/* more: of real types geesx's workspace of integers, of complex ones that of real numbers. */
struct own {
    int n, lda, ldvs, sdim, liwork;
    void *a, *vs, *more;
    lapack_logical *bwork;
};
#define ITSELF(t, imaginary, reals, ints)                                                                              \
    static int lapack_##t##gees(const struct problem *p, struct own *o, void *work, int lwork)                         \
    {                                                                                                                  \
        return p->expert                                                                                               \
                   ? LAPACKE_##t##geesx_work(LAPACK_COL_MAJOR, p->jobvs, p->sort, select_##t, p->sense, o->n, o->a,    \
                                             o->lda, &o->sdim, p->wr imaginary, o->vs, o->ldvs, p->rconde, p->rcondv,  \
                                             work, lwork, o->more ints, o->bwork)                                      \
                   : LAPACKE_##t##gees_work(LAPACK_COL_MAJOR, p->jobvs, p->sort, select_##t, o->n, o->a, o->lda,       \
                                            &o->sdim, p->wr imaginary, o->vs, o->ldvs, work, lwork reals, o->bwork);   \
    }
#define COMMA ,
ITSELF(s, COMMA p->wi, , COMMA o->liwork)
ITSELF(d, COMMA p->wi, , COMMA o->liwork)
ITSELF(c, , COMMA o->more, )
ITSELF(z, , COMMA o->more, )
static int (*const lapack_gees[TW_NTYPES])(const struct problem *, struct own *, void *,
                                           int) = {lapack_sgees, lapack_dgees, lapack_cgees, lapack_zgees};

static tw_int by_itself(const struct problem *p)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const int n = (int)p->n, wanted = p->jobvs == 'V', fewer = tw_is_complex(type);
    struct own own = {.n = n, .liwork = fewer ? 0 : n * n / 4 + 1}, *const o = &own;
    struct roomy a, z = {p->vs, (int)p->ldvs, 0};
    tw_int info;

    put_int(p->int_size, p->sdim, 0);
    if (!general_finite(type, n, n, p->a, p->lda)) {
        for (int i = 0; i < n; i++) {
            put_real_at(type, p->wr, fewer ? 2 * i : i, NAN);
            put_real_at(type, fewer ? p->wr : p->wi, fewer ? 2 * i + 1 : i, NAN);
        }
        return n;
    }
    a = roomy_begin(type, 'R', n, n, p->a, (int)p->lda);
    if (wanted) z = roomy_begin(type, 'R', n, n, p->vs, (int)p->ldvs);
    o->more = fewer ? malloc((size_t)n * sizeof(double)) : malloc((size_t)o->liwork * sizeof(lapack_int));
    o->bwork = malloc((size_t)n * sizeof *o->bwork);
    o->a = a.a, o->lda = a.lda, o->vs = z.a, o->ldvs = z.lda;
    if (a.a && (z.a || !wanted) && o->more && o->bwork) {
        const struct selector before = selector_here;
        selector_here = p->select;
#define CALL(work, lwork) lapack_gees[type](p, o, work, lwork)
        STRAIGHT(info, CALL);
#undef CALL
        selector_here = before;
        if (info >= 0) put_int(p->int_size, p->sdim, o->sdim);
    } else {
        info = tw_fail(TW_E_MEMORY, "%s: no memory for copies of the matrices", routine);
    }
    roomy_end(&a, info >= 0, type, n, n, p->a, p->lda);
    roomy_end(&z, info >= 0 && wanted, type, n, n, p->vs, p->ldvs);
    free(o->more), free(o->bwork);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(struct problem *p)
{
    const enum tw_type type = p->type;
    const tw_int n = p->n;
    double *w = n <= INT32_MAX ? malloc(2 * (size_t)n * sizeof *w) : NULL, rconde = 0, rcondv = 0;
    const tw_select_fn select = p->sort == 'S' ? selects : NULL;
    const enum tw_jobz jobvs = p->jobvs == 'V' ? TW_VECTORS : TW_NOVECTORS;
    struct tw_matrix *A, *VS = NULL;
    tw_int info, sdim = 0;

    if (!w) return no_memory_for_values(p->routine, n);
    info = wrap_for(&A, &tw_routine_gees, type, 'G', n, n, 0, p->a, p->lda);
    if (!info && p->jobvs == 'V') info = wrap_for(&VS, &tw_routine_gees, type, 'G', n, n, 0, p->vs, p->ldvs);
    if (!info && p->expert)
        info = tw_geesx(jobvs, select, &p->select, (enum tw_sense)p->sense, A, &sdim, w, w + n, VS, &rconde, &rcondv);
    else if (!info)
        info = tw_gees(jobvs, select, &p->select, A, &sdim, w, w + n, VS);
    info = finish(info, A, VS);
    if (info >= 0) {
        put_eigenvalues(type, n, w, p->wr, p->wi);
        put_int(p->int_size, p->sdim, sdim);
        if (p->sense == 'E' || p->sense == 'B') put_real_at(type, p->rconde, 0, rconde);
        if (p->sense == 'V' || p->sense == 'B') put_real_at(type, p->rcondv, 0, rcondv);
    }
    free(w);
    return info;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* geesx's work is argument `at`: condition numbers take more, which LAPACK finds out when it is too late to say; its
 * queries tell. 0; 1: it was a query; or the illegal argument's number. */
static tw_int expert_workspaces(const char *routine, const struct problem *p, int at, tw_int least,
                                const struct workspaces *w)
{
    const enum tw_type type = p->type;
    const tw_int n = counted(p->n), half = p->sense == 'N' ? 0 : n * n / 2;
    const int ints = !tw_is_complex(type);

    if (w->lwork == -1 || (ints && w->liwork == -1)) {
        ARGUMENT(at, w->work, "NULL");
        if (ints) ARGUMENT(at + 2, w->iwork, "NULL");
        put_lwork(type, w->work, tw_max(tw_max(1, least), ints ? n + half : half));
        if (ints)
            put_int(w->int_size, w->iwork,
                    tw_max(1, p->sense == 'V' || p->sense == 'B' ? tw_min(n * n / 4, INT32_MAX) : 1));
        return 1;
    }
    ARGUMENT(at + 1, w->lwork >= tw_max(1, least), "lwork < what LAPACK needs at least");
    if (ints) ARGUMENT(at + 3, w->liwork >= 1, "liwork < 1");
    return 0;
}

static tw_int solve(struct problem *p, struct workspaces ws)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int n = p->n, lda = p->lda, ldvs = p->ldvs;
    const int fewer = tw_is_complex(type), more = p->expert; /* an argument less, and one more */
    const struct workspace w = {ws.work, ws.lwork};
    const tw_int least = (fewer ? 2 : 3) * tw_min(n, INT32_MAX);
    tw_int e;

    ARGUMENT(1, (p->jobvs = letter(p->jobvs, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(2, (p->sort = letter(p->sort, 'N', 'S')), "neither 'N' nor 'S'");
    ARGUMENT(4, (p->sense = (char)(letter(p->sense, 'N', 'E') | letter(p->sense, 'V', 'B'))),
             "not 'N', 'E', 'V' or 'B'");
    ARGUMENT(4, p->sense == 'N' || p->sort == 'S', "there is no order, which it is about");
    SIZE(4 + more, n);
    LD(6 + more, lda, n);
    ARGUMENT(11 + more - fewer, ldvs >= 1 && (p->jobvs == 'N' || ldvs >= n), "ldvs < n, or < 1 without Schur vectors");
    if (more && (e = expert_workspaces(routine, p, 15 - fewer, least, &ws))) return e > 0 ? 0 : e;
    if (!more) WORKSPACE(13 - fewer, w, least);
    ARRAY(7 + more, p->sdim);
    if (n == 0) {
        put_int(p->int_size, p->sdim, 0);
        return 0;
    }
    ARGUMENT(3, p->sort == 'N' || p->select.fn, "NULL");
    ARRAY(5 + more, p->a);
    ARRAY(8 + more, p->wr);
    if (!fewer) ARRAY(9 + more, p->wi);
    if (p->jobvs == 'V') ARRAY(10 + more - fewer, p->vs);
    if (p->sense == 'E' || p->sense == 'B') ARRAY(13 - fewer, p->rconde);
    if (p->sense == 'V' || p->sense == 'B') ARRAY(14 - fewer, p->rcondv);
    if (by_lapack(&tw_routine_gees, more ? "geesx" : "gees", 0, type, n, n, lda, ldvs)) return by_itself(p);
    return tiles(p);
}

static const struct workspaces own = {.lwork = INT64_MAX, .liwork = INT64_MAX};

static tw_int lapacke(const struct tw_lapacke *call, struct problem p, struct workspaces w)
{
    const int fewer = tw_is_complex(call->type), more = p.expert;
    const tw_int n = p.n, lda = p.lda, ldvs = p.ldvs;
    struct rows A = {call->type, n, n, p.a, NULL, lda}, VS = {call->type, n, n, p.vs, NULL, ldvs};
    const int wanted = letter(p.jobvs, 'V', 'V') != 0;
    tw_int info;

    p.routine = call->lapack, p.type = call->type, p.int_size = p.select.int_size = w.int_size = call->int_size;
    p.select.type = call->type;
    LAYOUT;
    NOT_NAN(6 + more, nan_general(call, n, n, p.a, lda));
    ROW_LD(7 + more, lda, n);
    ROW_LD(12 + more - fewer, ldvs, n);
    if (ROWS) p.lda = p.ldvs = tw_max(1, n);
    if (!ROWS || w.lwork == -1 || w.liwork == -1) return leave(call, solve(&p, w));
    if (rows_begin(&A) || (wanted && rows_room(&VS))) {
        rows_end(&A, 0);
        return no_memory(call->routine);
    }
    p.a = A.mine;
    if (wanted) p.vs = VS.mine;
    info = solve(&p, w);
    rows_end(&A, info >= 0), rows_end(&VS, info >= 0);
    return leave(call, info);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

/* The caller's, of whatever type. */
#define CHOICE (tw_any_select) select

static tw_int door(const char *routine, enum tw_type type, struct problem p)
{
    p.routine = routine, p.type = type, p.int_size = 8;
    p.select.type = type, p.select.int_size = sizeof(int);
    return solve(&p, own);
}
#define GEES                                                                                                           \
    (struct problem)                                                                                                   \
    {                                                                                                                  \
        .jobvs = jobvs, .sort = sort, .select.fn = select, .sense = 'N', .n = n, .a = a, .lda = lda, .sdim = sdim,     \
        .wr = wr, .wi = wi, .vs = vs, .ldvs = ldvs                                                                     \
    }
#define GEESX                                                                                                          \
    (struct problem)                                                                                                   \
    {                                                                                                                  \
        .jobvs = jobvs, .sort = sort, .select.fn = select, .expert = 1, .sense = sense, .n = n, .a = a, .lda = lda,    \
        .sdim = sdim, .wr = wr, .wi = wi, .vs = vs, .ldvs = ldvs, .rconde = rconde, .rcondv = rcondv                   \
    }
#define GEES_ARGUMENTS                                                                                                 \
    char jobvs, char sort, tw_any_select select, tw_int n, void *a, tw_int lda, void *sdim, void *wr, void *wi,        \
        void *vs, tw_int ldvs
#define GEESX_ARGUMENTS                                                                                                \
    char jobvs, char sort, tw_any_select select, char sense, tw_int n, void *a, tw_int lda, void *sdim, void *wr,      \
        void *wi, void *vs, tw_int ldvs, void *rconde, void *rcondv

static tw_int gees(const char *routine, enum tw_type type, GEES_ARGUMENTS)
{
    return door(routine, type, GEES);
}
static tw_int geesx(const char *routine, enum tw_type type, GEESX_ARGUMENTS)
{
    return door(routine, type, GEESX);
}
static tw_int lapacke_gees(const struct tw_lapacke *call, GEES_ARGUMENTS)
{
    return lapacke(call, GEES, own);
}
static tw_int lapacke_geesx(const struct tw_lapacke *call, GEESX_ARGUMENTS)
{
    return lapacke(call, GEESX, own);
}
static tw_int lapacke_gees_work(const struct tw_lapacke *call, GEES_ARGUMENTS, void *work, tw_int lwork, void *rwork,
                                void *bwork)
{
    (void)rwork, (void)bwork;
    return lapacke(call, GEES, (struct workspaces){.work = work, .lwork = lwork, .liwork = INT64_MAX});
}
static tw_int lapacke_geesx_work(const struct tw_lapacke *call, GEESX_ARGUMENTS, void *work, tw_int lwork, void *iwork,
                                 tw_int liwork, void *rwork, void *bwork)
{
    (void)rwork, (void)bwork;
    return lapacke(call, GEESX, (struct workspaces){.work = work, .lwork = lwork, .iwork = iwork, .liwork = liwork});
}

TW_LAPACK_DOOR_REAL(gees, GEES_REAL, jobvs, sort, CHOICE, n, a, lda, sdim, wr, wi, vs, ldvs)
TW_LAPACK_DOOR_COMPLEX(gees, GEES_COMPLEX, jobvs, sort, CHOICE, n, a, lda, sdim, w, NULL, vs, ldvs)
TW_LAPACKE_CHECKED_REAL(gees, GEES_REAL, jobvs, sort, CHOICE, n, a, lda, sdim, wr, wi, vs, ldvs)
TW_LAPACKE_CHECKED_COMPLEX(gees, GEES_COMPLEX, jobvs, sort, CHOICE, n, a, lda, sdim, w, NULL, vs, ldvs)
TW_LAPACKE_WORK_REAL(gees, GEES_REAL_WORK, lapacke_gees_work, jobvs, sort, CHOICE, n, a, lda, sdim, wr, wi, vs, ldvs,
                     work, lwork, NULL, bwork)
TW_LAPACKE_WORK_COMPLEX(gees, GEES_COMPLEX_WORK, lapacke_gees_work, jobvs, sort, CHOICE, n, a, lda, sdim, w, NULL, vs,
                        ldvs, work, lwork, rwork, bwork)
TW_LAPACK_ROW(gees, TW_LAPACK_WORDS(GEES_REAL), TW_LAPACKE_WORDS(GEES_REAL), TW_LAPACKE_WORDS(GEES_REAL_WORK))
TW_LAPACK_ROW_NAMED(gees_complex, "gees", TW_LAPACK_WORDS(GEES_COMPLEX), TW_LAPACKE_WORDS(GEES_COMPLEX),
                    TW_LAPACKE_WORDS(GEES_COMPLEX_WORK))

TW_LAPACK_DOOR_REAL(geesx, GEESX_REAL, jobvs, sort, CHOICE, sense, n, a, lda, sdim, wr, wi, vs, ldvs, rconde, rcondv)
TW_LAPACK_DOOR_COMPLEX(geesx, GEESX_COMPLEX, jobvs, sort, CHOICE, sense, n, a, lda, sdim, w, NULL, vs, ldvs, rconde,
                       rcondv)
TW_LAPACKE_CHECKED_REAL(geesx, GEESX_REAL, jobvs, sort, CHOICE, sense, n, a, lda, sdim, wr, wi, vs, ldvs, rconde,
                        rcondv)
TW_LAPACKE_CHECKED_COMPLEX(geesx, GEESX_COMPLEX, jobvs, sort, CHOICE, sense, n, a, lda, sdim, w, NULL, vs, ldvs, rconde,
                           rcondv)
TW_LAPACKE_WORK_REAL(geesx, GEESX_REAL_WORK, lapacke_geesx_work, jobvs, sort, CHOICE, sense, n, a, lda, sdim, wr, wi,
                     vs, ldvs, rconde, rcondv, work, lwork, iwork, liwork, NULL, bwork)
TW_LAPACKE_WORK_COMPLEX(geesx, GEESX_COMPLEX_WORK, lapacke_geesx_work, jobvs, sort, CHOICE, sense, n, a, lda, sdim, w,
                        NULL, vs, ldvs, rconde, rcondv, work, lwork, NULL, INT64_MAX, rwork, bwork)
TW_LAPACK_ROW(geesx, TW_LAPACK_WORDS(GEESX_REAL), TW_LAPACKE_WORDS(GEESX_REAL), TW_LAPACKE_WORDS(GEESX_REAL_WORK))
TW_LAPACK_ROW_NAMED(geesx_complex, "geesx", TW_LAPACK_WORDS(GEESX_COMPLEX), TW_LAPACKE_WORDS(GEESX_COMPLEX),
                    TW_LAPACKE_WORDS(GEESX_COMPLEX_WORK))
