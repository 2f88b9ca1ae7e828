/* Eigenvalues and eigenvectors of general matrices with a choice of balancing and condition numbers, under the names of
 * LAPACK and LAPACKE. */
#include "algorithms/lapack/select.h"

#define REAL(T, INT, INTS, ...)                                                                                        \
    char balanc, char jobvl, char jobvr, char sense, INT n, T *a, INT lda, T *wr, T *wi, T *vl, INT ldvl, T *vr,       \
        INT ldvr, INTS *ilo, INTS *ihi, T *scale, T *abnrm, T *rconde, T *rcondv
#define REAL_WORK(T, INT, INTS, ...)                                                                                   \
    char balanc, char jobvl, char jobvr, char sense, INT n, T *a, INT lda, T *wr, T *wi, T *vl, INT ldvl, T *vr,       \
        INT ldvr, INTS *ilo, INTS *ihi, T *scale, T *abnrm, T *rconde, T *rcondv, T *work, INT lwork, INTS *iwork
#define COMPLEX(T, INT, INTS, R, RS, ...)                                                                              \
    char balanc, char jobvl, char jobvr, char sense, INT n, T *a, INT lda, T *w, T *vl, INT ldvl, T *vr, INT ldvr,     \
        INTS *ilo, INTS *ihi, RS *scale, RS *abnrm, RS *rconde, RS *rcondv
#define COMPLEX_WORK(T, INT, INTS, R, RS, ...)                                                                         \
    char balanc, char jobvl, char jobvr, char sense, INT n, T *a, INT lda, T *w, T *vl, INT ldvl, T *vr, INT ldvr,     \
        INTS *ilo, INTS *ihi, RS *scale, RS *abnrm, RS *rconde, RS *rcondv, T *work, INT lwork, RS *rwork

/* A call. wr: of complex types all of the eigenvalues. */
struct problem {
    const char *routine;
    enum tw_type type;
    size_t int_size;
    char balanc, jobvl, jobvr, sense;
    tw_int n;
    void *a;
    tw_int lda;
    void *wr, *wi, *vl;
    tw_int ldvl;
    void *vr;
    tw_int ldvr;
    void *ilo, *ihi, *scale, *abnrm, *rconde, *rcondv;
};
static int of_values(const struct problem *p)
{
    return p->sense == 'E' || p->sense == 'B';
}
static int of_vectors(const struct problem *p)
{
    return p->sense == 'V' || p->sense == 'B';
}

/* ---- LAPACK's own ------------------------------------------------------------------------------------------------ */

/* more: of real types the workspace of integers, of complex ones that of real numbers. */
struct own {
    struct roomy a, l, r;
    int ilo, ihi;
    void *more;
};
#define ITSELF(t, imaginary)                                                                                           \
    static int lapack_##t##geevx(const struct problem *p, struct own *o, void *work, int lwork)                        \
    {                                                                                                                  \
        return LAPACKE_##t##geevx_work(LAPACK_COL_MAJOR, p->balanc, p->jobvl, p->jobvr, p->sense, (int)p->n, o->a.a,   \
                                       o->a.lda, p->wr imaginary, o->l.a, o->l.lda, o->r.a, o->r.lda, &o->ilo,         \
                                       &o->ihi, p->scale, p->abnrm, p->rconde, p->rcondv, work, lwork, o->more);       \
    }
#define WI , p->wi
ITSELF(s, WI)
ITSELF(d, WI)
ITSELF(c, )
ITSELF(z, )
static int (*const lapack_geevx[TW_NTYPES])(const struct problem *, struct own *, void *,
                                            int) = {lapack_sgeevx, lapack_dgeevx, lapack_cgeevx, lapack_zgeevx};

static tw_int not_finite(const struct problem *p)
{
    const enum tw_type type = p->type;
    const int fewer = tw_is_complex(type);

    for (tw_int i = 0; i < p->n; i++) {
        put_real_at(type, p->wr, fewer ? 2 * i : i, NAN);
        put_real_at(type, fewer ? p->wr : p->wi, fewer ? 2 * i + 1 : i, NAN);
        put_real_at(type, p->scale, i, 1);
    }
    put_int(p->int_size, p->ilo, 1), put_int(p->int_size, p->ihi, p->n);
    put_real_at(type, p->abnrm, 0, NAN);
    return p->n;
}

static tw_int by_itself(const struct problem *p)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const int n = (int)p->n, left = p->jobvl == 'V', right = p->jobvr == 'V';
    struct own own = {.l = {p->vl, (int)p->ldvl, 0}, .r = {p->vr, (int)p->ldvr, 0}}, *const o = &own;
    tw_int info;

    if (!general_finite(type, n, n, p->a, p->lda)) return not_finite(p);
    own.a = roomy_begin(type, 'R', n, n, p->a, (int)p->lda);
    if (left) own.l = roomy_begin(type, 'R', n, n, p->vl, (int)p->ldvl);
    if (right) own.r = roomy_begin(type, 'R', n, n, p->vr, (int)p->ldvr);
    own.more = malloc(2 * (size_t)n * sizeof(double));
    if (own.a.a && (own.l.a || !left) && (own.r.a || !right) && own.more) {
#define CALL(work, lwork) lapack_geevx[type](p, o, work, lwork)
        STRAIGHT(info, CALL);
#undef CALL
        if (info >= 0) put_int(p->int_size, p->ilo, own.ilo), put_int(p->int_size, p->ihi, own.ihi);
    } else {
        info = tw_fail(TW_E_MEMORY, "%s: no memory for copies of the matrices", routine);
    }
    roomy_end(&own.a, info >= 0, type, n, n, p->a, p->lda);
    roomy_end(&own.l, info == 0, type, n, n, p->vl, p->ldvl);
    roomy_end(&own.r, info == 0, type, n, n, p->vr, p->ldvr);
    free(own.more);
    return info;
}

/* ---- by tiles ---------------------------------------------------------------------------------------------------- */

static tw_int tiles(const struct problem *p)
{
    const int left = p->jobvl == 'V', right = p->jobvr == 'V';
    const enum tw_type type = p->type;
    const tw_int n = p->n;
    double *w = n <= INT32_MAX ? malloc(5 * (size_t)n * sizeof *w) : NULL, *scale, *rconde, *rcondv, abnrm = 0;
    struct tw_matrix *A, *VL = NULL, *VR = NULL;
    tw_int info, ilo = 1, ihi = n;

    if (!w) return no_memory_for_values(p->routine, n);
    scale = w + 2 * n, rconde = w + 3 * n, rcondv = w + 4 * n;
    info = wrap_for(&A, &tw_routine_geevx, type, 'G', n, n, 0, p->a, p->lda);
    if (!info && left) info = wrap_for(&VL, &tw_routine_geevx, type, 'G', n, n, 0, p->vl, p->ldvl);
    if (!info && right) info = wrap_for(&VR, &tw_routine_geevx, type, 'G', n, n, 0, p->vr, p->ldvr);
    if (!info)
        info = tw_geevx((enum tw_balance)p->balanc, left ? TW_VECTORS : TW_NOVECTORS, right ? TW_VECTORS : TW_NOVECTORS,
                        (enum tw_sense)p->sense, A, w, w + n, VL, VR, &ilo, &ihi, scale, &abnrm, rconde, rcondv);
    info = finish(finish(info, VL, VR), A, NULL);
    if (info >= 0) {
        put_eigenvalues(type, n, w, p->wr, p->wi);
        put_int(p->int_size, p->ilo, ilo), put_int(p->int_size, p->ihi, ihi);
        put_real_at(type, p->abnrm, 0, abnrm);
    }
    for (tw_int i = 0; i < n && info >= 0; i++) {
        put_real_at(type, p->scale, i, scale[i]);
        if (of_values(p) && info == 0) put_real_at(type, p->rconde, i, rconde[i]);
        if (of_vectors(p) && info == 0) put_real_at(type, p->rcondv, i, rcondv[i]);
    }
    free(w);
    return info;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static tw_int least(const struct problem *p)
{
    const tw_int n = counted(p->n);

    if (tw_is_complex(p->type)) return of_vectors(p) ? tw_max(2 * n, n * n + 2 * n) : 2 * n;
    if (of_vectors(p)) return tw_max(3 * n, n * n + 6 * n);
    return p->jobvl == 'V' || p->jobvr == 'V' ? 3 * n : 2 * n;
}

static tw_int solve(struct problem *p, struct workspace w)
{
    const char *routine = p->routine;
    const enum tw_type type = p->type;
    const tw_int n = p->n, lda = p->lda, ldvl = p->ldvl, ldvr = p->ldvr;
    const int fewer = tw_is_complex(type); /* one argument less */
    int left, right;

    ARGUMENT(1, (p->balanc = (char)(letter(p->balanc, 'N', 'P') | letter(p->balanc, 'S', 'B'))),
             "not 'N', 'P', 'S' or 'B'");
    ARGUMENT(2, (p->jobvl = letter(p->jobvl, 'N', 'V')), "neither 'N' nor 'V'");
    ARGUMENT(3, (p->jobvr = letter(p->jobvr, 'N', 'V')), "neither 'N' nor 'V'");
    left = p->jobvl == 'V', right = p->jobvr == 'V';
    ARGUMENT(4, (p->sense = (char)(letter(p->sense, 'N', 'E') | letter(p->sense, 'V', 'B'))),
             "not 'N', 'E', 'V' or 'B'");
    ARGUMENT(4, !of_values(p) || (left && right), "condition numbers of eigenvalues need left and right eigenvectors");
    SIZE(5, n);
    LD(7, lda, n);
    ARGUMENT(11 - fewer, ldvl >= 1 && (!left || ldvl >= n), "ldvl < n, or < 1 without left eigenvectors");
    ARGUMENT(13 - fewer, ldvr >= 1 && (!right || ldvr >= n), "ldvr < n, or < 1 without right eigenvectors");
    WORKSPACE(21 - fewer, w, least(p));
    ARRAY(14 - fewer, p->ilo);
    ARRAY(15 - fewer, p->ihi);
    ARRAY(17 - fewer, p->abnrm);
    if (n == 0) {
        put_int(p->int_size, p->ilo, 1), put_int(p->int_size, p->ihi, 0);
        put_real_at(type, p->abnrm, 0, 0);
        return 0;
    }
    ARRAY(6, p->a);
    ARRAY(8, p->wr);
    if (!fewer) ARRAY(9, p->wi);
    if (left) ARRAY(10 - fewer, p->vl);
    if (right) ARRAY(12 - fewer, p->vr);
    ARRAY(16 - fewer, p->scale);
    if (of_values(p)) ARRAY(18 - fewer, p->rconde);
    if (of_vectors(p)) ARRAY(19 - fewer, p->rcondv);
    if (by_lapack(&tw_routine_geevx, "geevx", 0, type, n, n, lda, tw_max(ldvl, ldvr))) return by_itself(p);
    return tiles(p);
}

static tw_int lapacke(const struct tw_lapacke *call, struct problem p, struct workspace w)
{
    const int fewer = tw_is_complex(call->type), left = letter(p.jobvl, 'V', 'V') != 0,
              right = letter(p.jobvr, 'V', 'V') != 0;
    const tw_int n = p.n, lda = p.lda, ldvl = p.ldvl, ldvr = p.ldvr;
    struct rows A = {call->type, n, n, p.a, NULL, lda}, VL = {call->type, n, n, p.vl, NULL, ldvl},
                VR = {call->type, n, n, p.vr, NULL, ldvr};
    tw_int info;

    p.routine = call->lapack, p.type = call->type, p.int_size = call->int_size;
    LAYOUT;
    NOT_NAN(7, nan_general(call, n, n, p.a, lda));
    ROW_LD(8, lda, n);
    ROW_LD(12 - fewer, ldvl, left ? tw_max(1, n) : 1);
    ROW_LD(14 - fewer, ldvr, right ? tw_max(1, n) : 1);
    if (ROWS) p.lda = p.ldvl = p.ldvr = tw_max(1, n);
    if (!ROWS || w.lwork == -1) return leave(call, solve(&p, w));
    if (rows_begin_sides(&A, &VL, left, &VR, right)) return no_memory(call->routine);
    p.a = A.mine;
    if (left) p.vl = VL.mine;
    if (right) p.vr = VR.mine;
    info = solve(&p, w);
    rows_end(&A, info >= 0), rows_end(&VL, info == 0), rows_end(&VR, info == 0);
    return leave(call, info);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

#define ARGUMENTS                                                                                                      \
    char balanc, char jobvl, char jobvr, char sense, tw_int n, void *a, tw_int lda, void *wr, void *wi, void *vl,      \
        tw_int ldvl, void *vr, tw_int ldvr, void *ilo, void *ihi, void *scale, void *abnrm, void *rconde, void *rcondv
#define PROBLEM                                                                                                        \
    (struct problem)                                                                                                   \
    {                                                                                                                  \
        .balanc = balanc, .jobvl = jobvl, .jobvr = jobvr, .sense = sense, .n = n, .a = a, .lda = lda, .wr = wr,        \
        .wi = wi, .vl = vl, .ldvl = ldvl, .vr = vr, .ldvr = ldvr, .ilo = ilo, .ihi = ihi, .scale = scale,              \
        .abnrm = abnrm, .rconde = rconde, .rcondv = rcondv                                                             \
    }

static tw_int geevx(const char *routine, enum tw_type type, ARGUMENTS)
{
    struct problem p = PROBLEM;

    p.routine = routine, p.type = type, p.int_size = sizeof(tw_int);
    return solve(&p, OWN_WORKSPACE);
}
static tw_int lapacke_geevx(const struct tw_lapacke *call, ARGUMENTS)
{
    return lapacke(call, PROBLEM, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, ARGUMENTS, void *work, tw_int lwork, void *more)
{
    (void)more;
    return lapacke(call, PROBLEM, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR_REAL(geevx, REAL, balanc, jobvl, jobvr, sense, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, ilo, ihi, scale,
                    abnrm, rconde, rcondv)
TW_LAPACK_DOOR_COMPLEX(geevx, COMPLEX, balanc, jobvl, jobvr, sense, n, a, lda, w, NULL, vl, ldvl, vr, ldvr, ilo, ihi,
                       scale, abnrm, rconde, rcondv)
TW_LAPACKE_CHECKED_REAL(geevx, REAL, balanc, jobvl, jobvr, sense, n, a, lda, wr, wi, vl, ldvl, vr, ldvr, ilo, ihi,
                        scale, abnrm, rconde, rcondv)
TW_LAPACKE_CHECKED_COMPLEX(geevx, COMPLEX, balanc, jobvl, jobvr, sense, n, a, lda, w, NULL, vl, ldvl, vr, ldvr, ilo,
                           ihi, scale, abnrm, rconde, rcondv)
TW_LAPACKE_WORK_REAL(geevx, REAL_WORK, lapacke_work, balanc, jobvl, jobvr, sense, n, a, lda, wr, wi, vl, ldvl, vr, ldvr,
                     ilo, ihi, scale, abnrm, rconde, rcondv, work, lwork, iwork)
TW_LAPACKE_WORK_COMPLEX(geevx, COMPLEX_WORK, lapacke_work, balanc, jobvl, jobvr, sense, n, a, lda, w, NULL, vl, ldvl,
                        vr, ldvr, ilo, ihi, scale, abnrm, rconde, rcondv, work, lwork, rwork)
TW_LAPACK_ROW(geevx, TW_LAPACK_WORDS(REAL), TW_LAPACKE_WORDS(REAL), TW_LAPACKE_WORDS(REAL_WORK))
TW_LAPACK_ROW_NAMED(geevx_complex, "geevx", TW_LAPACK_WORDS(COMPLEX), TW_LAPACKE_WORDS(COMPLEX),
                    TW_LAPACKE_WORDS(COMPLEX_WORK))
