/* One call for one transform: plans of the latest calls are kept. */
#include <string.h>
#include "algorithms/fft/fft_plan.h"

enum { KEPT = 16 };
struct kept {
    enum tw_type type;
    int rank, sign, users;
    tw_int n[3];
    unsigned long used;
    tw_fft *plan;
};
static struct kept kept[KEPT];
static unsigned long clock_hand;
static starpu_pthread_mutex_t lock = STARPU_PTHREAD_MUTEX_INITIALIZER;

/* An entry for this transform with its plan, in use; NULL if there is none and every place is in use (then *plan is the
 * caller's), or on error. */
static struct kept *take(const struct kept *want, tw_fft **plan, int *e)
{
    struct kept *hit = NULL, *place = NULL;
    tw_fft *old = NULL;

    starpu_pthread_mutex_lock(&lock);
    for (int k = 0; k < KEPT && !hit; k++) {
        struct kept *c = &kept[k];
        if (c->plan && c->type == want->type && c->rank == want->rank && c->sign == want->sign &&
            !memcmp(c->n, want->n, sizeof c->n))
            hit = c;
        else if (!c->users && (!place || c->used < place->used))
            place = c;
    }
    if (hit) {
        hit->users++;
        hit->used = ++clock_hand;
        *plan = hit->plan;
    }
    starpu_pthread_mutex_unlock(&lock);
    if (hit) return hit;

    *e = tw_fft_plan(plan, want->type, TW_FFT_C2C, want->rank, want->n, 1, want->sign, NULL);
    if (*e) return NULL;
    starpu_pthread_mutex_lock(&lock);
    if (place && !place->users) {
        old = place->plan;
        *place = *want;
        place->users = 1;
        place->used = ++clock_hand;
        place->plan = *plan;
    } else {
        place = NULL;
    }
    starpu_pthread_mutex_unlock(&lock);
    tw_fft_destroy(old);
    return place;
}

static int simple(enum tw_type type, int rank, tw_int n0, tw_int n1, tw_int n2, const void *in, void *out, int sign)
{
    struct kept want = {.type = type, .rank = rank, .sign = sign, .n = {n0, n1, n2}}, *entry;
    tw_fft *plan = NULL;
    int e = 0;

    entry = take(&want, &plan, &e);
    if (e) return e;
    e = tw_fft_execute(plan, in, out);
    if (entry) {
        starpu_pthread_mutex_lock(&lock);
        entry->users--;
        starpu_pthread_mutex_unlock(&lock);
    } else {
        tw_fft_destroy(plan);
    }
    return e;
}

static __attribute__((destructor)) void forget(void)
{
    for (int k = 0; k < KEPT; k++)
        if (!kept[k].users) tw_fft_destroy(kept[k].plan);
}

/* The argument at fault, by the caller's count. */
static int check(const char *name, enum tw_type type, int rank, const tw_int *n, const void *in, const void *out,
                 int sign)
{
    if (!tw_type_ok(type)) return tw_illegal(name, 1, "not a type");
    for (int d = 0; d < rank; d++)
        if (n[d] < 1 || n[d] > (tw_int)1 << 59) return tw_illegal(name, 2 + d, "not in 1 … 2^59");
    if (!in) return tw_illegal(name, 2 + rank, "NULL");
    if (!out) return tw_illegal(name, 3 + rank, "NULL");
    if (sign != TW_FFT_FORWARD && sign != TW_FFT_BACKWARD)
        return tw_illegal(name, 4 + rank, "not TW_FFT_FORWARD or TW_FFT_BACKWARD");
    return 0;
}

int tw_fft_1d(enum tw_type type, tw_int n, const void *in, void *out, int sign)
{
    int e = check("tw_fft_1d", type, 1, &n, in, out, sign);
    return e ? e : simple(type, 1, n, 0, 0, in, out, sign);
}

int tw_fft_2d(enum tw_type type, tw_int n0, tw_int n1, const void *in, void *out, int sign)
{
    int e = check("tw_fft_2d", type, 2, (tw_int[]){n0, n1}, in, out, sign);
    return e ? e : simple(type, 2, n0, n1, 0, in, out, sign);
}

int tw_fft_3d(enum tw_type type, tw_int n0, tw_int n1, tw_int n2, const void *in, void *out, int sign)
{
    int e = check("tw_fft_3d", type, 3, (tw_int[]){n0, n1, n2}, in, out, sign);
    return e ? e : simple(type, 3, n0, n1, n2, in, out, sign);
}
