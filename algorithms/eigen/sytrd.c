/* The reduction of a hermitian matrix to tridiagonal form in one stage, A = Q T Q^H, in LAPACK's storage: LAPACK's
 * sytrd and hetrd (Dongarra, Hammarling, Sorensen, "Block reduction of matrices to condensed forms for eigenvalue
 * computations", J. Comput. Appl. Math. 27, 1989).
 *
 * Each column needs a product with all that is left of the matrix, so panel and update take turns; the update is stage
 * 1's, A - V W^H - W V^H. LAPACK's upper form is the lower one of the matrix with rows and columns in the opposite
 * order. What is reduced is a copy, so that A itself gets LAPACK's results panel by panel. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/sytrd_tasks.h"
#include "runtime/base/account.h"

int tw_sytrd_width(tw_int n)
{
    return (int)tw_max(1, tw_min(n, tw_gpus() > 0 ? 64 : 32));
}
int tw_sytrd_kept(tw_int n)
{
    const int b = tw_sytrd_width(n);
    return (tw_gpus() > 0 ? 256 : 128) / b * b;
}

double tw_sytrd_scale(enum tw_type type, double norm)
{
    const int single = tw_is_single(type), most = single ? 48 : 200,
              end = single
                        ? -FLT_MIN_EXP + 1
                        : -DBL_MIN_EXP + 1; /* of the type's normal powers of two: what is denormal does not reach 1 */

    if (!(norm > 0) || !isfinite(norm) || (norm > ldexp(1, -most) && norm < ldexp(1, most))) return 1;
    return ldexp(1, (int)tw_max(-end, tw_min(end, -ilogb(norm))));
}

/* ---- tau --------------------------------------------------------------------------------------------------------- */

static void tau_pieces(struct tw_sequence *seq, enum tw_uplo uplo, tw_int k, struct tw_data *column,
                       struct tw_matrix *tau, int out)
{
    const int priority = tw_priority(seq, 1, 1, 0);

    for (int i = 0; i < tau->mt && i * tau->mb < k; i++) {
        struct tw_data *tile = tw_tile(tau, i, 0), *from = out ? column : tile, *to = out ? tile : column;
        const int rows = (int)tw_min(tile->m, k - i * tau->mb),
                  at = (int)(uplo == TW_LOWER ? i * tau->mb : k - i * tau->mb - rows);
        const struct tw_block block = {.m = rows, .n = 1, .ai = out ? at : 0, .bi = out ? 0 : at};
        const int overwrites = out ? rows == tile->m : i == 0;
        (uplo == TW_LOWER ? tw_task_lacpy_block : tw_task_lacpy_reversed)(seq, priority, &block, from, to, overwrites);
        if (out) tw_bring_home(seq, tile);
    }
}

struct tw_data *tw_tau_in(struct tw_sequence *seq, enum tw_uplo uplo, tw_int k, struct tw_matrix *tau)
{
    struct tw_data *column = tw_data_tile(tau->type, (int)tw_max(1, k), 1);

    if (column)
        tau_pieces(seq, uplo, k, column, tau, 0);
    else
        tw_loop_fail(seq, TW_E_MEMORY, "no memory for %lld factors", (long long)k);
    return column;
}

void tw_tau_out(struct tw_sequence *seq, enum tw_uplo uplo, tw_int k, struct tw_data *column, struct tw_matrix *tau)
{
    tau_pieces(seq, uplo, k, column, tau, 1);
}

/* ---- the reduction ----------------------------------------------------------------------------------------------- */

/* One reduction. */
struct reduction {
    struct tw_sequence *seq;
    const struct tw_sytrd *x;
    struct tw_data **list, *tau;
    int n, panels;
};

static struct tw_data *object(const struct reduction *r, int m, int n)
{
    struct tw_data *d = tw_data_tile(r->x->L->type, (int)tw_max(1, m), (int)tw_max(1, n));
    tw_int step = 1;

    if (!d) {
        tw_loop_fail(r->seq, TW_E_MEMORY, "sytrd: no memory for %d x %d elements", m, n);
        return NULL;
    }
    while (step <= m / 8)
        step *= 2;
    d->room = (size_t)tw_max(1, (m + step - 1) / step * step) * (size_t)d->n * d->elemsize; /* copies in few sizes */
    return d;
}

/* LAPACK's storage: the tiles of A that the panel's columns lie in. */
static void store(const struct reduction *r, const struct tw_sytrd_panel *p, int priority, struct tw_data *VWV)
{
    struct tw_matrix *A = r->x->A;
    const tw_int low = r->x->uplo == TW_LOWER ? p->first : r->n - p->first - p->columns, high = low + p->columns;

    for (int j = (int)(low / A->nb); j < A->nt && j * A->nb < high; j++)
        for (int i = r->x->uplo == TW_LOWER ? j : 0; i < (r->x->uplo == TW_LOWER ? A->mt : j + 1); i++)
            tw_task_sytrd_store(r->seq, priority, p, 1 / r->x->scale, VWV, r->x->d, r->x->e, i * A->mb, j * A->nb,
                                tw_tile(A, i, j));
}

/* The panel's reflectors become columns of a block reflector, which is complete with the last of them. */
static void keep(const struct reduction *r, const struct tw_sytrd_panel *p, int priority, struct tw_data *VWV)
{
    struct tw_he2hb *q = r->x->q;
    const int g = p->first / q->b, begin = g * q->b, width = (int)tw_min(q->b, r->n - 1 - begin);

    if (p->first == begin) {
        q->V[g] = object(r, r->n - 1 - begin, width);
        q->T[g] = object(r, width, width);
    }
    if (!q->V[g] || !q->T[g]) return;
    tw_task_latrd_keep(r->seq, priority, p->first - begin, VWV, p->k, q->V[g]);
    if (p->first - begin + p->k == width) tw_task_larft_v(r->seq, priority, begin, r->tau, q->V[g], q->T[g]);
}

static void step(struct reduction *r, int number)
{
    struct tw_matrix *L = r->x->L;
    const int first = number * r->x->b, columns = (int)tw_min(r->x->b, r->n - first),
              k = (int)tw_min(columns, r->n - 1 - first);
    const struct tw_sytrd_panel p = {r->n, first, columns, k, (char)r->x->uplo};
    const struct tw_trailing behind = {.first = first + 1, .nb = (int)L->nb};
    const int J = (int)(first / L->nb), tiles = L->mt - J, level = r->panels - number;
    const int on_path = tw_priority(r->seq, level, r->panels, 1), beside = tw_priority(r->seq, level, r->panels, 0);
    struct tw_data *VWV = object(r, r->n - 1 - first, 3 * k);
    int count = 0;

    if (!VWV) return;
    for (int K = J; K < L->mt; K++)
        for (int I = K; I < L->mt; I++)
            r->list[count++] = tw_tile(L, I, K);
    tw_task_latrd(r->seq, on_path, &p, (int)L->nb, r->list, tiles, r->x->d, r->x->e, r->tau, VWV);
    for (int K = (int)((first + columns) / L->nb); K < L->nt && first + columns < r->n; K++)
        for (int I = K; I < L->mt; I++)
            tw_task_he2hb_update(r->seq, on_path, &behind, VWV, tw_tile(L, I, K));
    if (r->x->A) store(r, &p, beside, VWV);
    if (r->x->q && k > 0) keep(r, &p, beside, VWV);
    tw_data_free_later(VWV);
}

void tw_sytrd_loop(struct tw_sequence *seq, const struct tw_sytrd *x)
{
    const size_t tiles = (size_t)x->L->mt * ((size_t)x->L->mt + 1) / 2;
    struct reduction r = {.seq = seq, .x = x, .n = (int)x->L->n};
    const char *const before = tw_loop_in_stage(seq, "tridiagonal");

    tw_account_figure("route", TW_ROUTE_ONE);
    r.panels = (r.n + x->b - 1) / x->b;
    r.list = malloc(tiles * sizeof *r.list);
    if (!r.list) tw_loop_fail(seq, TW_E_MEMORY, "sytrd: no memory for a list of %zu tiles", tiles);
    r.tau = object(&r, r.n - 1, 1);
    for (int p = 0; r.list && r.tau && p < r.panels && !tw_loop_status(seq); p++)
        step(&r, p);
    if (r.tau && x->tau) tw_tau_out(seq, x->uplo, r.n - 1, r.tau, x->tau);
    if (r.tau) tw_data_free_later(r.tau);
    free(r.list);
    (void)tw_loop_in_stage(seq, before);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

struct args {
    enum tw_uplo uplo;
    struct tw_matrix *A;
    double *d, *e;
    struct tw_matrix *tau;
};
/* One call, which waits for its matrix' largest element. */
struct call {
    struct args a;
    struct tw_matrix *L;
};

static struct tw_data *real_vector(const struct tw_matrix *A, tw_int length)
{
    return tw_data_vector_of(tw_real_type(A->type), (size_t)tw_max(1, length), (int[2]){-1, -1});
}

static void reduce(struct tw_sequence *seq, const struct call *c, double scale)
{
    struct tw_sytrd x = {.L = c->L,
                         .b = tw_sytrd_width(c->L->n),
                         .d = real_vector(c->L, c->L->n),
                         .e = real_vector(c->L, c->L->n - 1),
                         .uplo = c->a.uplo,
                         .A = c->a.A,
                         .tau = c->a.tau,
                         .scale = scale};

    if (x.d && x.e) {
        tw_sytrd_loop(seq, &x);
        tw_task_sytrd_leave(seq, tw_priority(seq, 1, 1, 0), (char)x.uplo, 1 / scale, x.d, x.e, c->a.d, c->a.e);
        for (int j = 0; j < x.A->nt; j++)
            for (int i = x.uplo == TW_LOWER ? j : 0; i < (x.uplo == TW_LOWER ? x.A->mt : j + 1); i++)
                tw_bring_home(seq, tw_tile(x.A, i, j));
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "sytrd: no memory for a tridiagonal matrix of order %lld", (long long)c->L->n);
    }
    if (x.d) tw_data_free_later(x.d);
    if (x.e) tw_data_free_later(x.e);
}

/* NaN and infinities go their way, as through LAPACK's. */
static void with_norm(struct tw_sequence *seq, const void *value, void *args)
{
    const struct call *c = args;
    const double scale = tw_sytrd_scale(c->L->type, *(const double *)value);

    if (scale != 1) tw_scale_loop(seq, TW_LOWER, 0, (tw_scalar){scale, 0}, c->L);
    reduce(seq, c, scale);
}

static void loop(struct tw_sequence *seq, void *args)
{
    static const double modelled = 1;
    struct call c = {.a = *(const struct args *)args};
    const int b = tw_sytrd_width(c.a.A->n);
    const tw_int nb = (tw_min(c.a.A->nb, c.a.A->n) + b - 1) / b * b;
    struct tw_data *norm = NULL;

    c.L = c.a.uplo == TW_LOWER ? tw_triangle_copy(seq, TW_LOWER, c.a.A, nb) : tw_reversed_copy(seq, c.a.A, nb);
    if (c.L && (norm = tw_max_norm_of_triangle(seq, TW_LOWER, c.L))) {
        const struct tw_use uses[] = {{NULL, c.L, TW_RW}, {NULL, c.a.A, TW_RW}, {NULL, c.a.tau, TW_RW}};
        tw_when(seq, norm, &modelled, uses, 3, with_norm, &c, sizeof c);
        tw_data_free_later(norm);
    }
    if (c.L) tw_matrix_free_later(c.L);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;

    TW_CHECK(who, 1, tw_bad_uplo(a->uplo));
    TW_CHECK(who, 2, tw_bad_triangle(a->A, a->uplo));
    TW_CHECK(who, 2, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 3, a->d || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 4, a->e || a->A->n <= 1 ? NULL : "NULL");
    TW_CHECK(who, 5, tw_bad_trd_tau(a->tau, a->A));
    return a->A->n == 0 ? TW_NOTHING : tw_eigen_memory(who, tw_sytrd_bytes(a->A->type, a->A->n), a->A, NULL, NULL);
}

static double flops(const void *args)
{
    const struct args *a = args;
    return tw_flops_sytrd(a->A->type, (double)a->A->n);
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return tw_sytrd_bytes(s->type, s->n);
}

const struct tw_routine tw_routine_sytrd = {.name = "sytrd",
                                            .arguments = 5,
                                            .size = sizeof(struct args),
                                            .operand = TW_OPERANDS(TW_OPERAND(TW_RW, A), TW_OPERAND(TW_W, tau)),
                                            .check = check,
                                            .loop = loop,
                                            .flops = flops,
                                            .needs = {.given = "Tnn", .own_bytes = own_bytes}};

int tw_sytrd(enum tw_uplo uplo, tw_matrix *A, double *d, double *e, tw_matrix *tau)
{
    return tw_run(&tw_routine_sytrd, &(struct args){uplo, A, d, e, tau});
}

int tw_sytrd_async(enum tw_uplo uplo, tw_matrix *A, double *d, double *e, tw_matrix *tau, tw_sequence *seq)
{
    return tw_queue(&tw_routine_sytrd, seq, &(struct args){uplo, A, d, e, tau});
}
