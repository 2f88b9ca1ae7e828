/* Kernels of the user's as objects: the C function and the CUDA source against a plain sum, both precisions, tiles that
 * do not divide the particles, row numbers, parameters; what does not compile; what is illegal; a second start of the
 * library. Without a GPU the source is compiled only. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tt.h"
#include "codelets/nbody/function.h"
#include "kernels/nbody/cuda/pairs.h"

/* A Gaussian of charges, the number of pairs of a particle with itself, and the sum of the sources' row numbers. */
struct parameters {
    double alpha;
    int power;
};

static const char source[] =
    "struct parameters { double alpha; int power; };\n"
    "__device__ void tw_pair(tw_index i, const tw_real *t, tw_index j, const tw_real *s, tw_real *r,\n"
    "                        const void *user)\n"
    "{\n"
    "    const parameters *p = (const parameters *)user;\n"
    "    const tw_real x = t[0] - s[0], y = t[1] - s[1], w = s[2];\n"
    "    r[0] += (p->power == 2 ? w * w : w) * exp(-(tw_real)p->alpha * (x * x + y * y));\n"
    "    r[1] += i == j ? 1 : 0;\n"
    "    r[2] += (tw_real)j;\n"
    "}\n";

#define LOOP(T)                                                                                                        \
    for (int i = 0; i < nt; i++)                                                                                       \
        for (int j = 0; j < ns; j++) {                                                                                 \
            const T *t = (const T *)target + i, *s = (const T *)sources + j;                                           \
            T *r = (T *)result + i;                                                                                    \
            const T x = t[0] - s[0], y = t[ld_target] - s[ld_source], w = s[2 * ld_source];                            \
            r[0] += (T)((p->power == 2 ? w * w : w) * exp(-p->alpha * (double)(x * x + y * y)));                       \
            r[ld_result] += first_target + i == first_source + j ? 1 : 0;                                              \
            r[2 * ld_result] += (T)(first_source + j);                                                                 \
        }

static int on_cpu(const void *user, enum tw_type type, tw_int first_target, int nt, const void *target, int ld_target,
                  tw_int first_source, int ns, const void *sources, int ld_source, void *result, int ld_result)
{
    const struct parameters *p = user;

    if (type == TW_FLOAT) {
        LOOP(float)
    } else {
        LOOP(double)
    }
    return 0;
}

static int gpus(void)
{
    tw_machine m;
    assert_int_equal(tw_machine_info(&m), 0);
    return m.cuda_workers > 0;
}

/* ---- right results ----------------------------------------------------------------------------------------------- */

static void compare(enum tw_type t, tw_int ns, tw_int nt, int nb, tw_nbody_kernel kernel, const char *cuda, int async)
{
    const struct parameters p = {.alpha = 1.5, .power = 2};
    const int own = nt == 0;
    void *s = tt_array(t, ns, 4), *x, *r;
    tw_nbody_function *f;
    tw_matrix *S, *X = NULL, *R;
    double worst = 0;

    nt = own ? ns : nt;
    x = own ? s : tt_array(t, nt, 2);
    r = tt_array(t, nt, 3);
    tt_random(t, 'G', ns, 4, s, ns, 5);
    if (!own) tt_random(t, 'G', nt, 2, x, nt, 6);
    tt_expect_info(tw_nbody_function_create(&f, t, 2, 3, 3, kernel, cuda, &p, sizeof p), 0, "create");
    assert_int_equal(tw_matrix_from_lapack(&S, t, TW_GENERAL, ns, 4, s, ns, nb), 0);
    if (!own) assert_int_equal(tw_matrix_from_lapack(&X, t, TW_GENERAL, nt, 2, x, nt, nb), 0);
    assert_int_equal(tw_matrix_create(&R, t, TW_GENERAL, nt, 3, nb, NULL), 0);
    if (async) {
        tw_sequence *seq;
        assert_int_equal(tw_sequence_create(&seq), 0);
        tt_expect_info(tw_nbody_apply_async(f, S, X, R, seq), 0, "queue");
        tt_expect_info(tw_sequence_destroy(seq), 0, "wait");
    } else {
        tt_expect_info(tw_nbody_apply(f, S, X, R), 0, "apply");
    }
    assert_int_equal(tw_matrix_to_lapack(R, r, nt), 0);
    for (tw_int i = 0; i < nt; i++) {
        double sum = 0, size = 0;
        for (tw_int j = 0; j < ns; j++) {
            double dx = creal(tt_get(t, x, (size_t)i)) - creal(tt_get(t, s, (size_t)j)),
                   dy = creal(tt_get(t, x, (size_t)(i + nt))) - creal(tt_get(t, s, (size_t)(j + ns))),
                   w = creal(tt_get(t, s, (size_t)(j + 2 * ns)));
            sum += w * w * exp(-p.alpha * (dx * dx + dy * dy)), size += w * w;
        }
        worst = fmax(worst, fabs(creal(tt_get(t, r, (size_t)i)) - sum) / size);
        assert_true(creal(tt_get(t, r, (size_t)(i + nt))) == (i < ns));
        assert_true(creal(tt_get(t, r, (size_t)(i + 2 * nt))) == (double)ns * (double)(ns - 1) / 2);
    }
    tt_expect("pairs", t, worst / (tt_eps(t) * (10 + sqrt((double)ns))), 0, "%s",
              cuda && !kernel ? "on GPUs" : "anywhere");
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(X) | tw_matrix_destroy(R), 0);
    assert_int_equal(tw_nbody_function_destroy(f), 0);
    if (!own) free(x);
    free(s), free(r);
}

static void all_shapes(tw_nbody_kernel kernel, const char *cuda)
{
    static const tw_int shapes[][2] = {{1, 1}, {2, 70}, {33, 0}, {100, 65}, {257, 300}, {1000, 0}};
    for (enum tw_type t = TW_FLOAT; t <= TW_DOUBLE; t++)
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            compare(t, shapes[k][0], shapes[k][1], k % 2 ? 100 : 300, kernel, cuda, k == 3);
}

static void c_function(void **state)
{
    (void)state;
    all_shapes(on_cpu, NULL);
}

static void cuda_source(void **state)
{
    (void)state;
    if (!gpus()) skip();
    all_shapes(NULL, source);
    all_shapes(on_cpu, source);
}

/* A kernel that only a GPU could compute. */
static void no_gpu(void **state)
{
    tw_nbody_function *f;
    tw_matrix *S, *R;
    (void)state;
    if (gpus()) skip();
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 1, 1, NULL,
                                            "__device__ void tw_pair(tw_index, const tw_real *, tw_index, "
                                            "const tw_real *, tw_real *r, const void *) { *r += 1; }",
                                            NULL, 0),
                   0, "create");
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 10, 1, 8, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 10, 1, 8, NULL), 0);
    tt_expect_info(tw_nbody_apply(f, S, NULL, R), TW_E_NO_WORKER, "no GPU");
    assert_non_null(strstr(tw_last_message(), "no GPU"));
    assert_int_equal(tw_nbody_function_destroy(f) | tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
}

/* The object outlives a stop of the library: it is loaded again. */
static void second_start(void **state)
{
    const struct parameters p = {.alpha = 0, .power = 1};
    double s[3 * 5] = {0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5}, r[3 * 5];
    tw_nbody_function *f;
    (void)state;
    assert_int_equal(tw_nbody_function_create(&f, TW_DOUBLE, 2, 3, 3, on_cpu, source, &p, sizeof p), 0);
    for (int round = 0; round < 2; round++) {
        tw_matrix *S, *R;
        assert_int_equal(tw_matrix_from_lapack(&S, TW_DOUBLE, TW_GENERAL, 5, 3, s, 5, 8), 0);
        assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 5, 3, 8, NULL), 0);
        tt_expect_info(tw_nbody_apply(f, S, NULL, R), 0, "apply");
        assert_int_equal(tw_matrix_to_lapack(R, r, 5), 0);
        assert_true(r[0] == 15 && r[5] == 1 && r[10] == 10);
        assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R), 0);
        assert_int_equal(tw_finalize(), 0);
    }
    assert_int_equal(tw_nbody_function_destroy(f), 0);
}

/* ---- what is wrong ----------------------------------------------------------------------------------------------- */

static void illegal_arguments(void **state)
{
    tw_nbody_function *f;
    tw_matrix *S, *F, *R, *two;
    char many[2000] = {0};
    (void)state;
    tt_expect_info(tw_nbody_function_create(NULL, TW_DOUBLE, 1, 1, 1, on_cpu, NULL, NULL, 0), -1, "NULL");
    tt_expect_info(tw_nbody_function_create(&f, TW_COMPLEX_DOUBLE, 1, 1, 1, on_cpu, NULL, NULL, 0), -2, "complex");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 0, 1, 1, on_cpu, NULL, NULL, 0), -3, "no columns");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 17, 1, on_cpu, NULL, NULL, 0), -4, "too many");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 1, -1, on_cpu, NULL, NULL, 0), -5, "too few");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 1, 1, NULL, NULL, NULL, 0), -6, "nothing");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 1, 1, on_cpu, NULL, NULL, 8), -8, "no parameters");
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 1, 1, 1, on_cpu, NULL, many, sizeof many), -9, "too much");
    assert_null(f);
    assert_int_equal(tw_nbody_function_destroy(NULL), 0);

    assert_int_equal(tw_nbody_function_create(&f, TW_DOUBLE, 2, 3, 3, on_cpu, NULL, many, sizeof(struct parameters)),
                     0);
    assert_int_equal(tw_matrix_create(&S, TW_DOUBLE, TW_GENERAL, 10, 3, 8, NULL), 0);
    assert_int_equal(tw_matrix_create(&R, TW_DOUBLE, TW_GENERAL, 10, 3, 8, NULL), 0);
    assert_int_equal(tw_matrix_create(&F, TW_FLOAT, TW_GENERAL, 10, 3, 8, NULL), 0);
    assert_int_equal(tw_matrix_create(&two, TW_DOUBLE, TW_GENERAL, 10, 2, 8, NULL), 0);
    tt_expect_info(tw_nbody_apply(NULL, S, NULL, R), -1, "NULL");
    tt_expect_info(tw_nbody_apply(f, NULL, NULL, R), -2, "NULL");
    tt_expect_info(tw_nbody_apply(f, F, NULL, R), -2, "type");
    tt_expect_info(tw_nbody_apply(f, two, NULL, R), -2, "columns");
    tt_expect_info(tw_nbody_apply(f, S, F, R), -3, "type");
    tt_expect_info(tw_nbody_apply(f, S, NULL, two), -4, "columns");
    tt_expect_info(tw_nbody_apply_async(f, S, NULL, R, NULL), -5, "NULL");
    assert_int_equal(tw_matrix_destroy(S) | tw_matrix_destroy(R) | tw_matrix_destroy(F) | tw_matrix_destroy(two), 0);
    assert_int_equal(tw_nbody_function_destroy(f), 0);
}

#ifdef TILEWORK_CUDA
/* The compiler's words come back, with the line's number in the user's source; nothing is left behind. */
static void wrong_sources(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {{"\n\nthis is no source\n", "source(3)"},
                 {"__device__ int something(int i) { return i; }", "tw_pair"},
                 {"#include <no_such_header.h>\n", "no_such_header.h"},
                 {"__device__ void tw_pair(tw_index i, const tw_real *t, tw_index j, const tw_real *s, tw_real *r,\n"
                  "                        const void *user) { r[0] += missing; }",
                  "missing"}};
    const struct tw_pairs_shape shape = {TW_DOUBLE, 2, 3, 3, sizeof(struct parameters)};
    tw_nbody_function *f;
    char *image;
    (void)state;
    if (tw_pairs_compile(&shape, source, 80, &image) == TW_E_UNSUPPORTED) skip(); /* no NVRTC on this machine */
    assert_non_null(image);
    free(image);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 2, 3, 3, on_cpu, wrong[k].text, NULL, 0), TW_E_FORMAT,
                       wrong[k].says);
        assert_null(f);
        if (!strstr(tw_last_message(), wrong[k].says)) fail_msg("no '%s' in: %s", wrong[k].says, tw_last_message());
    }
}

/* GPUs of the past and of the future: machine code where NVRTC knows them, else code for the driver (text). The most
 * columns, too. */
static void other_gpus(void **state)
{
    static const int arch[] = {80, 90, 999};
    (void)state;
    for (size_t k = 0; k < 2 * sizeof arch / sizeof *arch; k++) {
        const int most = TW_PAIRS_COLUMNS, few = k < 3, kind = arch[k % 3];
        const struct tw_pairs_shape shape = {few ? TW_FLOAT : TW_DOUBLE, few ? 2 : most, few ? 3 : most, few ? 3 : most,
                                             few ? sizeof(struct parameters) : TW_PAIRS_USER};
        char *image;
        int e = tw_pairs_compile(&shape, source, kind, &image);

        if (e == TW_E_UNSUPPORTED) skip();
        tt_expect_info(e, 0, "compile");
        if (kind == 999)
            assert_non_null(strstr(image, ".target sm_"));
        else
            assert_memory_equal(image, "\177ELF", 4);
        free(image);
    }
}

static void no_compiler(void **state)
{
    tw_nbody_function *f;
    (void)state;
    setenv("TILEWORK_NVRTC", "/nonexistent/libnvrtc.so", 1);
    tt_expect_info(tw_nbody_function_create(&f, TW_DOUBLE, 2, 3, 3, on_cpu, source, NULL, 0), TW_E_UNSUPPORTED,
                   "no NVRTC");
    assert_null(f);
    assert_non_null(strstr(tw_last_message(), "TILEWORK_NVRTC"));
    unsetenv("TILEWORK_NVRTC");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(illegal_arguments), cmocka_unit_test(c_function),
#ifdef TILEWORK_CUDA
        cmocka_unit_test(wrong_sources),     cmocka_unit_test(other_gpus), cmocka_unit_test(no_compiler),
#endif
        cmocka_unit_test(cuda_source),       cmocka_unit_test(no_gpu),     cmocka_unit_test(second_start)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
