/* Files of signals and images, exactly: what is read, what is written, what is refused. The corpus of the fuzzer has the odd cases. */
#include "reference.h"
#include <unistd.h>

static char dir[] = "/tmp/tilework-signal-XXXXXX", path[100];

static const char *file(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}
static void bytes(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(file(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    fclose(f);
}
static const char *corpus(const char *name)
{
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/signal/%s",
             getenv("TILEWORK_SOURCE") ? getenv("TILEWORK_SOURCE") : ".", name);
    return path;
}

static void npy(void **state)
{
    static const enum tw_type types[] = {TW_FLOAT, TW_DOUBLE, TW_COMPLEX_FLOAT, TW_COMPLEX_DOUBLE};
    double numbers[2 * 24];
    uint64_t seed = 4;
    tw_signal s;
    (void)state;
    for (int k = 0; k < 48; k++)
        numbers[k] = uniform(&seed);
    for (int t = 0; t < 4; t++)
        for (int rank = 1; rank <= 4; rank++) {
            tw_signal w = {.type = types[t],
                           .rank = rank,
                           .n = {rank == 1   ? 24
                                 : rank == 2 ? 4
                                             : 2,
                                 6, rank == 3 ? 2 : 1, 2},
                           .count = 24,
                           .data = numbers};
            assert_int_equal(tw_signal_write(file("a.npy"), &w), 0);
            assert_int_equal(tw_signal_read(path, &s), 0);
            assert_int_equal(s.type, w.type);
            assert_int_equal(s.rank, rank);
            assert_int_equal(s.count, 24);
            assert_memory_equal(s.n, w.n, (size_t)rank * sizeof *s.n);
            assert_memory_equal(s.data, numbers, 24 * (size_t)(t % 2 ? 8 : 4) * (size_t)(t / 2 + 1));
            tw_signal_free(&s);
            assert_null(s.data);
        }
    assert_int_equal(tw_signal_read(corpus("npy_i2"), &s), 0);
    assert_true(((double *)s.data)[0] == -1 && ((double *)s.data)[2] == -32768 && ((double *)s.data)[3] == 32767);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_read(corpus("npy_i8"), &s), 0);
    assert_true(((double *)s.data)[0] == -5 && ((double *)s.data)[1] == 0x1p60);
    tw_signal_free(&s);
}

static void wav(void **state)
{
    double samples[6] = {0, 0.5, -1, 1, -0.25, 7};
    tw_signal s, w = {.type = TW_DOUBLE, .rank = 2, .n = {3, 2}, .count = 6, .data = samples, .rate = 8000};
    (void)state;
    assert_int_equal(tw_signal_write(file("a.wav"), &w), 0);
    assert_int_equal(tw_signal_read(path, &s), 0);
    assert_true(s.rate == 8000 && s.rank == 2 && s.n[0] == 3 && s.n[1] == 2);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(((double *)s.data)[k] - fmin(samples[k], 1)) <= 1.0 / 32768);
    assert_true(((double *)s.data)[2] == -1);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_read(corpus("wav_8_stereo"), &s), 0);
    assert_true(((double *)s.data)[0] == -1 && ((double *)s.data)[1] == 0 && s.n[1] == 2);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_read(corpus("wav_24"), &s), 0);
    assert_true(((double *)s.data)[0] == -1 && ((double *)s.data)[1] == 1 - 0x1p-23);
    tw_signal_free(&s);
    w.rate = 0;
    assert_int_equal(tw_signal_write(file("b.wav"), &w), TW_E_UNSUPPORTED);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void images(void **state)
{
    double pixels[6] = {0, 1, 0.5, -3, 9, 0.2};
    tw_signal s, w = {.type = TW_DOUBLE, .rank = 2, .n = {2, 3}, .count = 6, .data = pixels};
    (void)state;
    assert_int_equal(tw_signal_write(file("a.pgm"), &w), 0);
    assert_int_equal(tw_signal_read(path, &s), 0);
    assert_true(s.rank == 2 && s.n[0] == 2 && s.n[1] == 3);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(((double *)s.data)[k] - fmax(0, fmin(1, pixels[k]))) <= 0.5 / 255 + 1e-15);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_write(file("a.ppm"), &w), TW_E_UNSUPPORTED);
    w.rank = 3, w.n[0] = 1, w.n[1] = 2, w.n[2] = 3;
    assert_int_equal(tw_signal_write(file("a.ppm"), &w), 0);
    assert_int_equal(tw_signal_read(path, &s), 0);
    assert_true(s.rank == 3 && s.n[1] == 2 && s.n[2] == 3);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_read(corpus("pgm_ascii"), &s), 0);
    assert_true(((double *)s.data)[5] == 1 && s.n[0] == 2);
    tw_signal_free(&s);
    assert_int_equal(tw_signal_read(corpus("pgm_16"), &s), 0);
    assert_true(((double *)s.data)[0] == 1.0 / 65535 && ((double *)s.data)[1] == 1);
    tw_signal_free(&s);
}

static void refused(void **state)
{
    static const char *const broken[] = {"npy_big_endian",
                                         "npy_fortran",
                                         "npy_too_large",
                                         "npy_overflow",
                                         "npy_zero",
                                         "npy_five",
                                         "npy_cut",
                                         "npy_object",
                                         "wav_12_bits",
                                         "wav_no_data",
                                         "wav_no_channels",
                                         "pgm_too_bright",
                                         "pgm_cut",
                                         "pgm_huge",
                                         "pgm_negative",
                                         "empty",
                                         "p",
                                         "p_nul"};
    tw_signal s;
    (void)state;
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        int e = tw_signal_read(corpus(broken[k]), &s);
        if (e != TW_E_FORMAT || !strstr(tw_last_message(), broken[k]))
            fail_msg("%s gave %d: %s", broken[k], e, tw_last_message());
        assert_null(s.data);
    }
    bytes("text", "hello", 5);
    assert_int_equal(tw_signal_read(file("text"), &s), TW_E_FORMAT);
    assert_int_equal(tw_signal_read(file("none"), &s), TW_E_IO);
    assert_int_equal(tw_signal_read(dir, &s), TW_E_IO);
    assert_int_equal(tw_signal_read(NULL, &s), -1);
    assert_int_equal(tw_signal_read(path, NULL), -2);
    assert_int_equal(tw_signal_write(path, NULL), -2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(npy), cmocka_unit_test(wav), cmocka_unit_test(images),
                                       cmocka_unit_test(refused)};
    const char *const made[] = {"a.npy", "a.wav", "a.pgm", "a.ppm", "text"};
    int failed;

    if (!mkdtemp(dir)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        unlink(file(made[k]));
    rmdir(dir);
    return failed;
}
