/* FFTW's wisdom in the cache directory: kept, read again, and thrown away with a notice when it is damaged. FFTW itself
 * would end the program in an assertion at some of these files. */
#include <math.h>
#include <sys/stat.h>
#include <tilework/fft.h>
#include <unistd.h>

#include "tt.h"

static char dir[] = "/tmp/tw-wisdom-XXXXXX", path[64], cache[80];

/* In a process of its own: transforms there and back with measured plans, keeps the wisdom. */
static int transform(void)
{
    static const tw_int sizes[] = {1155, 4096, 2310};
    for (int k = 0; k < 3; k++) {
        tw_int n = sizes[k];
        double *x = malloc(2 * (size_t)n * sizeof *x), worst = 0;
        tw_fft *p;
        int e;
        for (tw_int i = 0; i < 2 * n; i++)
            x[i] = tt_uniform(7, i, 0);
        for (int sign = -1; sign <= 1; sign += 2) {
            if ((e = tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, sign, NULL)) || (e = tw_fft_execute(p, x, x))) {
                printf("%s\n", tw_last_message());
                return 1;
            }
            tw_fft_destroy(p);
        }
        for (tw_int i = 0; i < 2 * n; i++)
            worst = fmax(worst, fabs(x[i] / (double)n - tt_uniform(7, i, 0)));
        free(x);
        if (!(worst < 1e-13)) return 2;
    }
    return tw_fft_save_wisdom() ? 3 : 0;
}

static void run(const char *what, int at, int notice)
{
    const char *const env[] = {cache, "TILEWORK_FFT_RIGOR=measure", "TILEWORK_FFT_PATH=direct",
                               "TILEWORK_FFT_TIMELIMIT=0.05", NULL};
    char out[4096];
    int r = tt_run_self("transform", env, 120, out, sizeof out);

    if (r != 0) fail_msg("%s at %d: ended with %d: %s", what, at, r, out);
    if (notice != (strstr(out, "thrown away") != NULL))
        fail_msg("%s at %d: a notice is %s: %s", what, at, notice ? "missing" : "there", out);
}

static char *content(size_t *length)
{
    FILE *f = fopen(path, "r");
    char *text = malloc(1 << 20);
    assert_non_null(f);
    *length = fread(text, 1, 1 << 20, f);
    fclose(f);
    return text;
}
static void put(const char *text, size_t length)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, length, f), length);
    fclose(f);
}

static void kept(void **state)
{
    (void)state;
    run("no file", 0, 0);
    run("kept", 0, 0);
}

/* One digit changed, a piece missing, a piece twice, another version of FFTW. */
static void damaged(void **state)
{
    size_t length, body;
    char *good = content(&length), *bad = malloc(2 * length + 8);
    (void)state;
    assert_true(length > 300);
    body = (size_t)(strchr(good, '\n') + 1 - good);
    for (int k = 0; k < 12; k++) {
        size_t at =
            body + (size_t)(tt_uniform(3, k, 0) * 0.5 * (double)(length - body) + 0.5 * (double)(length - body));
        memcpy(bad, good, length);
        bad[at] = bad[at] == '1' ? '2' : '1';
        put(bad, length);
        run("changed", (int)at, 1);
    }
    for (size_t at = 1; at < length; at += length / 6 + 1) {
        put(good, at);
        run("cut", (int)at, 1);
    }
    memcpy(bad, good, length);
    memcpy(bad + length, good + body, length - body);
    put(bad, 2 * length - body);
    run("twice", 0, 1);
    put(good + body, length - body);
    run("FFTW's text alone", 0, 1);
    memset(bad, 0, 1000);
    put(bad, 1000);
    run("zeros", 0, 1);
    put(good, length);
    run("sound again", 0, 0);
    free(good);
    free(bad);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kept), cmocka_unit_test(damaged)};
    int failed;

    if (argc > 1 && !strcmp(argv[1], "transform")) return transform();
    if (!mkdtemp(dir)) return 1;
    snprintf(path, sizeof path, "%s/fftw-wisdom", dir);
    snprintf(cache, sizeof cache, "TILEWORK_CACHE_DIR=%s", dir);
    failed = tt_run(tests);
    unlink(path);
    rmdir(dir);
    return failed;
}
