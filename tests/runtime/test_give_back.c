/* TILEWORK_IDLE: what the library keeps for the next call is given back when nobody calls, once; not beside a living
 * sequence; calls that come meanwhile wait and are right. With GPUs their memory, too. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <tilework/starpu.h>

#include "tt.h"

static atomic_int times, workspaces;

static void hear(enum tw_log_level level, const char *message, void *user)
{
    double pinned, gpus;
    int n;
    (void)level, (void)user;
    if (sscanf(message, "idle: %lf MB of pinned memory, %lf MB of the GPUs' and %d workspaces", &pinned, &gpus, &n) !=
        3)
        return;
    printf("%s\n", message);
    atomic_store(&workspaces, n);
    atomic_fetch_add(&times, 1);
}

static void wait_for(int n)
{
    for (int k = 0; k < 6000 && atomic_load(&times) < n; k++)
        usleep(10000);
    assert_int_equal(atomic_load(&times), n);
}

static double used(enum starpu_node_kind kind)
{
    double bytes = 0;
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        if (starpu_node_get_kind(node) == kind) bytes += (double)starpu_memory_get_used(node);
    return bytes;
}

static void qr(tw_int n)
{
    double *a = tt_array(TW_DOUBLE, n, n), *f, *tau = tt_array(TW_DOUBLE, n, 1);
    tt_random(TW_DOUBLE, 'G', n, n, a, n, 3);
    f = tt_copy(TW_DOUBLE, n, n, a);
    assert_int_equal(tt_door_geqrf(TW_DOUBLE, n, n, f, n, tau), 0);
    assert_true(tt_qr_residual(TW_DOUBLE, 'C', n, n, a, n, f, n, tau) < 30);
    free(a), free(f), free(tau);
}

static void start(const char *seconds)
{
    setenv("TILEWORK_IDLE", seconds, 1);
    atomic_store(&times, 0);
    assert_int_equal(tw_init(NULL), 0);
}

static void once(void **state)
{
    double main_memory, gpus;
    (void)state;
    start("1");
    for (int k = 1; k <= 2; k++) {
        qr(300);
        main_memory = used(STARPU_CPU_RAM), gpus = used(STARPU_CUDA_RAM);
        wait_for(k);
        assert_true(atomic_load(&workspaces) > 0);
        printf("main memory %.0f -> %.0f, GPUs %.0f -> %.0f\n", main_memory, used(STARPU_CPU_RAM), gpus,
               used(STARPU_CUDA_RAM));
        assert_true(starpu_cuda_worker_get_count() > 0 || used(STARPU_CPU_RAM) < main_memory);
        /* StarPU keeps four chunks of 32 MiB on each. */
        assert_true(used(STARPU_CUDA_RAM) <= 4.0 * (32 << 20) * starpu_memory_nodes_get_count());
        assert_true(gpus <= 4.0 * (32 << 20) || used(STARPU_CUDA_RAM) < gpus);
    }
    usleep(3000000);
    assert_int_equal(atomic_load(&times), 2);
    assert_int_equal(tw_finalize(), 0);
}

static void sequence(void **state)
{
    tw_sequence *seq;
    (void)state;
    start("0.5");
    assert_int_equal(tw_sequence_create(&seq), 0);
    usleep(2000000);
    assert_int_equal(atomic_load(&times), 0);
    assert_int_equal(tw_sequence_destroy(seq), 0);
    wait_for(1);
    assert_int_equal(tw_finalize(), 0);
}

static void *call(void *arg)
{
    unsigned *seed = arg;
    for (int k = 0; k < 25; k++) {
        qr(20 + (tw_int)(*seed = *seed * 1103515245u + 12345u) / 65536 % 60);
        usleep(*seed / 65536 % 30000);
    }
    return NULL;
}
static void threads(void **state)
{
    pthread_t thread[3];
    unsigned seed[3] = {1, 2, 3};
    (void)state;
    start("0.001");
    for (int t = 0; t < 3; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, call, &seed[t]), 0);
    for (int t = 0; t < 3; t++)
        pthread_join(thread[t], NULL);
    printf("given back %d times beside calls\n", atomic_load(&times));
    assert_true(atomic_load(&times) > 0);
    for (int k = 0; k < 20; k++) { /* it ends at any moment */
        usleep(700);
        assert_int_equal(tw_finalize(), 0);
        if (k % 4 == 0)
            qr(40);
        else
            assert_int_equal(tw_init(NULL), 0);
    }
    assert_int_equal(tw_finalize(), 0);
}

static void options(void **state)
{
    (void)state;
    for (const char *const *text = (const char *const[]){"soon", "-1", "nan", "1e9", "1s", NULL}; *text; text++) {
        setenv("TILEWORK_IDLE", *text, 1);
        assert_int_equal(tw_init(NULL), TW_E_OPTION);
        assert_non_null(strstr(tw_last_message(), "TILEWORK_IDLE"));
    }
    for (int k = 0; k < 2; k++) { /* never; not said, in a program that asked for Tilework */
        if (k)
            unsetenv("TILEWORK_IDLE");
        else
            setenv("TILEWORK_IDLE", "0", 1);
        atomic_store(&times, 0);
        qr(100);
        usleep(1500000);
        assert_int_equal(atomic_load(&times), 0);
        assert_int_equal(tw_finalize(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(once), cmocka_unit_test(sequence), cmocka_unit_test(threads),
                                       cmocka_unit_test(options)};
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "32", 1);
    tw_set_log(hear, NULL);
    return tt_run(tests);
}
