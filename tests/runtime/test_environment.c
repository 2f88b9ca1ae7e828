/* Variables that a start sets for StarPU, while other threads of the program ask for theirs. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/base/environment.h"
#include "tt.h"

static void values(void **state)
{
    (void)state;
    assert_int_equal(setenv("TT_THEIRS", "1", 1), 0);
    assert_int_equal(tw_environment_set("TT_OURS", "2"), 0);
    assert_string_equal(getenv("TT_OURS"), "2");
    assert_string_equal(getenv("TT_THEIRS"), "1");
    assert_int_equal(tw_environment_set("TT_THEIRS", "3"), 0);
    assert_string_equal(getenv("TT_THEIRS"), "3");
    assert_int_equal(tw_environment_set("TT_OUR", "a name that begins alike"), 0);
    assert_string_equal(getenv("TT_OURS"), "2");
    unsetenv("TT_OURS");
    assert_null(getenv("TT_OURS"));
    assert_string_equal(getenv("TT_OUR"), "a name that begins alike");
    assert_int_equal(setenv("TT_MORE", "4", 1), 0); /* the program's list again */
    assert_int_equal(tw_environment_set("TT_OURS", ""), 0);
    assert_string_equal(getenv("TT_OURS"), "");
    assert_string_equal(getenv("TT_MORE"), "4");
    unsetenv("TT_OURS"), unsetenv("TT_OUR"), unsetenv("TT_MORE"), unsetenv("TT_THEIRS");
}

/* More than there is room for, and all of them once. */
static void many(void **state)
{
    char name[32], value[32];
    (void)state;
    for (int k = 0; k < 300; k++) {
        snprintf(name, sizeof name, "TT_%d", k), snprintf(value, sizeof value, "%d", k);
        assert_int_equal(tw_environment_set(name, value), 0);
    }
    for (int k = 0; k < 300; k++) {
        snprintf(name, sizeof name, "TT_%d", k), snprintf(value, sizeof value, "%d", k);
        assert_string_equal(getenv(name), value);
        unsetenv(name);
        assert_null(getenv(name));
    }
    assert_int_equal(clearenv(), 0);
    assert_int_equal(tw_environment_set("TT_ALONE", "1"), 0);
    assert_string_equal(getenv("TT_ALONE"), "1");
}

static atomic_int over, wrong;
static void *reader(void *argument)
{
    (void)argument;
    while (!atomic_load(&over)) {
        const char *kept = getenv("TT_KEPT");
        if (!kept || strcmp(kept, "value") || getenv("TT_NOT_THERE")) atomic_store(&wrong, 1);
    }
    return NULL;
}

/* With glibc's setenv in its place a sanitizer, or a crash, tells. What was there before is always found. */
static void readers(void **state)
{
    pthread_t thread[3];
    char name[32];
    (void)state;
    assert_int_equal(setenv("TT_KEPT", "value", 1), 0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, reader, NULL), 0);
    for (int round = 0; round < 300; round++) {
        for (int k = 0; k < 100; k++) {
            snprintf(name, sizeof name, "TT_%d", k);
            assert_int_equal(tw_environment_set(name, round % 2 ? "odd" : "even"), 0);
        }
        for (int k = 99; k >= 0; k--) {
            snprintf(name, sizeof name, "TT_%d", k);
            unsetenv(name);
        }
    }
    atomic_store(&over, 1);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    assert_int_equal(atomic_load(&wrong), 0);
    unsetenv("TT_KEPT");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers), cmocka_unit_test(values), cmocka_unit_test(many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
