/* A user's own StarPU tasks on the tiles of a Tilework matrix: fill it, let Tilework factor it, add up its log-
 * determinant. */
#include <math.h>
#include <stdio.h>
#include <tilework/starpu.h>
#include <tilework/tilework.h>

#include "common/arguments.h"

enum { N = 1000, NB = 192, T = (N + NB - 1) / NB };

/* A(i, j) = 0.5^|i-j|, whose determinant is 0.75^(n-1) */
static void fill(void *buffers[], void *arg)
{
    int row, col, m = (int)STARPU_MATRIX_GET_NX(buffers[0]), n = (int)STARPU_MATRIX_GET_NY(buffers[0]);
    double *a = (double *)STARPU_MATRIX_GET_PTR(buffers[0]);
    size_t ld = STARPU_MATRIX_GET_LD(buffers[0]);
    starpu_codelet_unpack_args(arg, &row, &col);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            a[i + (size_t)j * ld] = pow(0.5, abs(row * NB + i - col * NB - j));
}

static void add_log_diagonal(void *buffers[], void *arg)
{
    (void)arg;
    const double *a = (const double *)STARPU_MATRIX_GET_PTR(buffers[0]);
    size_t ld = STARPU_MATRIX_GET_LD(buffers[0]);
    for (size_t i = 0; i < STARPU_MATRIX_GET_NX(buffers[0]); i++)
        *(double *)STARPU_VARIABLE_GET_PTR(buffers[1]) += 2 * log(a[i + i * ld]);
}

static struct starpu_codelet filler = {.cpu_funcs = {fill}, .nbuffers = 1, .modes = {STARPU_W}, .name = "my_fill"};
static struct starpu_codelet adder = {
    .cpu_funcs = {add_log_diagonal}, .nbuffers = 2, .modes = {STARPU_R, STARPU_RW}, .name = "my_logdet"};

int main(int argc, char **argv)
{
    int status = arguments(argc, argv, 0,
                           "starpu_task     (no arguments: StarPU tasks of its own around a factorization, checked)");
    if (status >= 0) return status;
    tw_blas_reexec(argv);
    double logdet = 0, expected = (N - 1) * log(0.75);
    starpu_data_handle_t sum;
    tw_matrix *A;
    int bad = tw_matrix_create(&A, TW_DOUBLE, TW_LOWER, N, N, NB, NULL);
    if (bad || (bad = tw_workers_hold()))
        return fprintf(stderr, "%s\n", tw_last_message()), 1; /* StarPU is awake now */
    for (int j = 0; j < T; j++)
        for (int i = j; i < T && !bad; i++)
            bad = starpu_task_insert(&filler, STARPU_W, tw_tile_handle(A, i, j), STARPU_VALUE, &i, sizeof i,
                                     STARPU_VALUE, &j, sizeof j, 0);
    if (!bad) bad = tw_potrf(TW_LOWER, A); /* joins the graph: each task starts when its tiles are filled */
    starpu_variable_data_register(&sum, STARPU_MAIN_RAM, (uintptr_t)&logdet, sizeof logdet);
    for (int k = 0; k < T && !bad; k++)
        bad = starpu_task_insert(&adder, STARPU_R, tw_tile_handle(A, k, k), STARPU_RW, sum, 0);
    starpu_data_unregister(sum); /* waits for the tasks that use it */
    printf("log-determinant %.9f, expected %.9f (status %d)\n", logdet, expected, bad);
    if (tw_workers_release() || tw_matrix_destroy(A) || tw_finalize()) return 1;
    return !bad && fabs(logdet - expected) < 1e-9 * N ? 0 : 1;
}
