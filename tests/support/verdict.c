/* Pass, warn or fail, and a summary of the worst residual of every routine. */
#include "tt.h"

#include <math.h>
#include <pthread.h>

int tt_group_status;

struct entry {
    char name[48];
    char worst_case[160];
    double worst;
    int count, warned;
};
static struct entry entries[256];
static int nentries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum tt_verdict tt_judge(double residual, tw_int order)
{
    if (isnan(residual) || residual < 0 || residual >= 30) return TT_FAIL;
    if (residual == 0 && order >= 64) return TT_FAIL;
    return residual >= 3 ? TT_WARN : TT_PASS;
}

static enum tt_verdict record(const char *name, enum tw_type t, double residual, tw_int order, const char *text)
{
    enum tt_verdict verdict = tt_judge(residual, order);
    char full[48];
    int e;

    snprintf(full, sizeof full, "%c%s", tt_letter(t), name);
    pthread_mutex_lock(&lock);
    for (e = 0; e < nentries; e++)
        if (!strcmp(entries[e].name, full)) break;
    if (e == nentries && nentries < 256) {
        memcpy(entries[e].name, full, sizeof full);
        entries[e].worst = -1;
        nentries++;
    }
    if (e < nentries) {
        entries[e].count++;
        entries[e].warned += verdict == TT_WARN;
        if (!(residual <= entries[e].worst)) {
            entries[e].worst = residual;
            snprintf(entries[e].worst_case, sizeof entries[e].worst_case, "%s", text);
        }
    }
    pthread_mutex_unlock(&lock);
    if (verdict == TT_WARN) fprintf(stderr, "warning: %s %s: residual %.3g is above 3\n", full, text, residual);
    if (verdict == TT_FAIL)
        fprintf(stderr, "FAILED: %s %s: residual %.6g%s\n", full, text, residual,
                residual == 0 ? " (exactly 0 on random input)" : "");
    return verdict;
}

void tt_expect(const char *name, enum tw_type t, double residual, tw_int order, const char *format, ...)
{
    char text[160];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    if (record(name, t, residual, order, text) == TT_FAIL)
        fail_msg("%c%s %s: residual %.6g in units of n eps norm", tt_letter(t), name, text, residual);
}

int tt_note(const char *name, enum tw_type t, double residual, tw_int order)
{
    return record(name, t, residual, order, "") == TT_FAIL;
}

void tt_summary(void)
{
    for (int e = 0; e < nentries; e++)
        printf("residual %-24s %5d checks, worst %9.3g  %s\n", entries[e].name, entries[e].count, entries[e].worst,
               entries[e].worst_case);
    fflush(stdout);
}

void tt_check_info(tw_int got, tw_int want, const char *file, int line, const char *format, ...)
{
    char text[200];
    va_list ap;

    if (got == want) return;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    print_error("%s: got %lld, expected %lld; last message: \"%s\"\n", text, (long long)got, (long long)want,
                tw_last_message());
    _fail(file, line);
}
