/* The machine profile: its file may be missing, damaged, hostile or another machine's, and the library starts all the
 * same with sound numbers; what it holds for; and how it is measured. Also the phases of a start. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tt.h"
#include "runtime/machine/machine_profile.h"

static char folder[4096];

static const char *in_folder(const char *name)
{
    static char path[4][4400];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void write_bytes(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static size_t read_bytes(const char *path, char *bytes, size_t size)
{
    FILE *f = fopen(path, "r");
    size_t n;
    assert_non_null(f);
    n = fread(bytes, 1, size, f);
    fclose(f);
    return n;
}

/* Some numbers that no guess has. */
static struct tw_profile some_profile(void)
{
    struct tw_profile p;
    memset(&p, 0, sizeof p);
    tw_profile_guess(&p);
    tw_key_make(&p.key);
    p.cpu.gflops[TW_DOUBLE][TW_RATE_GEMM][4] = 39.876;
    p.link[TW_LINK_TO_GPU] = 54.321;
    p.launch[1] = 7.6543e-6;
    for (int k = 0; k < TW_NFACTORS; k++)
        p.factor[0][k] = 1, p.factor[3][k] = 0.51234 + 0.25 * k;
    p.nshares = 2;
    p.shares[0] = (struct tw_share_row){.symbol = "tw_dgemm", .rate = TW_RATE_GEMM};
    p.shares[0].share[0][7] = 0.87654;
    p.shares[0].share[1][10] = 1.2345;
    p.shares[1] = (struct tw_share_row){.symbol = "tw_dsgemv", .rate = TW_RATE_MEMORY};
    p.shares[1].share[1][0] = 0.25;
    p.seconds = 2.5;
    p.written = 1700000000;
    return p;
}

static int readable(const char *path, struct tw_profile *p)
{
    const char *why = NULL;
    struct tw_profile key_holder = some_profile();
    int ok = tw_profile_read(path, &key_holder.key, p, &why);
    if (!ok) assert_non_null(why);
    return ok;
}

static double largest_difference(const struct tw_rates *a, const struct tw_rates *b)
{
    const double *x = &a->gflops[0][0][0], *y = &b->gflops[0][0][0];
    double worst = 0;
    for (size_t k = 0; k < sizeof a->gflops / sizeof(double); k++)
        worst = fmax(worst, fabs(x[k] / y[k] - 1));
    return worst;
}

static int same_numbers(const struct tw_profile *a, const struct tw_profile *b)
{
    double worst = fmax(largest_difference(&a->cpu, &b->cpu), largest_difference(&a->cuda, &b->cuda));
    for (int l = 0; l < TW_NLINKS; l++)
        worst = fmax(worst, fabs(a->link[l] / b->link[l] - 1));
    for (int d = 0; d < 2; d++)
        worst = fmax(worst, fabs(a->launch[d] / b->launch[d] - 1));
    for (size_t k = 0; k < sizeof a->gain / sizeof(double); k++)
        worst = fmax(worst, fabs((&a->gain[0][0][0])[k] / (&b->gain[0][0][0])[k] - 1));
    for (int d = 0; d < TW_PROFILE_GPUS; d++)
        for (int k = 0; k < TW_NFACTORS; k++)
            worst = fmax(worst, fabs(a->factor[d][k] - b->factor[d][k]));
    if (a->nshares != b->nshares) return 0;
    for (int k = 0; k < a->nshares; k++) {
        const double *x = a->shares[k].share[0], *y = b->shares[k].share[0];
        if (strcmp(a->shares[k].symbol, b->shares[k].symbol) != 0 || a->shares[k].rate != b->shares[k].rate) return 0;
        for (int c = 0; c < 2 * TW_SIZE_CLASSES; c++)
            worst = fmax(worst, x[c] || y[c] ? fabs(x[c] / y[c] - 1) : 0);
    }
    return worst < 1e-4;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static void what_is_written_is_read(void **state)
{
    struct tw_profile p = some_profile(), q;
    (void)state;
    assert_int_equal(tw_profile_write(in_folder("good.json"), &p), 0);
    memset(&q, 0, sizeof q);
    assert_true(readable(in_folder("good.json"), &q));
    assert_true(same_numbers(&p, &q));
    assert_true(q.written == p.written && fabs(q.seconds - p.seconds) < 1e-4);
    assert_true(tw_key_same(&p.key, &q.key));
}

/* Programs whose locale writes 1,5 read what others have written, write the same, and are read by them. */
static void the_locale_does_not_matter(void **state)
{
    static char plain[1 << 16], comma[1 << 16];
    struct tw_profile p = some_profile(), q;
    (void)state;
    assert_int_equal(tw_profile_write(in_folder("point.json"), &p), 0);
    if (!tt_decimal_commas()) {
        print_message("skipped: localedef (package locales) cannot make a locale with a decimal comma here\n");
        skip();
    }
    assert_true(readable(in_folder("point.json"), &q));
    assert_int_equal(tw_profile_write(in_folder("comma.json"), &p), 0);
    assert_true(readable(in_folder("comma.json"), &q));
    tt_decimal_points();
    assert_true(readable(in_folder("comma.json"), &q));
    assert_true(same_numbers(&p, &q));
    const size_t n = read_bytes(in_folder("point.json"), plain, sizeof plain);
    assert_int_equal(read_bytes(in_folder("comma.json"), comma, sizeof comma), n);
    assert_memory_equal(plain, comma, n);
}

/* A file of the formats before, which had no GPUs' factors, no places and no shares, keeps its numbers; older ones, and
 * newer ones, are measured anew, and so are those before of a machine with several GPUs. */
static void the_format_before_is_read(void **state)
{
    struct tw_profile p = some_profile(), q = p;
    static char text[1 << 16];
    const char *why;
    char *format;
    size_t n;

    (void)state;
    p.nshares = p.nplaces = 0;
    memset(p.factor, 0, sizeof p.factor);
    assert_int_equal(tw_profile_write(in_folder("old.json"), &p), 0);
    n = read_bytes(in_folder("old.json"), text, sizeof text - 1);
    text[n] = 0;
    assert_non_null(format = strstr(text, "\"format\": 6"));
    for (char f = '2'; f <= '7'; f++) {
        format[10] = f;
        write_bytes(in_folder("old.json"), text, n);
        assert_int_equal(readable(in_folder("old.json"), &q), f >= '3' && f <= '6');
    }
    assert_true(same_numbers(&p, &q));
    for (int gpus = 1; gpus <= 2; gpus++) {
        snprintf(p.key.value[5], sizeof p.key.value[5], "%d", gpus);
        assert_string_equal(tw_key_name[5], "gpus");
        assert_int_equal(tw_profile_write(in_folder("old.json"), &p), 0);
        n = read_bytes(in_folder("old.json"), text, sizeof text - 1);
        text[n] = 0;
        assert_non_null(format = strstr(text, "\"format\": 6"));
        for (char f = '5'; f <= '6'; f++) {
            format[10] = f;
            write_bytes(in_folder("old.json"), text, n);
            assert_int_equal(tw_profile_read(in_folder("old.json"), &p.key, &q, &why), gpus == 1 || f == '6');
        }
    }
    /* one with shares is no file of that format */
    p = some_profile();
    assert_int_equal(tw_profile_write(in_folder("old.json"), &p), 0);
    n = read_bytes(in_folder("old.json"), text, sizeof text - 1);
    text[n] = 0;
    assert_non_null(format = strstr(text, "\"format\": 6"));
    format[10] = '3';
    write_bytes(in_folder("old.json"), text, n);
    assert_false(readable(in_folder("old.json"), &q));
}

static void expect_refused(const char *path)
{
    struct tw_profile before, p;
    memset(&before, 0x3c, sizeof before);
    p = before;
    if (readable(path, &p)) fail_msg("%s was accepted", path);
    assert_memory_equal(&p, &before, sizeof p); /* untouched */
}

static void what_is_no_profile_is_refused(void **state)
{
    struct tw_profile p = some_profile();
    static char text[1 << 16], blanks[2 << 20];
    size_t n;

    (void)state;
    assert_int_equal(tw_profile_write(in_folder("good.json"), &p), 0);
    n = read_bytes(in_folder("good.json"), text, sizeof text);
    expect_refused(in_folder("missing.json"));
    expect_refused(folder); /* a directory */
    assert_int_equal(mkfifo(in_folder("pipe.json"), 0600), 0);
    expect_refused(in_folder("pipe.json")); /* and does not wait for a writer */
    expect_refused("/dev/zero");
    memset(blanks, ' ', sizeof blanks);
    memcpy(blanks, text, n); /* sound, were it not so large */
    write_bytes(in_folder("huge.json"), blanks, sizeof blanks);
    expect_refused(in_folder("huge.json"));
    write_bytes(in_folder("deep.json"), memset(blanks, '[', 100000), 100000);
    expect_refused(in_folder("deep.json"));
    for (size_t cut = 0; cut + 2 < n; cut += 1 + cut / 8) { /* all but the closing brace and the end of the line */
        write_bytes(in_folder("cut.json"), text, cut);
        expect_refused(in_folder("cut.json"));
    }
}

static void shares_that_no_codelet_has_are_refused(void **state)
{
    static const double values[] = {-1, 1e-9, 1e4, -0.5};
    static const char *const symbols[] = {"", "tw_", "gemm", "tw_a b", "tw_a/b", "tw_\x80"};
    struct tw_profile p;

    (void)state;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        p = some_profile();
        p.shares[1].share[1][19] = values[v];
        assert_false(tw_profile_plausible(&p));
        assert_int_equal(tw_profile_write(in_folder("odd.json"), &p), 0);
        expect_refused(in_folder("odd.json"));
    }
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) { /* one that is not UTF-8 is not written at all */
        p = some_profile();
        strcpy(p.shares[0].symbol, symbols[k]);
        assert_false(tw_profile_plausible(&p));
        if (!tw_profile_write(in_folder("odd.json"), &p)) expect_refused(in_folder("odd.json"));
    }
    p = some_profile(); /* as many as there may be */
    p.nshares = TW_PROFILE_SHARES;
    for (int k = 0; k < TW_PROFILE_SHARES; k++) {
        p.shares[k] = p.shares[0];
        snprintf(p.shares[k].symbol, sizeof p.shares[k].symbol, "tw_%d", k);
    }
    assert_int_equal(tw_profile_write(in_folder("many.json"), &p), 0);
    assert_true(readable(in_folder("many.json"), &p) && p.nshares == TW_PROFILE_SHARES);
}

/* A member of "gpus" is put in place of the last one, with a checksum that is right for what is left of it, or not. */
static void factors_that_no_gpu_has_are_refused(void **state)
{
    static const double values[] = {-1, 1e-4, 1e4, 0.005, 101};
    static const char *const members[] = {
        "\"3\": 1",
        "\"3\": {\"products\": 1.0}",
        "\"3\": {\"products\": 1.0, \"memory\": \"1\"}",
        "\"03\": {\"products\": 0.51234, \"memory\": 0.76234}",
        "\"4\": {\"products\": 0.51234, \"memory\": 0.76234}",
        "\"-1\": {\"products\": 0.51234, \"memory\": 0.76234}",
        "\"64\": {\"products\": 0.51234, \"memory\": 0.76234}",
        "\"three\": {\"products\": 0.51234, \"memory\": 0.76234}",
        "\"3\": {\"products\": 0.61234, \"memory\": 0.76234}",
    };
    struct tw_profile p;
    static char text[1 << 16], changed[1 << 16];
    char *from, *to;
    size_t n;

    (void)state;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        p = some_profile();
        p.factor[3][TW_FACTOR_MEMORY] = values[v];
        assert_false(tw_profile_plausible(&p));
        if (values[v] < 0) continue; /* as one of which nothing is known: not written */
        assert_int_equal(tw_profile_write(in_folder("odd.json"), &p), 0);
        expect_refused(in_folder("odd.json"));
    }
    p = some_profile();
    assert_int_equal(tw_profile_write(in_folder("odd.json"), &p), 0);
    n = read_bytes(in_folder("odd.json"), text, sizeof text - 1);
    text[n] = 0;
    assert_non_null(from = strstr(text, "\"gpus\": {"));
    assert_non_null(from = strstr(from, "\"3\": {"));
    assert_non_null(to = strchr(from, '}'));
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        n = (size_t)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(from - text), text, members[k], to + 1);
        write_bytes(in_folder("odd.json"), changed, n);
        expect_refused(in_folder("odd.json"));
    }
    n = (size_t)snprintf(changed, sizeof changed, "%.*s%s%s", (int)(from - text), text,
                         "\"3\": {\"memory\": 0.76234, \"products\": 0.51234}", to + 1);
    write_bytes(in_folder("odd.json"), changed, n);
    assert_true(readable(in_folder("odd.json"), &p)); /* the same in another order */
    assert_true(p.factor[3][TW_FACTOR_PRODUCTS] == 0.51234 && p.factor[1][TW_FACTOR_PRODUCTS] == 0);
}

static void numbers_that_no_machine_has_are_refused(void **state)
{
    static const double values[] = {0, -1, 1e-300, 1e300, -1e300, 3e6};
    struct tw_profile p;

    (void)state;
    for (size_t v = 0; v < sizeof values / sizeof *values; v++)
        for (int where = 0; where < 5; where++) { /* with the right checksum */
            p = some_profile();
            *(where == 0   ? &p.cpu.gflops[TW_DOUBLE][TW_RATE_POTRF][2]
              : where == 1 ? &p.cuda.gflops[TW_FLOAT][TW_RATE_MEMORY][0]
              : where == 2 ? &p.gain[TW_COMPLEX_FLOAT][3][2]
              : where == 3 ? &p.link[TW_LINK_HOST]
                           : &p.launch[0]) = values[v];
            assert_int_equal(tw_profile_write(in_folder("odd.json"), &p), 0);
            expect_refused(in_folder("odd.json"));
        }
    p = some_profile();
    p.link[TW_LINK_HOST] = NAN; /* JSON has no name for it: nothing is written, and what was there stays */
    assert_true(tw_profile_write(in_folder("odd.json"), &p) < 0);
    expect_refused(in_folder("odd.json"));
}

/* Changed bytes are found, or do not matter: whatever is accepted has the numbers that were written. */
static void mutations_never_change_a_number(void **state)
{
    const struct tw_profile good = some_profile();
    static char text[1 << 16], changed[1 << 16];
    unsigned x = 1;
    size_t n;
    int accepted = 0;

    (void)state;
    assert_int_equal(tw_profile_write(in_folder("good.json"), &good), 0);
    n = read_bytes(in_folder("good.json"), text, sizeof text);
    for (int round = 0; round < 3000; round++) {
        struct tw_profile p = good;
        int changes = 1 + round % 3;
        memcpy(changed, text, n);
        for (int k = 0; k < changes; k++) {
            x = x * 1664525u + 1013904223u;
            size_t at = (x >> 8) % n;
            x = x * 1664525u + 1013904223u;
            changed[at] = (char)(round % 2 ? "0123456789.-eE{}[]\",:"[(x >> 16) % 21] : (int)(x >> 16) & 0xff);
        }
        write_bytes(in_folder("mutant.json"), changed, n);
        if (!readable(in_folder("mutant.json"), &p)) continue;
        accepted++;
        if (!same_numbers(&p, &good)) fail_msg("round %d: accepted with other numbers", round);
    }
    assert_in_range(accepted, 1, 1500); /* blanks and comments may change, most bytes may not */
}

/* ---- the key ----------------------------------------------------------------------------------------------------- */

static void another_machine_has_another_profile(void **state)
{
    struct tw_profile p = some_profile(), q = p;
    uint64_t hash = tw_key_hash(&p.key);
    const char *why;

    (void)state;
    assert_int_equal(tw_profile_write(in_folder("good.json"), &p), 0);
    for (int k = 0; k < TW_KEY_FIELDS; k++) {
        struct tw_profile_key key;
        tw_key_fake(tw_key_name[k], "something\nelse");
        tw_key_make(&key);
        tw_key_fake(NULL, NULL);
        assert_true(tw_key_hash(&key) != hash);
        assert_string_equal(key.value[k], "something?else"); /* plain text whatever names there are */
        if (tw_profile_read(in_folder("good.json"), &key, &q, &why)) fail_msg("%s does not matter", tw_key_name[k]);
        assert_non_null(strstr(why, "another machine"));
    }
    tw_key_make(&q.key);
    assert_true(tw_key_hash(&q.key) == hash);
}

static tw_profile_facts started(const char *cache)
{
    tw_profile_facts f;
    tw_options o;
    tw_options_init(&o);
    o.cache_dir = cache;
    tt_expect_info(tw_init(&o), 0, "tw_init");
    tt_expect_info(tw_profile_facts_get(&f), 0, "facts");
    return f;
}
static void stop(void)
{
    tt_expect_info(tw_finalize(), 0, "tw_finalize");
}

static void a_new_driver_means_a_new_probe(void **state)
{
    char first[1100], second[1100];
    tw_profile_facts f;

    (void)state;
    f = started(in_folder("cache"));
    assert_true(f.kept && f.seconds > 0 && f.nkeys == TW_KEY_FIELDS);
    snprintf(first, sizeof first, "%s", f.path);
    stop();
    tw_key_fake("cuda_driver", "99999");
    f = started(in_folder("cache"));
    snprintf(second, sizeof second, "%s", f.path);
    assert_true(f.kept);
    stop();
    tw_key_fake(NULL, NULL);
    assert_string_not_equal(first, second);
    assert_int_equal(access(first, R_OK), 0);
    assert_int_equal(access(second, R_OK), 0);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static void one_bad_sample_does_not_poison(void **state)
{
    struct tw_profile p = some_profile();
    double *gemm = p.cpu.gflops[TW_DOUBLE][TW_RATE_GEMM], *potrf = p.cpu.gflops[TW_DOUBLE][TW_RATE_POTRF],
           before = gemm[3];

    (void)state;
    gemm[3] = 1e-3; /* the process was stopped meanwhile */
    gemm[4] = 1e3;  /* the clock was set back */
    potrf[4] = 500;
    p.gain[TW_DOUBLE][2][2] = 0.5;
    tw_profile_tidy(&p);
    assert_true(gemm[3] > 0.7 * gemm[2] && gemm[3] < 2 * before);
    assert_true(gemm[4] < 3 * before && gemm[4] >= 0.75 * gemm[3]);
    assert_true(potrf[4] < 3 * before);
    assert_true(p.gain[TW_DOUBLE][2][2] >= 0.8 * p.gain[TW_DOUBLE][2][1]);
    assert_true(tw_profile_plausible(&p));
}

static void every_question_has_a_sound_answer(void **state)
{
    static const double sizes[] = {-1, 0, 1, 31, 100, 256, 700, 4096, 100000};
    (void)state;
    for (int running = 0; running < 2; running++) {
        if (running) started(in_folder("cache"));
        for (int t = 0; t < TW_NTYPES; t++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                double one = tw_profile_rate(1, TW_RATE_GEMM, (enum tw_type)t, sizes[k]), last = 0;
                for (int r = 0; r < TW_NRATES; r++)
                    for (int cuda = 0; cuda < 2; cuda++) {
                        double g = tw_profile_rate(cuda, (enum tw_rate)r, (enum tw_type)t, sizes[k]);
                        assert_true(g > 0 && g < 1e7);
                    }
                for (double streams = 0; streams <= 9; streams += 0.5) {
                    double g = tw_profile_streams((enum tw_type)t, sizes[k], streams);
                    assert_true(g >= 0.5 * one && g <= (streams > 1 ? streams : 1) * one * 1.0001);
                    assert_true(g >= 0.7 * last);
                    last = g;
                }
            }
        for (int l = 0; l < TW_NLINKS; l++)
            assert_true(tw_profile_link((enum tw_link)l) > 0);
        assert_true(tw_profile_launch(0) > 0 && tw_profile_launch(0) < 1e-2 && tw_profile_launch(1) > 0);
        if (running) stop();
    }
}

static void entries_list_the_profile(void **state)
{
    static tw_profile_entry e[1024];
    int count, rates = 0;

    (void)state;
    started(in_folder("cache"));
    count = tw_profile_entries(NULL, 0);
    assert_in_range(count, 4 * TW_NRATES * TW_PROFILE_SIZES + 2, 1024);
    assert_int_equal(tw_profile_entries(e, 1024), count);
    for (int k = 0; k < count; k++) {
        assert_true(e[k].value > 0 && e[k].device && e[k].what && e[k].unit);
        assert_int_equal(e[k].type != 0, e[k].order != 0);
        if (!strcmp(e[k].device, "cpu") && e[k].type == 'd' && !strcmp(e[k].what, "gemm") && e[k].order == 520) {
            assert_true(fabs(e[k].value / tw_profile_rate(0, TW_RATE_GEMM, TW_DOUBLE, 520) - 1) < 1e-12);
            rates++;
        }
    }
    assert_int_equal(rates, 1);
    stop();
}

static void calibrating(void **state)
{
    tw_profile_facts f;
    double begin;

    (void)state;
    f = started(in_folder("cache"));
    begin = tt_seconds();
    tt_expect_info(tw_calibrate(1), 0, "tw_calibrate");
    assert_true(tt_seconds() - begin >= 0.9);
    tt_expect_info(tw_profile_facts_get(&f), 0, "facts");
    assert_true(f.kept && f.seconds >= 0.9 && f.age < 60);
    assert_true(tw_profile_plausible(&tw_profile));
    tt_expect_info(tw_calibrate(0.5), -1, "too short");
    tt_expect_info(tw_calibrate(NAN), -1, "NaN");
    tt_expect_info(tw_calibrate(1e9), -1, "too long");
    stop();
    started("/dev/null/nowhere");
    tt_expect_info(tw_calibrate(1), TW_E_IO, "a folder that cannot be");
    assert_true(tw_profile_plausible(&tw_profile));
    stop();
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static void phases_add_up(void **state)
{
    tw_phase phase[16];
    double begin, wall, sum = 0;
    int count;

    (void)state;
    begin = tt_seconds();
    started(in_folder("cache"));
    wall = tt_seconds() - begin;
    count = tw_start_phases(phase, 16);
    assert_in_range(count, 3, 16);
    assert_non_null(strstr(phase[0].name, "before")); /* what came before tw_init */
    for (int k = 1; k < count; k++) {
        assert_true(phase[k].name && phase[k].seconds >= 0);
        sum += phase[k].seconds;
    }
    assert_true(sum <= wall + 1e-3 && sum > 0.2 * wall);
    stop();
    assert_in_range(tw_stop_phases(phase, 16), 2, 16);
    assert_in_range(tw_stop_phases(NULL, 0), 2, 16);
}

/* In a process of its own: start, and say where the profile is and whether it was kept. */
static int child(void)
{
    tw_profile_facts f;
    int e = tw_profile_facts_get(&f);
    if (e) {
        printf("error %d %s\n", e, tw_last_message());
        return 1;
    }
    if (!tw_profile_plausible(&tw_profile)) {
        printf("absurd numbers\n");
        return 1;
    }
    printf("kept %d %s\n", f.kept, f.path);
    return tw_finalize() != 0;
}

static const char *child_argument = "child";
static void expect_start(const char *const *env, int kept)
{
    char out[8192];
    int got, status = tt_run_self(child_argument, env, 120, out, sizeof out);
    const char *line = strstr(out, "kept ");
    if (status != 0 || !line || sscanf(line, "kept %d", &got) != 1) fail_msg("status %d: %s", status, out);
    if (got != kept) fail_msg("expected kept = %d: %s", kept, out);
}

static void starts_wherever_it_is(void **state)
{
    char cache[4500], home[4500];
    (void)state;
    snprintf(home, sizeof home, "HOME=%s", in_folder("home"));
    /* no variable at all; a home that cannot be; one that is a file's child; a cache folder that cannot be written
     * to */
    expect_start((const char *const[]){"TILEWORK_CACHE_DIR", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME",
                                       "HOME", NULL},
                 0);
    expect_start(
        (const char *const[]){"TILEWORK_CACHE_DIR", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "HOME=/proc", NULL}, 0);
    expect_start(
        (const char *const[]){"TILEWORK_CACHE_DIR", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", "HOME=/dev/null/x", NULL},
        0);
    expect_start((const char *const[]){"TILEWORK_CACHE_DIR=/proc/none", NULL}, 0);
    expect_start((const char *const[]){"TILEWORK_CACHE_DIR", "STARPU_HOME", "STARPU_PERF_MODEL_DIR", home, NULL}, 1);
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s/a/b/c", folder); /* made on the way */
    expect_start((const char *const[]){cache, NULL}, 1);
}

/* What StarPU measures where the locale writes 1,5 has points, for programs in other locales. */
static void measured_in_another_locale(void **state)
{
    char cache[4500], home[4500], list[9200];
    (void)state;
    if (!tt_decimal_commas()) {
        print_message("skipped: localedef (package locales) cannot make a locale with a decimal comma here\n");
        skip();
    }
    tt_decimal_points();
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", in_folder("comma"));
    snprintf(home, sizeof home, "STARPU_HOME=%s", in_folder("comma-starpu"));
    child_argument = "child-comma";
    expect_start((const char *const[]){cache, home, "STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME", NULL}, 1);
    child_argument = "child";
    snprintf(list, sizeof list, "find '%s' -name '*.latency' -exec cat {} + | grep -q '[0-9][.][0-9]'",
             in_folder("comma-starpu"));
    assert_int_equal(system(list), 0);
    snprintf(list, sizeof list, "grep -rq '[0-9],[0-9][0-9]*e' '%s'", in_folder("comma-starpu"));
    assert_int_not_equal(system(list), 0);
}

/* The one profile of a folder. */
static void find_profile(const char *dir, char path[4700])
{
    DIR *d = opendir(dir);
    int found = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        if (!strncmp(e->d_name, "profile-", 8) && !strstr(e->d_name, ".tmp-")) {
            snprintf(path, 4700, "%.4400s/%.255s", dir, e->d_name);
            found++;
        } else if (e->d_name[0] != '.' && strcmp(e->d_name, "profile.lock") != 0) {
            fail_msg("%s was left in %s", e->d_name, dir);
        }
    }
    closedir(d);
    assert_int_equal(found, 1);
}

/* When the profile of this folder was written: renamed files keep their own time. */
static struct timespec written(const char *dir)
{
    char path[4700];
    struct stat there;
    find_profile(dir, path);
    assert_int_equal(stat(path, &there), 0);
    return there.st_mtim;
}
static int same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static void measured_once_again_when_asked_or_damaged(void **state)
{
    char cache[4500], dir[4400], path[4700];
    struct timespec first, second;

    (void)state;
    snprintf(dir, sizeof dir, "%s", in_folder("again"));
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", dir);
    expect_start((const char *const[]){cache, NULL}, 1);
    first = written(dir);
    expect_start((const char *const[]){cache, NULL}, 1);
    assert_true(same_time(first, written(dir))); /* read, not measured */
    expect_start((const char *const[]){cache, "TILEWORK_REPROBE=1", NULL}, 1);
    second = written(dir);
    assert_false(same_time(first, second));
    find_profile(dir, path);
    write_bytes(path, "{\"format\": 3", 12);
    first = written(dir);
    expect_start((const char *const[]){cache, NULL}, 1);
    second = written(dir);
    assert_false(same_time(first, second));
    expect_start((const char *const[]){cache, NULL}, 1);
    assert_true(same_time(second, written(dir)));
}

/* What was damaged is said, what only is not there yet is not. */
static void a_notice_says_what_was_damaged(void **state)
{
    char cache[4500], dir[4400], path[4700], out[8192];
    (void)state;
    snprintf(dir, sizeof dir, "%s", in_folder("notice"));
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", dir);
    for (int damaged = 0; damaged < 2; damaged++) {
        if (damaged) find_profile(dir, path), write_bytes(path, "{\"format\": 3", 12);
        assert_int_equal(tt_run_self("child", (const char *const[]){cache, NULL}, 60, out, sizeof out), 0);
        if (damaged != (strstr(out, "damaged") != NULL)) fail_msg("damaged: %d: %s", damaged, out);
    }
}

/* A pipe under its name is neither read nor written, both of which would wait for somebody at its other end. */
static void a_pipe_stops_nobody(void **state)
{
    char cache[4500], dir[4400], path[4700], out[8192];
    struct stat there;
    (void)state;
    snprintf(dir, sizeof dir, "%s", in_folder("pipe"));
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", dir);
    expect_start((const char *const[]){cache, NULL}, 1);
    find_profile(dir, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(tt_run_self("child", (const char *const[]){cache, NULL}, 60, out, sizeof out), 0);
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
}

struct starter {
    pthread_t thread;
    const char *const *env;
    int status;
    char out[4096];
};
static void *start_one(void *arg)
{
    struct starter *s = arg;
    s->status = tt_run_self("child", s->env, 250, s->out, sizeof s->out);
    return NULL;
}

/* Nobody has started here before, neither Tilework nor StarPU: eight processes find the folders empty at the same
 * time. */
static void eight_first_starts_at_once(void **state)
{
    char cache[4500], home[4500], path[4700];
    const char *const env[] = {cache, home, "STARPU_PERF_MODEL_DIR", "XDG_CACHE_HOME", NULL};
    static struct starter s[8];

    (void)state;
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", in_folder("eight"));
    snprintf(home, sizeof home, "STARPU_HOME=%s", in_folder("eight-starpu"));
    for (int k = 0; k < 8; k++) {
        s[k].env = env;
        assert_int_equal(pthread_create(&s[k].thread, NULL, start_one, &s[k]), 0);
    }
    for (int k = 0; k < 8; k++)
        pthread_join(s[k].thread, NULL);
    for (int k = 0; k < 8; k++)
        if (s[k].status != 0 || !strstr(s[k].out, "kept 1"))
            fail_msg("process %d: status %d: %s", k, s[k].status, s[k].out);
    find_profile(in_folder("eight"), path); /* one sound file, and nothing half done beside it */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(the_format_before_is_read),
        cmocka_unit_test(what_is_no_profile_is_refused),
        cmocka_unit_test(shares_that_no_codelet_has_are_refused),
        cmocka_unit_test(factors_that_no_gpu_has_are_refused),
        cmocka_unit_test(numbers_that_no_machine_has_are_refused),
        cmocka_unit_test(mutations_never_change_a_number),
        cmocka_unit_test(another_machine_has_another_profile),
        cmocka_unit_test(a_new_driver_means_a_new_probe),
        cmocka_unit_test(one_bad_sample_does_not_poison),
        cmocka_unit_test(every_question_has_a_sound_answer),
        cmocka_unit_test(entries_list_the_profile),
        cmocka_unit_test(calibrating),
        cmocka_unit_test(phases_add_up),
        cmocka_unit_test(starts_wherever_it_is),
        cmocka_unit_test(measured_in_another_locale),
        cmocka_unit_test(measured_once_again_when_asked_or_damaged),
        cmocka_unit_test(a_notice_says_what_was_damaged),
        cmocka_unit_test(a_pipe_stops_nobody),
        cmocka_unit_test(eight_first_starts_at_once),
    };
    const char *build = getenv("TILEWORK_BUILD");

    if (argc == 2 && !strcmp(argv[1], "child")) return child();
    if (argc == 2 && !strcmp(argv[1], "child-comma")) return tt_decimal_commas() ? child() : 3;
    snprintf(folder, sizeof folder, "%s/test-state/profile-XXXXXX", build ? build : "/tmp");
    if (!mkdtemp(folder)) snprintf(folder, sizeof folder, "/tmp/tilework-profile-XXXXXX");
    if (strstr(folder, "XXXXXX") && !mkdtemp(folder)) return 1;
    return tt_run(tests);
}
