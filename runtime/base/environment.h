/* Changes of the process' environment, which StarPU reads while it starts, beside threads that read theirs. */
#ifndef TW_RUNTIME_BASE_ENVIRONMENT_H
#define TW_RUNTIME_BASE_ENVIRONMENT_H

/* As setenv(name, value, 1), but a thread that is inside getenv never sees memory that is gone: glibc's setenv frees
 * the list when it moves it. By one thread at a time. To take a name away unsetenv will do, which frees nothing. 0, or
 * -1 without memory. */
int tw_environment_set(const char *name, const char *value);

#endif
