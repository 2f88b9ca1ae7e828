/* Files of results: a factor, a solution, vectors (--output), values (--values), the vectors of the other side (--vt,
 * --vl), what a factor has beside it (--pivots, --tau, --r). */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "runtime/base/file.h"

/* Eigenvalues of a general matrix, as complex numbers. */
static int save_pairs(const struct cli_problem *p, const char *flag, const char *name)
{
    double *w = cli_alloc(2 * (double)p->n * sizeof *w, flag);
    int e;

    if (!w) return CLI_FAILED;
    for (tw_int i = 0; i < p->n; i++)
        w[2 * i] = p->d[i], w[2 * i + 1] = p->e[i];
    e = tw_file_write_vector(name, TW_COMPLEX_DOUBLE, p->n, w);
    free(w);
    return e ? cli_library_error(flag, e) : 0;
}

/* A factor is written as a general matrix with zeros in the other triangle: a "symmetric" file would be another
 * matrix. */
static int save_output(struct cli_problem *p)
{
    enum tw_uplo uplo = p->routine->symmetric_result ? p->uplo : TW_GENERAL;
    const int second = p->routine->second == 'P';
    tw_int columns = second                 ? p->m
                     : p->routine->solves   ? p->nrhs
                     : p->routine->singular ? (p->routine->ranges ? p->found : cli_singular(p).left)
                     : p->routine->values   ? p->found
                                            : p->n;
    void *array, *copy;
    int e;

    if (p->routine->nonsymmetric && p->o->jobvl == 'N' && p->o->jobvr == 'N')
        return save_pairs(p, "--output", p->o->output);
    if (p->routine->values && p->o->values_only) {
        e = tw_file_write_vector(p->o->output, TW_DOUBLE, p->found, p->w);
        return e ? cli_library_error("--output", e) : 0;
    }
    e = second                                           ? cli_result_of(p, p->U, NULL, p->m, &array, &copy)
        : p->routine->solves                             ? cli_result_b(p, &array, &copy)
        : p->routine->nonsymmetric && p->o->jobvr == 'V' ? cli_result_of(p, p->U, p->u, p->n, &array, &copy)
        : p->routine->nonsymmetric                       ? cli_result_of(p, p->Vt, p->vt, p->n, &array, &copy)
        : p->routine->singular                           ? cli_result_u(p, &array, &copy)
        : p->routine->values                             ? cli_result_z(p, &array, &copy)
                                                         : cli_result_a(p, &array, &copy);

    if (e) return e;
    if (!p->routine->solves && !p->routine->general && !p->routine->values)
        check_clean_triangle(p->type, p->uplo, p->n, p->n, array, p->ld);
    const tw_int rows = p->routine->solves ? cli_rows_of_x(p) : second ? p->n : p->m;
    e = p->vector ? tw_file_write_vector(p->o->output, p->type, rows, array)
                  : tw_file_write(p->o->output, p->type, uplo, rows, columns, array, p->ld);
    free(copy);
    return e ? cli_library_error("--output", e) : 0;
}

static int save_values(struct cli_problem *p)
{
    int e;

    if (p->routine->nonsymmetric) return save_pairs(p, "--values", p->o->values);
    e = tw_file_write_vector(p->o->values, TW_DOUBLE, p->found, p->w);
    return e ? cli_library_error("--values", e) : 0;
}

/* V^H, or left eigenvectors. */
static int save_other_side(struct cli_problem *p)
{
    const char *flag = p->routine->nonsymmetric ? "--vl" : "--vt", *name = p->o->other_side;
    const tw_int rows = p->routine->nonsymmetric ? p->n : p->routine->ranges ? p->found : cli_singular(p).right;
    void *array, *copy;
    int e = p->routine->nonsymmetric ? cli_result_of(p, p->Vt, p->vt, p->n, &array, &copy)
                                     : cli_result_vt(p, &array, &copy);

    if (e) return e;
    e = tw_file_write(name, p->type, TW_GENERAL, rows, p->n, array, p->ld);
    free(copy);
    return e ? cli_library_error(flag, e) : 0;
}

/* As numbers of rows or columns from 1. */
static int save_pivots(struct cli_problem *p)
{
    const tw_int n = p->routine->pivoted || p->n < p->m ? p->n : p->m;
    tw_int *ipiv = p->routine->pivoted ? NULL : cli_result_pivots(p);
    const tw_int *from = p->routine->pivoted ? p->jpvt : ipiv;
    double *number = cli_alloc((double)n * sizeof *number, "--pivots");
    int e = from && number ? 0 : CLI_FAILED;

    for (tw_int i = 0; i < n && !e; i++)
        number[i] = (double)from[i];
    if (!e && (e = tw_file_write_vector(p->o->pivots, TW_DOUBLE, n, number))) e = cli_library_error("--pivots", e);
    free(ipiv), free(number);
    return e;
}

static int save_tau(struct cli_problem *p)
{
    void *tau = cli_result_tau(p);
    int e = tau ? tw_file_write_vector(p->o->tau, p->type, p->m < p->n ? p->m : p->n, tau) : 0;

    free(tau);
    return !tau ? CLI_FAILED : e ? cli_library_error("--tau", e) : 0;
}

/* R, or H. */
static int save_second(struct cli_problem *p)
{
    const char *flag = CLI_HAS_H(p->routine) ? "--h" : "--r", *name = CLI_HAS_H(p->routine) ? p->o->h : p->o->r;
    void *array, *copy;
    int e = cli_result_of(p, p->U, NULL, p->n, &array, &copy);

    if (e) return e;
    e = tw_file_write(name, p->type, TW_GENERAL, p->n, p->n, array, p->ld);
    free(copy);
    return e ? cli_library_error(flag, e) : 0;
}

/* The Schur form, which A has become. */
static int save_t(struct cli_problem *p)
{
    void *array, *copy;
    int e = cli_result_a(p, &array, &copy);

    if (e) return e;
    e = tw_file_write(p->o->t, p->type, TW_GENERAL, p->n, p->n, array, p->ld);
    free(copy);
    return e ? cli_library_error("--schur", e) : 0;
}

/* All files, or, if one cannot be written, none; what goes to standard output cannot be taken back, and comes last. */
int cli_problem_save(struct cli_problem *p)
{
    const struct {
        const char *name;
        int (*save)(struct cli_problem *);
    } file[] = {{p->o->values, save_values}, {p->o->other_side, save_other_side},
                {p->o->pivots, save_pivots}, {p->o->tau, save_tau},
                {p->o->r, save_second},      {p->o->h, save_second},
                {p->o->t, save_t},           {p->o->output, save_output}};
    int e = 0, renamed;

    tw_outfiles_hold();
    for (int last = 0; last < 2; last++)
        for (size_t k = 0; k < sizeof file / sizeof *file && !e; k++)
            if (file[k].name && cli_is_standard_output(file[k].name) == last) e = file[k].save(p);
    renamed = tw_outfiles_release(e == 0);
    if (!e && renamed) e = cli_library_error("--output", renamed);
    if (!e) cli_has_written();
    return e;
}
