/* Return codes, the last message of each thread, and the log. */
#include "runtime/base/error.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/variables.h"

static _Thread_local char last_message[1024];
static _Thread_local char code_text[64];

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static tw_log_fn log_fn;
static void *log_user;
static atomic_int verbose = -1; /* tw_options.verbose; -1: TILEWORK_VERBOSE decides */

const char *tw_strerror(int code)
{
    switch (code) {
    case TW_SUCCESS: return "success";
    case TW_E_MEMORY: return "not enough memory";
    case TW_E_NO_WORKER: return "no worker can run the task";
    case TW_E_DEVICE: return "a GPU call failed";
    case TW_E_CANCELLED: return "cancelled";
    case TW_E_IO: return "input or output failed";
    case TW_E_FORMAT: return "the file is not what its format says";
    case TW_E_STARPU: return "StarPU refused a call";
    case TW_E_OPTION: return "an option or environment variable has an illegal value";
    case TW_E_FORK: return "the library runs in the parent of this forked process and cannot be used here";
    case TW_E_STATE: return "called in the wrong state";
    case TW_E_UNSUPPORTED: return "not supported";
    case TW_E_INTERNAL: return "a defect of Tilework";
    }
    if (code > 0)
        snprintf(code_text, sizeof code_text, "numerical failure, info = %d", code);
    else if (code > -2000)
        snprintf(code_text, sizeof code_text, "argument %d is illegal", -code);
    else
        snprintf(code_text, sizeof code_text, "unknown code %d", code);
    return code_text;
}

const char *tw_last_message(void)
{
    return last_message;
}
void tw_clear_message(void)
{
    last_message[0] = 0;
}

void tw_set_message(const char *text)
{
    if (text != last_message) snprintf(last_message, sizeof last_message, "%s", text);
}

int tw_fail(int code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(last_message, sizeof last_message, format, ap);
    va_end(ap);
    tw_log(TW_LOG_INFO, "%s", last_message);
    return code;
}

int tw_illegal(const char *routine, int argument, const char *why)
{
    return tw_fail(-argument, "%s: argument %d is illegal: %s", routine, argument, why);
}

void tw_set_verbose(int level)
{
    atomic_store(&verbose, level);
}

void tw_set_log(tw_log_fn fn, void *user)
{
    pthread_mutex_lock(&log_lock);
    log_fn = fn;
    log_user = user;
    pthread_mutex_unlock(&log_lock);
}

/* Without a callback: silent but for errors and warnings that a user must know; TILEWORK_VERBOSE=1..3 raises that. */
static int wanted(enum tw_log_level level)
{
    const char *text = tw_variable_text(TW_TILEWORK_VERBOSE);
    int limit = atomic_load(&verbose);
    if (limit < 0) limit = text ? atoi(text) : 0;
    return level <= TW_LOG_WARNING || (int)level <= limit;
}

void tw_log(enum tw_log_level level, const char *format, ...)
{
    char text[1200];
    va_list ap;

    pthread_mutex_lock(&log_lock);
    tw_log_fn fn = log_fn;
    void *user = log_user;
    pthread_mutex_unlock(&log_lock);
    if (!fn && !wanted(level)) return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (fn)
        fn(level, text, user);
    else
        fprintf(stderr, "tilework: %s\n", text);
}
