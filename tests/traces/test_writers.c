/* The writers of traces/ on recordings made up here: what they write is well-formed, complete and bounded in size. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"
#include "synthetic.h"
#include "traces/summary.h"
#include "traces/text.h"
#include "traces/writers.h"

static const tw_trace_writer writers[] = {tw_write_paje, tw_write_perfetto, tw_write_svg, tw_write_html};
static const char *const extensions[] = {".paje", ".json", ".svg", ".html"};
enum { PAJE, JSON, SVG, HTML, NFORMATS };

static char directory[4096], prefix[4160];

/* ---- the folder the files go to ------------------------------------------------------------------------------ */

static int make_directory(void **state)
{
    const char *base = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/tilework-traces-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(directory)) return -1;
    snprintf(prefix, sizeof prefix, "%s/run", directory);
    return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static int remove_directory(void **state)
{
    (void)state;
    return nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static int entries;
static int count_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)path, (void)st, (void)ftw;
    entries += type != FTW_D;
    return 0;
}

static int count_files(void)
{
    entries = 0;
    assert_int_equal(nftw(directory, count_entry, 8, FTW_PHYS), 0);
    return entries;
}

static char *read_all(int format, size_t *length)
{
    char path[4200];
    struct stat st;

    snprintf(path, sizeof path, "%s%s", prefix, extensions[format]);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    char *text = malloc((size_t)st.st_size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
    text[st.st_size] = '\0';
    fclose(f);
    assert_int_equal(strlen(text), st.st_size);
    if (length) *length = (size_t)st.st_size;
    return text;
}

static void write_all(const struct tw_recording *r)
{
    for (int k = 0; k < NFORMATS; k++) {
        int status = writers[k](r, prefix);
        if (status) print_error("%s: %s\n", extensions[k], tw_last_message());
        assert_int_equal(status, 0);
    }
    assert_int_equal(count_files(), NFORMATS); /* and no temporary file */
}

/* ---- what well-formed means ------------------------------------------------------------------------------------ */

static size_t count_text(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *p = text; (p = strstr(p, what)); p += strlen(what))
        n++;
    return n;
}

/* Elements open and close in order, attributes are quoted, and & begins an entity. Returns the number of elements. */
static size_t check_xml(const char *text)
{
    const char *open[64], *p = text;
    size_t length[64], elements = 0;
    int depth = 0;

    while (*p) {
        if (*p == '&') {
            size_t n = strspn(p + 1, "#0123456789abcdefghijklmnopqrstuvwxyz");
            assert_true(n > 1 && n < 8 && p[1 + n] == ';');
        }
        if (*p++ != '<') continue;
        const char *end = p;
        for (char quote = 0; *end && (quote || *end != '>'); end++) {
            if (*end == '"') quote = !quote;
            assert_true(*end != '<');
        }
        assert_int_equal(*end, '>');
        if (*p == '/') {
            assert_true(depth > 0);
            depth--;
            assert_int_equal((size_t)(end - p - 1), length[depth]);
            assert_memory_equal(p + 1, open[depth], length[depth]);
        } else if (*p != '?' && *p != '!') {
            elements++;
            if (end[-1] != '/') {
                assert_true(depth < 64);
                open[depth] = p;
                length[depth++] = strcspn(p, " \n/>");
            }
        }
        p = end + 1;
    }
    assert_int_equal(depth, 0);
    return elements;
}

struct paje {
    size_t lines[16]; /* by event number */
    size_t kernels;
    double end;
};

/* Definitions first, then events: known numbers, as many fields as defined, times in order. */
static struct paje check_paje(char *text)
{
    static const int fields[] = {0, 4, 4, 5, 5, 6, 4, 5, 10, 5}; /* the event's number included */
    struct paje c = {0};
    double before = 0;
    int began = 0;

    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (*line == '%') {
            assert_false(began);
            continue;
        }
        began = 1;
        int event = atoi(line), n = 0, quoted = 0;
        assert_in_range(event, 1, 9);
        for (const char *p = line; *p; p++) {
            if (!quoted && *p != ' ' && (p == line || p[-1] == ' ')) n++;
            if (*p == '"') quoted = !quoted;
        }
        assert_false(quoted);
        assert_int_equal(n, fields[event]);
        c.lines[event]++;
        if (event == 4) c.kernels++;
        if (event < 5) continue;
        double time = atof(line + 2);
        assert_true(time >= before);
        before = time;
    }
    c.end = before;
    return c;
}

static json_t *check_json(size_t *tasks)
{
    json_error_t error;
    size_t length, i, n = 0;
    char *text = read_all(JSON, &length);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error), *event;

    if (!root) print_error("line %d: %s\n", error.line, error.text);
    assert_non_null(root);
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        const char *ph = json_string_value(json_object_get(event, "ph"));
        assert_non_null(ph);
        if (*ph != 'X') continue;
        n++;
        assert_true(json_number_value(json_object_get(event, "dur")) >= 0);
        assert_true(json_is_string(json_object_get(json_object_get(event, "args"), "tile")));
    }
    free(text);
    if (tasks) *tasks = n;
    return root;
}

static void check_all(size_t tasks, size_t workers, size_t kernels)
{
    size_t n;
    char *text = read_all(PAJE, NULL);
    struct paje paje = check_paje(text);

    free(text);
    assert_int_equal(paje.lines[8], tasks);
    assert_int_equal(paje.lines[5], workers + 1);
    assert_int_equal(paje.lines[6], workers + 1);
    assert_int_equal(paje.kernels, kernels + 1); /* and idle */
    json_decref(check_json(&n));
    assert_int_equal(n, tasks);
    for (int format = SVG; format <= HTML; format++) {
        text = read_all(format, NULL);
        assert_true(check_xml(text) > 10);
        free(text);
    }
}

/* ---- the tests ------------------------------------------------------------------------------------------------- */

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
    assert_null(strstr(html, "<script"));
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

/* A place that cannot be written to: TW_E_IO with the file's name in the message, and nothing left behind. */
static void test_unwritable(void **state)
{
    struct synthetic s;
    char bad[4200];

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 4, 2, 0), 0);
    for (int k = 0; k < NFORMATS; k++) {
        snprintf(bad, sizeof bad, "%s/missing/run", directory);
        assert_int_equal(writers[k](&s.recording, bad), TW_E_IO);
        assert_non_null(strstr(tw_last_message(), "missing/run"));
        assert_non_null(strstr(tw_last_message(), extensions[k]));
        /* The target is a folder: everything can be written but the last step fails. */
        snprintf(bad, sizeof bad, "%s/run%s", directory, extensions[k]);
        assert_int_equal(mkdir(bad, 0755), 0);
        assert_int_equal(writers[k](&s.recording, prefix), TW_E_IO);
    }
    assert_int_equal(count_files(), 0);
    if (geteuid() != 0) { /* the superuser may write anywhere */
        assert_int_equal(chmod(directory, 0555), 0);
        for (int k = 0; k < NFORMATS; k++) {
            snprintf(bad, sizeof bad, "%s/other", directory);
            assert_int_equal(writers[k](&s.recording, bad), TW_E_IO);
        }
        assert_int_equal(chmod(directory, 0755), 0);
        assert_int_equal(count_files(), 0);
    }
    synthetic_free(&s);
}

/* A full disk shows up when the file is flushed: /dev/full plays it. */
static void test_full_disk(void **state)
{
    struct synthetic s;
    struct tw_tracefile f;

    (void)state;
    assert_int_equal(synthetic_potrf(&s, 4, 2, 0), 0);
    assert_int_equal(tw_tracefile_open(&f, prefix, ".svg"), 0);
    f.out.stream = freopen("/dev/full", "w", f.out.stream);
    if (!f.out.stream) fail_msg("/dev/full: %s", strerror(errno));
    struct tw_summary summary;
    assert_int_equal(tw_summary_make(&summary, &s.recording), 0);
    assert_int_equal(tw_tracefile_close(&f, tw_svg_picture(f.out.stream, &summary)), TW_E_IO);
    assert_int_equal(count_files(), 0);
    /* A writer that fails by itself keeps its error and leaves no file, either. */
    assert_int_equal(tw_tracefile_open(&f, prefix, ".svg"), 0);
    assert_int_equal(count_files(), 1);
    assert_int_equal(tw_tracefile_close(&f, TW_E_MEMORY), TW_E_MEMORY);
    assert_int_equal(count_files(), 0);
    tw_summary_free(&summary);
    synthetic_free(&s);
}

static void test_texts(void **state)
{
    (void)state;
    assert_string_equal(tw_time_text(1.234).text, "1.23 s");
    assert_string_equal(tw_time_text(0.9996).text, "1.00 s");
    assert_string_equal(tw_time_text(0.0123).text, "12.3 ms");
    assert_string_equal(tw_time_text(4.56e-4).text, "456 µs");
    assert_string_equal(tw_time_text(0).text, "0 s");
    assert_string_equal(tw_time_text(NAN).text, "0 s");
    assert_string_equal(tw_time_text(3600).text, "3600 s");
    assert_string_equal(tw_rate_text(45.67).text, "45.7 GF/s");
    assert_string_equal(tw_rate_text(41234).text, "41.2 TF/s");
    assert_string_equal(tw_rate_text(0).text, "-");
    assert_string_equal(tw_coord_text((int[4]){3, 1, -1, -1}).text, "(3, 1)");
    assert_string_equal(tw_coord_text((int[4]){-1, -1, -1, -1}).text, "");
    assert_string_equal(tw_count_text(1234567).text, "1 234 567");
    assert_string_equal(tw_count_text(0).text, "0");
    assert_string_equal(tw_count_text(100).text, "100");
}

int main(void)
{
#define WITH_DIRECTORY(f) cmocka_unit_test_setup_teardown(f, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        WITH_DIRECTORY(test_cholesky),     WITH_DIRECTORY(test_statistics), WITH_DIRECTORY(test_odd_names),
        WITH_DIRECTORY(test_nothing_ran),  WITH_DIRECTORY(test_one_worker), WITH_DIRECTORY(test_many_tasks),
        WITH_DIRECTORY(test_many_kernels), WITH_DIRECTORY(test_locale),     WITH_DIRECTORY(test_unwritable),
        WITH_DIRECTORY(test_full_disk),    cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests_name("traces/writers", tests, NULL, NULL);
}
