/* tilework-bench-elpa FILE N M TYPE VECTORS: one run of ELPA's two-stage solver, by as many processes as mpirun
 * started, for `tilework bench` (bench/eigen_elpa.c).
 *
 * FILE holds the n x n matrix, column-major; behind it room for the m eigenvalues as doubles and the n x m
 * eigenvectors, which are written there. Matrices are spread block-cyclically over a grid of processes. Printed: the
 * seconds of the solver, from all processes' beginning to the last one's end. */
#include <complex.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elpa/elpa.h>

enum { BLOCK = 64 };

struct grid {
    int n, m, size, rows, columns, row, column, local_rows, local_columns; /* size: bytes of an element */
    char type;
    int file;
};

/* How many of n rows (columns) process `me` of `all` has, and which one its number i is. */
static int share_of(int n, int me, int all)
{
    int count = 0;
    for (int first = me * BLOCK; first < n; first += all * BLOCK)
        count += n - first < BLOCK ? n - first : BLOCK;
    return count;
}
static int global(int i, int me, int all)
{
    return (i / BLOCK * all + me) * BLOCK + i % BLOCK;
}

static int whole(int file, int writes, void *data, size_t bytes, size_t at)
{
    for (char *p = data; bytes > 0;) {
        const ssize_t done = writes ? pwrite(file, p, bytes, (off_t)at) : pread(file, p, bytes, (off_t)at);
        if (done <= 0)
            return fprintf(stderr, "tilework-bench-elpa: a file of the benchmark cannot be %s\n",
                           writes ? "written" : "read"),
                   1;
        p += done, at += (size_t)done, bytes -= (size_t)done;
    }
    return 0;
}

/* This process' blocks of n x `columns` elements from the file, or to it. */
static int carry(const struct grid *g, int writes, size_t from, int columns, void *local)
{
    const size_t size = (size_t)g->size;

    for (int j = 0; j < g->local_columns; j++)
        for (int i = 0; i < g->local_rows; i += BLOCK) {
            const int rows = g->local_rows - i < BLOCK ? g->local_rows - i : BLOCK,
                      column = global(j, g->column, g->columns);
            const size_t at = from + ((size_t)global(i, g->row, g->rows) + (size_t)column * (size_t)g->n) * size;
            char *mine = (char *)local + ((size_t)i + (size_t)j * (size_t)g->local_rows) * size;
            if (column < columns && whole(g->file, writes, mine, (size_t)rows * size, at)) return 1;
        }
    return 0;
}

static int solve(elpa_t e, char type, int vectors, void *a, void *w, void *q)
{
    int error = ELPA_OK;

    switch (type) {
    case 's':
        vectors ? elpa_eigenvectors_a_h_a_f(e, a, w, q, &error) : elpa_eigenvalues_a_h_a_f(e, a, w, &error);
        break;
    case 'd':
        vectors ? elpa_eigenvectors_a_h_a_d(e, a, w, q, &error) : elpa_eigenvalues_a_h_a_d(e, a, w, &error);
        break;
    case 'c':
        vectors ? elpa_eigenvectors_a_h_a_fc(e, a, w, q, &error) : elpa_eigenvalues_a_h_a_fc(e, a, w, &error);
        break;
    default: vectors ? elpa_eigenvectors_a_h_a_dc(e, a, w, q, &error) : elpa_eigenvalues_a_h_a_dc(e, a, w, &error);
    }
    return error;
}

static elpa_t set_up(const struct grid *g, int *wrong)
{
    const struct {
        const char *name;
        int value;
    } settings[] = {{"na", g->n},
                    {"nev", g->m},
                    {"local_nrows", g->local_rows},
                    {"local_ncols", g->local_columns},
                    {"nblk", BLOCK},
                    {"mpi_comm_parent", (int)MPI_Comm_c2f(MPI_COMM_WORLD)},
                    {"process_row", g->row},
                    {"process_col", g->column}};
    int error;
    elpa_t e = elpa_allocate(&error);

    *wrong = error != ELPA_OK;
    for (size_t k = 0; k < sizeof settings / sizeof *settings && !*wrong; k++) {
        elpa_set_integer(e, settings[k].name, settings[k].value, &error);
        *wrong = error != ELPA_OK;
    }
    if (!*wrong) *wrong = elpa_setup(e) != ELPA_OK;
    if (!*wrong) elpa_set_integer(e, "solver", ELPA_SOLVER_2STAGE, &error), *wrong = error != ELPA_OK;
    return e;
}

static int run(struct grid *g, int vectors, double *seconds)
{
    const size_t count = (size_t)g->local_rows * (size_t)g->local_columns + 1,
                 matrix = (size_t)g->n * (size_t)g->n * (size_t)g->size;
    const int single = g->type == 's' || g->type == 'c';
    void *a = malloc(count * (size_t)g->size), *q = vectors ? malloc(count * (size_t)g->size) : NULL;
    double *w = malloc((size_t)g->n * sizeof *w), *wide = malloc((size_t)g->n * sizeof *wide), mine;
    int wrong = !a || !w || !wide || (vectors && !q), e = 0;
    elpa_t solver = wrong ? NULL : set_up(g, &wrong);

    if (!wrong) wrong = carry(g, 0, 0, g->n, a);
    MPI_Barrier(MPI_COMM_WORLD);
    mine = MPI_Wtime();
    if (!wrong) wrong = (e = solve(solver, g->type, vectors, a, w, q)) != ELPA_OK;
    mine = MPI_Wtime() - mine;
    MPI_Allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < g->m && !wrong; i++)
        wide[i] = single ? (double)((float *)w)[i] : w[i];
    if (!wrong && g->row == 0 && g->column == 0) wrong = whole(g->file, 1, wide, (size_t)g->m * sizeof *wide, matrix);
    if (!wrong && vectors) wrong = carry(g, 1, matrix + (size_t)g->m * sizeof *wide, g->m, q);
    if (wrong) fprintf(stderr, "tilework-bench-elpa: %s\n", e ? elpa_strerr(e) : "it could not be set up");
    if (solver) elpa_deallocate(solver, &e);
    free(a), free(q), free(w), free(wide);
    return wrong;
}

int main(int argc, char **argv)
{
    struct grid g = {0};
    int all, me, wrong, any;
    double seconds = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &all), MPI_Comm_rank(MPI_COMM_WORLD, &me);
    wrong =
        argc != 6 || !strchr("sdcz", argv[4][0]) || (g.n = atoi(argv[2])) < 1 || (g.m = atoi(argv[3])) < 1 || g.m > g.n;
    if (wrong) {
        if (me == 0)
            fprintf(stderr, "usage: mpirun tilework-bench-elpa FILE N M s|d|c|z 0|1 (for tilework bench --vs elpa)\n");
    } else {
        g.type = argv[4][0];
        g.size = g.type == 's' ? 4 : g.type == 'z' ? 16 : 8;
        for (g.rows = 1; (g.rows + 1) * (g.rows + 1) <= all;)
            g.rows++;
        while (all % g.rows)
            g.rows--;
        g.columns = all / g.rows, g.row = me % g.rows, g.column = me / g.rows;
        g.local_rows = share_of(g.n, g.row, g.rows), g.local_columns = share_of(g.n, g.column, g.columns);
        wrong = (g.file = open(argv[1], O_RDWR)) < 0 || elpa_init(ELPA_API_VERSION) != ELPA_OK ||
                run(&g, atoi(argv[5]), &seconds);
        if (g.file >= 0) close(g.file);
    }
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (me == 0 && !any) printf("%.9f\n", seconds);
    MPI_Finalize();
    return any;
}
