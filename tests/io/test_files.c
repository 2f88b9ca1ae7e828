/* What holds for every file: illegal arguments, output that is whole or absent, matrices in and out. */
#include <complex.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "common.h"

static const char *const names[] = {"out.mtx", "out.raw", "out.npy"};

static void test_arguments(void **state)
{
    (void)state;
    double a[4] = {1, 2, 3, 4};
    tw_file_info info;
    tw_matrix *A;
    const char *path = in_folder("x.mtx");
    tt_expect_info(tw_file_inspect(NULL, &info), -1, "path");
    tt_expect_info(tw_file_inspect(path, NULL), -2, "info");
    tt_expect_info(tw_file_read(NULL, TW_DOUBLE, 2, 2, a, 2), -1, "path");
    tt_expect_info(tw_file_read(path, (enum tw_type)4, 2, 2, a, 2), -2, "type");
    tt_expect_info(tw_file_read(path, TW_DOUBLE, -1, 2, a, 2), -3, "m");
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, -1, a, 2), -4, "n");
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 2, NULL, 2), -5, "a");
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 2, a, 1), -6, "lda");
    tt_expect_info(tw_file_write(NULL, TW_DOUBLE, TW_GENERAL, 2, 2, a, 2), -1, "path");
    tt_expect_info(tw_file_write(path, (enum tw_type) - 1, TW_GENERAL, 2, 2, a, 2), -2, "type");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, (enum tw_uplo)'X', 2, 2, a, 2), -3, "uplo");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, -2, 2, a, 2), -4, "m");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, -2, a, 2), -5, "n");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_LOWER, 2, 1, a, 2), -5, "not square");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 2, NULL, 2), -6, "a");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 2, a, 1), -7, "lda");
    tt_expect_info(tw_matrix_load(NULL, path, TW_DOUBLE, TW_GENERAL, 0), -1, "A");
    tt_expect_info(tw_matrix_load(&A, NULL, TW_DOUBLE, TW_GENERAL, 0), -2, "path");
    tt_expect_info(tw_matrix_load(&A, path, (enum tw_type)9, TW_GENERAL, 0), -3, "type");
    tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, (enum tw_uplo)0, 0), -4, "uplo");
    tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, TW_GENERAL, -1), -5, "nb");
    tt_expect_info(tw_matrix_save(NULL, path), -1, "A");
    assert_int_equal(empty_folder(), 0);
}

static void test_missing(void **state)
{
    (void)state;
    double a[4] = {1, 2, 3, 4};
    tw_file_info info;
    tw_matrix *A = (tw_matrix *)&A;
    const char *path = in_folder("absent.mtx");
    tt_expect_info(tw_file_inspect(path, &info), TW_E_IO, "inspect");
    expect_place(path, 0);
    expect_in_message(strerror(ENOENT));
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 2, a, 2), TW_E_IO, "read");
    expect_place(path, 0);
    tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, TW_GENERAL, 0), TW_E_IO, "load");
    assert_null(A);
    expect_place(path, 0);
    tt_expect_info(tw_file_inspect(folder, &info), TW_E_IO, "a folder");
    expect_place(folder, 0);
    path = in_folder("no/such/folder.mtx");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 2, a, 2), TW_E_IO, "write");
    expect_place(path, 0);
    assert_int_equal(tw_is_running(), 0);
}

/* Values that the readers refuse are not written; what stood there stays. */
static void test_nothing_written(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double a[9] = {1, 0, 0, NAN, 5, 0, 7, INFINITY, 9}, b[9];
        const char *path = in_folder(names[k]);
        tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 3, 3, a, 3), TW_E_FORMAT, "NaN");
        expect_place(path, 0);
        expect_in_message("(1, 2)");
        assert_int_equal(empty_folder(), 0);
        tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_LOWER, 3, 3, a, 3), 0, "not in this triangle");
        tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_UPPER, 3, 3, a, 3), TW_E_FORMAT, "NaN");
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 3, 3, b, 3), 0, "still there");
        assert_true(b[0] == 1 && b[3] == 0 && b[4] == 5 && b[8] == 9);
        assert_int_equal(empty_folder(), 1);
    }
}

/* A disk that fills up, played by a limit on the size of files. */
static void test_full_disk(void **state)
{
    (void)state;
    const tw_int n = 300;
    double *a = tt_array(TW_DOUBLE, n, n), b[4];
    struct rlimit before, small;
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (int k = 0; k < 3; k++)
        for (rlim_t limit = 0; limit <= 400000; limit += 100000) {
            const char *path = in_folder(names[k]);
            for (int existing = 0; existing < 2; existing++) {
                if (existing) tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 2, a, 2), 0, "before");
                small = before;
                small.rlim_cur = limit;
                assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
                int e = tw_file_write(path, TW_DOUBLE, TW_GENERAL, n, n, a, n);
                assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
                tt_expect_info(e, TW_E_IO, "limit %d", (int)limit);
                expect_place(path, 0);
                expect_in_message(strerror(EFBIG));
                if (existing) tt_expect_info(tw_file_read(path, TW_DOUBLE, 2, 2, b, 2), 0, "what was there");
                assert_int_equal(empty_folder(), existing);
            }
        }
    signal(SIGXFSZ, SIG_DFL);
    free(a);
}

/* Killed at any time: under the final name there is the old content or the whole new one. */
static void test_killed(void **state)
{
    (void)state;
    const tw_int n = 400;
    double *a = tt_array(TW_DOUBLE, n, n), *b = tt_array(TW_DOUBLE, n, n), old = 7, x;
    int killed = 0;
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 1);
    for (int k = 0; k < 3; k++)
        for (int delay = 0; delay < 12; delay++) {
            const char *path = in_folder(names[k]);
            tw_file_info info;
            int status;
            tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 1, 1, &old, 1), 0, "before");
            pid_t child = fork();
            if (child == 0) {
                for (;;)
                    if (tw_file_write(path, TW_DOUBLE, TW_GENERAL, n, n, a, n)) _exit(1);
            }
            usleep((useconds_t)(300 + 2000 * delay));
            kill(child, SIGKILL);
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_true(WIFSIGNALED(status));
            tt_expect_info(tw_file_inspect(path, &info), 0, "delay %d", delay);
            if (info.n == 1) {
                tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, &x, 1), 0, "old");
                assert_true(x == old);
            } else {
                tt_expect_info(tw_file_read(path, TW_DOUBLE, n, n, b, n), 0, "new");
                assert_memory_equal(a, b, (size_t)(n * n) * sizeof *a);
            }
            killed += empty_folder() > 1; /* a temporary file: it died while writing */
        }
    assert_true(killed > 0);
    free(a), free(b);
}

static void *cancel_soon(void *unused)
{
    int found = 0;
    (void)unused;
    while (!found) {
        DIR *dir = opendir(folder);
        for (struct dirent *e; dir && (e = readdir(dir));)
            found |= strstr(e->d_name, ".tmp-") != NULL;
        if (dir) closedir(dir);
    }
    tw_cancel_all();
    return NULL;
}

/* tw_cancel_all gives up the file that is being written, what was there stays, and the next one is written. */
static void test_cancelled(void **state)
{
    (void)state;
    const tw_int n = 700;
    const char *path = in_folder("out.mtx");
    double *a = tt_array(TW_DOUBLE, n, n), old = 7, x;
    pthread_t thread;
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 1);
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 1, 1, &old, 1), 0, "before");
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, n, n, a, n), TW_E_CANCELLED, "cancelled");
    assert_int_equal(pthread_join(thread, NULL), 0);
    expect_place(path, 0);
    tt_expect_info(tw_file_read(path, TW_DOUBLE, 1, 1, &x, 1), 0, "old");
    assert_true(x == old);
    assert_int_equal(empty_folder(), 1);
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, n, n, a, n), 0, "the next");
    assert_int_equal(empty_folder(), 1);
    free(a);
}

/* Reading needs no file that can be rewound. */
static void test_pipe(void **state)
{
    (void)state;
    double a[6000], b[6000];
    tt_random(TW_DOUBLE, 'G', 100, 60, a, 100, 1);
    for (int k = 0; k < 3; k++) {
        const char *path = in_folder("pipe");
        int status;
        tt_expect_info(tw_file_write(in_folder(names[k]), TW_DOUBLE, TW_GENERAL, 100, 60, a, 100), 0, "write");
        assert_int_equal(mkfifo(path, 0600), 0);
        pid_t child = fork();
        if (child == 0) {
            execl("/bin/cp", "cp", in_folder(names[k]), path, (char *)NULL); /* cp keeps the pipe and writes into it */
            _exit(1);
        }
        tt_expect_info(tw_file_read(path, TW_DOUBLE, 100, 60, b, 100), 0, "from a pipe");
        assert_memory_equal(a, b, sizeof a);
        waitpid(child, &status, 0);
        empty_folder();
    }
}

/* ---- tw_matrix ------------------------------------------------------------------------------------------------- */

static void load_and_save(enum tw_type t, enum tw_uplo uplo, tw_int m, tw_int n, tw_int nb, const char *name)
{
    const tw_int lda = m > 0 ? m : 1;
    void *a = tt_array(t, lda, n), *b = tt_array(t, lda, n);
    const char *first = in_folder(name);
    tw_matrix *A;

    tt_random(t, 'G', m, n, a, lda, 1);
    if (uplo != TW_GENERAL) tt_spd(t, 'L', n, a, lda, 1), tt_spd(t, 'U', n, a, lda, 1);
    tt_expect_info(tw_file_write(first, t, TW_GENERAL, m, n, a, lda), 0, "write");
    tt_expect_info(tw_matrix_load(&A, first, t, uplo, nb), 0, "load %s", name);
    assert_true(tw_matrix_rows(A) == m && tw_matrix_cols(A) == n && tw_matrix_type(A) == t &&
                tw_matrix_uplo(A) == uplo);
    const char *second = in_folder(strstr(name, ".mtx") ? "second.mtx" : "second.raw");
    tt_expect_info(tw_matrix_save(A, second), 0, "save %s", name);
    tt_expect_info(tw_matrix_destroy(A), 0, "destroy");
    tt_expect_info(tw_matrix_load(&A, second, t, uplo, nb), 0, "load again");
    tt_expect_info(tw_matrix_to_lapack(A, b, lda), 0, "to_lapack");
    tt_expect_info(tw_matrix_destroy(A), 0, "destroy");
    for (tw_int j = 0; j < n; j++)
        for (tw_int i = uplo == TW_LOWER ? j : 0; i < (uplo == TW_UPPER ? j + 1 : m); i++)
            assert_true(tt_get(t, a, (size_t)(i + j * lda)) == tt_get(t, b, (size_t)(i + j * lda)));
    assert_int_equal(tt_touched(t, (char)uplo, m, n, b, lda), 0);
    free(a), free(b);
    assert_int_equal(empty_folder(), 2);
}

static void test_matrices(void **state)
{
    (void)state;
    static const enum tw_uplo uplos[] = {TW_GENERAL, TW_LOWER, TW_UPPER};
    for (int t = 0; t < TW_NTYPES; t++)
        for (int k = 0; k < 3; k++) {
            for (int u = 0; u < 3; u++) {
                load_and_save(t, uplos[u], 65, 65, 32, names[k]);
                load_and_save(t, uplos[u], 1, 1, 0, names[k]);
            }
            load_and_save(t, TW_GENERAL, 33, 70, 16, names[k]);
            load_and_save(t, TW_GENERAL, 0, 3, 0, names[k]);
        }
    double a[6] = {1, 2, 3, 4, 5, 6};
    tw_matrix *A = (tw_matrix *)&A;
    const char *path = in_folder("out.mtx");
    tt_expect_info(tw_file_write(path, TW_DOUBLE, TW_GENERAL, 2, 3, a, 2), 0, "write");
    tt_expect_info(tw_matrix_load(&A, path, TW_DOUBLE, TW_LOWER, 0), TW_E_FORMAT, "a triangle of 2 x 3");
    assert_null(A);
    expect_place(path, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments),       cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_nothing_written), cmocka_unit_test(test_full_disk),
                                       cmocka_unit_test(test_killed),          cmocka_unit_test(test_pipe),
                                       cmocka_unit_test(test_matrices),        cmocka_unit_test(test_cancelled)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder) != 0;
}
