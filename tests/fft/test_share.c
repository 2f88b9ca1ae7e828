/* A batch shared by CPUs and GPUs: how many transforms each gets, by made-up speeds, against trying all; and the two
 * parts side by side, which here both run on CPUs, against the same plan's own way. With GPUs (TILEWORK_FFT_PLACE=both)
 * the public door, too. */
#include "arrays.h"
#include "algorithms/fft/fft_plan.h"

/* ---- how many ---------------------------------------------------------------------------------------------------- */

static double slower(const struct tw_fft_speeds *s, tw_int rows, tw_int on_cpu)
{
    const tw_int rounds = (on_cpu + s->cpu_at_once - 1) / s->cpu_at_once;
    const double c = s->cpu_start + s->cpu_each * (double)rounds,
                 g = s->gpu_start + s->gpu_each * (double)(rows - on_cpu);
    return c > g ? c : g;
}

static void both_end_together(void **state)
{
    static const double each[] = {1e-5, 1e-3, 0.02, 1}, start[] = {0, 1e-4, 0.3};
    static const tw_int at_once[] = {1, 2, 13, 64}, rows[] = {2, 3, 7, 64, 1000};
    (void)state;
    for (size_t k = 0; k < 4 * 4 * 3 * 3 * 4 * 5; k++) {
        const struct tw_fft_speeds s = {.cpu_each = each[k % 4],
                                        .gpu_each = each[k / 4 % 4],
                                        .cpu_start = start[k / 16 % 3],
                                        .gpu_start = start[k / 48 % 3],
                                        .cpu_at_once = at_once[k / 144 % 4]};
        const tw_int n = rows[k / 576];
        double seconds, best = INFINITY;
        const tw_int share = tw_fft_cpu_share(&s, n, &seconds);

        for (tw_int c = 1; c < n; c++)
            best = fmin(best, slower(&s, n, c));
        assert_in_range(share, 1, n - 1);
        assert_true(seconds == slower(&s, n, share));
        assert_true(seconds <= best * (1 + 1e-12));
    }
}

/* One H200 and 13 cores, 64 x 2^23: some one in eight; GPUs that are ten thousand times as fast leave the least. */
static void typical_shares(void **state)
{
    const struct tw_fft_speeds usual = {1e-4, 1.29 / 64, 1, 6e-4, 0.189 / 64}, fast = {1e-4, 1.29 / 64, 1, 6e-4, 1e-6};
    double seconds;
    (void)state;
    assert_int_equal(tw_fft_cpu_share(&usual, 64, &seconds), 8);
    assert_true(seconds > 0.16 && seconds < 0.167);
    assert_int_equal(tw_fft_cpu_share(&fast, 64, &seconds), 1);
    assert_true(seconds > 0.02);
}

/* Measured durations take over, half at a time; a start that took longer than all of it does not make a speed of
 * nothing. */
static void learning(void **state)
{
    double each = tw_fft_learned(0, 0.101, 0.001, 10);
    (void)state;
    assert_true(fabs(each - 0.01) < 1e-12);
    assert_true(fabs(tw_fft_learned(each, 0.201, 0.001, 10) - 0.015) < 1e-12);
    assert_true(tw_fft_learned(0, 1e-4, 6e-4, 1) > 0);
}

/* ---- the two parts ----------------------------------------------------------------------------------------------- */

struct job {
    tw_fft *plan;
    const void *in;
    void *out;
    tw_int on_cpu;
    int fails, gpus;
};

static void two_parts(struct tw_sequence *seq, void *args)
{
    struct job *j = args;
    if (j->fails) tw_loop_fail(seq, TW_E_CANCELLED, "cancelled");
    j->gpus = tw_fft_hybrid(seq, j->plan, j->in, j->out, 0, j->on_cpu);
}

static tw_fft *planned(enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch)
{
    tw_fft_options o;
    tw_fft *p;

    tw_fft_options_init(&o);
    o.path = TW_FFT_TASKS;
    o.norm = TW_FFT_ORTHO;
    o.r2r[0] = TW_FFT_DCT2, o.r2r[1] = TW_FFT_DHT;
    if (tw_fft_plan(&p, type, kind, rank, n, batch, TW_FFT_FORWARD, &o)) fail_msg("%s", tw_last_message());
    assert_ptr_equal(p->method, &tw_fft_by_slabs);
    return p;
}

/* What the plan transforms: half-complex arrays have to be transforms of real ones. */
static void *input(const tw_fft *p, enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch)
{
    const int single = tw_is_single(type);
    void *x = numbers(single, p->in_bytes), *real;
    tw_fft *back;

    if (kind != TW_FFT_C2R) return x;
    real = numbers(single, p->out_bytes);
    back = planned(type, TW_FFT_R2C, rank, n, batch);
    if (tw_fft_execute(back, real, x)) fail_msg("%s", tw_last_message());
    tw_fft_destroy(back);
    free(real);
    return x;
}

static void compare(enum tw_type type, enum tw_fft_kind kind, int rank, const tw_int *n, tw_int batch, tw_int on_cpu,
                    int in_place)
{
    tw_fft *p = planned(type, kind, rank, n, batch);
    const int single = tw_is_single(type);
    void *x = input(p, type, kind, rank, n, batch), *w = malloc(p->in_bytes),
         *y = in_place ? x : numbers(single, p->out_bytes), *z = in_place ? w : numbers(single, p->out_bytes);
    struct job j = {.plan = p, .in = x, .out = y, .on_cpu = on_cpu};

    assert_non_null(w);
    memcpy(w, x, p->in_bytes); /* the input may be overwritten */
    if (tw_fft_execute(p, w, z)) fail_msg("%s", tw_last_message());
    assert_int_equal(tw_call("both", two_parts, &j, 0), 0);
    assert_int_equal(j.gpus, 0);
    assert_true(atomic_load(&p->tasks) >= 2);
    /* rows by chunks and rows one by one are different calls of FFTW */
    if (!(distance(single, y, z, p->out_bytes) < (single ? 1e-6 : 1e-15)))
        fail_msg("kind %d, rank %d, type %d: they differ by %g", kind, rank, type,
                 distance(single, y, z, p->out_bytes));
    tw_fft_destroy(p);
    if (!in_place) free(y), free(z);
    free(x), free(w);
}

static void parts_make_the_whole(void **state)
{
    static const tw_int n[2] = {6, 35};
    (void)state;
    for (int kind = TW_FFT_C2C; kind <= TW_FFT_R2R; kind++)
        for (int t = 0; t < 2; t++)
            for (int rank = 1; rank <= 2; rank++) {
                const enum tw_type type = t ? TW_DOUBLE : TW_FLOAT;
                compare(type, (enum tw_fft_kind)kind, rank, rank == 1 ? n + 1 : n, 100, 1 + 31 * t, 0);
                if (kind == TW_FFT_C2C || kind == TW_FFT_R2R)
                    compare(type, (enum tw_fft_kind)kind, rank, rank == 1 ? n + 1 : n, 51, 50, 1);
            }
}

/* Transforms that all cores compute together, one after another. */
static void large_ones(void **state)
{
    static const tw_int n = 1 << 20;
    tw_fft *p = planned(TW_DOUBLE, TW_FFT_C2C, 1, &n, 4);
    (void)state;
    assert_non_null(p->each);
    tw_fft_destroy(p);
    compare(TW_DOUBLE, TW_FFT_C2C, 1, &n, 4, 3, 0);
}

/* What fails on one side fails, and nobody goes on. */
static void failures(void **state)
{
    static const tw_int n = 64;
    tw_fft *p = planned(TW_DOUBLE, TW_FFT_C2C, 1, &n, 100);
    void *x = numbers(0, p->in_bytes), *y = numbers(0, p->out_bytes);
    struct job j = {.plan = p, .in = x, .out = y, .on_cpu = 50, .fails = 1};
    (void)state;

    assert_int_equal(tw_call("both", two_parts, &j, 0), TW_E_CANCELLED);
    tw_fft_destroy(p);
    free(x), free(y);
}

static void forced(void **state)
{
    static const tw_int n = 1000, batch = 500;
    tw_fft *p = planned(TW_DOUBLE, TW_FFT_C2C, 1, &n, batch);
    void *x = numbers(0, p->in_bytes), *y = numbers(0, p->out_bytes), *z = numbers(0, p->out_bytes);
    double *a = y, *b = z, worst = 0;
    tw_machine machine;
    tw_fft_info info;
    (void)state;

    setenv("TILEWORK_FFT_PLACE", "cpu", 1);
    assert_int_equal(tw_fft_execute(p, x, z), 0);
    setenv("TILEWORK_FFT_PLACE", "both", 1);
    for (int round = 0; round < 4; round++) { /* the shares follow what they took */
        memset(y, 0, p->out_bytes);
        assert_int_equal(tw_fft_execute(p, x, y), 0);
    }
    unsetenv("TILEWORK_FFT_PLACE");
    assert_int_equal(tw_fft_get_info(p, &info), 0);
    assert_int_equal(tw_machine_info(&machine), 0);
    if (machine.cuda_workers) {
        assert_true(info.gpus >= 1 && info.both_seconds > 0);
        assert_in_range(info.cpu_transforms, 1, batch - 1);
    } else {
        assert_int_equal(info.gpus, 0);
        assert_int_equal(info.cpu_transforms, 0);
    }
    for (tw_int k = 0; k < 2 * n * batch; k++)
        worst = fmax(worst, fabs(a[k] - b[k]));
    assert_true(worst < 1e-14);
    tw_fft_destroy(p);
    setenv("TILEWORK_FFT_PLACE", "neither", 1);
    assert_int_equal(tw_fft_plan(&p, TW_DOUBLE, TW_FFT_C2C, 1, &n, 1, TW_FFT_FORWARD, NULL), TW_E_OPTION);
    unsetenv("TILEWORK_FFT_PLACE");
    free(x), free(y), free(z);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_end_together),
                                       cmocka_unit_test(typical_shares),
                                       cmocka_unit_test(learning),
                                       cmocka_unit_test(parts_make_the_whole),
                                       cmocka_unit_test(large_ones),
                                       cmocka_unit_test(failures),
                                       cmocka_unit_test(forced)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return tw_finalize() || failed;
}
