/* Programs under a small `ulimit -s`, which is the main thread's stack and what threads get: BLAS, LAPACK and FFTW take
 * what they like. The limit is raised where that is allowed; else the program runs in a thread with a stack as large as
 * usual. */
#ifndef CLI_STACK_H
#define CLI_STACK_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { CLI_STACK = 8 << 20 };

struct cli_started {
    int argc, status;
    char **argv;
    int (*run)(int argc, char **argv);
};

static inline void *cli_in_thread(void *argument)
{
    struct cli_started *s = argument;
    s->status = s->run(s->argc, s->argv);
    return NULL;
}

/* OpenBLAS' own threads were there before main, with stacks of the limit's size. */
static inline int cli_small_stack(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < CLI_STACK;
}

static inline int cli_raise_stack(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit)) return -1;
    limit.rlim_cur = CLI_STACK;
    if (limit.rlim_max < CLI_STACK) limit.rlim_max = CLI_STACK;
    return setrlimit(RLIMIT_STACK, &limit);
}

/* run(argc, argv), with stack enough: its status. */
static inline int cli_with_stack(int argc, char **argv, int (*run)(int argc, char **argv))
{
    struct cli_started s = {.argc = argc, .argv = argv, .run = run};
    pthread_attr_t attributes;
    pthread_t thread;
    char self[4096];
    const ssize_t length = cli_small_stack() ? readlink("/proc/self/exe", self, sizeof self - 1) : -1;
    int e;

    if (!cli_small_stack()) return run(argc, argv);
    if (length > 0 && argv[0] && cli_raise_stack() == 0) {
        self[length] = 0;
        execv(self, argv); /* from the start; where that fails, in a thread */
    }
    if ((e = pthread_attr_init(&attributes)) == 0) {
        if (!(e = pthread_attr_setstacksize(&attributes, CLI_STACK)) &&
            !(e = pthread_setattr_default_np(&attributes))) /* and for what it starts */
            e = pthread_create(&thread, NULL, cli_in_thread, &s);
        pthread_attr_destroy(&attributes);
    }
    if (e) {
        fprintf(stderr, "%s: no stack of 8 MiB: %s; raise ulimit -s\n", argv[0], strerror(e));
        return 1;
    }
    pthread_join(thread, NULL);
    return s.status;
}
#endif
