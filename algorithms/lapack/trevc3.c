/* Eigenvectors of Schur forms under the name of LAPACK, whose own it is. LAPACKE has no such function; here it has one,
 * as LAPACKE's trevc with the length of the workspace. */
#include "algorithms/lapack/select.h"

#define REAL(T, INT, INTS, ...)                                                                                        \
    char side, char howmny, INTS *select, INT n, const T *t, INT ldt, T *vl, INT ldvl, T *vr, INT ldvr, INT mm, INTS *m
#define REAL_WORK(T, INT, INTS, ...)                                                                                   \
    char side, char howmny, INTS *select, INT n, const T *t, INT ldt, T *vl, INT ldvl, T *vr, INT ldvr, INT mm,        \
        INTS *m, T *work, INT lwork
#define COMPLEX(T, INT, INTS, ...)                                                                                     \
    char side, char howmny, INTS *select, INT n, T *t, INT ldt, T *vl, INT ldvl, T *vr, INT ldvr, INT mm, INTS *m
#define COMPLEX_WORK(T, INT, INTS, R, RS, ...)                                                                         \
    char side, char howmny, INTS *select, INT n, T *t, INT ldt, T *vl, INT ldvl, T *vr, INT ldvr, INT mm, INTS *m,     \
        T *work, INT lwork, RS *rwork, INT lrwork

struct problem {
    const char *routine;
    enum tw_type type;
    size_t int_size;
    char side, howmny;
    void *select;
    tw_int n;
    void *t;
    tw_int ldt;
    void *vl;
    tw_int ldvl;
    void *vr;
    tw_int ldvr, mm;
    void *m;
};
/* lrwork: of complex types alone. */
struct space {
    struct workspace w;
    void *rwork;
    tw_int lrwork;
};
static const struct space own_space = {{NULL, INT64_MAX}, NULL, INT64_MAX};

static double below(const struct problem *p, tw_int j)
{
    return tw_is_complex(p->type) || j + 1 >= p->n ? 0 : get_real(p->type, p->t, j + 1 + j * p->ldt);
}

/* Columns that are taken; of real matrices a pair has two. select, LAPACK's logical numbers, becomes what LAPACK leaves
 * there: of pairs the first alone. */
static tw_int columns(const struct problem *p, lapack_logical *select)
{
    tw_int m = 0;

    for (tw_int j = 0; j < p->n; j++) {
        const int pair = below(p, j) != 0;
        int yes = p->howmny != 'S' || get_int(p->int_size, p->select, j) != 0;
        if (pair) yes |= p->howmny == 'S' && get_int(p->int_size, p->select, j + 1) != 0;
        select[j] = yes;
        if (pair) select[j + 1] = 0;
        if (yes) m += 1 + pair;
        j += pair;
    }
    return m;
}

/* What OpenBLAS' gemv reads of complex matrices, which 'B' multiplies by, has room behind it (qr.h). */
static struct roomy columns_begin(const struct problem *p, int wanted, void *v, tw_int ldv, tw_int m)
{
    return wanted && p->howmny == 'B' ? roomy_begin(p->type, 'R', (int)p->n, (int)m, v, (int)ldv)
                                      : (struct roomy){v, (int)ldv, 0};
}

static tw_int call(const struct problem *p, lapack_logical *select, tw_int m, void *work, lapack_int lwork, void *rwork)
{
    const int left = p->side != 'R', right = p->side != 'L';
    const struct roomy l = columns_begin(p, left, p->vl, p->ldvl, m), r = columns_begin(p, right, p->vr, p->ldvr, m);
    const lapack_int n = (lapack_int)p->n, ldt = (lapack_int)p->ldt, mm = (lapack_int)m;
    lapack_int found = 0, info = 0;
    int sound = (!left || l.a) && (!right || r.a);

#define CALL(x, ...)                                                                                                   \
    x##trevc3_(&p->side, &p->howmny, select, &n, p->t, &ldt, l.a, &l.lda, r.a, &r.lda, &mm, &found, work, &lwork,      \
               __VA_ARGS__ &info, 1, 1)
    if (sound && m > 0) {
        tw_account_vendor("trevc3", n);
        switch (p->type) {
        case TW_FLOAT: CALL(s, ); break;
        case TW_DOUBLE: CALL(d, ); break;
        case TW_COMPLEX_FLOAT: CALL(c, rwork, &n, ); break;
        default: CALL(z, rwork, &n, );
        }
    }
#undef CALL
    if (left) roomy_end(&l, sound, p->type, (int)n, (int)m, p->vl, (int)p->ldvl);
    if (right) roomy_end(&r, sound, p->type, (int)n, (int)m, p->vr, (int)p->ldvr);
    return sound ? info : tw_fail(TW_E_MEMORY, "%s: no memory for copies of the eigenvectors", p->routine);
}

static tw_int solve(struct problem *p, struct space s)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int n = p->n, ldt = p->ldt, ldvl = p->ldvl, ldvr = p->ldvr, least = (tw_is_complex(type) ? 2 : 3);
    const struct workspace w = s.w;
    lapack_logical *select;
    void *work, *rwork;
    tw_int m = n, info;
    int left, right;

    ARGUMENT(1, (p->side = (char)(letter(p->side, 'L', 'R') | letter(p->side, 'B', 'B'))), "not 'L', 'R' or 'B'");
    ARGUMENT(2, (p->howmny = (char)(letter(p->howmny, 'A', 'B') | letter(p->howmny, 'S', 'S'))), "not 'A', 'B' or 'S'");
    left = p->side != 'R', right = p->side != 'L';
    SIZE(4, n);
    LD(6, ldt, n);
    ARGUMENT(8, ldvl >= 1 && (!left || ldvl >= n), "ldvl < n, or < 1 without left eigenvectors");
    ARGUMENT(10, ldvr >= 1 && (!right || ldvr >= n), "ldvr < n, or < 1 without right eigenvectors");
    if (w.lwork == -1 || s.lrwork == -1) {
        ARGUMENT(13, w.work, "NULL");
        put_lwork(type, w.work, tw_max(1, least * counted(n)));
        if (tw_is_complex(type) && s.rwork) put_lwork(tw_real_type(type), s.rwork, tw_max(1, counted(n)));
        return 0;
    }
    ARGUMENT(14, w.lwork >= tw_max(1, least * counted(n)), "lwork < what LAPACK needs at least");
    ARGUMENT(16, s.lrwork >= tw_max(1, n), "lrwork < max(1, n)");
    ARGUMENT(4, n <= INT32_MAX / 4 && tw_max(ldt, tw_max(ldvl, ldvr)) <= INT32_MAX,
             "more than 2^29 rows, or too far apart for LAPACK");
    ARRAY(12, p->m);
    if (n == 0) {
        put_int(p->int_size, p->m, 0);
        return 0;
    }
    if (p->howmny == 'S') ARRAY(3, p->select);
    ARRAY(5, p->t);
    if (!(select = malloc(((size_t)n + 1) * sizeof *select)))
        return tw_fail(TW_E_MEMORY, "%s: no memory for %lld columns", routine, (long long)n);
    m = columns(p, select);
    put_int(p->int_size, p->m, m);
    if (p->mm < m || (m > 0 && ((left && !p->vl) || (right && !p->vr)))) {
        free(select);
        ARGUMENT(11, p->mm >= m, "mm is less than the number of columns");
        ARGUMENT(7, !left || p->vl, "NULL");
        return tw_illegal(routine, 9, "NULL");
    }
    work = malloc((size_t)(least + 64) * (size_t)n * tw_sizeof(type)), rwork = malloc((size_t)n * sizeof(double));
    if (work && rwork) {
        info = call(p, select, m, work, (lapack_int)tw_min((least + 64) * n, INT32_MAX), rwork);
        for (tw_int j = 0; p->howmny == 'S' && !tw_is_complex(type) && j < n; j++)
            if (below(p, j) != 0) {
                char *const at = (char *)p->select + (size_t)j * p->int_size;
                put_int(p->int_size, at, select[j]), put_int(p->int_size, at + p->int_size, 0);
                j++;
            }
    } else {
        info = tw_fail(TW_E_MEMORY, "%s: no memory for LAPACK's workspace", routine);
    }
    free(select), free(work), free(rwork);
    return info;
}

static tw_int lapacke(const struct tw_lapacke *of, struct problem p, struct space s)
{
    const struct tw_lapacke *call = of;
    const int left = letter(p.side, 'L', 'B') != 0, right = letter(p.side, 'R', 'B') != 0,
              reads = letter(p.howmny, 'B', 'B') != 0;
    const tw_int n = p.n, mm = p.mm, ldt = p.ldt, ldvl = p.ldvl, ldvr = p.ldvr;
    struct rows T = {call->type, n, n, p.t, NULL, ldt}, L = {call->type, n, mm, p.vl, NULL, ldvl},
                R = {call->type, n, mm, p.vr, NULL, ldvr};
    tw_int info;

    p.routine = call->lapack, p.type = call->type, p.int_size = call->int_size;
    LAYOUT;
    NOT_NAN(6, nan_general(call, n, n, p.t, ldt));
    NOT_NAN(8, left && reads && nan_general(call, n, mm, p.vl, ldvl));
    NOT_NAN(10, right && reads && nan_general(call, n, mm, p.vr, ldvr));
    ROW_LD(7, ldt, n);
    ROW_LD(9, ldvl, left ? mm : 1);
    ROW_LD(11, ldvr, right ? mm : 1);
    if (ROWS) p.ldt = p.ldvl = p.ldvr = tw_max(1, n);
    if (!ROWS || s.w.lwork == -1 || s.lrwork == -1) return leave(call, solve(&p, s));
    /* columns that are not taken stay */
    if (rows_begin(&T) || (left && rows_begin(&L)) || (right && rows_begin(&R))) {
        rows_end(&T, 0), rows_end(&L, 0);
        return no_memory(call->routine);
    }
    p.t = T.mine;
    if (left) p.vl = L.mine;
    if (right) p.vr = R.mine;
    info = solve(&p, s);
    rows_end(&T, 0), rows_end(&L, info == 0), rows_end(&R, info == 0);
    return leave(call, info);
}

#define ARGUMENTS                                                                                                      \
    char side, char howmny, void *select, tw_int n, const void *t, tw_int ldt, void *vl, tw_int ldvl, void *vr,        \
        tw_int ldvr, tw_int mm, void *m
/* LAPACK's own changes a complex t on its way and restores it. */
#define PROBLEM                                                                                                        \
    (struct problem)                                                                                                   \
    {                                                                                                                  \
        .side = side, .howmny = howmny, .select = select, .n = n, .t = (void *)t, .ldt = ldt, .vl = vl, .ldvl = ldvl,  \
        .vr = vr, .ldvr = ldvr, .mm = mm, .m = m                                                                       \
    }

static tw_int trevc3(const char *routine, enum tw_type type, ARGUMENTS)
{
    struct problem p = PROBLEM;

    p.routine = routine, p.type = type, p.int_size = sizeof(tw_int);
    return solve(&p, own_space);
}
static tw_int lapacke_trevc3(const struct tw_lapacke *of, ARGUMENTS)
{
    return lapacke(of, PROBLEM, own_space);
}
static tw_int lapacke_work(const struct tw_lapacke *of, ARGUMENTS, void *work, tw_int lwork, void *rwork, tw_int lrwork)
{
    return lapacke(of, PROBLEM, (struct space){{work, lwork}, rwork, lrwork});
}

TW_LAPACK_DOOR_REAL(trevc3, REAL, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m)
TW_LAPACK_DOOR_COMPLEX(trevc3, COMPLEX, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m)
TW_LAPACKE_CHECKED_REAL(trevc3, REAL, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m)
TW_LAPACKE_CHECKED_COMPLEX(trevc3, COMPLEX, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m)
TW_LAPACKE_WORK_REAL(trevc3, REAL_WORK, lapacke_work, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m, work,
                     lwork, NULL, INT64_MAX)
TW_LAPACKE_WORK_COMPLEX(trevc3, COMPLEX_WORK, lapacke_work, side, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, mm, m,
                        work, lwork, rwork, lrwork)
TW_LAPACK_ROW(trevc3, TW_LAPACK_WORDS(REAL), TW_LAPACKE_WORDS(REAL), TW_LAPACKE_WORDS(REAL_WORK))
TW_LAPACK_ROW_NAMED(trevc3_complex, "trevc3", TW_LAPACK_WORDS(COMPLEX), TW_LAPACKE_WORDS(COMPLEX),
                    TW_LAPACKE_WORDS(COMPLEX_WORK))
