/* Which way a hermitian eigenvalue problem goes: by one stage or two, or whole, by LAPACK's syevd in one task. The
 * choice and the last way are here. */
#include <math.h>
#include <string.h>
#include "algorithms/eigen/from_band.h"
#include "algorithms/eigen/route_model.h"
#include "runtime/base/account.h"
#include "runtime/base/variables.h"
#include "runtime/machine/gpus.h"
#include "runtime/task/when.h"

int tw_route(enum tw_route *route)
{
    static const enum tw_route routes[] = {TW_ROUTE_AUTO, TW_ROUTE_LAPACK, TW_ROUTE_ONE, TW_ROUTE_TWO}; /* its words */
    int k = 0, e = tw_variable_word(TW_TILEWORK_ROUTE, &k);

    *route = routes[k];
    return e;
}

/* Up to which order LAPACK may have it: as far as it pays, unless an order is set (TILEWORK_CROSSOVER). */
static double lapack_most(enum tw_type type)
{
    const char *source;
    const tw_int order = tw_crossover(&tw_tuning_eigen, type, &source);
    return strcmp(source, "default") != 0 ? (double)order : INFINITY;
}

static int about_two_stages(void)
{
    return tw_variable_text(TW_TILEWORK_BAND) || tw_variable_text(TW_TILEWORK_LEAF) ||
           tw_variable_text(TW_TILEWORK_CHASE);
}

static struct tw_route_problem predict(enum tw_type type, tw_int n, double columns, int b, struct tw_route_seconds *s)
{
    int ncuda;
    const int workers = tw_worker_count(&ncuda);
    const struct tw_route_problem p = {type, (double)n, columns, b, workers - ncuda, tw_gpus()};

    tw_route_predict(&p, s);
    return p;
}
static enum tw_route choose(enum tw_route asked, const struct tw_route_problem *p, const struct tw_route_seconds *s)
{
    if (asked != TW_ROUTE_AUTO) return asked;
    if (tw_reproducible() || about_two_stages()) return TW_ROUTE_TWO;
    return tw_route_choose(p, s, lapack_most(p->type));
}

enum tw_route tw_route_of(enum tw_route asked, enum tw_type type, tw_int n, double columns, int b)
{
    struct tw_route_seconds s;
    const struct tw_route_problem p = predict(type, n, columns, b, &s);

    tw_account_figure("predicted_lapack", tw_route_least(&s, TW_ROUTE_LAPACK));
    tw_account_figure("predicted_one", tw_route_least(&s, TW_ROUTE_ONE));
    tw_account_figure("predicted_two", tw_route_least(&s, TW_ROUTE_TWO));
    return choose(asked, &p, &s);
}

enum tw_route tw_route_planned(enum tw_type type, tw_int n, double columns, int b)
{
    struct tw_route_seconds s;
    const struct tw_route_problem p = predict(type, n, columns, b, &s);
    enum tw_route asked;

    (void)tw_route(&asked); /* checked before, or there is nothing to refuse */
    return choose(asked, &p, &s);
}

/* LAPACK's eigenvalues are there: those that are wanted to w. */
static void wanted_of(struct tw_spectrum *p, const double *values, tw_int *first, tw_int *m)
{
    tw_int end = p->wanted.which == TW_INDICES ? p->wanted.iu : p->n;

    *first = p->wanted.which == TW_INDICES ? p->wanted.il - 1 : 0;
    while (p->wanted.which == TW_INTERVAL && *first < p->n && !(values[*first] > p->wanted.vl))
        ++*first;
    while (p->wanted.which == TW_INTERVAL && end > *first && !(values[end - 1] <= p->wanted.vu))
        end--;
    *m = tw_max(0, end - *first);
    for (tw_int i = 0; i < *m; i++)
        p->w[i] = values[*first + i];
}

/* Columns first ... first + m - 1 of the one tile that V is, in blocks. */
static struct tw_matrix *columns(struct tw_sequence *seq, const struct tw_spectrum *p, struct tw_matrix *V,
                                 tw_int first, tw_int m)
{
    struct tw_matrix *S = tw_matrix_temporary(p->type, p->n, m, p->n, tw_columns_of_block(m));

    if (!S) {
        tw_loop_fail(seq, TW_E_MEMORY, "%lld eigenvectors of order %lld: %s", (long long)m, (long long)p->n,
                     tw_last_message());
        return NULL;
    }
    for (int j = 0; j < S->nt; j++) {
        const struct tw_block block = {
            .m = (int)p->n, .n = (int)tw_min(S->nb, m - j * S->nb), .aj = (int)(first + j * S->nb)};
        tw_task_lacpy_block(seq, tw_priority(seq, 1, 2, 0), &block, tw_tile(V, 0, 0), tw_tile(S, 0, j), 1);
    }
    return S;
}

struct found {
    struct tw_spectrum p;
    struct tw_matrix *V;
};

static void found(struct tw_sequence *seq, const void *values, void *args)
{
    struct found *f = args;
    struct tw_spectrum *p = &f->p;
    struct tw_matrix *S;
    tw_int first, m;

    wanted_of(p, values, &first, &m);
    if (p->m) *p->m = m;
    if (!p->Z || m == 0 || tw_too_many(seq, p, m)) return;
    if ((S = columns(seq, p, f->V, first, m))) tw_leave_vectors(seq, p, S);
}

void tw_lapack_loop(struct tw_sequence *seq, const struct tw_spectrum *p, struct tw_matrix *L)
{
    const struct tw_use uses[] = {{NULL, L, TW_R}, {NULL, p->Z, TW_RW}, {NULL, p->pencil.B, TW_R}};
    struct tw_data *values = tw_data_vector((size_t)p->n, sizeof(double), (int[2]){-1, -1});
    const struct found f = {*p, L};

    if (!values) {
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %lld eigenvalues", (long long)p->n);
        return;
    }
    tw_account_figure("route", TW_ROUTE_LAPACK);
    tw_task_syevd(seq, tw_priority(seq, 2, 2, 1), p->Z ? 'V' : 'N', tw_tile(L, 0, 0), values, tw_info(seq));
    tw_when(seq, values, NULL, uses, 3, found, &f, sizeof f);
    tw_data_free_later(values);
}
