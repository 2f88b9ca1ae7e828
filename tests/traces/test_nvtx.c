/* TILEWORK_NVTX=1: marks, calls and tasks are ranges that balance in each thread and bear their names. The tool that
 * listens is the test's own. */
#include <dlfcn.h>
#include <pthread.h>

#include "nvtx/listener.h"
#include "runtime/cuda/nvtx.h"
#include "tt.h"

enum { DEEP = 200 };

static void *other_thread(void *arg)
{
    (void)arg;
    return (void *)(size_t)(tw_trace_push("elsewhere") || tw_trace_pop());
}

/* The names that are open in a thread. */
struct open {
    unsigned long thread;
    int depth;
    const char *name[DEEP];
};

static struct open *open_in(struct open *all, int *n, unsigned long thread)
{
    for (int k = 0; k < *n; k++)
        if (all[k].thread == thread) return &all[k];
    assert_true(*n < 64);
    all[*n] = (struct open){.thread = thread};
    return &all[(*n)++];
}

/* Every pop closes something, and nothing stays open. Counts the ranges with this name that lie directly in `in` (NULL:
 * in nothing). */
static int ranges(const struct heard *list, int n, const char *name, const char *in)
{
    static struct open all[64];
    int threads = 0, found = 0;

    for (int k = 0; k < n; k++) {
        struct open *o = open_in(all, &threads, list[k].thread);
        assert_true(list[k].ours);
        if (!list[k].push) {
            if (o->depth == 0) fail_msg("a pop without a push, behind %s", k ? list[k - 1].name : "nothing");
            o->depth--;
            continue;
        }
        const char *around = o->depth ? o->name[o->depth - 1] : NULL;
        found += !strcmp(list[k].name, name) && !around == !in && (!in || !strcmp(around, in));
        assert_true(o->depth < DEEP);
        o->name[o->depth++] = list[k].name;
    }
    for (int k = 0; k < threads; k++)
        if (all[k].depth) fail_msg("%s was never popped", all[k].name[all[k].depth - 1]);
    return found;
}

static void nvtx(void **state)
{
    const int n = 256;
    void *a = tt_array(TW_DOUBLE, n, n), *failed, *library;
    int (*listen)(const struct heard **, int *);
    const struct heard *list;
    tw_matrix *m;
    tw_sequence *seq;
    pthread_t thread;
    int count, created, ids = 0;
    (void)state;
    if (!tw_nvtx_built()) {
        printf("this build has no NVTX\n");
        tt_expect_info(tw_trace_push("nobody listens"), 0, "push");
        tt_expect_info(tw_trace_pop(), 0, "pop");
        free(a);
        return;
    }
    assert_int_equal(tw_trace_push("before the library"), 0);
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    assert_int_equal(tw_trace_push("iteration 3"), 0);
    tt_expect_info(tt_door_potrf(TW_DOUBLE, 'L', n, a, n), 0, "potrf");
    assert_int_equal(tw_trace_pop(), 0);
    assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    for (int k = 1; k < 64; k++)
        assert_int_equal(tw_trace_push("deep"), 0);
    tt_expect_info(tw_trace_push("too deep"), TW_E_STATE, "too deep");
    for (int k = 1; k < 64; k++)
        assert_int_equal(tw_trace_pop(), 0);
    assert_int_equal(tw_trace_pop(), 0);
    tt_expect_info(tw_trace_pop(), TW_E_STATE, "pop without a push");
    /* The async door: the loop, in the sequence's thread. A failing one, too. */
    tt_spd(TW_DOUBLE, 'L', n, a, n, 1);
    ((double *)a)[0] = -1;
    tt_expect_info(tw_matrix_wrap(&m, TW_DOUBLE, TW_LOWER, n, n, a, n, 0), 0, "matrix");
    tt_expect_info(tw_sequence_create(&seq), 0, "sequence");
    tt_expect_info(tw_potrf_async(TW_LOWER, m, seq), 0, "queued");
    tt_expect_info(tw_sequence_wait(seq), 1, "wait");
    tt_expect_info(tw_sequence_destroy(seq), 0, "destroy");
    tt_expect_info(tw_matrix_destroy(m), 0, "destroy");
    tt_expect_info(tw_finalize(), 0, "stop");

    library = dlopen(getenv("NVTX_INJECTION64_PATH"), RTLD_NOW | RTLD_NOLOAD);
    if (!library) fail_msg("NVTX did not load the listener: %s", dlerror());
    *(void **)&listen = dlsym(library, "listener_heard");
    assert_non_null(listen);
    count = listen(&list, &created);
    assert_int_equal(created, 1);
    assert_true(count > 0 && count < HEARD_MOST);
    assert_int_equal(ranges(list, count, "before the library", NULL), 1);
    assert_int_equal(ranges(list, count, "iteration 3", "before the library"), 1);
    assert_int_equal(ranges(list, count, "potrf", "iteration 3"), 1);
    assert_int_equal(ranges(list, count, "potrf", NULL), 1);
    assert_int_equal(ranges(list, count, "elsewhere", NULL), 1);
    assert_int_equal(ranges(list, count, "deep", "before the library") + ranges(list, count, "deep", "deep"), 63);
    assert_int_equal(ranges(list, count, "too deep", "deep"), 0);
    /* 4 x 4 tiles: tasks of one factorization, and those of the other that began before they knew. */
    assert_true(ranges(list, count, "dpotrf", NULL) >= 4 && ranges(list, count, "dpotrf", NULL) <= 8);
    assert_true(ranges(list, count, "dtrsm", NULL) >= 6 && ranges(list, count, "dgemm", NULL) >= 4 &&
                ranges(list, count, "dsyrk", NULL) >= 6);
    for (int k = 0; k < count; k++) {
        if (strcmp(list[k].name, "dgemm") != 0) continue;
        assert_true(list[k].color >> 24 == 0xFF && list[k].number >= 0);
        for (int i = 0; i < k; i++) /* each has its task's number */
            assert_true(strcmp(list[i].name, "dgemm") != 0 || list[i].number != list[k].number);
        ids++;
    }
    assert_true(ids >= 4);
    dlclose(library);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nvtx)};
    char listener[4096];

    snprintf(listener, sizeof listener, "%s/tests/traces/nvtx_listener.so", getenv("TILEWORK_BUILD"));
    setenv("NVTX_INJECTION64_PATH", listener, 1);
    setenv("TILEWORK_NVTX", "1", 1), setenv("TILEWORK_NB", "64", 1), setenv("TILEWORK_CROSSOVER", "0", 1);
    return tt_run(tests);
}
