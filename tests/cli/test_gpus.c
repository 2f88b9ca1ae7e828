/* What each of several GPUs did of a run (cli/dense/gpus.c), from made-up workers' counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>

#include "cli/cli.h"

static void workers_are_summed_up(void **state)
{
    static const tw_worker_report workers[] = {
        {"CPU 0", 0, 7, 1, 70},          {"GPU 0 stream 0", 1, 1, 1, 10}, {"GPU 0 stream 1", 1, 2, 1, 20},
        {"GPU 3 stream 2", 1, 4, 1, 40}, {"GPU 3 stream 3", 1, 8, 1, 80}, {"GPU of no number", 1, 100, 1, 100},
    };
    struct cli_gpus g = {0};
    json_t *list;

    (void)state;
    cli_gpus_add(&g, workers, sizeof workers / sizeof *workers);
    assert_int_equal(g.count, 2);
    assert_true(g.device[0] == 0 && g.tasks[0] == 3 && g.flops[0] == 30);
    assert_true(g.device[1] == 3 && g.tasks[1] == 12 && g.flops[1] == 120);
    assert_non_null(list = cli_gpus_json(&g));
    assert_int_equal(json_array_size(list), 2);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "gpu")), 3);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(list, 1), "tasks")), 12);
    assert_true(json_number_value(json_object_get(json_array_get(list, 0), "flops")) == 30);
    json_decref(list);
}

static void more_than_there_is_room_for(void **state)
{
    static tw_worker_report workers[CLI_MOST_GPUS + 3];
    struct cli_gpus g = {0};

    (void)state;
    for (int k = 0; k < CLI_MOST_GPUS + 3; k++) {
        snprintf(workers[k].name, sizeof workers[k].name, "GPU %d stream %d", k, k);
        workers[k].is_cuda = 1, workers[k].tasks = 1;
    }
    cli_gpus_add(&g, workers, CLI_MOST_GPUS + 3);
    assert_int_equal(g.count, CLI_MOST_GPUS);
    assert_int_equal(g.tasks[CLI_MOST_GPUS - 1], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workers_are_summed_up),
                                       cmocka_unit_test(more_than_there_is_room_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
