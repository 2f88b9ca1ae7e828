/* Stage 2 of the symmetric eigenvalue problem, from a band to a tridiagonal matrix, and the way back. */
#ifndef TW_ALGORITHMS_EIGEN_CHASE_H
#define TW_ALGORITHMS_EIGEN_CHASE_H
#include "codelets/eigen/band.h"

/* Q2 as its reflectors, kept in objects of their own; about n^2 / 2 elements. */
struct tw_chase;
struct tw_chase *tw_chase_create(struct tw_sequence *seq, enum tw_type type, tw_int n, tw_int b);
/* Bytes of these; and of what the way back makes of them: of all of them, before there are vectors; late: of what there
 * is at a time. */
double tw_chase_bytes(enum tw_type type, tw_int n, tw_int b);
double tw_chase_back_bytes(enum tw_type type, tw_int n, tw_int b, int late);
/* Once all submitted tasks have used it. NULL is allowed. */
void tw_chase_free_later(struct tw_chase *chase);

/* What TILEWORK_CHASE says about where stage 2 is done: 0 or TW_E_OPTION. */
enum tw_chase_place { TW_CHASE_AUTO, TW_CHASE_CPU, TW_CHASE_GPU };
int tw_chase_place(int *place);
/* Is stage 2 of that shape done by whole sweeps, as GPUs do it? */
struct tw_chase_shape;
int tw_chase_on_gpu(const struct tw_chase_shape *shape);

/* B = Q2 T Q2^H, T real symmetric tridiagonal with diagonal d (n) and sub-diagonal e (n - 1, or more elements): vectors
 * of the real type that belongs to B's (tw_data_vector_of). What is in the band is used up. chase: made for B's type, n
 * and b, it keeps Q2; NULL: values only. NaN and infinities go through to d and e, and info, if not NULL, becomes k for
 * the first k of which d(k) or e(k) is not finite (counted from 1). */
void tw_hb2st_loop(struct tw_sequence *seq, struct tw_band *B, struct tw_data *d, struct tw_data *e,
                   struct tw_chase *chase, struct tw_data *info);
/* Z = Q2 Z, as a stage of that name. Z: n rows (further ones stay), of B's type, tiles as tall as the matrix: each is a
 * whole block of columns, and is computed alike whatever the others are. What can be made of Q2 before Z is there is
 * made then, in the shadow of what makes Z; late: not before, and a few steps ahead only, which takes less memory. */
void tw_chase_apply_loop(struct tw_sequence *seq, struct tw_chase *chase, const char *stage, struct tw_matrix *Z,
                         int late);
#endif
