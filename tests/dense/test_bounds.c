/* Nothing outside the user's array is read or written: arrays that begin or end at a page nobody may touch, through
 * every routine of the LAPACK door, straight and through tiles. A violation is a crash; the last line printed says
 * where. */
#include "rows.h"

#define STEP(call)                                                                                                     \
    do {                                                                                                               \
        printf("%c %-12.12s uplo %c n=%d lda=%d %s\n", tt_letter(t), #call + 8, uplo, n, lda,                          \
               at_end ? "end" : "begin");                                                                              \
        fflush(stdout);                                                                                                \
        tt_expect_info(call, 0, #call);                                                                                \
    } while (0)

/* tau between guard pages, too; n + 5 rows or columns and k reflectors fewer. */
static void reflectors(enum tw_type t, int n, int nrhs, int pad, int at_end)
{
    const int m = n + 5, lda = m + pad, k = n > 2 ? n - 2 : n;
    const char uplo = 'G', trans = tt_complex(t) ? 'C' : 'T';
    struct tt_guarded a = tt_guard(tt_bytes_of(t, m, n, lda), at_end), w = tt_guard(tt_bytes_of(t, n, m, lda), at_end),
                      b = tt_guard(tt_bytes_of(t, m, nrhs, lda), at_end),
                      tau = tt_guard(tt_bytes_of(t, n, 1, n), at_end);

    tt_random(t, 'G', m, nrhs, b.array, lda, 2);
    tt_random(t, 'G', m, n, a.array, lda, 1);
    STEP(tt_door_geqrf(t, m, n, a.array, lda, tau.array));
    STEP(tt_door_unmqr(t, 'L', trans, m, nrhs, n, a.array, lda, tau.array, b.array, lda));
    STEP(tt_door_ungqr(t, m, n, k, a.array, lda, tau.array));
    STEP(tt_door_gels(t, 'N', m, n, nrhs, a.array, lda, b.array, lda));
    tt_random(t, 'G', n, m, w.array, lda, 1);
    STEP(tt_door_gelqf(t, n, m, w.array, lda, tau.array));
    STEP(tt_door_unmlq(t, 'L', 'N', m, nrhs, n, w.array, lda, tau.array, b.array, lda));
    STEP(tt_door_unglq(t, n, m, k, w.array, lda, tau.array));
    STEP(tt_door_gels(t, 'N', n, m, nrhs, w.array, lda, b.array, lda));
    tt_guard_drop(&a), tt_guard_drop(&w), tt_guard_drop(&b), tt_guard_drop(&tau);
}

/* What the rows do not have. */
static void others(enum tw_type t, char uplo, int n, int pad, int at_end)
{
    int lda = n + pad, nrhs = 3;
    struct tt_guarded a = tt_guard(tt_bytes_of(t, n, n, lda), at_end), b = tt_guard(tt_bytes_of(t, n, 3, lda), at_end);
    double rcond;

    tt_spd(t, uplo, n, a.array, lda, 1);
    tt_random(t, 'G', n, nrhs, b.array, lda, 2);
    STEP(tt_door_potrf(t, uplo, n, a.array, lda));
    STEP(tt_door_pocon(t, uplo, n, a.array, lda, n, &rcond));
    STEP(tt_door_trtri(t, uplo, 'U', n, a.array, lda));
    /* BLAS: B and C are n x nrhs, A is n x n; with C = A's triangle, rank nrhs. */
    struct tt_guarded c = tt_guard(tt_bytes_of(t, n, nrhs, n + pad), at_end);
    tt_random(t, 'G', n, nrhs, c.array, n + pad, 3);
    tt_spd(t, uplo, n, a.array, lda, 1);
    STEP(tt_door_hemm(t, 'L', uplo, n, nrhs, 1, a.array, lda, b.array, n + pad, 0, c.array, n + pad));
    STEP(tt_door_trmm(t, 'L', uplo, 'N', 'N', n, nrhs, 0.1, a.array, lda, b.array, n + pad));
    STEP(tt_door_trsm(t, 'L', uplo, 'C', 'N', n, nrhs, 1, a.array, lda, b.array, n + pad));
    STEP(tt_door_herk(t, uplo, 'N', n, nrhs, 1, b.array, n + pad, 1, a.array, lda));
    STEP(tt_door_her2k(t, uplo, 'N', n, nrhs, 1, b.array, n + pad, c.array, n + pad, 1, a.array, lda));
    tt_random(t, 'G', n, n, a.array, lda, 1);
    STEP(tt_door_gemm(t, 'C', 'N', n, nrhs, n, 1, a.array, lda, b.array, n + pad, 0, c.array, n + pad));
    STEP(tt_door_gemm(t, 'N', 'T', n, n, nrhs, 1, b.array, n + pad, c.array, n + pad, 1, a.array, lda));
    tt_guard_drop(&c);
    if (uplo == 'L') {
        tw_int ipiv[130];
        tt_random(t, 'G', n, n, a.array, lda, 1);
        tt_random(t, 'G', n, 3, b.array, lda, 2);
        STEP(tt_door_getrf(t, n, n, a.array, lda, ipiv));
        STEP(tt_door_getrs(t, 'T', n, 3, a.array, lda, ipiv, b.array, lda));
        if (n == 2 || n == 33 || n == 130) reflectors(t, n, nrhs, pad, at_end);
    }
    tt_guard_drop(&a), tt_guard_drop(&b);
}

/* The arrays of one case. */
struct rooms {
    struct tt_guarded g[3];
    int count, at_end;
};
static void *guarded_room(void *context, size_t bytes)
{
    struct rooms *r = context;
    assert_true(r->count < 3);
    r->g[r->count] = tt_guard(bytes, r->at_end);
    return r->g[r->count++].array;
}

static void all_routines(enum tw_type t, int n, int pad, int at_end)
{
    const struct tt_row *r;

    for (int k = 0; (r = tt_row(k)); k++)
        for (const char *uplo = r->uplos; r->lapack && *uplo && tt_row_has(r, t); uplo++) {
            struct rooms rooms = {.at_end = at_end};
            struct tt_case c;
            tt_case_make(&c, r, t, *uplo, n, 3, pad, guarded_room, &rooms);
            printf("%c%s uplo %c n=%d lda=%d %s\n", tt_letter(t), r->name, *uplo, n, c.lda, at_end ? "end" : "begin");
            fflush(stdout);
            tt_expect_info(r->lapack(&c), 0, "%s", r->name);
            tt_expect(r->name, t, r->residual(&c), r->exact ? 0 : n, "uplo %c n=%d lda=%d", *uplo, n, c.lda);
            tt_case_free(&c, 1);
            while (rooms.count)
                tt_guard_drop(&rooms.g[--rooms.count]);
        }
}

static void between_guard_pages(void **state)
{
    static const int sizes[] = {1, 2, 7, 33, 65, 130};
    (void)state;
    TT_TYPES(t)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int c = 0; c < 8; c++) {
                others(t, c & 1 ? 'U' : 'L', sizes[k], c & 2 ? 3 : 0, c & 4);
                if (c & 1) all_routines(t, sizes[k], c & 2 ? 3 : 0, c & 4);
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
    static const char *const paths[][3] = {{"TILEWORK_CROSSOVER=1000000", NULL},
                                           {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=48", NULL},
                                           {"TILEWORK_CROSSOVER=0", "TILEWORK_NB=160", NULL}};
    static char out[1 << 20];
    int failed = 0;

    (void)argv;
    if (argc > 1) return child();
    for (int k = 0; k < 3; k++) {
        int rc = tt_run_self("child", paths[k], 120, out, sizeof out);
        const size_t length = strlen(out);
        const char *said = strstr(out, "FAILED"); /* behind it there is the table of all residuals */
        if (!said) said = out + (length > 1200 ? length - 1200 : 0);
        printf("%s %s: exit %d\n%.1200s\n", paths[k][0], paths[k][1] ? paths[k][1] : "", rc, rc ? said : "");
        failed |= rc != 0;
    }
    return failed;
}
