/* A process that may have little memory: OpenBLAS asks for its buffers again and again, for ever, when they are
 * refused. A library that cannot have them does not start, and says why; one that has started returns from its calls
 * whatever the program has taken since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tilework/lapacke.h>
#include <tilework/tilework.h>
#include <unistd.h>

enum { N = 300, RIGHT = 17, PATIENCE = 60 };

/* The data this process has, in bytes. */
static rlim_t data_now(void)
{
    char line[200];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmData: %llu", &kib) == 1) break;
    if (f) fclose(f);
    return (rlim_t)kib << 10;
}

static void allow(rlim_t more)
{
    rlim_t most = data_now() + more;
    if (setrlimit(RLIMIT_DATA, &(struct rlimit){most, most})) _exit(1);
}

static void refused_child(void)
{
    allow((rlim_t)100 << 20); /* StarPU's threads, and no buffer */
    _exit(tw_init(NULL) == TW_E_MEMORY && strstr(tw_last_message(), "OpenBLAS") ? RIGHT : 1);
}

static double a[N * N], b[N * N], c[N * N];

static void full_child(void)
{
    float *s = calloc((size_t)N * N, sizeof *s);
    int info, gemm;

    setenv("TILEWORK_CROSSOVER", "100", 1);
    if (!s || tw_init(NULL)) _exit(1);
    for (int k = 0; k < N; k++)
        a[k * N + k] = s[k * N + k] = 4;
    allow((rlim_t)8 << 20); /* less than one buffer */
    info = tw_LAPACKE_spotrf(102, 'L', N, s, N);
    gemm = tw_dgemm('N', 'N', N, N, N, 1.0, a, N, a, N, 0.0, c, N);
    memcpy(b, a, sizeof b);
    if (info == 0 && (s[0] != 2 || s[N * N - 1] != 2)) _exit(2);
    if (gemm == 0 && (c[0] != 16 || c[N * N - 1] != 16)) _exit(3);
    _exit(RIGHT);
}

static void ends_right(void (*child)(void))
{
    int status;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(PATIENCE);
        child();
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), RIGHT);
}

static void start_without_buffers(void **state)
{
    (void)state;
    ends_right(refused_child);
}

static void calls_when_all_is_taken(void **state)
{
    (void)state;
    ends_right(full_child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(start_without_buffers),
                                       cmocka_unit_test(calls_when_all_is_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
