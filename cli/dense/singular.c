/* Where singular vectors are, and a general matrix' eigenvectors: in matrices or arrays of their own, or in A's
 * place. */
#include <stdlib.h>

#include "cli/cli.h"

tw_int cli_second_rows(const struct cli_problem *p)
{
    return p->n;
}
tw_int cli_second_columns(const struct cli_problem *p)
{
    return p->routine->second == 'P' ? p->m : p->n;
}

struct cli_singular cli_singular(const struct cli_problem *p)
{
    const char job = p->o->values_only ? 'N' : p->o->jobz ? p->o->jobz : 'S';
    const tw_int least = p->m < p->n ? p->m : p->n,
                 wanted = p->o->rank >= 0               ? p->o->rank
                          : p->o->tol >= 0 || least < 8 ? least
                                                        : least / 8,
                 k = p->routine->truncated && wanted < least ? wanted
                     : p->routine->ranges                    ? cli_vectors_most(p)
                                                             : least;
    const int all = job == 'A', over = job == 'O', tall = p->m >= p->n;

    return (struct cli_singular){.k = k,
                                 .left = all ? p->m : k,
                                 .right = all ? p->n : k,
                                 .in_u = job != 'N' && !(over && tall),
                                 .in_vt = job != 'N' && !(over && !tall)};
}

int cli_singular_allocate(struct cli_problem *p, tw_int mb, tw_int nb)
{
    const struct cli_singular s = cli_singular(p);
    const double column = (double)p->ld * (double)check_sizeof(p->type);
    int e = 0;

    if (p->routine->nonsymmetric) {
        const int left = p->o->jobvl == 'V', right = p->o->jobvr == 'V', arrays = p->door == CLI_LAPACK;
        if (arrays && ((right && !(p->u = cli_alloc(column * (double)p->n, "--n"))) ||
                       (left && !(p->vt = cli_alloc(column * (double)p->n, "--n")))))
            return CLI_USAGE;
        if (!arrays && right) e = tw_matrix_create(&p->U, p->type, TW_GENERAL, p->n, p->n, nb, NULL);
        if (!arrays && left && !e) e = tw_matrix_create(&p->Vt, p->type, TW_GENERAL, p->n, p->n, nb, NULL);
        return e ? cli_library_error("--n", e) : 0;
    }
    if (p->routine->second) {
        e = tw_matrix_create(&p->U, p->type, TW_GENERAL, cli_second_rows(p), cli_second_columns(p), nb, NULL);
        return e ? cli_library_error("--n", e) : 0;
    }
    if (p->door == CLI_LAPACK) {
        if (s.in_u && !(p->u = cli_alloc(column * (double)s.left, "--m"))) return CLI_USAGE;
        if (s.in_vt && !(p->vt = cli_alloc(column * (double)p->n, "--n"))) return CLI_USAGE;
        return 0;
    }
    if (s.in_u) e = tw_matrix_create_tiles(&p->U, p->type, TW_GENERAL, p->m, s.left, mb, nb, NULL);
    if (!e && s.in_vt) e = tw_matrix_create(&p->Vt, p->type, TW_GENERAL, s.right, p->n, nb, NULL);
    return e ? cli_library_error("--n", e) : 0;
}

int cli_singular_home(struct cli_problem *p)
{
    int e = p->U ? tw_release_to_host(p->U) : 0;
    return !e && p->Vt ? tw_release_to_host(p->Vt) : e;
}

void cli_singular_free(struct cli_problem *p)
{
    tw_matrix_destroy(p->U);
    tw_matrix_destroy(p->Vt);
    free(p->u), free(p->vt);
    p->U = p->Vt = NULL;
    p->u = p->vt = NULL;
}

int cli_result_u(struct cli_problem *p, void **array, void **copy)
{
    const struct cli_singular s = cli_singular(p);

    *array = *copy = NULL;
    if (p->o->values_only) return 0;
    return s.in_u ? cli_result_of(p, p->U, p->u, s.left, array, copy) : cli_result_a(p, array, copy);
}

int cli_result_vt(struct cli_problem *p, void **array, void **copy)
{
    const struct cli_singular s = cli_singular(p);

    *array = *copy = NULL;
    if (p->o->values_only) return 0;
    return s.in_vt ? cli_result_of(p, p->Vt, p->vt, p->n, array, copy) : cli_result_a(p, array, copy);
}
