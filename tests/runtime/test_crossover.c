/* Up to which order LAPACK alone is taken: it moves as made-up profiles' rates say, before the library runs as after,
 * and nothing is started for it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/state.h"
#include "runtime/machine/machine_profile.h"
#include "runtime/machine/tuning.h"
#include "tt.h"

static char folder[4096];

static void empty_folder(void)
{
    DIR *d = opendir(folder);
    struct dirent *e;

    assert_non_null(d);
    while ((e = readdir(d)))
        if (e->d_name[0] != '.') {
            char path[4400];
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            assert_int_equal(unlink(path), 0);
        }
    closedir(d);
}

static void put(const struct tw_profile *p)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/profile-%016llx.json", folder, (unsigned long long)tw_key_hash(&p->key));
    assert_int_equal(tw_profile_write(path, p), 0);
}

/* A machine's whose kernels are `speed` times a usual one's, and diagonal tiles `diagonal` times as fast as that. */
static const struct tw_profile *made_up(double speed, double diagonal)
{
    static struct tw_profile p;

    memset(&p, 0, sizeof p);
    tw_profile_guess(&p);
    tw_key_make_without_gpus(&p.key);
    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_RATE_MEMORY; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++) {
                p.cpu.gflops[t][r][k] *= speed * (r == TW_RATE_POTRF ? diagonal : 1);
                p.cuda.gflops[t][r][k] *= speed;
            }
    p.written = 1700000000;
    return &p;
}

/* What a fresh process would say that finds this profile and no other. */
static tw_int said(const char *routine, const struct tw_profile *p, const char *from)
{
    const char *source = NULL;

    empty_folder();
    if (p) put(p);
    tw_crossover_forget();
    const tw_int order = tw_routine_crossover(routine, TW_DOUBLE, &source);
    assert_string_equal(source, from);
    assert_false(tw_is_running());
    return order;
}

static const char *const routines[] = {"potrf", "getrf", "geqrf", "gemm"};
enum { ROUTINES = sizeof routines / sizeof *routines };

static void none_yet(void **state)
{
    (void)state;
    for (int r = 0; r < ROUTINES; r++)
        assert_int_equal(said(routines[r], NULL, "default"), 512);
    assert_int_equal(said("syevd", made_up(1, 1), "default"), 512); /* nobody predicts LAPACK there */
}

static void moves_as_rates_say(void **state)
{
    (void)state;
    for (int r = 0; r < ROUTINES; r++) {
        const tw_int usual = said(routines[r], made_up(1, 1), "profile"),
                     slow = said(routines[r], made_up(0.1, 1), "profile"),
                     fast = said(routines[r], made_up(10, 1), "profile");
        if (usual == 512) fail_msg("%s: the constant, not a prediction", routines[r]);
        /* what tasks cost weighs less where kernels take long */
        if (!(slow < usual && usual <= fast && slow >= TW_CROSSOVER_LEAST && fast <= TW_CROSSOVER_MOST))
            fail_msg("%s: %lld where kernels are slow, %lld, %lld where they are fast", routines[r], (long long)slow,
                     (long long)usual, (long long)fast);
    }
    /* LAPACK alone has the whole matrix at the diagonal tiles' rate */
    assert_true(said("potrf", made_up(1, 0.5), "profile") < said("potrf", made_up(1, 1), "profile"));
    tw_crossover_forget();
}

/* Each routine has its own, and each type. */
static void per_routine_and_type(void **state)
{
    struct tw_profile p = *made_up(1, 1);
    (void)state;

    assert_true(said("potrf", &p, "profile") != said("geqrf", &p, "profile"));
    assert_true(said("getrf", &p, "profile") != said("gemm", &p, "profile"));
    assert_int_equal(tw_routine_crossover("gesv", TW_DOUBLE, NULL), tw_routine_crossover("getrf", TW_DOUBLE, NULL));
    for (int r = 0; r < TW_RATE_MEMORY; r++)
        for (int k = 0; k < TW_PROFILE_SIZES; k++)
            p.cpu.gflops[TW_FLOAT][r][k] *= 4;
    said("potrf", &p, "profile");
    assert_true(tw_routine_crossover("potrf", TW_FLOAT, NULL) > tw_routine_crossover("potrf", TW_DOUBLE, NULL));
}

/* The models themselves, with workers that no test machine has. */
static void workers_and_threads(void **state)
{
    struct tw_profile p = *made_up(1, 1), slow_gpu = p;
    const struct tw_tuning *const rows[] = {&tw_tuning_factorization, &tw_tuning_lu, &tw_tuning_qr, &tw_tuning_product};
    (void)state;

    for (int t = 0; t < TW_NTYPES; t++)
        for (int r = 0; r < TW_NRATES; r++)
            for (int k = 0; k < TW_PROFILE_SIZES; k++)
                slow_gpu.cuda.gflops[t][r][k] *= 0.02;
    for (int r = 0; r < 4; r++) {
        struct tw_workers w = {.profile = &p, .cores = 1};
        tw_int before = tw_crossover_of(rows[r], &w, TW_DOUBLE, 1);
        assert_int_equal(before, TW_CROSSOVER_MOST); /* one core: nothing to gain */
        for (w.cores = 2; w.cores <= 8; w.cores *= 2) {
            const tw_int now = tw_crossover_of(rows[r], &w, TW_DOUBLE, 1);
            assert_true(now <= before + 64 && (w.cores < 8 || now < TW_CROSSOVER_MOST));
            before = now;
            /* the more threads LAPACK has the longer it is the better one */
            assert_true(tw_crossover_of(rows[r], &w, TW_DOUBLE, w.cores) >= now);
        }
        const struct tw_workers gpu = {.profile = &p, .cores = 8, .gpus = 1, .streams = 3, .by_inverse = 1},
                                slow = {.profile = &slow_gpu, .cores = 8, .gpus = 1, .streams = 3, .by_inverse = 1};
        assert_true(tw_crossover_of(rows[r], &gpu, TW_DOUBLE, 1) > TW_CROSSOVER_LEAST);
        assert_true(tw_crossover_of(rows[r], &gpu, TW_DOUBLE, 1) < tw_crossover_of(rows[r], &slow, TW_DOUBLE, 1));
    }
}

static void what_is_asked_for_comes_first(void **state)
{
    const char *source;
    (void)state;

    setenv("TILEWORK_CROSSOVER", "300", 1);
    assert_int_equal(said("potrf", made_up(1, 1), "TILEWORK_CROSSOVER"), 300);
    unsetenv("TILEWORK_CROSSOVER");
    setenv("TILEWORK_REPRODUCIBLE", "1", 1);
    assert_int_equal(said("potrf", made_up(1, 1), "reproducible"), 0);
    assert_false(tw_prefers_lapack(&tw_tuning_factorization, TW_DOUBLE, 10));
    unsetenv("TILEWORK_REPRODUCIBLE");
    setenv("TILEWORK_REPROBE", "1", 1); /* no file counts */
    assert_int_equal(said("potrf", made_up(1, 1), "default"), 512);
    unsetenv("TILEWORK_REPROBE");
    /* it is not asked for any more, and the profile was looked for, in vain */
    assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, &source), 512);
    assert_string_equal(source, "default");
}

/* A file that is no profile, or another machine's, is none. */
static void unsound_files(void **state)
{
    struct tw_profile p = *made_up(0.1, 1);
    char path[4400];
    (void)state;

    said("potrf", &p, "profile");
    snprintf(path, sizeof path, "%s/profile-%016llx.json", folder, (unsigned long long)tw_key_hash(&p.key));
    assert_int_equal(truncate(path, 2000), 0);
    tw_crossover_forget();
    assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, NULL), 512);
    snprintf(p.key.value[0], sizeof p.key.value[0], "another CPU");
    assert_int_equal(said("potrf", &p, "default"), 512);
}

/* The smallest orders look for nothing; after the first look nothing is looked for again. */
static void read_once(void **state)
{
    double a[64 * 64];
    (void)state;

    tt_spd(TW_DOUBLE, 'L', 64, a, 64, 1);
    empty_folder();
    tw_crossover_forget();
    assert_int_equal(tw_dpotrf('L', 64, a, 64), 0);
    put(made_up(0.1, 1));
    const tw_int order = tw_routine_crossover("potrf", TW_DOUBLE, NULL);
    assert_true(order != 512);
    empty_folder();
    for (int r = 0; r < ROUTINES; r++)
        assert_true(tw_routine_crossover(routines[r], TW_DOUBLE, NULL) != 512);
    assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, NULL), order);
    assert_false(tw_is_running());
}

static void *ask(void *to)
{
    tw_int *order = to;
    for (int r = 0; r < ROUTINES; r++)
        order[r] = tw_routine_crossover(routines[r], TW_DOUBLE, NULL);
    return NULL;
}

static void several_threads_ask_first(void **state)
{
    enum { THREADS = 6 };
    pthread_t thread[THREADS];
    tw_int order[THREADS][ROUTINES], alone[ROUTINES];
    (void)state;

    said("potrf", made_up(0.5, 1), "profile");
    ask(alone);
    for (int round = 0; round < 5; round++) {
        tw_crossover_forget();
        for (int k = 0; k < THREADS; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, ask, order[k]), 0);
        for (int k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(thread[k], NULL), 0);
            assert_memory_equal(order[k], alone, sizeof alone);
        }
    }
}

/* Profiles with GPUs: the newest of these cores, whatever else lies in the folder. */
static void which_file(void **state)
{
    struct tw_profile p = *made_up(1, 1), q = {.valid = 0};
    char path[4400];
    struct timespec times[2] = {{.tv_sec = 1600000000}, {.tv_sec = 1600000000}};
    (void)state;

    empty_folder();
    assert_false(tw_profile_ahead(1, &q));
    put(&p);
    assert_true(tw_profile_ahead(1, &q)); /* no GPU's yet: that of the cores */
    assert_int_equal(tw_key_gpus(&q.key), 0);
    snprintf(p.key.value[4], sizeof p.key.value[4], "An older GPU");
    snprintf(p.key.value[5], sizeof p.key.value[5], "1");
    put(&p);
    snprintf(path, sizeof path, "%s/profile-%016llx.json", folder, (unsigned long long)tw_key_hash(&p.key));
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    snprintf(p.key.value[4], sizeof p.key.value[4], "A GPU");
    snprintf(p.key.value[5], sizeof p.key.value[5], "2");
    put(&p);
    for (int other = 0; other < 12; other++) { /* newer ones, of other machines */
        struct tw_profile there = p;
        times[0].tv_sec = times[1].tv_sec = other < 6 ? 1500000000 : 2000000000;
        snprintf(there.key.value[0], sizeof there.key.value[0], "CPU %d", other);
        snprintf(there.key.value[5], sizeof there.key.value[5], "8");
        put(&there);
        snprintf(path, sizeof path, "%s/profile-%016llx.json", folder, (unsigned long long)tw_key_hash(&there.key));
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    snprintf(path, sizeof path, "%s/profile-x.json", folder);
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_true(tw_profile_ahead(1, &q));
    assert_int_equal(tw_key_gpus(&q.key), 2);
    assert_true(tw_profile_ahead(0, &q));
    assert_int_equal(tw_key_gpus(&q.key), 0);
}

/* A call goes as it says, and the library that it starts agrees. */
static void calls_obey(void **state)
{
    const tw_int order = said("potrf", made_up(0.5, 1), "profile"), n = order + 1;
    const char *source;
    double *a = tt_array(TW_DOUBLE, n, n);
    (void)state;

    assert_in_range(order, 100, 1000);
    tt_spd(TW_DOUBLE, 'L', order, a, n, 1);
    assert_int_equal(tw_dpotrf('L', order, a, n), 0);
    assert_false(tw_is_running());
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    assert_int_equal(tw_dpotrf('L', n, a, n), 0);
    assert_true(tw_is_running());
    if (!tw_has_cuda()) { /* whose profile would be another one */
        assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, &source), order);
        assert_string_equal(source, "profile");
        assert_int_equal(tw_finalize(), 0);
        assert_int_equal(tw_routine_crossover("potrf", TW_DOUBLE, NULL), order);
    } else {
        assert_int_equal(tw_finalize(), 0);
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(none_yet),
                                       cmocka_unit_test(moves_as_rates_say),
                                       cmocka_unit_test(per_routine_and_type),
                                       cmocka_unit_test(workers_and_threads),
                                       cmocka_unit_test(what_is_asked_for_comes_first),
                                       cmocka_unit_test(unsound_files),
                                       cmocka_unit_test(read_once),
                                       cmocka_unit_test(several_threads_ask_first),
                                       cmocka_unit_test(which_file),
                                       cmocka_unit_test(calls_obey)};
    const char *build = getenv("TILEWORK_BUILD");
    int failed;

    unsetenv("TILEWORK_CROSSOVER"), unsetenv("TILEWORK_REPRODUCIBLE"), unsetenv("TILEWORK_REPROBE");
    snprintf(folder, sizeof folder, "%s/crossover-XXXXXX", build ? build : "/tmp");
    if (!mkdtemp(folder)) return 1;
    setenv("TILEWORK_CACHE_DIR", folder, 1);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty_folder();
    rmdir(folder);
    return failed;
}
