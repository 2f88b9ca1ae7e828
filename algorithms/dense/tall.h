/* QR of tall matrices where there are GPUs: domains of many rows, each one task with a panel of its own. */
#ifndef TW_ALGORITHMS_DENSE_TALL_H
#define TW_ALGORITHMS_DENSE_TALL_H
#include "algorithms/dense/dense_loops.h"

/* Rows of a domain for an m x n matrix; 0: it is not tall enough, or there is no GPU. TILEWORK_TALL says another
 * number, on cores, too; tw_tall_variable: whether it is one, 0 or an error. */
tw_int tw_tall_rows(tw_int m, tw_int n);
int tw_tall_variable(void);
/* Whether it has tall matrices done as where there are GPUs: there, or as TILEWORK_TALL says. */
int tw_tall_as_on_gpus(void);
/* Rows of the tiles in which A is cut into domains: its own, where they are tall, else tw_tall_rows(); 0: this is not
 * the way for A. */
tw_int tw_tall_cut(const struct tw_matrix *A);
/* tw_gels with such an A (trans: TW_NOTRANS or TW_CONJTRANS). A is overwritten where its own tiles are domains. */
void tw_tall_gels_loop(struct tw_sequence *seq, enum tw_trans trans, struct tw_matrix *A, struct tw_matrix *B);
/* A, which tw_tall_cut takes, becomes Q's first columns, and R (n x n, in whatever tiles) the triangle with zeros
 * below. */
void tw_tall_form_q_loop(struct tw_sequence *seq, struct tw_matrix *A, struct tw_matrix *R);
/* Whether a library matrix for cholqr, and for singular values that begin with it, is better cut into tiles as wide as
 * it is: with GPUs, where it is tall and narrow. And rows of such tiles, a multiple of nb: where columns are few a task
 * wants more than a square of them, but there shall be some for all workers, of whose number bits do not depend. */
int tw_tall_for_products(tw_int m, tw_int n);
tw_int tw_tall_rows_of_products(enum tw_type type, tw_int m, tw_int n, tw_int nb);
/* Elements that gels makes beside X and Y so, of matrices in tiles of order nb; 0: this is not its way. */
double tw_tall_elements(tw_int m, tw_int n, tw_int nrhs, tw_int nb);
#endif
