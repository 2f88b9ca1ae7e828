/* Tilework's own calls of FFTW are not those of the program: here the program has functions of the same names, as one
 * that a drop-in is preloaded for. */
#include <math.h>
#include <stdatomic.h>
#include <tilework/fft.h>
#include "tt.h"

static atomic_int ours;
#define TAKEN(name)                                                                                                    \
    __attribute__((visibility("default"))) void *name(void)                                                            \
    {                                                                                                                  \
        atomic_fetch_add(&ours, 1);                                                                                    \
        return NULL;                                                                                                   \
    }
void *fftwf_plan_guru64_dft(void);
void *fftwf_execute_dft(void);
void *fftwf_malloc(void);
TAKEN(fftwf_plan_guru64_dft)
TAKEN(fftwf_execute_dft)
TAKEN(fftwf_malloc)

static void not_ours(void **state)
{
    enum { N = 1 << 14 };
    static float x[2 * N], y[2 * N];
    const tw_int sizes[] = {64, N};

    (void)state;
    for (int k = 0; k < 2; k++) { /* straight, and by tasks */
        tw_fft *p;
        tw_fft_options o;
        tw_fft_options_init(&o);
        o.path = k ? TW_FFT_TASKS : TW_FFT_DIRECT;
        assert_int_equal(tw_fft_plan(&p, TW_FLOAT, TW_FFT_C2C, 1, &sizes[k], 1, TW_FFT_FORWARD, &o), 0);
        memset(x, 0, sizeof x);
        x[2] = 1;
        assert_int_equal(tw_fft_execute(p, x, y), 0);
        for (tw_int i = 0; i < sizes[k]; i++) {
            const double angle = -2 * acos(-1) * (double)i / (double)sizes[k];
            assert_true(fabs((double)y[2 * i] - cos(angle)) < 1e-5 && fabs((double)y[2 * i + 1] - sin(angle)) < 1e-5);
        }
        tw_fft_destroy(p);
    }
    assert_int_equal(atomic_load(&ours), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(not_ours)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
