/* StarPU's tasks.rec: jobs that ran are tasks, others pass dependencies on; bad files are refused with the byte,
 * wherever they were cut or altered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <tilework/tilework.h>
#include "traces/read.h"
#include "traces/recorded.h"

#define TASK(id, worker, from, to, more)                                                                               \
    "Name: k\nJobId: " id "\nWorkerId: " worker "\nMemoryNode: 0\nStartTime: " from "\nEndTime: " to "\n" more "\n"

static int read_text(tw_recorded **r, const char *text, size_t n)
{
    FILE *f = n ? fmemopen((void *)text, n, "rb") : fopen("/dev/null", "rb");
    assert_non_null(f);
    const int e = tw_recorded_read_stream(r, f, "tasks.rec");
    fclose(f);
    return e;
}

static void content(void **state)
{
    static const char text[] =
        "Name: generate\nModel: tw_dgenerate\nJobId: 1\nSubmitOrder: 1\nWorkerId: 0\nMemoryNode: 0\nSubmitTime: 1.0\n"
        "StartTime: 2.0\nEndTime: 4.0\nMPIRank: -1\n\n"
        "JobId: 2\nDependsOn: 1\nMPIRank: -1\n\nName: sync\nJobId: 2\nDependsOn: 7\n\n\n" /* one job in two pieces */
        /* no last line end */
        "Name: gemm\nModel: tw_sgemm\nJobId: 3\nSubmitOrder: 2\nPriority: -5\nDependsOn: 2 mpi_0_1 9\nWorkerId: 4\n"
        "MemoryNode: 1\nSubmitTime: 1.5\nStartTime: 4.5\nEndTime: 5.5\nGFlop: 0.002\nWhatever: comes: later\n\n"
        "Name: generate\r\nJobId: 4\r\nDependsOn: 3 1\r\nWorkerId: 0\r\nStartTime: 6.0\r\nEndTime: 7.0";
    tw_recorded *r;
    tw_trace_facts f;
    (void)state;
    if (read_text(&r, text, sizeof text - 1)) fail_msg("%s", tw_last_message());
    assert_int_equal(tw_recorded_facts(r, &f), 0);
    assert_int_equal(f.tasks, 3);
    assert_int_equal(f.edges, 3);
    assert_int_equal(f.workers, 2);
    assert_int_equal(f.kernels, 2);
    assert_float_equal(f.seconds, 6e-3, 1e-12);
    assert_float_equal(f.graph, 4e-3, 1e-12);
    assert_float_equal(f.flops, 2e6, 1e-3);
    assert_non_null(strstr(f.lacks, "transfers"));
    const struct tw_record *gemm = &r->view.records[1];
    assert_string_equal(gemm->name, "gemm");
    assert_int_equal(gemm->type, TW_FLOAT);
    assert_int_equal(gemm->priority, -5);
    assert_int_equal(r->view.workers[gemm->worker].is_cuda, 1);
    assert_string_equal(r->view.workers[gemm->worker].name, "worker 4 (GPU)");
    assert_int_equal(r->view.edge[r->view.first_edge[1]], 0);
    tw_recorded_destroy(r);
}

static void refused(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {{"JobId: 1\n\n", "no task"},
               {"Name: x\nWorkerId: 0\nStartTime: 1\nEndTime: 2\n", "byte 0: a job without its JobId"},
               {TASK("1", "0", "2", "1", ""), "byte 0: a task that ends before it starts"},
               {TASK("1", "0", "nan", "1", ""), "byte 43: expected a number"},
               {TASK("1", "0", "-1", "1", ""), "expected a number"},
               {TASK("1", "0", "1", "inf", ""), "expected a number"},
               {TASK("1", "0", "1e300", "1e301", ""), "expected a number"},
               {TASK("1", "-1", "1", "2", ""), "expected a whole number"},
               {TASK("1", "99999999999", "1", "2", ""), "expected a whole number"},
               {TASK("x", "0", "1", "2", ""), "byte 8: expected a whole number"},
               {TASK("1", "0", "1", "2", "") TASK("1", "0", "2", "3", ""), "two tasks with one JobId"},
               {TASK("1", "0", "1", "2", "DependsOn: 1\n"), "in a circle"},
               {TASK("1", "0", "1", "2", "DependsOn: 2\n") TASK("2", "0", "1", "2", "DependsOn: 1\n"), "in a circle"},
               {TASK("1", "0", "1", "2", "no key\n"), "expected a line"},
               {"Name: x\nJobId: 1\nWorkerId: 0\nEndTime: 2\n", "without its times"}};
    tw_recorded *r;
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(read_text(&r, bad[k].text, strlen(bad[k].text)), TW_E_FORMAT);
        if (!strstr(tw_last_message(), bad[k].words)) fail_msg("%s instead of %s", tw_last_message(), bad[k].words);
        assert_non_null(strstr(tw_last_message(), "tasks.rec: byte "));
    }
    assert_int_equal(read_text(&r, "Name: \0\n", 8), TW_E_FORMAT);
    assert_non_null(strstr(tw_last_message(), "zero byte"));
}

/* Jobs that never ran and depend on each other in a circle pass nothing on, and end nothing. */
static void circles_that_never_ran(void **state)
{
    static const char text[] = "JobId: 8\nDependsOn: 9\n\nJobId: 9\nDependsOn: 8 1\n\n" TASK("1", "0", "1", "2", "")
        TASK("2", "0", "3", "4", "DependsOn: 8\n");
    tw_recorded *r;
    (void)state;
    assert_int_equal(read_text(&r, text, sizeof text - 1), 0);
    assert_int_equal(r->nedges, 1);
    tw_recorded_destroy(r);
}

static void damaged(void **state)
{
    static const char text[] = TASK("1", "0", "1", "2", "Priority: 3\nGFlop: 1\n\n")
        TASK("2", "1", "3", "4", "DependsOn: 1\nDepLabels: task\nSubmitTime: 0.5\n");
    char copy[sizeof text];
    tw_recorded *r;
    (void)state;
    for (size_t n = 0; n < sizeof text; n++) {
        const int e = read_text(&r, text, n);
        assert_true(e == 0 || (e == TW_E_FORMAT && strstr(tw_last_message(), "byte ")));
        if (!e) tw_recorded_destroy(r);
    }
    for (size_t n = 0; n < sizeof text - 1; n++)
        for (int bit = 0; bit < 8; bit++) {
            memcpy(copy, text, sizeof text);
            copy[n] ^= (char)(1 << bit);
            const int e = read_text(&r, copy, sizeof text - 1);
            assert_true(e == 0 || (e == TW_E_FORMAT && strstr(tw_last_message(), "byte ")));
            if (!e) tw_recorded_destroy(r);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(content), cmocka_unit_test(refused),
                                       cmocka_unit_test(circles_that_never_ran), cmocka_unit_test(damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
