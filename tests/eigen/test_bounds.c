/* Nothing outside the user's arrays is read or written: arrays between pages that nobody may touch, through LAPACK's
 * names, straight and through tiles. A violation is a crash; the last line printed says where. */
#include "tridiagonal.h"

enum { ARRAYS = 9 };
static struct tt_guarded room[ARRAYS];
static int rooms, at_end;

static void *guarded(enum tw_type t, int m, int n, int ld)
{
    assert_true(rooms < ARRAYS);
    room[rooms] = tt_guard(m > 0 && n > 0 ? tt_bytes_of(t, m, n, ld) : 0, at_end);
    return room[rooms++].array;
}
static void drop(void)
{
    while (rooms > 0)
        tt_guard_drop(&room[--rooms]);
}
static void say(const char *routine, enum tw_type t, char job, int n, int ld)
{
    printf("%c%s %c n=%d ld=%d %s\n", tt_letter(t), routine, job, n, ld, at_end ? "end" : "begin");
    fflush(stdout);
}

/* All arrays that stebz has. */
static void bisected(enum tw_type t, int n, const void *d, const void *e)
{
    const enum tw_type real = tw_type_real(t);
    void *w = guarded(real, n, 1, n);
    tw_int *iblock = guarded(TW_DOUBLE, n, 1, n), *isplit = guarded(TW_DOUBLE, n, 1, n), m, nsplit;

    for (const char *range = "AVI"; *range; range++) {
        say("stebz", real, *range, n, n);
        tt_expect_info(real == TW_FLOAT
                           ? tw_sstebz(*range, 'B', n, -1, 1, 1, n, 0, d, e, &m, &nsplit, w, iblock, isplit)
                           : tw_dstebz(*range, 'B', n, -1, 1, 1, n, 0, d, e, &m, &nsplit, w, iblock, isplit),
                       0, "stebz");
    }
}

static void tridiagonal(enum tw_type t, char job, int n, int ld)
{
    const enum tw_type real = tw_type_real(t);
    void *d = guarded(real, n, 1, n), *e = guarded(real, n - 1, 1, n), *z = job == 'N' ? NULL : guarded(t, n, n, ld);
    double *dd = malloc((size_t)n * sizeof *dd), *ee = malloc((size_t)n * sizeof *ee);

    tt_tridiagonal(t, TT_T_RANDOM, n, dd, ee);
    for (int i = 0; i < n; i++) {
        tt_put(real, d, (size_t)i, dd[i]);
        if (i + 1 < n) tt_put(real, e, (size_t)i, ee[i]);
    }
    for (int j = 0; z && j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, z, (size_t)(i + j * ld), i == j);
    say("stedc", t, job, n, ld);
    tt_expect_info(t == TW_FLOAT           ? tw_sstedc(job, n, d, e, z, ld)
                   : t == TW_DOUBLE        ? tw_dstedc(job, n, d, e, z, ld)
                   : t == TW_COMPLEX_FLOAT ? tw_cstedc(job, n, d, e, z, ld)
                                           : tw_zstedc(job, n, d, e, z, ld),
                   0, "stedc");
    if (job == 'N') tt_expect_info(real == TW_FLOAT ? tw_ssterf(n, d, e) : tw_dsterf(n, d, e), 0, "sterf");
    if (job == 'N') bisected(t, n, d, e);
    if (job == 'V' && !tt_complex(t))
        tt_expect_info(t == TW_FLOAT ? tw_sstevd(job, n, d, e, z, ld) : tw_dstevd(job, n, d, e, z, ld), 0, "stevd");
    free(dd), free(ee);
    drop();
}

/* Of hermitian matrices: sygvx, sygvd, sygst with a factor, syev. */
#define BY_TYPE(sy, he, ...)                                                                                           \
    (t == TW_FLOAT           ? tw_s##sy(__VA_ARGS__)                                                                   \
     : t == TW_DOUBLE        ? tw_d##sy(__VA_ARGS__)                                                                   \
     : t == TW_COMPLEX_FLOAT ? tw_c##he(__VA_ARGS__)                                                                   \
                             : tw_z##he(__VA_ARGS__))
static void dense(enum tw_type t, int itype, char job, char uplo, int n, int ld)
{
    void *a = guarded(t, n, n, ld), *b = guarded(t, n, n, ld), *w = guarded(tw_type_real(t), n, 1, n),
         *z = guarded(t, n, (n + 1) / 2, ld);
    const int k = (n + 1) / 2;

    tt_random(t, uplo, n, n, a, ld, 1);
    tt_spd(t, uplo, n, b, ld, 2);
    tw_int m, ifail[70];

    say("sygvx", t, 'V', n, ld);
    tt_expect_info(
        t == TW_FLOAT           ? tw_ssygvx(itype, 'V', 'I', uplo, n, a, ld, b, ld, 0, 0, 1, k, 0, &m, w, z, ld, ifail)
        : t == TW_DOUBLE        ? tw_dsygvx(itype, 'V', 'I', uplo, n, a, ld, b, ld, 0, 0, 1, k, 0, &m, w, z, ld, ifail)
        : t == TW_COMPLEX_FLOAT ? tw_chegvx(itype, 'V', 'I', uplo, n, a, ld, b, ld, 0, 0, 1, k, 0, &m, w, z, ld, ifail)
                                : tw_zhegvx(itype, 'V', 'I', uplo, n, a, ld, b, ld, 0, 0, 1, k, 0, &m, w, z, ld, ifail),
        0, "sygvx");
    tt_random(t, uplo, n, n, a, ld, 1);
    tt_spd(t, uplo, n, b, ld, 2);
    say("sygvd", t, job, n, ld);
    tt_expect_info(BY_TYPE(sygvd, hegvd, itype, job, uplo, n, a, ld, b, ld, w), 0, "sygvd");
    tt_random(t, uplo, n, n, a, ld, 1);
    say("sygst", t, job, n, ld);
    tt_expect_info(BY_TYPE(sygst, hegst, itype, uplo, n, a, ld, b, ld), 0, "sygst");
    say("syev", t, job, n, ld);
    tt_expect_info(BY_TYPE(syev, heev, job, uplo, n, a, ld, w), 0, "syev");
    drop();
}

/* z has as many columns as are found, also where an interval says how many. */
static void some(enum tw_type t, char range, int expert, int n, int ld)
{
    const enum tw_type real = tw_type_real(t);
    const int il = (n + 2) / 3, iu = n - n / 3, m = range == 'A' ? n : iu - il + 1;
    void *a = guarded(t, n, n, ld), *w = guarded(real, n, 1, n), *z = guarded(t, n, m, ld);
    tw_int found = -1, *each = guarded(TW_DOUBLE, 2 * n, 1, 2 * n);
    const double vl = il - 0.5, vu = iu + 0.5; /* of diag(1, ..., n), nearly */
    tw_int info;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            tt_put(t, a, (size_t)(i + j * ld), i == j ? i + 1 : 1e-3);
    say(expert ? "syevx" : "syevr", t, range, n, ld);
#define CALL(p, name, R) tw_##p##name('V', range, 'L', n, a, ld, (R)vl, (R)vu, il, iu, 0, &found, w, z, ld, each)
    info = t == TW_FLOAT           ? expert ? CALL(s, syevx, float) : CALL(s, syevr, float)
                     : t == TW_DOUBLE ? expert ? CALL(d, syevx, double) : CALL(d, syevr, double)
                     : t == TW_COMPLEX_FLOAT ? expert ? CALL(c, heevx, float) : CALL(c, heevr, float)
                     : expert ? CALL(z, heevx, double)
                                   : CALL(z, heevr, double);
    tt_expect_info(info, 0, "syevr");
    assert_int_equal(found, m);
    drop();
}

/* The same of tridiagonal matrices. */
static void some_of_tridiagonal(enum tw_type t, char range, int expert, int n, int ld)
{
    const int il = (n + 2) / 3, iu = n - n / 3, m = range == 'A' ? n : iu - il + 1;
    void *d = guarded(t, n, 1, n), *e = guarded(t, n - 1, 1, n), *w = guarded(t, n, 1, n), *z = guarded(t, n, m, ld);
    tw_int found = -1, *each = guarded(TW_DOUBLE, 2 * n, 1, 2 * n), info;
    const double vl = il - 0.5, vu = iu + 0.5;

    for (int i = 0; i < n; i++) {
        tt_put(t, d, (size_t)i, i + 1);
        if (i + 1 < n) tt_put(t, e, (size_t)i, 1e-3);
    }
    say(expert ? "stevx" : "stevr", t, range, n, ld);
#define CALL_T(p, name, R) tw_##p##name('V', range, n, d, e, (R)vl, (R)vu, il, iu, 0, &found, w, z, ld, each)
    if (t == TW_FLOAT)
        info = expert ? CALL_T(s, stevx, float) : CALL_T(s, stevr, float);
    else
        info = expert ? CALL_T(d, stevx, double) : CALL_T(d, stevr, double);
    tt_expect_info(info, 0, "stevr");
    assert_int_equal(found, m);
    drop();
}

static void banded(enum tw_type t, char job, char uplo, int n, int ld)
{
    const int kd = n / 3 + ld - n, ldab = kd + 1 + ld - n;
    void *ab = guarded(t, kd + 1, n, ldab), *w = guarded(tw_type_real(t), n, 1, n),
         *z = job == 'N' ? NULL : guarded(t, n, n, ld);

    tt_random(t, 'G', kd + 1, n, ab, ldab, 1);
    say("sbevd", t, job, n, ld);
    tt_expect_info(BY_TYPE(sbevd, hbevd, job, uplo, n, kd, ab, ldab, w, z, ld), 0, "sbevd");
    drop();
}

/* z has as many columns as are asked for, or as an interval turns out to hold. */
static void some_banded(enum tw_type t, char range, char uplo, int n, int ld)
{
    const int il = (n + 2) / 3, iu = n - n / 3, m = range == 'A' ? n : iu - il + 1, kd = n / 3 + ld - n, ldab = kd + 1;
    void *ab = guarded(t, kd + 1, n, ldab), *w = guarded(tw_type_real(t), n, 1, n), *z = guarded(t, n, m, ld),
         *q = guarded(t, n, n, ld);
    tw_int found = -1, *each = guarded(TW_DOUBLE, n, 1, n), info;
    const double vl = il - 0.5, vu = iu + 0.5; /* of diag(1, ..., n), nearly */

    for (int j = 0; j < n; j++)
        for (int k = 0; k <= kd; k++)
            tt_put(t, ab, (size_t)(k + j * ldab), k == (uplo == 'L' ? 0 : kd) ? j + 1 : 1e-4);
    say("sbevx", t, range, n, ld);
#define CALL_B(p, name, R)                                                                                             \
    tw_##p##name('V', range, uplo, n, kd, ab, ldab, q, ld, (R)vl, (R)vu, il, iu, 0, &found, w, z, ld, each)
    info = t == TW_FLOAT           ? CALL_B(s, sbevx, float)
           : t == TW_DOUBLE        ? CALL_B(d, sbevx, double)
           : t == TW_COMPLEX_FLOAT ? CALL_B(c, hbevx, float)
                                   : CALL_B(z, hbevx, double);
    tt_expect_info(info, 0, "sbevx");
    assert_int_equal(found, m);
    drop();
}

/* The reduction in one stage; Q from either side; Q. */
static void one_stage(enum tw_type t, char uplo, int n, int ld)
{
    const char trans = tt_complex(t) ? 'C' : 'T';
    void *a = guarded(t, n, n, ld), *d = guarded(tw_type_real(t), n, 1, n), *e = guarded(tw_type_real(t), n - 1, 1, n),
         *tau = guarded(t, n - 1, 1, n), *c = guarded(t, n, 3, ld), *r = guarded(t, 3, n, 3 + ld - n);

    tt_random(t, 'G', n, n, a, ld, 1);
    tt_random(t, 'G', n, 3, c, ld, 2);
    tt_random(t, 'G', 3, n, r, 3 + ld - n, 3);
    say("sytrd", t, uplo, n, ld);
    tt_expect_info(BY_TYPE(sytrd, hetrd, uplo, n, a, ld, d, e, tau), 0, "sytrd");
    say("ormtr", t, uplo, n, ld);
    tt_expect_info(BY_TYPE(ormtr, unmtr, 'L', uplo, trans, n, 3, a, ld, tau, c, ld), 0, "ormtr");
    tt_expect_info(BY_TYPE(ormtr, unmtr, 'R', uplo, 'N', 3, n, a, ld, tau, r, 3 + ld - n), 0, "ormtr");
    say("orgtr", t, uplo, n, ld);
    tt_expect_info(BY_TYPE(orgtr, ungtr, uplo, n, a, ld, tau), 0, "orgtr");
    drop();
}

/* ---- general matrices -------------------------------------------------------------------------------------------- */

static int right_s(const float *wr, const float *wi)
{
    (void)wi;
    return *wr > 0;
}
static int right_d(const double *wr, const double *wi)
{
    (void)wi;
    return *wr > 0;
}
static int right_c(const tw_complex_float *w)
{
    return __real__ * w > 0;
}
static int right_z(const tw_complex_double *w)
{
    return __real__ * w > 0;
}
#define FOUR(call)  (t == TW_FLOAT ? call(s) : t == TW_DOUBLE ? call(d) : t == TW_COMPLEX_FLOAT ? call(c) : call(z))
#define MIXED(r, p) (t == TW_FLOAT ? r(s) : t == TW_DOUBLE ? r(d) : t == TW_COMPLEX_FLOAT ? p(c) : p(z))

static void general(enum tw_type t, int n, int ld)
{
    void *a = guarded(t, n, n, ld), *vl = guarded(t, n, n, ld), *vr = guarded(t, n, n, ld), *w = guarded(t, n, 1, n),
         *wi = guarded(t, n, 1, n), *scale = guarded(tw_type_real(t), n, 1, n), *e = guarded(tw_type_real(t), n, 1, n),
         *v = guarded(tw_type_real(t), n, 1, n), *vs = guarded(t, n, n, ld);
    tw_int sdim, ilo = 1, ihi = n, m;
    double one[1], norm[1];

    tt_random(t, 'G', n, n, a, ld, 1);
    say("gees", t, 'V', n, ld);
#define REAL(p) tw_##p##gees('V', 'S', right_##p, n, a, ld, &sdim, w, wi, vs, ld)
#define PAIR(p) tw_##p##gees('V', 'S', right_##p, n, a, ld, &sdim, w, vs, ld)
    tt_expect_info(MIXED(REAL, PAIR), 0, "gees");
#undef REAL
#undef PAIR
    say("trevc3", t, 'B', n, ld);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            tt_put(t, vl, (size_t)(i + j * ld), tt_get(t, vs, (size_t)(i + j * ld)));
            tt_put(t, vr, (size_t)(i + j * ld), tt_get(t, vs, (size_t)(i + j * ld)));
        }
#define ONE(p) tw_##p##trevc3('B', 'B', NULL, n, a, ld, vl, ld, vr, ld, n, &m)
    tt_expect_info(FOUR(ONE), 0, "trevc3");
#undef ONE
    tt_random(t, 'G', n, n, a, ld, 2);
    say("geesx", t, 'B', n, ld);
#define REAL(p) tw_##p##geesx('V', 'S', right_##p, 'B', n, a, ld, &sdim, w, wi, vs, ld, (void *)one, (void *)norm)
#define PAIR(p) tw_##p##geesx('V', 'S', right_##p, 'B', n, a, ld, &sdim, w, vs, ld, (void *)one, (void *)norm)
    tt_expect_info(MIXED(REAL, PAIR), 0, "geesx");
#undef REAL
#undef PAIR
    tt_random(t, 'G', n, n, a, ld, 3);
    say("geevx", t, 'B', n, ld);
#define REAL(p)                                                                                                        \
    tw_##p##geevx('B', 'V', 'V', 'B', n, a, ld, w, wi, vl, ld, vr, ld, &ilo, &ihi, scale, (void *)norm, e, v)
#define PAIR(p) tw_##p##geevx('B', 'V', 'V', 'B', n, a, ld, w, vl, ld, vr, ld, &ilo, &ihi, scale, (void *)norm, e, v)
    tt_expect_info(MIXED(REAL, PAIR), 0, "geevx");
#undef REAL
#undef PAIR
    tt_random(t, 'G', n, n, a, ld, 4);
    say("gebal", t, 'B', n, ld);
#define ONE(p) tw_##p##gebal('B', n, a, ld, &ilo, &ihi, scale)
    tt_expect_info(FOUR(ONE), 0, "gebal");
#undef ONE
#define ONE(p) tw_##p##gebak('B', 'R', n, ilo, ihi, scale, n, vr, ld)
    tt_expect_info(FOUR(ONE), 0, "gebak");
#undef ONE
    for (int j = 0; j < n; j++)
        for (int i = j + 2; i < n; i++)
            tt_put(t, a, (size_t)(i + j * ld), 0);
    say("hseqr", t, 'I', n, ld);
#define REAL(p) tw_##p##hseqr('S', 'I', n, 1, n, a, ld, w, wi, vs, ld)
#define PAIR(p) tw_##p##hseqr('S', 'I', n, 1, n, a, ld, w, vs, ld)
    tt_expect_info(MIXED(REAL, PAIR), 0, "hseqr");
    drop();
}

static void between_guard_pages(void **state)
{
    static const int sizes[] = {1, 2, 7, 65};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int c = 0; c < 4; c++) {
                at_end = c & 1;
                for (const char *job = "NIV"; *job; job++)
                    tridiagonal(t, *job, sizes[k], sizes[k] + (c & 2));
                for (int itype = 1; itype <= 3; itype++)
                    dense(t, itype, itype % 2 ? 'V' : 'N', (c + itype) / 2 % 2 ? 'L' : 'U', sizes[k],
                          sizes[k] + (c & 2));
                one_stage(t, c & 2 ? 'U' : 'L', sizes[k], sizes[k] + (c & 2));
                general(t, sizes[k], sizes[k] + (c & 2));
                for (const char *job = "NV"; *job; job++)
                    banded(t, *job, c & 2 ? 'U' : 'L', sizes[k], sizes[k] + (c & 2));
                some_banded(t, "AVI"[(k + (size_t)c + t) % 3], c & 2 ? 'U' : 'L', sizes[k], sizes[k] + (c & 2));
                for (const char *range = "AVI"; *range; range++)
                    for (int expert = 0; expert < 2; expert++) {
                        some(t, *range, expert, sizes[k], sizes[k] + (c & 2));
                        if (!tt_complex(t)) some_of_tridiagonal(t, *range, expert, sizes[k], sizes[k] + (c & 2));
                    }
            }
    assert_int_equal(tw_finalize(), 0);
}

static int child(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(between_guard_pages)};
    return tt_run(tests);
}

int main(int argc, char **argv)
{
    static const char *const paths[][4] = {{"TILEWORK_CROSSOVER=1000000", NULL},
                                           {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=24", "TILEWORK_LEAF=16", NULL}};
    static char out[1 << 20];
    int failed = 0;

    (void)argv;
    if (argc > 1) return child();
    for (int k = 0; k < 2; k++) {
        int rc = tt_run_self("child", paths[k], 120, out, sizeof out);
        printf("%s: exit %d\n%.4000s\n", paths[k][0], rc, rc ? tt_telling(out) : "");
        failed |= rc != 0;
    }
    return failed;
}
