/* All pairs of particles: a task for each pair of a tile of sources and a tile of targets, in the order of the
 * sources. */
#include "algorithms/nbody/nbody_loops.h"
#include "codelets/dense/dense_tasks.h"
#include "codelets/nbody/function.h"

struct args {
    double softening;
    tw_nbody_kernel kernel; /* NULL: the function's, or the library's own */
    const void *user;
    struct tw_nbody_function *function; /* for both kinds of workers; or NULL */
    struct tw_matrix *sources, *targets, *result;
};

static void loop(struct tw_sequence *seq, void *p)
{
    const struct args *a = p;
    struct tw_matrix *S = a->sources, *T = a->targets, *R = a->result;
    const int priority = tw_priority(seq, 0, 1, 0);

    if (a->function && tw_function_load(seq, a->function)) return;
    if (a->function && !a->function->kernel && !a->function->gpus)
        tw_loop_fail(seq, TW_E_NO_WORKER, "the user's kernel has no C function, and no GPU is used");
    for (int i = 0; i < T->mt; i++) {
        if (S->mt == 0) tw_task_laset(seq, priority, 'G', (tw_scalar){0, 0}, (tw_scalar){0, 0}, tw_tile(R, i, 0));
        for (int j = 0; j < S->mt && !tw_loop_status(seq); j++) {
            struct tw_data *s = tw_tile(S, j, 0), *t = tw_tile(T, i, 0), *r = tw_tile(R, i, 0);
            if (a->function)
                tw_task_function(seq, priority, a->function, i * T->mb, j * S->mb, s, t, r, j == 0);
            else if (a->kernel)
                tw_task_pairs(seq, priority, a->kernel, a->user, i * T->mb, j * S->mb, s, t, r, j == 0);
            else
                tw_task_direct(seq, priority, a->softening, s, t, r, j == 0);
        }
        tw_bring_home(seq, tw_tile(R, i, 0));
    }
}

static const char *bad_particles(const struct tw_matrix *A, int columns)
{
    if (!A) return "NULL matrix";
    if (A->uplo != TW_GENERAL || A->band) return "only a part of the matrix is stored";
    if (tw_is_complex(A->type)) return "its type is complex";
    if (A->nb < A->n) return "its tiles have fewer columns than it";
    if (A->n < columns)
        return columns == 4 ? "it has fewer than 4 columns (x, y, z, charge)" : "it has too few columns";
    return NULL;
}
static const char *bad_pair(const struct tw_matrix *A, const struct tw_matrix *B)
{
    if (A->type != B->type) return "its type differs from the sources'";
    return A->mb != B->mb ? "its tiles have not as many rows as the sources'" : NULL;
}

static double flops(const void *p)
{
    const struct args *a = p;
    return 20.0 * (double)a->sources->m * (double)a->targets->m;
}

#define ROW(text)                                                                                                      \
    {                                                                                                                  \
        .name = text, .arguments = 4, .size = sizeof(struct args), .loop = loop, .flops = flops,                       \
        .operand = TW_OPERANDS(TW_OPERAND(TW_R, sources), TW_OPERAND(TW_R, targets), TW_OPERAND(TW_W, result))         \
    }
static const struct tw_routine direct_row = ROW("direct"),
                               pairs_row = ROW("pairs"); /* the arguments are checked below */

static int run(const char *routine, struct tw_sequence *seq, struct args *a, int first)
{
    const struct tw_pairs_shape *shape = a->function ? &a->function->shape : NULL;
    const int own = a->kernel == NULL && !shape;

    TW_ARGUMENT(routine, first, bad_particles(a->sources, own ? 4 : shape ? shape->source : 1));
    TW_ARGUMENT(routine, first, shape && a->sources->type != shape->type ? "its type is not the function's" : NULL);
    if (!a->targets) a->targets = a->sources;
    TW_ARGUMENT(routine, first + 1, bad_particles(a->targets, own ? 3 : shape ? shape->target : 1));
    TW_ARGUMENT(routine, first + 1, bad_pair(a->sources, a->targets));
    TW_ARGUMENT(routine, first + 2, bad_particles(a->result, 1));
    TW_ARGUMENT(routine, first + 2, bad_pair(a->sources, a->result));
    TW_ARGUMENT(routine, first + 2, a->result->m != a->targets->m ? "it has not one row per target" : NULL);
    TW_ARGUMENT(routine, first + 2,
                own && a->result->n != 1 && a->result->n != 3 && a->result->n != 4 ? "it has not 1, 3 or 4 columns"
                                                                                   : NULL);
    TW_ARGUMENT(routine, first + 2,
                shape && a->result->n != shape->result ? "it has not the function's number of columns" : NULL);
    TW_ARGUMENT(routine, first + 2,
                a->result == a->sources || a->result == a->targets ? "it is one of the inputs" : NULL);
    if (a->targets->m == 0) return 0;
    return tw_run_or_queue(own ? &direct_row : &pairs_row, seq, a);
}

static int direct(const char *routine, struct tw_sequence *seq, double softening, tw_matrix *sources,
                  tw_matrix *targets, tw_matrix *result)
{
    const double limit = sources && sources->type == TW_FLOAT ? TW_NBODY_COORDINATE_MAX_FLOAT : TW_NBODY_COORDINATE_MAX;
    TW_ARGUMENT(routine, 1,
                softening >= 0 && softening <= limit ? NULL : "negative, NaN, or beyond the range of coordinates");
    return run(routine, seq,
               &(struct args){.softening = softening, .sources = sources, .targets = targets, .result = result}, 2);
}
static int pairs(const char *routine, struct tw_sequence *seq, tw_nbody_kernel kernel, const void *user,
                 tw_matrix *sources, tw_matrix *targets, tw_matrix *result)
{
    TW_ARGUMENT(routine, 1, kernel ? NULL : "NULL kernel");
    return run(routine, seq,
               &(struct args){.kernel = kernel, .user = user, .sources = sources, .targets = targets, .result = result},
               3);
}

int tw_nbody_direct(double softening, tw_matrix *sources, tw_matrix *targets, tw_matrix *result)
{
    return direct("tw_nbody_direct", NULL, softening, sources, targets, result);
}
int tw_nbody_direct_async(double softening, tw_matrix *sources, tw_matrix *targets, tw_matrix *result, tw_sequence *seq)
{
    TW_ARGUMENT("tw_nbody_direct_async", 5, seq ? NULL : "NULL sequence");
    return direct("tw_nbody_direct_async", seq, softening, sources, targets, result);
}
int tw_nbody_pairs(tw_nbody_kernel kernel, const void *user, tw_matrix *sources, tw_matrix *targets, tw_matrix *result)
{
    return pairs("tw_nbody_pairs", NULL, kernel, user, sources, targets, result);
}
int tw_nbody_pairs_async(tw_nbody_kernel kernel, const void *user, tw_matrix *sources, tw_matrix *targets,
                         tw_matrix *result, tw_sequence *seq)
{
    TW_ARGUMENT("tw_nbody_pairs_async", 6, seq ? NULL : "NULL sequence");
    return pairs("tw_nbody_pairs_async", seq, kernel, user, sources, targets, result);
}

static int apply(const char *routine, struct tw_sequence *seq, tw_nbody_function *function, tw_matrix *sources,
                 tw_matrix *targets, tw_matrix *result)
{
    TW_ARGUMENT(routine, 1, function ? NULL : "NULL");
    return run(routine, seq,
               &(struct args){.function = function, .sources = sources, .targets = targets, .result = result}, 2);
}

int tw_nbody_apply(tw_nbody_function *function, tw_matrix *sources, tw_matrix *targets, tw_matrix *result)
{
    return apply("tw_nbody_apply", NULL, function, sources, targets, result);
}
int tw_nbody_apply_async(tw_nbody_function *function, tw_matrix *sources, tw_matrix *targets, tw_matrix *result,
                         tw_sequence *seq)
{
    TW_ARGUMENT("tw_nbody_apply_async", 5, seq ? NULL : "NULL sequence");
    return apply("tw_nbody_apply_async", seq, function, sources, targets, result);
}
