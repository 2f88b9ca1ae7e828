/* Options and variables: which one wins, what is refused, and that nothing is left behind.
 *
 * Tilework's own knobs: tw_options > TILEWORK_ variable > default. StarPU's: STARPU_ variable > tw_options >
 * default. */
#define _GNU_SOURCE 1 /* strsep */
#include <unistd.h>

#include "tt.h"
#include "runtime/base/variables.h"
#include "runtime/task/submit.h"

static const char *const variables[] = {
    "TILEWORK_NB",          "TILEWORK_PRIORITY", "TILEWORK_WINDOW",     "TILEWORK_REPRODUCIBLE", "TILEWORK_PROGRESS",
    "TILEWORK_HOST_MEMORY", "TILEWORK_VERBOSE",  "TILEWORK_FORCE_CUDA", "STARPU_SCHED",          "STARPU_NCPU"};

static int clean_environment(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]);
    return 0;
}
static int stop(void **state)
{
    (void)state;
    return tw_finalize() != 0;
}

static tw_options options(void)
{
    tw_options o;
    memset(&o, 0x5a, sizeof o);
    tw_options_init(&o);
    return o;
}
static void init(const tw_options *o)
{
    tt_expect_info(tw_init(o), 0, "tw_init");
}
static tw_machine machine(void)
{
    tw_machine m;
    tt_expect_info(tw_machine_info(&m), 0, "tw_machine_info");
    return m;
}

/* ---- who wins ----------------------------------------------------------------------------------------------- */

static tw_int nb_in_use(void)
{
    tw_matrix *A;
    tw_int nb;
    assert_int_equal(tw_matrix_create(&A, TW_DOUBLE, TW_GENERAL, 1000, 1000, 0, NULL), 0);
    nb = tw_matrix_nb(A);
    assert_int_equal(tw_matrix_destroy(A), 0);
    return nb;
}

static void nb(void **state)
{
    tw_options o = options();
    const char *source = "";
    (void)state;
    init(&o);
    assert_in_range(nb_in_use(), 16, 1024); /* chosen from the profile */
    assert_int_equal(tw_choose_nb(NULL, &(struct tw_sizes){TW_DOUBLE, 1000, 1000, 0}, &source), nb_in_use());
    assert_string_equal(source, "profile");
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_NB", "96", 1);
    init(&o);
    assert_int_equal(nb_in_use(), 96);
    (void)tw_choose_nb(NULL, &(struct tw_sizes){TW_DOUBLE, 1000, 1000, 0}, &source);
    assert_string_equal(source, "TILEWORK_NB");
    assert_int_equal(tw_finalize(), 0);
    o.nb = 80;
    init(&o);
    assert_int_equal(nb_in_use(), 80);
    (void)tw_choose_nb(NULL, &(struct tw_sizes){TW_DOUBLE, 1000, 1000, 0}, &source);
    assert_string_equal(source, "option");
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_NB", "auto", 1);
    init(NULL);
    (void)tw_choose_nb(NULL, &(struct tw_sizes){TW_DOUBLE, 1000, 1000, 0}, &source);
    assert_string_equal(source, "profile");
}

static void reproducible(void **state)
{
    tw_options o = options();
    (void)state;
    init(&o);
    assert_int_equal(tw_reproducible(), 0);
    assert_int_equal(tw_finalize(), 0);
    setenv("TILEWORK_REPRODUCIBLE", "1", 1);
    init(&o);
    assert_int_equal(tw_reproducible(), 1);
    assert_int_equal(tw_finalize(), 0);
    o.reproducible = 0;
    init(&o);
    assert_int_equal(tw_reproducible(), 0);
}

static void sched(void **state)
{
    tw_options o = options();
    (void)state;
    o.sched = "prio";
    init(&o);
    assert_string_equal(machine().sched, "prio");
    assert_int_equal(tw_finalize(), 0);
    setenv("STARPU_SCHED", "eager", 1);
    init(&o);
    assert_string_equal(machine().sched, "eager"); /* StarPU's variable beats the option */
}

static void workers(void **state)
{
    tw_options o = options();
    int cores[2] = {0, 1};
    (void)state;
    o.ncpu = 1;
    o.ncuda = 0;
    init(&o);
    assert_int_equal(machine().cpu_workers, 1);
    assert_int_equal(tw_finalize(), 0);
    setenv("STARPU_NCPU", "2", 1);
    init(&o);
    assert_int_equal(machine().cpu_workers, 2);
    assert_int_equal(tw_finalize(), 0);
    unsetenv("STARPU_NCPU");
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) return;
    o.ncpu = 2;
    o.cpu_ids = cores;
    init(&o);
    assert_int_equal(machine().cpu_workers, 2);
}

static void no_worker(void **state)
{
    tw_options o = options();
    (void)state;
    o.ncpu = o.ncuda = 0;
    tt_expect_info(tw_init(&o), TW_E_NO_WORKER, "no CPU, no GPU");
    assert_true(strlen(tw_last_message()) > 20);
    assert_int_equal(tw_is_running(), 0);
    init(NULL); /* a failed start leaves nothing in the way */
}

/* ---- what is refused ---------------------------------------------------------------------------------------- */

static void refused(const char *name, const char *value)
{
    setenv(name, value, 1);
    tt_expect_info(tw_init(NULL), TW_E_OPTION, "%s=%s", name, value);
    if (!strstr(tw_last_message(), name))
        fail_msg("%s=%s: the message does not name it: %s", name, value, tw_last_message());
    assert_int_equal(tw_is_running(), 0);
    unsetenv(name);
}

static void bad_variables(void **state)
{
    static const char *const numbers[] = {"abc", "-5", "0", "12x", "99999999999999999999", "1.5"};
    static const char *const bytes[] = {"abc", "0", "-1", "12Q", "1e40", "5MM"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        refused("TILEWORK_NB", numbers[k]);
        refused("TILEWORK_WINDOW", numbers[k]);
        refused("TILEWORK_HOST_MEMORY", bytes[k]);
    }
    refused("TILEWORK_HOST_MEMORY", "0.5"); /* less than a byte */
    refused("TILEWORK_PRIORITY", "urgent");
    refused("TILEWORK_REPRODUCIBLE", "yes");
    refused("TILEWORK_REPRODUCIBLE", "2");
    refused("TILEWORK_PROGRESS", "maybe");
    refused("TILEWORK_REPROBE", "maybe");
    refused("TILEWORK_VERBOSE", "9");
    refused("TILEWORK_BARRIERS", "yes");
    refused("TILEWORK_FAULT", "2");
    refused("TILEWORK_NBODY_ISA", "avx");
    refused("STARPU_SCHED", "nonsense");
    setenv("TILEWORK_PRIORITY", "urgent", 1);
    tt_expect_info(tw_init(NULL), TW_E_OPTION, "priority");
    assert_true(strstr(tw_last_message(), "none") && strstr(tw_last_message(), "panel") &&
                strstr(tw_last_message(), "bottom-level"));
    unsetenv("TILEWORK_PRIORITY");
    init(NULL);
}

/* A point is one in programs whose locale writes 1,5, too. */
static void variables_in_another_locale(void **state)
{
    size_t bytes = 0;
    (void)state;
    if (!tt_decimal_commas()) {
        print_message("skipped: localedef (package locales) cannot make a locale with a decimal comma here\n");
        skip();
    }
    setenv("TILEWORK_IDLE", "0.5", 1);
    setenv("TILEWORK_GPU_RATES", "1,0.5", 1);
    setenv("TILEWORK_HOST_MEMORY", "1.5G", 1);
    init(NULL);
    bytes = tw_host_memory_limit(NULL);
    assert_int_equal(tw_finalize(), 0);
    tt_decimal_points();
    unsetenv("TILEWORK_IDLE"), unsetenv("TILEWORK_GPU_RATES"), unsetenv("TILEWORK_HOST_MEMORY");
    assert_int_equal(bytes, (size_t)3 << 29);
}

/* Families' too, whatever is called first, and while the library runs by what reads them. */
static void bad_variables_of_families(void **state)
{
    static const char *const wrong[][2] = {
        {"TILEWORK_BAND", "0"},           {"TILEWORK_BAND", "1025"},     {"TILEWORK_BAND", "8x"},
        {"TILEWORK_ROUTE", "three"},      {"TILEWORK_LEAF", "0"},        {"TILEWORK_LEAF", "1048577"},
        {"TILEWORK_CHASE", "fpga"},       {"TILEWORK_FMM_PATH", "fpga"}, {"TILEWORK_FP32", "half"},
        {"TILEWORK_TRSM", "invert"},      {"TILEWORK_FFT_PATH", "here"}, {"TILEWORK_FFT_RIGOR", "exhaustive"},
        {"TILEWORK_FFT_TIMELIMIT", "-1"}, {"TILEWORK_FFT_PLACE", "tpu"}, {"TILEWORK_FFT_TIMELIMIT", "nan"},
        {"TILEWORK_CROSSOVER", "-1"},     {"TILEWORK_TEAM", "0"},        {"TILEWORK_IDLE", "soon"},
        {"TILEWORK_LOOKAHEAD", "far"},    {"TILEWORK_RANK", "-1"},       {"TILEWORK_TRACE_LIMIT", "first:1"}};
    double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, w[3];
    tw_matrix *A;
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        refused(wrong[k][0], wrong[k][1]);
    init(NULL);
    assert_int_equal(tw_matrix_wrap(&A, TW_DOUBLE, TW_GENERAL, 3, 3, a, 3, 2), 0);
    setenv("TILEWORK_BAND", "1025", 1);
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), TW_E_OPTION, "later");
    assert_non_null(strstr(tw_last_message(), "TILEWORK_BAND=1025: expected a whole number from 1 to 1024"));
    unsetenv("TILEWORK_BAND");
    tt_expect_info(tw_syevd(TW_NOVECTORS, TW_LOWER, A, w, NULL), 0, "without it");
    assert_int_equal(tw_matrix_destroy(A), 0);
}

/* Programs may ask before they start the library. */
static void legal_or_not(void **state)
{
    (void)state;
    setenv("TILEWORK_TEAM", "4096", 1);
    assert_int_equal(tw_variable_legal("TILEWORK_TEAM"), 0);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_TEAM=4096: expected"));
    setenv("TILEWORK_TEAM", "2", 1);
    assert_int_equal(tw_variable_legal("TILEWORK_TEAM"), 1);
    unsetenv("TILEWORK_TEAM");
    assert_int_equal(tw_variable_legal("TILEWORK_TEAM"), 1);
    assert_int_equal(tw_variable_legal("TILEWORK_HOST_MEMORY"), -1); /* what reads it says */
    assert_int_equal(tw_variable_legal("TILEWORK_TEAMS"), -1);
    assert_int_equal(tw_variable_legal(NULL), -1);
}

/* What a row says in words is what it takes: each word, and of rows that have nothing but words no other. */
static void rows_say_what_they_take(void **state)
{
    (void)state;
    for (const tw_variable *v = tw_variables(); v->name; v++) {
        const int id = (int)(v - tw_variables());
        char text[100], *rest = text, *word;
        int words = 1;
        if (!v->values || strstr(v->name, "DROPIN")) continue; /* libtilework_lapack.so reads these itself */
        assert_true(snprintf(text, sizeof text, "%s", v->values) < (int)sizeof text);
        while ((word = strsep(&rest, ","))) {
            char * or = strstr(word, " or ");
            if (or) * or = 0, rest = or +4;
            word += strspn(word, " ");
            if (strchr(word, ' ') || strchr(word, ':') || !strcmp(word, "bytes") || !strcmp(word, "seconds")) {
                words = 0;
                continue;
            }
            setenv(v->name, word, 1);
            tt_expect_info(tw_variable_check((enum tw_variable_id)id), 0, "%s=%s", v->name, word);
        }
        setenv(v->name, "nonsense", 1);
        if (words) tt_expect_info(tw_variables_check(NULL), TW_E_OPTION, "%s=nonsense", v->name);
        unsetenv(v->name);
    }
    tt_expect_info(tw_variables_check(NULL), 0, "none is set");
}

/* Where its folder's name does not fit, another one is not taken in its place. */
static void long_cache_folders(void **state)
{
    static const char *const names[] = {"TILEWORK_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    char before[3][400], value[2000];
    (void)state;
    memset(value, 'x', sizeof value - 1);
    value[0] = '/', value[sizeof value - 1] = 0;
    for (int k = 0; k < 3; k++) {
        snprintf(before[k], sizeof before[k], "%s", getenv(names[k]) ? getenv(names[k]) : "");
        unsetenv(names[k]);
    }
    for (int k = 0; k < 3; k++)
        refused(names[k], value);
    for (int k = 0; k < 3; k++)
        if (*before[k]) setenv(names[k], before[k], 1);
    init(NULL);
}

/* At each of these StarPU stops the program, or does something else than what was written. */
static void bad_starpu_variables(void **state)
{
    static const char *const bad[][2] = {{"STARPU_NCPU", "abc"},
                                         {"STARPU_NCPU", "-1"},
                                         {"STARPU_NCPU", ""},
                                         {"STARPU_NCPU", "1000000"},
                                         {"STARPU_NCUDA", "two"},
                                         {"STARPU_NCUDA", "-3"},
                                         {"STARPU_RESERVE_NCPU", "1.5"},
                                         {"STARPU_FXT_TRACE", "abc"},
                                         {"STARPU_NWORKER_PER_CUDA", ""},
                                         {"STARPU_NWORKER_PER_CUDA", "0"},
                                         {"STARPU_NWORKER_PER_CUDA", "abc"},
                                         {"STARPU_NWORKER_PER_CUDA", "144"},
                                         {"STARPU_CUDA_THREAD_PER_WORKER", "yes"},
                                         {"STARPU_CUDA_THREAD_PER_DEV", "yes"},
                                         {"STARPU_CUDA_PIPELINE", "-1"},
                                         {"STARPU_LIMIT_CUDA_MEM", "64M"},
                                         {"STARPU_LIMIT_CUDA_MEM", "0"},
                                         {"STARPU_LIMIT_CUDA_3_MEM", "x"},
                                         {"STARPU_LIMIT_CPU_MEM", "99999999999"},
                                         {"STARPU_WORKERS_CPUID", ""},
                                         {"STARPU_WORKERS_CPUID", " "},
                                         {"STARPU_WORKERS_CPUID", "abc"},
                                         {"STARPU_WORKERS_CPUID", "-1"},
                                         {"STARPU_WORKERS_CPUID", "0 x"},
                                         {"STARPU_WORKERS_CPUID", "1-0"},
                                         {"STARPU_WORKERS_CPUID", "0-99999"},
                                         {"STARPU_WORKERS_CPUID", "99999"},
                                         {"STARPU_WORKERS_COREID", "first"},
                                         {"STARPU_WORKERS_CUDAID", ""},
                                         {"STARPU_WORKERS_CUDAID", "abc"},
                                         {"STARPU_WORKERS_CUDAID", "0,1"},
                                         {"STARPU_WORKERS_CUDAID", "-1"},
                                         {"STARPU_MAIN_THREAD_CPUID", "99999"},
                                         {"STARPU_NTHREADS_PER_CORE", "0"},
                                         {"STARPU_NTHREADS_PER_CORE", "99"},
                                         {"STARPU_CALIBRATE", "3"},
                                         {"STARPU_DISK_SWAP", "/nonexistent/folder"},
                                         {"STARPU_DISK_SWAP_SIZE", "1"},
                                         {"STARPU_DISK_SWAP_BACKEND", "tape"},
                                         {"STARPU_HOSTNAME", "a/b"},
                                         {"STARPU_SCHED_ALPHA", "much"},
                                         {"STARPU_TRACE_BUFFER_SIZE", "0"},
                                         {"STARPU_HWLOC_INPUT", "/nonexistent.xml"}};
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char *before = getenv(bad[k][0]) ? strdup(getenv(bad[k][0])) : NULL;
        refused(bad[k][0], bad[k][1]);
        if (!strstr(tw_last_message(), *bad[k][1] ? bad[k][1] : "="))
            fail_msg("the message does not show the value: %s", tw_last_message());
        if (before) setenv(bad[k][0], before, 1);
        free(before);
    }
    setenv("STARPU_CUDA_THREAD_PER_WORKER", "1", 1);
    refused("STARPU_CUDA_THREAD_PER_DEV", "1");
    unsetenv("STARPU_CUDA_THREAD_PER_WORKER");
    init(NULL);
}

/* A list of cores is the number of workers, too, unless that is given. */
static void listed_cores(void **state)
{
    static const struct {
        const char *list;
        int cores, workers;
    } given[] = {{"0", 1, 1}, {"1", 2, 1}, {"0 1", 2, 2}, {"0-1", 2, 2}, {"1,0", 2, 2}, {"0-", 2, 2}, {"1 1 1", 2, 1}};
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    (void)state;
    for (size_t k = 0; k < sizeof given / sizeof *given; k++) {
        if (online < given[k].cores || (!strcmp(given[k].list, "0-") && online != 2)) continue;
        setenv("STARPU_WORKERS_CPUID", given[k].list, 1);
        init(NULL);
        if (machine().cpu_workers != given[k].workers)
            fail_msg("STARPU_WORKERS_CPUID=%s: %d workers", given[k].list, machine().cpu_workers);
        assert_int_equal(tw_finalize(), 0);
    }
    setenv("STARPU_WORKERS_CPUID", "0", 1);
    setenv("STARPU_NCPU", "2", 1);
    init(NULL);
    assert_int_equal(machine().cpu_workers, 2);
}

/* A call that starts the library by itself reports the same. */
static void bad_variables_on_the_first_call(void **state)
{
    double a[4] = {4, 1, 1, 4};
    tw_matrix *A;
    tw_sequence *seq;
    tw_machine m;
    (void)state;
    setenv("STARPU_SCHED", "nonsense", 1);
    tt_expect_info(tw_matrix_from_lapack(&A, TW_DOUBLE, TW_LOWER, 2, 2, a, 2, 1), TW_E_OPTION, "from_lapack");
    tt_expect_info(tw_sequence_create(&seq), TW_E_OPTION, "sequence_create");
    tt_expect_info(tw_machine_info(&m), TW_E_OPTION, "machine_info");
    assert_null(A);
    assert_null(seq);
    setenv("TILEWORK_CROSSOVER", "0", 1);
    tt_expect_info(tw_dpotrf('L', 2, a, 2), TW_E_OPTION, "dpotrf");
    assert_true(a[0] == 4 && a[1] == 1);
    unsetenv("TILEWORK_CROSSOVER");
    unsetenv("STARPU_SCHED");
    assert_int_equal(tw_dpotrf('L', 2, a, 2), 0);
}

static void bad_options(void **state)
{
    tw_options o = options();
    (void)state;
    o.size = 0;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "size 0");
    o = options(), o.nb = -3;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "nb < 0");
    o = options(), o.priority = "urgent";
    tt_expect_info(tw_init(&o), TW_E_OPTION, "priority");
    o = options(), o.sched = "nonsense";
    tt_expect_info(tw_init(&o), TW_E_OPTION, "sched");
    o = options(), o.ncpu = 1 << 30;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "ncpu");
    assert_non_null(strstr(tw_last_message(), "1073741824"));
    o = options(), o.ncpu = -2;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "ncpu < -1");
    o = options(), o.ncuda = 1 << 30;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "ncuda");
    o = options(), o.workers_per_cuda = 100000;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "workers_per_cuda");
    o = options(), o.ncpu = 2, o.cpu_ids = (int[2]){-1, 9999};
    tt_expect_info(tw_init(&o), TW_E_OPTION, "cpu_ids");
    assert_non_null(strstr(tw_last_message(), "cpu_ids[0] = -1"));
    o = options(), o.ncpu = 2, o.cpu_ids = (int[2]){0, 9999};
    tt_expect_info(tw_init(&o), TW_E_OPTION, "cpu_ids");
    o = options(), o.ncuda = 1, o.cuda_ids = (int[1]){-1};
    tt_expect_info(tw_init(&o), TW_E_OPTION, "cuda_ids");
    o = options(), o.cuda_memory_limit = SIZE_MAX;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "cuda_memory_limit");
    o = options(), o.disk_dir = "/nonexistent/folder";
    tt_expect_info(tw_init(&o), TW_E_OPTION, "disk_dir");
    o = options(), o.window = -1;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "window");
    o = options(), o.verbose = 4;
    tt_expect_info(tw_init(&o), TW_E_OPTION, "verbose");
    tw_options_init(NULL);
    setenv("TILEWORK_PRIORITY", "urgent", 1); /* not looked at: the option beats it */
    o = options(), o.priority = "panel";
    init(&o);
}

/* A program built against an older, shorter tw_options: the fields it has count, the rest are defaults. */
static void shorter_options(void **state)
{
    tw_options o = options();
    (void)state;
    o.ncpu = 1;
    o.ncuda = 0;
    o.size = offsetof(tw_options, cpu_ids);
    o.sched = "nonsense"; /* beyond its end */
    init(&o);
    assert_int_equal(machine().cpu_workers, 1);
}

/* ---- states ------------------------------------------------------------------------------------------------- */

static void states(void **state)
{
    (void)state;
    assert_int_equal(tw_is_running(), 0);
    tt_expect_info(tw_finalize(), 0, "finalize before init");
    init(NULL);
    assert_int_equal(tw_is_running(), 1);
    tt_expect_info(tw_init(NULL), TW_E_STATE, "init twice");
    assert_true(strlen(tw_last_message()) > 20);
    assert_int_equal(tw_finalize(), 0);
    assert_int_equal(tw_is_running(), 0);
    tt_expect_info(tw_finalize(), 0, "finalize twice");
    tw_counters_reset();
}

static void machine_facts(void **state)
{
    tw_machine m = machine(); /* starts the library */
    tw_worker_report r[64];
    (void)state;
    assert_true(m.cpu_workers >= 1 && m.cores >= 1 && m.host_memory > 0);
    assert_true(m.cuda_workers > 0 || m.cuda_devices == 0);
    assert_true(m.sched && m.blas_core && m.cpu_name && m.gpu_name && m.profile_path);
    assert_int_equal(strncmp(m.starpu_version, "1.", 2), 0);
    for (int t = 0; t < TW_NTYPES; t++)
        assert_true(m.cpu_gflops[t] > 0.1 && m.cpu_gflops[t] < 1e5);
    assert_int_equal(tw_worker_reports(r, 64), m.cpu_workers + m.cuda_workers);
}

/* Variables that StarPU reads only from the environment are set for the start and taken away again. */
static void the_environment_is_left_alone(void **state)
{
    extern char **environ;
    size_t before = 0, after = 0;
    (void)state;
    unsetenv("STARPU_SILENT");
    unsetenv("STARPU_CATCH_SIGNALS");
    while (environ[before])
        before++;
    init(NULL);
    while (environ[after])
        after++;
    assert_null(getenv("STARPU_SILENT"));
    assert_null(getenv("STARPU_CATCH_SIGNALS"));
    assert_int_equal(after, before);
    setenv("STARPU_SILENT", "1", 1);
}

/* ---- messages ----------------------------------------------------------------------------------------------- */

static char logged[4096];
static void collect(enum tw_log_level level, const char *message, void *user)
{
    (void)level;
    assert_ptr_equal(user, logged);
    snprintf(logged + strlen(logged), sizeof logged - strlen(logged), "%s\n", message);
}

static void messages(void **state)
{
    static const int codes[] = {0,
                                1,
                                700,
                                -1,
                                -7,
                                TW_E_MEMORY,
                                TW_E_NO_WORKER,
                                TW_E_DEVICE,
                                TW_E_CANCELLED,
                                TW_E_IO,
                                TW_E_FORMAT,
                                TW_E_STARPU,
                                TW_E_OPTION,
                                TW_E_FORK,
                                TW_E_STATE,
                                TW_E_UNSUPPORTED,
                                TW_E_INTERNAL,
                                -12345,
                                INT32_MIN,
                                INT32_MAX};
    double a[4] = {4, 1, 1, 4};
    (void)state;
    for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
        assert_true(strlen(tw_strerror(codes[k])) > 5);
    tw_set_log(collect, logged);
    init(NULL);
    assert_non_null(strstr(logged, "scheduler"));
    assert_int_equal(tw_dpotrf('X', 2, a, 2), -1);
    assert_non_null(strstr(tw_last_message(), "1"));
    tw_set_log(NULL, NULL);
}

/* Of main memory StarPU gives nothing back without a disk: whoever limits it so is told. */
static void limits_that_stop(void **state)
{
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        memset(logged, 0, sizeof logged);
        if (limited) setenv("STARPU_LIMIT_CPU_MEM", "100000", 1);
        tw_set_log(collect, logged);
        init(NULL);
        assert_int_equal(tw_finalize(), 0);
        tw_set_log(NULL, NULL);
        unsetenv("STARPU_LIMIT_CPU_MEM");
        assert_int_equal(strstr(logged, "STARPU_LIMIT_CPU_MEM=100000 without STARPU_DISK_SWAP") != NULL, limited);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nb, clean_environment, stop),
        cmocka_unit_test_setup_teardown(reproducible, clean_environment, stop),
        cmocka_unit_test_setup_teardown(sched, clean_environment, stop),
        cmocka_unit_test_setup_teardown(workers, clean_environment, stop),
        cmocka_unit_test_setup_teardown(no_worker, clean_environment, stop),
        cmocka_unit_test_setup_teardown(bad_variables, clean_environment, stop),
        cmocka_unit_test_setup_teardown(variables_in_another_locale, clean_environment, stop),
        cmocka_unit_test_setup_teardown(bad_variables_of_families, clean_environment, stop),
        cmocka_unit_test_setup_teardown(rows_say_what_they_take, clean_environment, stop),
        cmocka_unit_test_setup_teardown(legal_or_not, clean_environment, stop),
        cmocka_unit_test_setup_teardown(long_cache_folders, clean_environment, stop),
        cmocka_unit_test_setup_teardown(bad_starpu_variables, clean_environment, stop),
        cmocka_unit_test_setup_teardown(listed_cores, clean_environment, stop),
        cmocka_unit_test_setup_teardown(bad_variables_on_the_first_call, clean_environment, stop),
        cmocka_unit_test_setup_teardown(bad_options, clean_environment, stop),
        cmocka_unit_test_setup_teardown(shorter_options, clean_environment, stop),
        cmocka_unit_test_setup_teardown(states, clean_environment, stop),
        cmocka_unit_test_setup_teardown(machine_facts, clean_environment, stop),
        cmocka_unit_test_setup_teardown(the_environment_is_left_alone, clean_environment, stop),
        cmocka_unit_test_setup_teardown(messages, clean_environment, stop),
        cmocka_unit_test_setup_teardown(limits_that_stop, clean_environment, stop),
    };
    return tt_run(tests);
}
