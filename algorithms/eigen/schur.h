/* A general matrix' way to its Schur form, which routines of eigenvectors and of the Schur form itself share: A is
 * copied and balanced, reduced to Hessenberg form H = Q^H A Q by tasks (gehrd.c), and H to its Schur form T = Z^H H Z
 * by LAPACK's QR iteration. */
#ifndef TW_ALGORITHMS_EIGEN_SCHUR_H
#define TW_ALGORITHMS_EIGEN_SCHUR_H
#include "algorithms/eigen/eigen_loops.h"
#include "codelets/eigen/geev_tasks.h"
#include "codelets/eigen/gehrd_tasks.h"

/* One call. H: A's copy, which becomes T, one tile; Z: NULL where it is not wanted, one tile or two, one below the
 * other. */
struct tw_schur {
    const char *who;
    enum tw_type type;
    int n, vectors; /* vectors: Z is wanted */
    double *wr, *wi;
    struct tw_geev_head head;
    struct tw_matrix *H, *Z, *tau, *again; /* again: H for the second half of Z's rows */
    struct tw_data *scale, *state;         /* state: the QR iteration's info, and which columns are a pair's */
};

/* A's copy is balanced as `job` says, and next(seq, the head, problem) goes on with it; problem: `size` bytes that
 * begin with the struct tw_schur, whose who, vectors, wr and wi are set. `uses`: what of the caller's `next` reads and
 * writes. to: n doubles that get balancing's factors, or NULL. */
enum { TW_SCHUR_USES = 4 };
void tw_schur_begin(struct tw_sequence *seq, struct tw_schur *problem, size_t size, struct tw_matrix *A, char job,
                    double *to, tw_when_fn next, const struct tw_use *uses, int nuses);
/* In `next`: head and problem as above. 0: the tasks that make T, Z, wr, wi and state are submitted; -1: the sequence
 * has failed, or the matrix is not finite, with NaN in wr and wi and the info n. tw_schur_end in any case, once nothing
 * more is submitted that needs Z. */
int tw_schur_reduce(struct tw_sequence *seq, struct tw_schur *s, const struct tw_geev_head *head);
void tw_schur_end(struct tw_schur *s);
static inline struct tw_data *tw_only_tile(const struct tw_matrix *A)
{
    return A ? tw_tile(A, 0, 0) : NULL;
}

/* Which condition numbers are wanted, and a matrix for vectors that are wanted or not: NULL, or what is wrong. */
static inline const char *tw_bad_sense(int sense)
{
    return sense == TW_SENSE_NONE || sense == TW_SENSE_VALUES || sense == TW_SENSE_VECTORS || sense == TW_SENSE_BOTH
               ? NULL
               : "not TW_SENSE_NONE, TW_SENSE_VALUES, TW_SENSE_VECTORS or TW_SENSE_BOTH";
}
const char *tw_bad_vectors(enum tw_jobz job, const struct tw_matrix *A, const struct tw_matrix *V);

/* geev and geevx: what both are made of. What is behind VR is geevx's: ilo ... abnrm, which geev has not (NULL), and
 * condition numbers, NULL where they are not wanted. With eigenvectors geevx's A becomes the Schur form. */
struct tw_geev_args {
    enum tw_jobz jobvl, jobvr;
    struct tw_matrix *A;
    double *wr, *wi;
    struct tw_matrix *VL, *VR;
    char balanc, sense; /* LAPACK's letters */
    tw_int *ilo, *ihi;
    double *scale, *abnrm, *rconde, *rcondv;
};
void tw_geev_loop(struct tw_sequence *seq, const struct tw_geev_args *a);
double tw_geev_bytes(enum tw_type type, tw_int n, int vectors);
double tw_geev_needs(const struct tw_sizes *s, tw_int nb); /* the row's own_bytes */
int tw_geev_memory(const char *who, const struct tw_geev_args *a);
double tw_geev_flops(const void *args);
extern const struct tw_tuning tw_tuning_general;
#endif
