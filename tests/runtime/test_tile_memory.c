/* Tiles in pieces (runtime/data/tile_memory.h), tried in main memory: StarPU's matrix interface but for the memory,
 * StarPU's count of it, right results over staged tiles, many threads, buffers that handles of StarPU's own never get,
 * wrong values of the variable, and nothing left at the end. With GPUs the same there. */
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>
#include <tilework/starpu.h>

#include "runtime/data/data.h"
#include "runtime/data/tile_memory.h"
#include "tt.h"

enum { N = 64, BYTES = N * N * 8, MIB = 1 << 20 };

static void start(const char *piece)
{
    setenv("TILEWORK_GPU_PIECE", piece, 1);
    assert_int_equal(tw_init(NULL), 0);
    assert_int_equal(tw_workers_hold(), 0);
}
static void stop(void)
{
    assert_int_equal(tw_workers_release(), 0);
    assert_int_equal(tw_finalize(), 0);
}

static struct tw_tile_memory all_nodes(void)
{
    struct tw_tile_memory sum = {0}, m;
    for (unsigned node = 0; node < STARPU_MAXNODES; node++) {
        tw_tile_memory(node, &m);
        sum.held += m.held, sum.taken += m.taken, sum.pieces += m.pieces, sum.tiles += m.tiles, sum.got += m.got;
    }
    return sum;
}

static starpu_data_handle_t of_bytes(size_t bytes)
{
    starpu_data_handle_t h;
    tw_tile_register(&h, -1, 0, N, N, N, 8, bytes);
    return h;
}
static starpu_data_handle_t without_home(void)
{
    return of_bytes(BYTES);
}

/* Where tiles are tried: main memory, and a GPU's if there is one. */
static unsigned nodes(unsigned node[2])
{
    unsigned n = 1;
    node[0] = STARPU_MAIN_RAM;
    for (unsigned k = 0; k < starpu_memory_nodes_get_count() && n == 1; k++)
        if (starpu_node_get_kind(k) == STARPU_CUDA_RAM) node[n++] = k;
    return n;
}

/* 256 KiB tiles: 32 in a piece. What is up to 4 MiB StarPU itself cuts from 32 MiB on a GPU, and in main memory that it
 * pins: pieces are larger, so that it counts them alike everywhere. */
static void counted(void **state)
{
    unsigned node[2];
    (void)state;
    for (int pieces = 0; pieces < 2; pieces++) {
        start(pieces ? "main:8" : "0");
        for (unsigned k = nodes(node); k-- > 0;) {
            starpu_data_handle_t h[70];
            struct tw_tile_memory m;
            const size_t before = starpu_memory_get_used(node[k]);

            for (int t = 0; t < 70; t++) {
                h[t] = of_bytes(MIB / 4);
                assert_int_equal(starpu_data_get_interface_id(h[t]), STARPU_MATRIX_INTERFACE_ID);
                assert_int_equal(starpu_matrix_get_nx(h[t]), N);
                assert_int_equal(starpu_data_get_size(h[t]), BYTES);
                assert_int_equal(starpu_data_acquire_on_node(h[t], (int)node[k], STARPU_W), 0);
                if (node[k] == STARPU_MAIN_RAM) {
                    double *at = starpu_data_get_local_ptr(h[t]);
                    assert_int_equal(starpu_matrix_get_local_ld(h[t]), N);
                    for (int e = 0; e < N * N; e++)
                        at[e] = t + e;
                }
                starpu_data_release_on_node(h[t], (int)node[k]);
            }
            tw_tile_memory(node[k], &m);
            assert_int_equal(m.tiles, pieces ? 70 : 0);
            assert_int_equal(m.pieces, pieces ? 3 : 0);
            if (pieces) {
                assert_int_equal(m.held, 24 * MIB);
                assert_int_equal(starpu_memory_get_used(node[k]) - before, 24 * MIB);
            }
            for (int t = 0; t < 70; t++) {
                if (node[k] == STARPU_MAIN_RAM) {
                    assert_int_equal(starpu_data_acquire(h[t], STARPU_R), 0);
                    const double *at = starpu_data_get_local_ptr(h[t]);
                    for (int e = 0; e < N * N; e++)
                        if (at[e] != t + e) fail_msg("tile %d, element %d", t, e);
                    starpu_data_release(h[t]);
                }
                starpu_data_unregister(h[t]);
            }
            tw_tile_memory(node[k], &m);
            if (node[k] == STARPU_MAIN_RAM && starpu_cuda_worker_get_count() == 0) { /* plain memory StarPU keeps not */
                assert_int_equal(m.held, 0);
                assert_int_equal(starpu_memory_get_used(node[k]), before);
            }
        }
        stop();
        assert_int_equal(all_nodes().held, 0);
        assert_int_equal(all_nodes().tiles, 0);
    }
}

/* StarPU's own handles and ours do not get each other's buffers: each kind is freed in its own way, which would end in
 * a fault. */
static void apart(void **state)
{
    (void)state;
    start("main:1");
    for (size_t bytes = 8; bytes < 3 * (size_t)MIB; bytes += bytes / 3 / 8 * 8 + 8) {
        starpu_data_handle_t ours, theirs;
        tw_tile_register(&ours, -1, 0, 1, 1, 1, 8, bytes);
        starpu_matrix_data_register_allocsize(&theirs, -1, 0, 1, 1, 1, 8, bytes);
        struct starpu_data_interface_ops *a = starpu_data_get_interface_ops(ours),
                                         *b = starpu_data_get_interface_ops(theirs);
        assert_ptr_not_equal(a, b);
        assert_int_not_equal(a->alloc_footprint(ours), b->alloc_footprint(theirs));
        assert_int_equal(a->footprint(ours), b->footprint(theirs)); /* to models they are the same */
        starpu_data_unregister(ours), starpu_data_unregister(theirs);
    }
    for (int round = 0; round < 50; round++) {
        unsigned node[2];
        for (unsigned k = nodes(node); k-- > 0;) {
            starpu_data_handle_t h = NULL;
            if (round % 2)
                h = without_home();
            else
                starpu_matrix_data_register(&h, -1, 0, N, N, N, 8);
            assert_int_equal(starpu_data_acquire_on_node(h, (int)node[k], STARPU_W), 0);
            starpu_data_release_on_node(h, (int)node[k]);
            starpu_data_unregister_no_coherency(h);
        }
    }
    stop();
    assert_int_equal(all_nodes().held, 0);
}

/* Behind the last tile there is memory of four columns, in which OpenBLAS' complex kernels may read (data.h). */
static void behind(void **state)
{
    (void)state;
    start("256");
    if (starpu_cuda_worker_get_count() > 0) { /* memory that CUDA gives is not malloc's */
        stop();
        return;
    }
    for (size_t ld = 1; ld <= 4096; ld *= 8) {
        const size_t bytes = ld * 20 * 16;
        void *p = tw_pool_alloc(bytes);
        starpu_data_handle_t h = of_bytes(bytes < BYTES ? BYTES : bytes);

        assert_non_null(p);
        assert_true(malloc_usable_size(p) >= bytes + 4 * ld * 16);
        tw_pool_free(p, bytes);
        assert_int_equal(starpu_data_acquire(h, STARPU_W), 0);
        assert_true(malloc_usable_size(starpu_data_get_local_ptr(h)) >= bytes + 4 * ld * 16);
        starpu_data_release(h);
        starpu_data_unregister(h);
    }
    stop();
}

static void *churn(void *arg)
{
    unsigned seed = *(unsigned *)arg;
    starpu_data_handle_t h[8] = {NULL};

    for (int step = 0; step < 600; step++) {
        starpu_data_handle_t *one = &h[(seed = seed * 1103515245u + 12345u) / 65536 % 8];
        if (*one) {
            if (starpu_data_acquire(*one, STARPU_R)) return NULL;
            const int *at = starpu_data_get_local_ptr(*one);
            if (at[0] != at[BYTES / 4 - 1]) fail_msg("a tile was overwritten");
            starpu_data_release(*one);
            starpu_data_unregister_no_coherency(*one);
            *one = NULL;
        } else {
            *one = without_home();
            if (starpu_data_acquire(*one, STARPU_W)) return NULL;
            int *at = starpu_data_get_local_ptr(*one);
            at[0] = at[BYTES / 4 - 1] = (int)seed;
            starpu_data_release(*one);
        }
    }
    for (int k = 0; k < 8; k++)
        if (h[k]) starpu_data_unregister_no_coherency(h[k]);
    return &all_nodes;
}
static void threads(void **state)
{
    pthread_t thread[4];
    unsigned seed[4] = {1, 2, 3, 4};
    void *done;
    (void)state;
    start("main:1");
    for (int t = 0; t < 4; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, churn, &seed[t]), 0);
    for (int t = 0; t < 4; t++) {
        pthread_join(thread[t], &done);
        assert_non_null(done);
    }
    stop();
    assert_int_equal(all_nodes().held, 0);
}

/* Staged tiles have no home: without GPUs StarPU takes main memory for them, by the interface that is meant for
 * GPUs. */
static void routines(void **state)
{
    (void)state;
    setenv("TILEWORK_STAGE", "1", 1);
    for (int pieces = 0; pieces < 2; pieces++) {
        const struct tw_tile_memory before = all_nodes();
        setenv("TILEWORK_GPU_PIECE", pieces ? "main:1" : "0", 1);
        TT_TYPES(t)
            for (tw_int n = 31; n < 300; n += 226) {
                void *a = tt_array(t, n, n), *f;
                tt_spd(t, 'L', n, a, n, 5);
                f = tt_copy(t, n, n, a);
                assert_int_equal(tt_door_potrf(t, 'L', n, f, n), 0);
                tt_expect("potrf", t, tt_potrf_residual(t, 'L', n, a, n, f, n), n, "pieces %d", pieces);
                free(a), free(f);
            }
        assert_true(pieces ? all_nodes().got > before.got : all_nodes().got == before.got);
        assert_int_equal(tw_finalize(), 0);
        assert_int_equal(all_nodes().held, 0);
        assert_int_equal(all_nodes().tiles, 0);
    }
    unsetenv("TILEWORK_STAGE");
}

/* In a StarPU of the program's own tiles are StarPU's: they may outlive the library there. */
static void starpu_of_the_program(void **state)
{
    const size_t before = all_nodes().got;
    starpu_data_handle_t h;
    (void)state;
    assert_int_equal(starpu_init(NULL), 0);
    start("main:1");
    h = without_home();
    assert_ptr_equal(starpu_data_get_interface_ops(h), &starpu_interface_matrix_ops);
    assert_int_equal(starpu_data_acquire(h, STARPU_W), 0);
    starpu_data_release(h);
    starpu_data_unregister(h);
    stop();
    assert_int_equal(all_nodes().got, before);
    starpu_shutdown();
}

static void options(void **state)
{
    (void)state;
    for (const char *const *text = (const char *const[]){"-1", "65537", "1.5", "main", "main:", "main:x", "256M", NULL};
         *text; text++) {
        setenv("TILEWORK_GPU_PIECE", *text, 1);
        tt_expect_info(tw_init(NULL), TW_E_OPTION, "TILEWORK_GPU_PIECE=%s", *text);
        assert_non_null(strstr(tw_last_message(), "TILEWORK_GPU_PIECE"));
    }
    unsetenv("TILEWORK_GPU_PIECE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counted),  cmocka_unit_test(apart),
                                       cmocka_unit_test(behind),   cmocka_unit_test(threads),
                                       cmocka_unit_test(routines), cmocka_unit_test(starpu_of_the_program),
                                       cmocka_unit_test(options)};
    setenv("TILEWORK_CROSSOVER", "0", 1);
    setenv("TILEWORK_NB", "32", 1);
    return tt_run(tests);
}
