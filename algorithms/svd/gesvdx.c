/* Some singular values of a general matrix, and their vectors of either side or none: LAPACK's gesvdx. gesdd's stages,
 * of which only the wanted columns are formed in divide and conquer's last merge and go back; values by bisection or
 * dqds of the bidiagonal matrix, the same with vectors and without. */
#include "algorithms/svd/svd_loops.h"

struct args {
    enum tw_jobz jobu, jobvt;
    struct tw_wanted wanted;
    struct tw_matrix *A;
    tw_int *ns;
    double *s;
    struct tw_matrix *U, *Vt;
};

static void loop(struct tw_sequence *seq, void *args)
{
    const struct args *a = args;
    tw_gesvdx_loop(seq, a->A, a->wanted, a->ns, a->s, (struct tw_svd_side){.to = a->U},
                   (struct tw_svd_side){.to = a->Vt});
}

static tw_int least(const struct args *a)
{
    return tw_min(a->A->m, a->A->n);
}
static tw_int columns(const struct args *a)
{
    return tw_wanted_at_least(a->wanted.which, least(a), a->wanted.il, a->wanted.iu);
}

/* Vectors of that length, of which there is room for so many. */
static const char *bad_side(const struct args *a, enum tw_jobz job, const struct tw_matrix *U, tw_int length,
                            tw_int other, tw_int room)
{
    const char *why;

    if (job == TW_NOVECTORS) return U ? "a matrix, without vectors asked for" : NULL;
    if (!(why = tw_bad_general(U)) && !(why = tw_bad_pair(a->A, U)) && U == a->A) why = "it is the matrix A itself";
    return why                 ? why
           : length != other   ? "its vectors have not the length that A's have"
           : room < columns(a) ? "it has room for too few vectors"
                               : NULL;
}

static double own_bytes(const struct tw_sizes *s, tw_int nb)
{
    const tw_int k = tw_min(s->k, tw_min(s->m, s->n));
    return tw_svd_bytes(s->type, s->m, s->n, k, k, nb);
}

static int check(const char *who, void *p)
{
    const struct args *a = p;
    const struct tw_matrix *A = a->A;
    int e;

    TW_CHECK(who, 1, tw_bad_job(a->jobu));
    TW_CHECK(who, 2, tw_bad_job(a->jobvt));
    TW_CHECK(who, 3, tw_bad_which(a->wanted.which));
    TW_CHECK(who, 4, tw_bad_general(A));
    TW_CHECK(who, 4, tw_max(A->m, A->n) > INT32_MAX / 4 ? "more than 2^29 rows or columns" : NULL);
    if ((e = tw_check_singular_range(who, 5, &a->wanted, least(a)))) return e;
    TW_CHECK(who, 9, a->ns ? NULL : "NULL");
    TW_CHECK(who, 10, a->s || least(a) == 0 ? NULL : "NULL");
    if (least(a) > 0) {
        TW_CHECK(who, 11, bad_side(a, a->jobu, a->U, A->m, a->U ? a->U->m : 0, a->U ? a->U->n : 0));
        TW_CHECK(who, 12, bad_side(a, a->jobvt, a->Vt, A->n, a->Vt ? a->Vt->n : 0, a->Vt ? a->Vt->m : 0));
        TW_CHECK(who, 12, a->U && a->U == a->Vt ? "it is U, too" : NULL);
    }
    *a->ns = 0;
    if (least(a) == 0) return TW_NOTHING;
    if ((e = tw_syevd_variables())) return e;
    /* of an interval one is taken, as nobody knows how many there are */
    const tw_int some = tw_max(1, columns(a));
    return tw_eigen_memory(who, tw_svd_bytes(A->type, A->m, A->n, a->U ? some : 0, a->Vt ? some : 0, A->nb), A, a->U,
                           a->Vt);
}

/* LAPACK's reduction, divide and conquer's last merge and the way back of what is wanted. */
static double flops(const void *args)
{
    const struct args *a = args;
    const double m = (double)tw_max(a->A->m, a->A->n), n = (double)least(a), c = (double)columns(a);
    return tw_flops_gebrd(a->A->type, m, n) +
           tw_flop_factor(a->A->type) * ((a->U ? 4 * m * n * c : 0) + (a->Vt ? 4 * n * n * c : 0));
}

const struct tw_routine tw_routine_gesvdx = {
    .name = "gesvdx",
    .arguments = 12,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_R, A), TW_OPERAND(TW_RW, U), TW_OPERAND(TW_RW, Vt)),
    .check = check,
    .loop = loop,
    .flops = flops,
    .tuning = &tw_tuning_svd,
    .needs = {.given = "mn mk kn", .own_bytes = own_bytes}};

int tw_gesvdx(enum tw_jobz jobu, enum tw_jobz jobvt, enum tw_which which, tw_matrix *A, double vl, double vu, tw_int il,
              tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt)
{
    return tw_run(&tw_routine_gesvdx, &(struct args){jobu, jobvt, {which, vl, vu, il, iu}, A, ns, s, U, Vt});
}
int tw_gesvdx_async(enum tw_jobz jobu, enum tw_jobz jobvt, enum tw_which which, tw_matrix *A, double vl, double vu,
                    tw_int il, tw_int iu, tw_int *ns, double *s, tw_matrix *U, tw_matrix *Vt, tw_sequence *seq)
{
    return tw_queue(&tw_routine_gesvdx, seq, &(struct args){jobu, jobvt, {which, vl, vu, il, iu}, A, ns, s, U, Vt});
}
