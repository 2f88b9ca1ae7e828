/* QR of a tall matrix with Q itself by Cholesky factorizations: an array that stays on a GPU, where there is one, and a
 * matrix from and to main memory, run by run in turn on the same input. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tilework/tilework.h>

#include "bench/bench.h"
#include "checks/checks.h"

enum contestant { RESIDENT, HOST, CONTESTANTS };
static const char *const names[CONTESTANTS] = {"resident", "tiles"};
static const char *const titles[CONTESTANTS] = {"on the GPU", "from and to main memory"};
enum { ROWS = 200000, RESIDUAL_FAILS = 30 };

struct result {
    int choleskys;
    double residual[2]; /* negative: not looked at */
};
struct contest {
    const struct bench_options *o;
    tw_int m, n, mb, nb;
    double bytes;
    struct bench_runs runs[CONTESTANTS];
    struct result result[CONTESTANTS];
    void *a, *q, *r;     /* the input, Q and R */
    void *on_gpu, *kept; /* the array, and the input beside it */
    tw_matrix *A[CONTESTANTS], *R;
};

static int one_run(void *contest, int who, double *seconds)
{
    struct contest *c = contest;
    struct result *r = &c->result[who];
    double begin;
    int e;

    if (who == RESIDENT ? bench_gpu_move(c->on_gpu, c->kept, c->bytes)
                        : tw_matrix_set_lapack(c->A[HOST], c->a, c->m) || tw_release_to_host(c->A[HOST]))
        return bench_fail("the input: %s", tw_last_message());
    bench_rest();
    begin = bench_seconds();
    e = tw_cholqr(c->A[who], c->R, &r->choleskys);
    if (!e && who == HOST) e = tw_release_to_host(c->A[HOST]);
    *seconds = bench_seconds() - begin;
    return e ? bench_fail("cholqr: %s: %s", tw_strerror(e), tw_last_message()) : 0;
}

static int judge(void *contest, int who)
{
    struct contest *c = contest;
    const struct check_array array = {CHECK_GENERAL, c->o->type, TW_LOWER, TW_NONUNIT, c->m, c->n, c->a, c->m};
    const struct check_matrix A = check_of_array(&array);

    if (!c->o->check) return 0;
    if (tw_matrix_to_lapack(c->R, c->r, c->n) ||
        (who == RESIDENT ? bench_gpu_move(c->q, c->on_gpu, c->bytes) : tw_matrix_to_lapack(c->A[HOST], c->q, c->m)))
        return bench_fail("the result: %s", tw_last_message());
    bench_blas_threads(bench_cores());
    return check_thin_product(&A, c->n, c->q, c->m, c->r, c->n, c->result[who].residual)
               ? bench_fail("--check: not enough memory")
               : 0;
}

static int report(const struct contest *c)
{
    json_t *record = bench_contest_record(c->o, "cholqr", c->m, c->n);
    int e = 0;

    bench_put(record, "mb", json_integer(c->mb));
    bench_put(record, "nb", json_integer(c->nb));
    if (!c->o->json)
        printf("%ccholqr m=%lld n=%lld, tiles of %lld x %lld, %s, %d runs\n", tw_type_letter(c->o->type),
               (long long)c->m, (long long)c->n, (long long)c->mb, (long long)c->nb, c->o->kind, c->o->repeat);
    for (int k = 0; k < CONTESTANTS; k++) {
        const struct result *r = &c->result[k];
        const double first = c->runs[k].first;
        double median;
        json_t *o;

        if (!c->runs[k].takes_part) continue;
        o = json_object();
        median = bench_median(c->o->repeat, c->runs[k].seconds);
        bench_put(o, "seconds", json_real(median));
        bench_put(o, "first_seconds", json_real(first));
        bench_put(o, "choleskys", json_integer(r->choleskys));
        if (c->o->check) {
            bench_put(o, "residual", bench_real(r->residual[0]));
            bench_put(o, "orthogonality", bench_real(r->residual[1]));
            if (!(r->residual[0] <= RESIDUAL_FAILS && r->residual[1] <= RESIDUAL_FAILS))
                e = bench_fail("%s: residuals %g, %g", titles[k], r->residual[0], r->residual[1]);
        }
        bench_put(record, names[k], o);
        if (c->o->json) continue;
        printf("  %-24s %.6f s (first %.6f), %d Cholesky factorizations", titles[k], median, first, r->choleskys);
        if (c->o->check) printf(", |A - Q R| %.2g, |Q^H Q - I| %.2g", r->residual[0], r->residual[1]);
        printf("\n");
    }
    bench_print(c->o, record);
    return e;
}

static int enter(struct contest *c)
{
    const enum tw_type t = c->o->type;
    tw_generator *g = NULL;
    tw_machine machine;
    int e;

    c->mb = c->nb = c->o->nb;
    if (!c->o->nb && tw_routine_tiles("cholqr", t, c->m, c->n, 0, &c->mb, &c->nb))
        return bench_fail("tiles: %s", tw_last_message());
    c->a = bench_alloc(c->bytes);
    c->r = bench_alloc((double)c->n * (double)c->n * (double)bench_sizeof(t));
    if (c->o->check) c->q = bench_alloc(c->bytes);
    e = tw_generator_create(&g, c->o->kind, t, c->m, c->n, 1);
    if (!e) e = tw_generator_block(g, 0, 0, c->m, c->n, c->a, c->m);
    tw_generator_destroy(g);
    if (!e) e = tw_matrix_create(&c->R, t, TW_GENERAL, c->n, c->n, c->nb, NULL);
    if (!e) e = tw_matrix_create_tiles(&c->A[HOST], t, TW_GENERAL, c->m, c->n, c->mb, c->nb, NULL);
    if (e) return bench_fail("the input: %s", tw_last_message());
    if (tw_machine_info(&machine) || machine.cuda_devices == 0) return 0;
    c->on_gpu = bench_gpu_array(c->bytes), c->kept = bench_gpu_array(c->bytes);
    if (!c->on_gpu || !c->kept || bench_gpu_move(c->kept, c->a, c->bytes))
        return bench_fail("two arrays of %.0f bytes do not fit the GPU", c->bytes);
    c->runs[RESIDENT].takes_part = 1;
    return tw_matrix_wrap_device_tiles(&c->A[RESIDENT], t, TW_GENERAL, c->m, c->n, c->on_gpu, c->m, c->mb, c->nb, 0)
               ? bench_fail("the array on the GPU: %s", tw_last_message())
               : 0;
}

static void leave(struct contest *c)
{
    for (int k = 0; k < CONTESTANTS; k++) {
        tw_matrix_destroy(c->A[k]);
        free(c->runs[k].seconds);
    }
    tw_matrix_destroy(c->R);
    bench_gpu_array_free(c->on_gpu);
    bench_gpu_array_free(c->kept);
    free(c->a), free(c->q), free(c->r);
}

static int one(const struct bench_options *o, tw_int n)
{
    struct contest c = {.o = o, .m = o->m ? o->m : ROWS, .n = n};
    int e;

    c.bytes = (double)c.m * (double)c.n * (double)bench_sizeof(o->type);
    c.runs[HOST].takes_part = 1;
    for (int k = 0; k < CONTESTANTS; k++)
        c.runs[k].seconds = bench_alloc((double)o->repeat * sizeof *c.runs[k].seconds);
    e = enter(&c);
    if (!e) e = bench_take_turns(o, &(struct bench_turns){&c, CONTESTANTS, c.runs, NULL, one_run, judge});
    if (!e) e = report(&c);
    leave(&c);
    return e;
}

int bench_cholqr(const struct bench_options *o)
{
    int e = 0;

    for (int i = 0; i < o->sizes; i++)
        if ((o->m ? o->m : ROWS) < o->n[i])
            return bench_fail("cholqr: --m %lld is below --n", (long long)(o->m ? o->m : ROWS)) + 1;
    if ((e = bench_start(o))) return e;
    e = bench_kind_wrong(o, o->m ? o->m : ROWS);
    for (int i = 0; i < o->sizes && e != 2; i++)
        e |= one(o, o->n[i]);
    if (tw_finalize() < 0) e |= bench_fail("stopping: %s", tw_last_message());
    return e;
}
