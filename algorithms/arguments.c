/* Are all numbers of an array finite, and not too large? */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "algorithms/arguments.h"
#include "codelets/range.h"

/* How many of n numbers are sound: all, or a multiple of PIECE of them before the first piece that has a bad one. Whole
 * pieces have no branches inside, so that they run at the speed of memory. */
enum { PIECE = 1024 };
#define SOUND(name, T)                                                                                                 \
    static tw_int name(const T *a, tw_int n, T limit)                                                                  \
    {                                                                                                                  \
        for (tw_int k = 0; k < n; k += PIECE) {                                                                        \
            const tw_int m = n - k < PIECE ? n - k : PIECE;                                                            \
            int sound = 1;                                                                                             \
            for (tw_int i = 0; i < m; i++)                                                                             \
                sound &= (a[k + i] <= limit) & (a[k + i] >= -limit);                                                   \
            if (!sound) return k;                                                                                      \
        }                                                                                                              \
        return n;                                                                                                      \
    }
SOUND(sound_floats, float)
SOUND(sound_doubles, double)

const char *tw_bad_numbers(enum tw_type type, const void *a, tw_int count, double limit, char text[128])
{
    tw_int k = type == TW_FLOAT ? sound_floats(a, count, (float)fmin(limit, FLT_MAX)) : sound_doubles(a, count, limit);
    double x = 0;

    if (k == count) return NULL;
    while (x = tw_number_at(type, a, k), fabs(x) <= limit)
        k++;
    if (isfinite(x))
        snprintf(text, 128, "number %lld of it is %g: larger than %g", (long long)k, x, limit);
    else
        snprintf(text, 128, "number %lld of it is %s", (long long)k, isnan(x) ? "NaN" : "infinite");
    return text;
}

/* A look at all numbers, by parts. */
struct look {
    enum tw_type type;
    const void *a;
    tw_int count;
    double limit;
    unsigned char bad[TW_RANGE_PARTS];
};
static void look(void *context, int part, tw_int begin, tw_int end)
{
    struct look *l = context;
    const tw_int n = end - begin;
    l->bad[part] = l->type == TW_FLOAT
                       ? sound_floats((const float *)l->a + begin, n, (float)fmin(l->limit, FLT_MAX)) < n
                       : sound_doubles((const double *)l->a + begin, n, l->limit) < n;
}
static void look_loop(struct tw_sequence *seq, void *p)
{
    struct look *l = p;
    tw_range_run(seq, look, l, l->count);
}

const char *tw_bad_numbers_by_tasks(enum tw_type type, const void *a, tw_int count, double limit, char text[128])
{
    struct look l = {type, a, count, limit, {0}};
    int sound;

    if (count < 1 << 22) return tw_bad_numbers(type, a, count, limit, text);
    memset(l.bad, 1, (size_t)tw_range_parts(count)); /* until it was looked at */
    sound = tw_call("check", look_loop, &l, 0) == 0;
    for (int k = 0; k < tw_range_parts(count); k++)
        sound &= !l.bad[k];
    return sound ? NULL : tw_bad_numbers(type, a, count, limit, text); /* which one? */
}
