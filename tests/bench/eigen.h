/* The contest of eigenvalues, and of singular values: what its files share. */
#ifndef BENCH_EIGEN_H
#define BENCH_EIGEN_H
#include <tilework/tilework.h>
#include "bench/bench.h"

enum eigen_routine { SYEVD, SYEVR, SYGVD, STEDC, GESDD, GEEV };
enum eigen_contestant {
    EIGEN_TILES,
    EIGEN_ARRAY,
    EIGEN_BARRIERS, /* tiles, each stage when the one before it has ended */
    EIGEN_LAPACK,
    EIGEN_RESIDENT,
    EIGEN_HOST,
    EIGEN_ELPA,
    EIGEN_MG_RESIDENT,
    EIGEN_MG_HOST,
    EIGEN_CONTESTANTS
};

/* What is solved: eigenvalues, of syevr the lowest m, and with vectors their eigenvectors, of geev right ones; of
 * gesdd, with `rows` rows, singular values, and with vectors those of both sides. */
struct eigen_problem {
    enum eigen_routine routine;
    enum tw_type type;
    tw_int rows, n, m;
    int vectors;
    void *a, *b;   /* the input, rows x n: column-major; b of sygvd */
    double *d, *e; /* of stedc */
};
/* What one run works on and leaves: copies of the input, which it overwrites. Single precision's eigenvalues are
 * floats. */
struct eigen_place {
    /* of gesdd U is z; of geev w has n complex numbers, or n real and n imaginary parts */
    void *a, *b, *z, *vt, *w, *d, *e;
    tw_int *each;
};

/* One call, each 0 or 1 after a message; places are filled by who calls. */
int eigen_lapack(const struct eigen_problem *p, const struct eigen_place *at);
int eigen_array(const struct eigen_problem *p, const struct eigen_place *at);

/* cuSOLVER on GPU 0 (eigen_cusolver.c): NULL after why (256 bytes). bench_gpu_peer_resident and bench_gpu_peer_host run
 * it; the eigenvalues of the last run into w. */
struct bench_gpu_peer *eigen_cusolver_open(const struct eigen_problem *p, int host, char *why);
int eigen_cusolver_values(struct bench_gpu_peer *peer, double *w);

/* cuSOLVERMg's syevd on all visible GPUs, two at least, of the generator's matrix (cusolvermg.c): the same. */
struct bench_gpu_peer *eigen_cusolvermg_open(const struct eigen_problem *p, const tw_generator *g, int host, char *why);
int eigen_cusolvermg_values(struct bench_gpu_peer *peer, double *w);

/* ELPA on all cores (eigen_elpa.c): NULL after why (256 bytes). A run: its seconds, the m eigenvalues into w and, if
 * they are wanted, the n x m eigenvectors into z. */
struct eigen_elpa;
struct eigen_elpa *eigen_elpa_open(const struct eigen_problem *p, char *why);
int eigen_elpa_run(struct eigen_elpa *e, double *w, void *z, double *seconds);
void eigen_elpa_close(struct eigen_elpa *e);
#endif
