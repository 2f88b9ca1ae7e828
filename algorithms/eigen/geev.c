/* Eigenvalues and eigenvectors of a general matrix: behind its Schur form T (schur.c) T's eigenvectors are solved for,
 * some columns in each task, multiplied by Q Z, and brought back through balancing. One graph: the eigenvectors wait,
 * without holding up other work, for which columns of T belong together in a pair. Of geevx condition numbers come
 * between, from the eigenvectors as they are before balancing is taken back. */
#include <math.h>
#include "algorithms/eigen/schur.h"
#include "runtime/base/error.h"

struct problem {
    struct tw_schur s;
    struct tw_geev_args a;
};

/* ---- eigenvectors ------------------------------------------------------------------------------------------------ */

/* V's columns are `to`'s from number `first` on. */
static void leave(struct tw_sequence *seq, struct tw_data *V, int first, struct tw_matrix *to)
{
    const int last = first + V->n;

    for (int j = (int)(first / to->nb); j < to->nt && j * to->nb < last; j++)
        for (int i = 0; i < to->mt; i++) {
            const int at = (int)(j * to->nb), c0 = tw_max(first, at), c1 = tw_min(last, at + tw_tile_cols(to, j));
            const struct tw_block block = {
                .m = tw_tile_rows(to, i), .n = c1 - c0, .ai = (int)(i * to->mb), .aj = c0 - first, .bj = c0 - at};
            tw_task_lacpy_block(seq, tw_priority(seq, 1, 2, 0), &block, V, tw_tile(to, i, j),
                                block.n == tw_tile_cols(to, j));
            if (c1 == at + tw_tile_cols(to, j)) tw_bring_home(seq, tw_tile(to, i, j));
        }
}

/* Columns first ... end - 1 of the balanced matrix' eigenvectors; NULL without memory. */
static struct tw_data *solved(struct tw_sequence *seq, const struct problem *p, char side, int first, int end)
{
    const int rows = side == 'R' ? end : p->s.n - first, priority = tw_priority(seq, 2 * p->s.n + rows, 4 * p->s.n, 0);
    struct tw_data *X = tw_data_tile(p->s.type, rows, end - first), *V = tw_data_tile(p->s.type, p->s.n, end - first);

    if (X && V) {
        tw_task_trevc(seq, priority, side, first, tw_only_tile(p->s.H), X);
        tw_task_trevc_back(seq, priority, side, first, p->s.Z->tile, p->s.Z->mt, X, V);
    } else {
        tw_loop_fail(seq, TW_E_MEMORY, "%s: no memory for %d eigenvectors", p->s.who, end - first);
        if (V) tw_data_free_later(V);
        V = NULL;
    }
    if (X) tw_data_free_later(X);
    return V;
}

/* Those that are wanted, and condition numbers. */
static void block_of(struct tw_sequence *seq, const struct problem *p, int first, int end)
{
    struct tw_matrix *const to[2] = {p->a.VL, p->a.VR};
    const struct tw_geev_head *head = &p->s.head;
    const int values = p->a.sense == 'E' || p->a.sense == 'B';
    struct tw_data *V[2] = {NULL, NULL};

    for (int right = 0; right < 2; right++)
        if (to[right] && !(V[right] = solved(seq, p, "LR"[right], first, end))) goto done;
    if (p->a.sense != 'N')
        tw_task_trsna(seq, tw_priority(seq, 2, 4, 0), p->a.sense, first, end - first, tw_only_tile(p->s.H),
                      values ? V[0] : NULL, values ? V[1] : NULL, head->to > 0 ? head->norm / head->to : 1, p->a.rconde,
                      p->a.rcondv);
    for (int right = 0; right < 2; right++) {
        if (!V[right]) continue;
        tw_task_gebak(seq, tw_priority(seq, 1, 4, 0), "LR"[right], first, head, p -> s.scale, p->s.state, V[right]);
        leave(seq, V[right], first, to[right]);
    }
done:
    for (int right = 0; right < 2; right++)
        if (V[right]) tw_data_free_later(V[right]);
}

/* state: the info, and which columns are a pair's. */
static void with_schur_form(struct tw_sequence *seq, const void *value, void *args)
{
    const struct problem *p = args;
    const int32_t *state = value, *pair = state + 1;
    const int n = p->s.n, width = (int)tw_columns_of_block(n);
    const char *before;

    if (state[0] != 0) return; /* LAPACK has no eigenvectors then either */
    before = tw_loop_in_stage(seq, "vectors");
    for (int first = 0, end; first < n && !tw_loop_status(seq); first = end) {
        end = tw_min(first + width, n);
        if (end < n && pair[end] == 2) end++;
        block_of(seq, p, first, end);
    }
    (void)tw_loop_in_stage(seq, before);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static void with_head(struct tw_sequence *seq, const void *value, void *args)
{
    const struct tw_geev_head *head = value;
    struct problem *p = args;
    const struct tw_geev_args *a = &p->a;

    if (a->ilo) *a->ilo = head->ilo;
    if (a->ihi) *a->ihi = head->ihi;
    if (a->abnrm) *a->abnrm = head->finite ? head->one : NAN;
    if (tw_schur_reduce(seq, &p->s, head)) goto done;
    if (a->scale && p->s.vectors) tw_copy_loop(seq, p->s.H, a->A, 1);
    if (p->s.Z || a->sense != 'N') {
        struct tw_use uses[6] = {{NULL, p->s.H, TW_R}, {p->s.scale, NULL, TW_R}, {p->s.state, NULL, TW_R}};
        int n = 3;
        if (p->s.Z) uses[n++] = (struct tw_use){NULL, p->s.Z, TW_R};
        if (a->VL) uses[n++] = (struct tw_use){NULL, a->VL, TW_RW};
        if (a->VR) uses[n++] = (struct tw_use){NULL, a->VR, TW_RW};
        tw_when(seq, p->s.state, NULL, uses, n, with_schur_form, p, sizeof *p);
    }
done:
    tw_schur_end(&p->s);
}

void tw_geev_loop(struct tw_sequence *seq, const struct tw_geev_args *a)
{
    struct problem p = {{.who = a->scale ? "geevx" : "geev", .vectors = a->VL || a->VR, .wr = a->wr, .wi = a->wi}, *a};
    struct tw_use uses[TW_SCHUR_USES];
    int n = 0;

    if (a->scale && p.s.vectors) uses[n++] = (struct tw_use){NULL, a->A, TW_RW};
    if (a->VL) uses[n++] = (struct tw_use){NULL, a->VL, TW_RW};
    if (a->VR) uses[n++] = (struct tw_use){NULL, a->VR, TW_RW};
    tw_schur_begin(seq, &p.s, sizeof p, a->A, a->balanc, a->scale, with_head, uses, n);
}

/* ---- the routine ------------------------------------------------------------------------------------------------- */

struct args {
    struct tw_geev_args g;
};

static int check(const char *who, void *p)
{
    const struct tw_geev_args *a = p;

    TW_CHECK(who, 1, tw_bad_job(a->jobvl));
    TW_CHECK(who, 2, tw_bad_job(a->jobvr));
    TW_CHECK(who, 3, tw_bad_square(a->A));
    TW_CHECK(who, 3, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    TW_CHECK(who, 4, a->wr || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->wi || a->A->n == 0 ? NULL : "NULL");
    TW_CHECK(who, 5, a->wi == a->wr && a->A->n > 0 ? "it is wr, too" : NULL);
    TW_CHECK(who, 6, tw_bad_vectors(a->jobvl, a->A, a->VL));
    TW_CHECK(who, 7, tw_bad_vectors(a->jobvr, a->A, a->VR));
    TW_CHECK(who, 7, a->VR && a->VR == a->VL ? "it is VL, too" : NULL);
    return a->A->n == 0 ? TW_NOTHING : tw_geev_memory(who, a);
}

/* H, with eigenvectors twice, and Z, and a copy of it while it is made; eigenvectors on their way. */
double tw_geev_bytes(enum tw_type type, tw_int n, int vectors)
{
    return (vectors ? 5 : 2) * 2 * tw_sytrd_bytes(type, n);
}
int tw_geev_memory(const char *who, const struct tw_geev_args *a)
{
    return tw_eigen_memory(who, tw_geev_bytes(a->A->type, a->A->n, a->VL || a->VR), a->A, a->VL, a->VR);
}
double tw_geev_needs(const struct tw_sizes *s, tw_int nb)
{
    (void)nb;
    return tw_geev_bytes(s->type, s->n, s->k > 0);
}

/* The reduction to Hessenberg form; with eigenvectors its Q, and products with them. */
double tw_geev_flops(const void *args)
{
    const struct tw_geev_args *a = args;
    const double n = (double)a->A->n;
    return tw_flops_gehrd(a->A->type, n) +
           tw_flop_factor(a->A->type) * n * n * n *
               (10 + (a->VL || a->VR ? 5 + 4.0 / 3 : 0) + (a->VL ? 1 : 0) + (a->VR ? 1 : 0));
}
static void loop(struct tw_sequence *seq, void *args)
{
    tw_geev_loop(seq, args);
}

const struct tw_tuning tw_tuning_general = {.crossover = 512};

const struct tw_routine tw_routine_geev = {
    .name = "geev",
    .tuning = &tw_tuning_general,
    .arguments = 7,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, g.A), TW_OPERAND(TW_RW, g.VL), TW_OPERAND(TW_RW, g.VR)),
    .check = check,
    .loop = loop,
    .flops = tw_geev_flops,
    .needs = {.given = "nn nk", .own_bytes = tw_geev_needs}};

#define GEEV                                                                                                           \
    {                                                                                                                  \
        {                                                                                                              \
            jobvl, jobvr, A, wr, wi, VL, VR, .balanc = 'B', .sense = 'N'                                               \
        }                                                                                                              \
    }
int tw_geev(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL, tw_matrix *VR)
{
    return tw_run(&tw_routine_geev, &(struct args)GEEV);
}

int tw_geev_async(enum tw_jobz jobvl, enum tw_jobz jobvr, tw_matrix *A, double *wr, double *wi, tw_matrix *VL,
                  tw_matrix *VR, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geev, seq, &(struct args)GEEV);
}
