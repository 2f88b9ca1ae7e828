/* The writers of traces/ on recordings made up here: what they write is well-formed, complete and bounded in size. */
#include "written.h"

static void test_cholesky(void **state)
{
    struct synthetic s;
    size_t n;

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 12, 3, 2), 0);
    n = s.recording.nrecords;
    assert_int_equal(n, 12 * 13 * 14 / 6);
    write_all(&s.recording);
    check_all(n, 5, 4);

    json_t *root = check_json(NULL), *events = json_object_get(root, "traceEvents"), *event;
    size_t i, gemm = 0, counters = 0;
    double running = -1;
    json_array_foreach(events, i, event)
    {
        const char *ph = json_string_value(json_object_get(event, "ph")),
                   *name = json_string_value(json_object_get(event, "name"));
        if (*ph == 'X' && strcmp(name, "gemm") == 0) gemm++;
        if (*ph == 'X') {
            json_t *args = json_object_get(event, "args");
            assert_string_equal(json_string_value(json_object_get(args, "routine")), "dpotrf n=4096 nb=256");
            assert_string_equal(json_string_value(json_object_get(args, "type")), "d");
            assert_true(json_number_value(json_object_get(args, "flops")) > 0);
            assert_true(json_number_value(json_object_get(args, "gflops_per_s")) > 1);
        }
        if (*ph == 'C') {
            running = json_number_value(json_object_get(json_object_get(event, "args"), "tasks"));
            assert_true(running >= 0 && running <= 5);
            counters++;
        }
    }
    assert_int_equal(gemm, 12 * 11 * 10 / 6);
    assert_true(counters > 10);
    assert_true(running == 0); /* at the end nothing runs */
    json_decref(root);

    char *svg = read_all(SVG, NULL);
    assert_true(count_text(svg, "<title>") > 100); /* few tasks: nearly all have a tooltip */
    assert_non_null(strstr(svg, ">dpotrf n=4096 nb=256<"));
    assert_non_null(strstr(svg, "scheduler dmdas"));
    assert_non_null(strstr(svg, ">GPU 0 stream 1<"));
    free(svg);
    char *html = read_all(HTML, NULL);
    assert_non_null(strstr(html, "<svg"));
    assert_int_equal(count_text(html, "<script"), 4); /* two of figures, one of tasks, one that is a script */
    assert_non_null(strstr(html, "default-src 'none'; script-src 'sha256-"));
    assert_null(strstr(html, "src="));
    assert_null(strstr(html, "href="));
    assert_null(strstr(html, "url("));
    free(html);
    synthetic_free(&s);
}

/* Six tasks whose figures can be counted by hand. */
static void test_statistics(void **state)
{
    struct tw_recorded_worker workers[] = {{"CPU 0", 0, 0}, {"GPU 0", 1, 0}, {"CPU 1", 0, 1}};
    struct tw_record t[] = {
        {.submit = 10, .start = 11, .end = 13, .flops = 4e9, .name = "a", .worker = 0, .type = TW_DOUBLE},
        {.submit = 10, .start = 12, .end = 16, .flops = 80e9, .name = "b", .worker = 1, .type = TW_DOUBLE},
        {.submit = 11, .start = 13, .end = 14, .flops = 2e9, .name = "a", .worker = 0, .type = TW_FLOAT},
        {.submit = 11,
         .start = 14,
         .end = 20,
         .flops = 80e9,
         .name = "b",
         .worker = 1,
         .type = TW_DOUBLE}, /* pipelined */
        {.submit = 12, .start = 15, .end = 16, .flops = NAN, .name = NULL, .worker = 0, .type = TW_DOUBLE},
        {.submit = 12, .start = NAN, .end = 16, .name = "lost", .worker = 0},
        {.submit = 12, .start = 15, .end = 16, .name = "lost", .worker = 3},
        {.submit = 12, .start = 15, .end = 14, .name = "lost", .worker = 0},
    };
    struct tw_recording r = {.nrecords = 8, .records = t, .nworkers = 3, .workers = workers, .duration = 20};
    struct tw_summary s;
    struct tw_running_step *steps;
    size_t n;

    (void)state;
    assert_int_equal(tw_summary_make(&s, &r), 0);
    assert_int_equal(s.ntasks, 5);
    assert_int_equal(s.left_out, 3);
    assert_true(s.duration == 10 && s.origin == 10);
    assert_int_equal(s.nkernels, 4);
    assert_string_equal(s.kernels[0].label, "b");
    assert_true(s.kernels[0].all.seconds == 8 && s.kernels[0].longest == 4); /* not 4 + 6: they share the worker */
    assert_true(fabs(tw_summary_rate(s.kernels[0].on[TW_ON_CUDA]) - 20) < 1e-12);
    assert_int_equal(s.kernels[0].on[TW_ON_CPU].count, 0);
    assert_string_equal(s.kernels[1].label, "da"); /* two types, so the letter shows */
    assert_string_equal(s.kernels[2].label, "sa");
    assert_string_equal(s.kernels[3].label, "(unnamed)");
    assert_true(s.workers[0].all.seconds == 4 && s.workers[1].all.seconds == 8 && s.workers[2].all.count == 0);
    assert_true(fabs(s.idle_unused - 10 / 30.) < 1e-12);
    assert_true(fabs(s.idle_start - 3 / 30.) < 1e-12);
    assert_true(fabs(s.idle_middle - 1 / 30.) < 1e-12);
    assert_true(fabs(s.idle_end - 4 / 30.) < 1e-12);
    assert_true(fabs(s.idle + s.all.seconds / 30 - 1) < 1e-12);
    assert_true(s.submission == 2 && s.longest == 4 && s.all.flops == 166e9);
    double total = 0;
    for (int b = 0; b < TW_SUMMARY_BINS; b++)
        total += s.bins[b];
    assert_true(fabs(total / TW_SUMMARY_BINS * 10 - 12) < 1e-9);
    /* 1 runs from 1, 2 from 2, 1 from 4, 2 from 5, 1 from 6, 0 from 10 */
    static const double times[] = {1, 2, 4, 5, 6, 10}, running[] = {1, 2, 1, 2, 1, 0};
    assert_int_equal(tw_summary_steps(&s, &steps, &n), 0);
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++)
        assert_true(steps[i].time == times[i] && steps[i].running == running[i]);
    free(steps);
    tw_summary_free(&s);
    write_all(&r);
    check_all(5, 3, 4);
}

/* Tasks 2, 4, ... are of one stage, 3, 5, ... of another, 0 and 1 of none: named in each task, and tracks of their
 * own. */
static void check_stages(json_t *events, size_t tasks)
{
    size_t i, even = 0, odd = 0, tracks = 0;
    json_t *event;

    json_array_foreach(events, i, event)
    {
        const char *stage = json_string_value(json_object_get(json_object_get(event, "args"), "stage")),
                   *category = json_string_value(json_object_get(event, "cat"));
        if (category && !strcmp(category, "stage")) tracks++;
        if (!stage) continue;
        even += !strcmp(stage, "even");
        odd += !strcmp(stage, "\"odd\" <&>");
    }
    assert_int_equal(even, (tasks - 1) / 2);
    assert_int_equal(odd, tasks / 2 - 1);
    assert_int_equal(tracks, 2 * 2);
}

static void test_odd_names(void **state)
{
    static const char *const names[] = {
        "two words",        "quo\"te", "back\\slash", "<b>&amp;'",        "tab\there\nline\r", "\xff\xfe bad",
        "\xc3\xa9\xe2\x82", "",        "%s%n%d",      "\x01\x7f\xc2\x85", "\xed\xa0\x80",      "αβγ µ"};
    enum { N = sizeof names / sizeof names[0] };
    struct tw_record t[N];
    struct tw_recorded_worker workers[2] = {{"worker \"<&>\"\\ \xff", 0, 0}, {"", 1, 0}};
    const char *routines[2] = {"routine \"<&>\"\\\n\xc0\x80", "unused"};
    char long_name[1000];

    (void)state;
    memset(t, 0, sizeof t);
    for (int i = 0; i < N; i++)
        t[i] = (struct tw_record){.start = i,
                                  .end = i + 0.75,
                                  .name = names[i],
                                  .stage = i < 2   ? NULL
                                           : i % 2 ? "\"odd\" <&>"
                                                   : "even",
                                  .worker = i % 2,
                                  .priority = i % 2 ? INT32_MIN : INT32_MAX,
                                  .coord = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX},
                                  .type = (unsigned char)(i % TW_NTYPES),
                                  .flops = i == 3 ? INFINITY : 1e300,
                                  .routine = i - 2};
    for (size_t i = 0; i < sizeof long_name - 2; i += 2)
        memcpy(long_name + i, "\xc3\xa9", 3); /* é, 499 times */
    t[7].name = long_name;
    struct tw_recording r = {.nrecords = N,
                             .records = t,
                             .nworkers = 2,
                             .workers = workers,
                             .nroutines = 2,
                             .routines = routines,
                             .sched = "\"<&>\n",
                             .machine = "\\\"'<!--\xf5"};
    write_all(&r);
    check_all(N, 2, N);
    r.sched = r.machine = NULL;
    write_all(&r);
    check_all(N, 2, N);
    json_t *root = check_json(NULL);
    const char *wanted[] = {"two words", "quo\"te", "back\\slash", "<b>&amp;'", "αβγ µ"};
    for (size_t k = 0; k < 5; k++) {
        size_t i, found = 0;
        json_t *event;
        json_array_foreach(json_object_get(root, "traceEvents"), i, event) found +=
            strcmp(json_string_value(json_object_get(event, "name")), wanted[k]) == 0;
        assert_int_equal(found, 1);
    }
    check_stages(json_object_get(root, "traceEvents"), N);
    json_decref(root);
}

static void test_nothing_ran(void **state)
{
    struct tw_recorded_worker worker = {"CPU 0", 0, 0};
    struct tw_recording r = {.nworkers = 1, .workers = &worker, .sched = "lws", .machine = "m"};

    (void)state;
    write_all(&r);
    check_all(0, 1, 0);
    r.nworkers = 0;
    write_all(&r);
    check_all(0, 0, 0);
}

static void test_one_worker(void **state)
{
    struct synthetic s;
    struct tw_record instant = {.start = 3, .end = 3, .name = "a"};
    struct tw_recorded_worker worker = {"CPU 0", 0, 0};
    struct tw_recording r = {.nrecords = 1, .records = &instant, .nworkers = 1, .workers = &worker};

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 6, 1, 0), 0);
    write_all(&s.recording);
    check_all(s.recording.nrecords, 1, 4);
    synthetic_free(&s);
    write_all(&r); /* one task of no length at all */
    check_all(1, 1, 1);
}

/* Pictures stay below 2 MiB: 1e5 tasks (and 1e6, of which only the picture is made) on 2 to 128 workers. */
static void test_many_tasks(void **state)
{
    static const struct {
        int nt, ncpu, ncuda;
    } runs[] = {{84, 2, 0}, {84, 120, 8}, {181, 40, 8}};
    size_t length;

    (void)state;
    for (int k = 0; k < 3; k++) {
        struct synthetic s;
        assert_int_equal(synthetic_potrf(&s, runs[k].nt, runs[k].ncpu, runs[k].ncuda), 0);
        assert_true(s.recording.nrecords > (k < 2 ? 100000 : 1000000));
        if (k < 2) {
            write_all(&s.recording);
            check_all(s.recording.nrecords, (size_t)(runs[k].ncpu + runs[k].ncuda), 4);
        } else {
            assert_int_equal(tw_write_svg(&s.recording, prefix), 0);
        }
        char *svg = read_all(SVG, &length);
        print_message("%zu tasks, %d workers: a picture of %zu bytes, %zu boxes\n", s.recording.nrecords,
                      s.recording.nworkers, length,
                      count_text(svg, "<path class=\"k") + count_text(svg, "<rect class=\"tw-box"));
        assert_in_range(length, 20000, 2 << 20);
        check_xml(svg);
        free(svg);
        synthetic_free(&s);
    }
}

/* The same where neighbours are different ones of 40 kernels and all workers are busy all the time. */
static void test_many_kernels(void **state)
{
    enum { WORKERS = 96, TASKS = 300000, KERNELS = 40 };
    struct tw_record *t = calloc(TASKS, sizeof *t);
    struct tw_recorded_worker workers[WORKERS];
    char names[KERNELS][24];
    size_t length;

    (void)state;
    assert_non_null(t);
    memset(workers, 0, sizeof workers);
    for (int k = 0; k < KERNELS; k++)
        snprintf(names[k], sizeof names[k], "kernel%d", k);
    for (int run = 0, tasks = TASKS / 30; tasks <= TASKS; tasks += TASKS / 10, run++) {
        int stride = run % 2 ? 8 : 1; /* 5 or 40 kernels on each worker */
        for (int i = 0; i < tasks; i++)
            t[i] = (struct tw_record){.start = i / WORKERS,
                                      .end = i / WORKERS + 0.99,
                                      .name = names[(i % WORKERS + i / WORKERS * stride) % KERNELS],
                                      .worker = i % WORKERS};
        struct tw_recording r = {.nrecords = (size_t)tasks, .records = t, .nworkers = WORKERS, .workers = workers};
        assert_int_equal(tw_write_svg(&r, prefix), 0);
        char *svg = read_all(SVG, &length);
        print_message("%d tasks of %d kernels, %d workers: a picture of %zu bytes\n", tasks, KERNELS, WORKERS, length);
        assert_in_range(length, 20000, 2 << 20);
        check_xml(svg);
        free(svg);
    }
    free(t);
}

/* Times are written with a point in any locale. */
static void test_locale(void **state)
{
    struct synthetic s;
    char path[4160], command[8400];

    (void)state;
    /* Few machines have such a locale installed: make one. */
    snprintf(path, sizeof path, "%s/locales", directory);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >'%s/log' 2>&1", path, path);
    int made = system(command);
    setenv("LOCPATH", path, 1);
    if (made != 0 || !setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("skipped: localedef (package locales) cannot make a locale with a decimal comma here\n");
        unsetenv("LOCPATH");
        skip();
    }
    assert_int_equal(nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
    char number[16];
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0,5");
    assert_int_equal(synthetic_potrf(&s, 5, 2, 0), 0);
    write_all(&s.recording);
    snprintf(number, sizeof number, "%.1f", 0.5);
    assert_string_equal(number, "0,5"); /* the caller's locale is back */
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    check_all(s.recording.nrecords, 2, 4);
    synthetic_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_DIRECTORY(test_cholesky),     WITH_DIRECTORY(test_statistics), WITH_DIRECTORY(test_odd_names),
        WITH_DIRECTORY(test_nothing_ran),  WITH_DIRECTORY(test_one_worker), WITH_DIRECTORY(test_many_tasks),
        WITH_DIRECTORY(test_many_kernels), WITH_DIRECTORY(test_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
