/* Files of signals and images, exactly: what is read, what is written, what is refused. The corpus of the fuzzer has
 * the odd cases. */
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

/* ---- PNG, read here by the book ---- */

static uint32_t word(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static uint32_t crc_of(const unsigned char *p, size_t n)
{
    uint32_t c = ~0u;
    for (size_t k = 0; k < n; k++)
        for (int bit = 0; bit < 8; bit++) {
            uint32_t one = (c ^ (uint32_t)(p[k] >> bit)) & 1;
            c = c >> 1 ^ (one ? 0xEDB88320u : 0);
        }
    return ~c;
}

/* The pixels of a file whose data are stored, not compressed; sets the size. Checks everything on the way. */
static unsigned char *png_pixels(const char *name, uint32_t *width, uint32_t *height, int *colours)
{
    unsigned char *data = malloc(1 << 20), *z = malloc(1 << 20), *raw = malloc(1 << 20);
    size_t size, at = 8, nz = 0, n = 0;
    uint32_t a = 1, b = 0;
    int last = 0;
    FILE *f = fopen(name, "rb");

    assert_non_null(f);
    size = fread(data, 1, 1 << 20, f);
    fclose(f);
    assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
    for (int k = 0; memcmp(data + at + 4, "IEND", 4) != 0; k++) {
        uint32_t length = word(data + at);
        assert_true(at + 12 + length <= size);
        assert_int_equal(word(data + at + 8 + length), crc_of(data + at + 4, length + 4));
        if (k == 0) {
            assert_memory_equal(data + at + 4, "IHDR", 4);
            *width = word(data + at + 8);
            *height = word(data + at + 12);
            assert_int_equal(data[at + 16], 8);
            *colours = data[at + 17] == 2 ? 3 : 1;
        } else {
            assert_memory_equal(data + at + 4, "IDAT", 4);
            memcpy(z + nz, data + at + 8, length);
            nz += length;
        }
        at += 12 + length;
    }
    assert_int_equal(at + 12, size);
    assert_int_equal((z[0] << 8 | z[1]) % 31, 0);
    for (at = 2; !last;) {
        size_t length = (size_t)z[at + 1] | (size_t)z[at + 2] << 8;
        last = z[at];
        assert_int_equal(length ^ 0xffff, (size_t)z[at + 3] | (size_t)z[at + 4] << 8);
        memcpy(raw + n, z + at + 5, length);
        n += length;
        at += 5 + length;
    }
    for (size_t k = 0; k < n; k++)
        a = (a + raw[k]) % 65521, b = (b + a) % 65521;
    assert_int_equal(word(z + at), b << 16 | a);
    assert_int_equal(at + 4, nz);
    assert_int_equal(n, (size_t)*height * ((size_t)*width * (size_t)*colours + 1));
    free(data);
    free(z);
    return raw;
}

static void png(void **state)
{
    tw_signal s = {.type = TW_DOUBLE, .rank = 3, .n = {150, 301, 3}, .count = 150 * 301 * 3};
    (void)state;
    s.data = malloc(sizeof(double) * (size_t)s.count);
    for (tw_int k = 0; k < s.count; k++)
        ((double *)s.data)[k] = (double)(k * 37 % 300 - 10) / 255; /* some below and above what a pixel can be */
    for (int grey = 0; grey < 2; grey++) {
        uint32_t width = 0, height = 0;
        int colours = 0;
        unsigned char *raw;
        assert_int_equal(tw_signal_write(file("a.png"), &s), 0);
        raw = png_pixels(path, &width, &height, &colours);
        assert_true(width == 301 && height == 150 && colours == (grey ? 1 : 3));
        for (tw_int k = 0; k < s.count; k++) {
            tw_int line = 301 * colours, value = k * 37 % 300 - 10;
            assert_int_equal(raw[k / line * (line + 1)], 0);
            assert_int_equal(raw[k / line * (line + 1) + 1 + k % line], value < 0 ? 0 : value > 255 ? 255 : value);
        }
        free(raw);
        s.rank = 2, s.n[2] = 0, s.count = 150 * 301;
    }
    s.rank = 1;
    assert_int_equal(tw_signal_write(path, &s), TW_E_UNSUPPORTED);
    free(s.data);
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
                                       cmocka_unit_test(png), cmocka_unit_test(refused)};
    const char *const made[] = {"a.npy", "a.wav", "a.pgm", "a.ppm", "a.png", "text"};
    int failed;

    if (!mkdtemp(dir)) return 1;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t k = 0; k < sizeof made / sizeof *made; k++)
        unlink(file(made[k]));
    rmdir(dir);
    return failed;
}
