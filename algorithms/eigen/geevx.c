/* geev with a choice of balancing, with what balancing did, and with condition numbers of eigenvalues and
 * eigenvectors. */
#include "algorithms/eigen/schur.h"
#include "runtime/base/error.h"

struct args {
    struct tw_geev_args g;
};

static const char *bad_balance(int job)
{
    return job == TW_BALANCE_NONE || job == TW_BALANCE_PERMUTE || job == TW_BALANCE_SCALE || job == TW_BALANCE_BOTH
               ? NULL
               : "not TW_BALANCE_NONE, TW_BALANCE_PERMUTE, TW_BALANCE_SCALE or TW_BALANCE_BOTH";
}

static int check(const char *who, void *p)
{
    const struct tw_geev_args *a = p;
    const int values = a->sense == TW_SENSE_VALUES || a->sense == TW_SENSE_BOTH,
              vectors = a->sense == TW_SENSE_VECTORS || a->sense == TW_SENSE_BOTH;
    tw_int n;

    TW_CHECK(who, 1, bad_balance(a->balanc));
    TW_CHECK(who, 2, tw_bad_job(a->jobvl));
    TW_CHECK(who, 3, tw_bad_job(a->jobvr));
    TW_CHECK(who, 4, tw_bad_sense(a->sense));
    TW_CHECK(who, 4,
             values && (a->jobvl == TW_NOVECTORS || a->jobvr == TW_NOVECTORS)
                 ? "condition numbers of eigenvalues need left and right eigenvectors"
                 : NULL);
    TW_CHECK(who, 5, tw_bad_square(a->A));
    TW_CHECK(who, 5, a->A->n > INT32_MAX / 4 ? "more than 2^29 rows" : NULL);
    n = a->A->n;
    TW_CHECK(who, 6, a->wr || n == 0 ? NULL : "NULL");
    TW_CHECK(who, 7, a->wi || n == 0 ? NULL : "NULL");
    TW_CHECK(who, 7, a->wi == a->wr && n > 0 ? "it is wr, too" : NULL);
    TW_CHECK(who, 8, tw_bad_vectors(a->jobvl, a->A, a->VL));
    TW_CHECK(who, 9, tw_bad_vectors(a->jobvr, a->A, a->VR));
    TW_CHECK(who, 9, a->VR && a->VR == a->VL ? "it is VL, too" : NULL);
    TW_CHECK(who, 10, a->ilo ? NULL : "NULL");
    TW_CHECK(who, 11, a->ihi ? NULL : "NULL");
    TW_CHECK(who, 12, a->scale || n == 0 ? NULL : "NULL");
    TW_CHECK(who, 13, a->abnrm ? NULL : "NULL");
    TW_CHECK(who, 14, a->rconde || n == 0 || !values ? NULL : "NULL");
    TW_CHECK(who, 15, a->rcondv || n == 0 || !vectors ? NULL : "NULL");
    if (n > 0) return tw_geev_memory(who, a);
    *a->ilo = 1, *a->ihi = 0, *a->abnrm = 0;
    return TW_NOTHING;
}

static void loop(struct tw_sequence *seq, void *args)
{
    struct tw_geev_args a = *(const struct tw_geev_args *)args;

    if (a.sense != 'E' && a.sense != 'B') a.rconde = NULL;
    if (a.sense != 'V' && a.sense != 'B') a.rcondv = NULL;
    tw_geev_loop(seq, &a);
}

const struct tw_routine tw_routine_geevx = {
    .name = "geevx",
    .tuning = &tw_tuning_general,
    .arguments = 15,
    .size = sizeof(struct args),
    .operand = TW_OPERANDS(TW_OPERAND(TW_RW, g.A), TW_OPERAND(TW_RW, g.VL), TW_OPERAND(TW_RW, g.VR)),
    .check = check,
    .loop = loop,
    .flops = tw_geev_flops,
    .needs = {.given = "nn nk", .own_bytes = tw_geev_needs}};

/* A letter that is none stays none. */
#define LETTER(x) ((x) > 0 && (x) < 128 ? (char)(x) : (char)0)
#define GEEVX                                                                                                          \
    {                                                                                                                  \
        {                                                                                                              \
            jobvl, jobvr, A, wr, wi, VL, VR, LETTER((int)balanc), LETTER((int)sense), ilo, ihi, scale, abnrm, rconde,  \
                rcondv                                                                                                 \
        }                                                                                                              \
    }

int tw_geevx(enum tw_balance balanc, enum tw_jobz jobvl, enum tw_jobz jobvr, enum tw_sense sense, tw_matrix *A,
             double *wr, double *wi, tw_matrix *VL, tw_matrix *VR, tw_int *ilo, tw_int *ihi, double *scale,
             double *abnrm, double *rconde, double *rcondv)
{
    return tw_run(&tw_routine_geevx, &(struct args)GEEVX);
}

int tw_geevx_async(enum tw_balance balanc, enum tw_jobz jobvl, enum tw_jobz jobvr, enum tw_sense sense, tw_matrix *A,
                   double *wr, double *wi, tw_matrix *VL, tw_matrix *VR, tw_int *ilo, tw_int *ihi, double *scale,
                   double *abnrm, double *rconde, double *rcondv, tw_sequence *seq)
{
    return tw_queue(&tw_routine_geevx, seq, &(struct args)GEEVX);
}
