/* Eigenvalues and Schur form of Hessenberg matrices under the names of LAPACK and LAPACKE: LAPACK's own QR
 * iteration. */
#include "algorithms/lapack/select.h"

#define REAL(T, INT, ...) char job, char compz, INT n, INT ilo, INT ihi, T *h, INT ldh, T *wr, T *wi, T *z, INT ldz
#define REAL_WORK(T, INT, ...)                                                                                         \
    char job, char compz, INT n, INT ilo, INT ihi, T *h, INT ldh, T *wr, T *wi, T *z, INT ldz, T *work, INT lwork
#define COMPLEX(T, INT, ...) char job, char compz, INT n, INT ilo, INT ihi, T *h, INT ldh, T *w, T *z, INT ldz
#define COMPLEX_WORK(T, INT, ...)                                                                                      \
    char job, char compz, INT n, INT ilo, INT ihi, T *h, INT ldh, T *w, T *z, INT ldz, T *work, INT lwork

#define COMMA ,
#define ITSELF(t, imaginary)                                                                                           \
    static int lapack_##t##hseqr(char job, char compz, int n, int ilo, int ihi, void *h, int ldh, void *wr, void *wi,  \
                                 void *z, int ldz, void *work, int lwork)                                              \
    {                                                                                                                  \
        (void)wi;                                                                                                      \
        return LAPACKE_##t##hseqr_work(LAPACK_COL_MAJOR, job, compz, n, ilo, ihi, h, ldh, wr imaginary, z, ldz, work,  \
                                       lwork);                                                                         \
    }
ITSELF(s, COMMA wi)
ITSELF(d, COMMA wi)
ITSELF(c, )
ITSELF(z, )
static int (*const lapack_hseqr[TW_NTYPES])(char, char, int, int, int, void *, int, void *, void *, void *, int, void *,
                                            int) = {lapack_shseqr, lapack_dhseqr, lapack_chseqr, lapack_zhseqr};

/* Of rows and columns ilo ... ihi what counts, and what is beside them. */
static int hessenberg_finite(enum tw_type type, tw_int n, const void *h, tw_int ldh)
{
    const tw_int reals = tw_is_complex(type) ? 2 : 1;

    for (tw_int j = 0; j < n; j++)
        for (tw_int i = reals * j * ldh; i < reals * (j * ldh + tw_min(n, j + 2)); i++)
            if (!isfinite(get_real(type, h, i))) return 0;
    return 1;
}

static tw_int solve(const char *routine, enum tw_type type, char job, char compz, tw_int n, tw_int ilo, tw_int ihi,
                    void *h, tw_int ldh, void *wr, void *wi, void *z, tw_int ldz, struct workspace w)
{
    const int fewer = tw_is_complex(type); /* one argument less */
    tw_int info;

    ARGUMENT(1, (job = letter(job, 'E', 'S')), "neither 'E' nor 'S'");
    ARGUMENT(2, (compz = (char)(letter(compz, 'N', 'I') | letter(compz, 'V', 'V'))), "not 'N', 'I' or 'V'");
    SIZE(3, n);
    ARGUMENT(4, ilo >= 1 && ilo <= tw_max(1, n), "not from 1 to max(1, n)");
    ARGUMENT(5, ihi >= tw_min(ilo, n) && ihi <= n, "not from min(ilo, n) to n");
    LD(7, ldh, n);
    ARGUMENT(11 - fewer, ldz >= 1 && (compz == 'N' || ldz >= n), "ldz < n, or < 1 without Schur vectors");
    WORKSPACE(13 - fewer, w, n);
    if (n == 0) return 0;
    ARGUMENT(3, n <= INT32_MAX / 4 && tw_max(ldh, ldz) <= INT32_MAX,
             "more than 2^29 rows, or too far apart for LAPACK");
    ARRAY(6, h);
    ARRAY(8, wr);
    if (!fewer) ARRAY(9, wi);
    if (compz != 'N') ARRAY(10 - fewer, z);
    if (!hessenberg_finite(type, n, h, ldh)) {
        for (tw_int i = ilo - 1; i < ihi; i++) {
            put_real_at(type, wr, fewer ? 2 * i : i, NAN);
            put_real_at(type, fewer ? wr : wi, fewer ? 2 * i + 1 : i, NAN);
        }
        return ihi;
    }
    tw_account_vendor("hseqr", n);
#define CALL(work, lwork)                                                                                              \
    lapack_hseqr[type](job, compz, (int)n, (int)ilo, (int)ihi, h, (int)ldh, wr, wi, z, (int)ldz, work, lwork)
    STRAIGHT(info, CALL);
#undef CALL
    return info;
}

static tw_int hseqr(const char *routine, enum tw_type type, char job, char compz, tw_int n, tw_int ilo, tw_int ihi,
                    void *h, tw_int ldh, void *wr, void *wi, void *z, tw_int ldz)
{
    return solve(routine, type, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz, OWN_WORKSPACE);
}

static tw_int lapacke(const struct tw_lapacke *call, char job, char compz, tw_int n, tw_int ilo, tw_int ihi, void *h,
                      tw_int ldh, void *wr, void *wi, void *z, tw_int ldz, struct workspace w)
{
    struct rows H = {call->type, n, n, h, NULL, ldh}, Z = {call->type, n, n, z, NULL, ldz};
    const int fewer = tw_is_complex(call->type), begins = letter(compz, 'I', 'V') != 0,
              reads = letter(compz, 'V', 'V') != 0;
    tw_int info;

    LAYOUT;
    NOT_NAN(7, nan_general(call, n, n, h, ldh));
    NOT_NAN(11 - fewer, begins && nan_general(call, n, n, z, ldz));
    ROW_LD(8, ldh, n);
    ROW_LD(12 - fewer, ldz, n);
    if (!ROWS || w.lwork == -1) {
        const tw_int ld = tw_max(1, n);
        return leave(call, solve(call->lapack, call->type, job, compz, n, ilo, ihi, h, ROWS ? ld : ldh, wr, wi, z,
                                 ROWS ? ld : ldz, w));
    }
    if (rows_begin(&H) || (begins && (reads ? rows_begin(&Z) : rows_room(&Z)))) {
        rows_end(&H, 0);
        return no_memory(call->routine);
    }
    info =
        solve(call->lapack, call->type, job, compz, n, ilo, ihi, H.mine, tw_max(1, n), wr, wi, Z.mine, tw_max(1, n), w);
    rows_end(&H, info >= 0), rows_end(&Z, info >= 0);
    return leave(call, info);
}

static tw_int lapacke_hseqr(const struct tw_lapacke *call, char job, char compz, tw_int n, tw_int ilo, tw_int ihi,
                            void *h, tw_int ldh, void *wr, void *wi, void *z, tw_int ldz)
{
    return lapacke(call, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz, OWN_WORKSPACE);
}
static tw_int lapacke_work(const struct tw_lapacke *call, char job, char compz, tw_int n, tw_int ilo, tw_int ihi,
                           void *h, tw_int ldh, void *wr, void *wi, void *z, tw_int ldz, void *work, tw_int lwork)
{
    return lapacke(call, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz, (struct workspace){work, lwork});
}

TW_LAPACK_DOOR_REAL(hseqr, REAL, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz)
TW_LAPACK_DOOR_COMPLEX(hseqr, COMPLEX, job, compz, n, ilo, ihi, h, ldh, w, NULL, z, ldz)
TW_LAPACKE_CHECKED_REAL(hseqr, REAL, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz)
TW_LAPACKE_CHECKED_COMPLEX(hseqr, COMPLEX, job, compz, n, ilo, ihi, h, ldh, w, NULL, z, ldz)
TW_LAPACKE_WORK_REAL(hseqr, REAL_WORK, lapacke_work, job, compz, n, ilo, ihi, h, ldh, wr, wi, z, ldz, work, lwork)
TW_LAPACKE_WORK_COMPLEX(hseqr, COMPLEX_WORK, lapacke_work, job, compz, n, ilo, ihi, h, ldh, w, NULL, z, ldz, work,
                        lwork)
TW_LAPACK_ROW(hseqr, TW_LAPACK_WORDS(REAL), TW_LAPACKE_WORDS(REAL), TW_LAPACKE_WORDS(REAL_WORK))
TW_LAPACK_ROW_NAMED(hseqr_complex, "hseqr", TW_LAPACK_WORDS(COMPLEX), TW_LAPACKE_WORDS(COMPLEX),
                    TW_LAPACKE_WORDS(COMPLEX_WORK))
