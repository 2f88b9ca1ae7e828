/* Block reflectors of a QR or LQ factorization, and applying them to tiles: what geqrf, unmqr, ungqr, their LQ twins
 * and gels are made of.
 *
 * Block b of `storev` 'C' (QR) is H_b = I - V T V^H with V in block column b of A, from tile b down; of 'R' (LQ) with
 * V^H in block row b, from tile b to the right. QR's Q is H_0 H_1 ..., LQ's is ... H_1^H H_0^H. All but the first tile
 * of V are A's own tiles, where LAPACK has them; the first, which shares its tile with R or L, has a clean copy
 * (`front`), so that every update is a plain product. */
#ifndef TW_ALGORITHMS_DENSE_REFLECTORS_H
#define TW_ALGORITHMS_DENSE_REFLECTORS_H
#include "algorithms/dense/dense_loops.h"

struct tw_reflectors {
    struct tw_sequence *seq;
    char storev;
    struct tw_matrix *A; /* in square tiles */
    tw_int k;            /* how many reflectors; LAPACK's k */
    int blocks;
    struct tw_data **front, **T; /* of each block; NULL while it is not there */
    /* of the last block, where its tiles hold more than V: copies of V's tiles behind the first */
    struct tw_data **cut;
    struct tw_data **none; /* the memory of all these lists */
};
/* 0, or -1 and the sequence has failed; tw_reflectors_end in any case. */
int tw_reflectors_begin(struct tw_sequence *seq, struct tw_reflectors *r, char storev, struct tw_matrix *A, tw_int k);
/* Block b's front and T, without content, for a task that fills them. 0, or -1 and the sequence has failed. */
int tw_reflectors_add(struct tw_reflectors *r, int b);
/* The same, filled from A and tau. */
int tw_reflectors_form(struct tw_reflectors *r, int b, struct tw_matrix *tau, int priority);
/* All of them are given back once the tasks submitted so far have used them. */
void tw_reflectors_end(struct tw_reflectors *r);

static inline int tw_reflectors_width(const struct tw_reflectors *r, int b)
{
    return (int)tw_min(r->A->nb, r->k - (tw_int)b * r->A->nb);
}
/* Tiles of V, of block b; the first, and the number of tiles from block 0's first one. */
static inline int tw_reflectors_length(const struct tw_reflectors *r)
{
    return r->storev == 'C' ? r->A->mt : r->A->nt;
}

/* What they are applied to: C, from the left (its block columns are the lines) or from the right (its block rows), with
 * a workspace of two tiles a line for blocks of full width and for the last. */
struct tw_target {
    char side;
    struct tw_matrix *C, *work[2][2];
};
int tw_target_begin(struct tw_target *t, const struct tw_reflectors *r, char side, struct tw_matrix *C);
void tw_target_end(struct tw_target *t);
static inline int tw_target_lines(const struct tw_target *t)
{
    return t->side == 'L' ? t->C->nt : t->C->mt;
}
/* The first (0) or second (1) of the line's tiles of workspace for block b. */
struct tw_data *tw_target_work(const struct tw_target *t, const struct tw_reflectors *r, int b, int line, int which);

/* A line of C becomes op(H_b) times it, or it times op(H_b); op 'N' or 'C'. */
void tw_reflect(const struct tw_reflectors *r, int b, char op, const struct tw_target *t, int line, int priority);
/* All of C becomes Q C, Q^H C ('L'), C Q or C Q^H ('R'); r's blocks are formed where they are not there. */
void tw_apply_q_loop(struct tw_reflectors *r, struct tw_matrix *tau, char side, enum tw_trans trans,
                     struct tw_matrix *C, int final);

/* Elements of `count` reflectors' fronts and T in tiles of order nb, and of the workspaces of targets that are `across`
 * elements wide, all of them together. */
static inline double tw_reflectors_elements(tw_int count, tw_int nb, double across)
{
    const tw_int b = tw_min(nb, count), last = count > nb ? count % nb : 0;
    return 2 * (double)count * (double)b + 2 * (double)(b + last) * across;
}

/* Seconds that a line waits for block b: the products with all of V's tiles one after another, T's, and one more. */
static inline double tw_reflect_cost(const struct tw_reflectors *r, int b)
{
    return (tw_reflectors_length(r) - b + 2) * tw_costs_of(r->A).gemm;
}

/* QR ('C') or LQ ('R') of A (in square tiles), and X := Q^H X (QR) or Q X (LQ) on the way (NULL: none; in tiles of as
 * many rows as A's). The reflectors are left in r, begun for A. */
void tw_factor_q_loop(struct tw_reflectors *r, struct tw_matrix *tau, struct tw_matrix *X);

/* Q's first columns (QR) or rows (LQ) over r->A, once it is factored; as ungqr and unglq. */
void tw_form_q_loop(struct tw_reflectors *r, struct tw_matrix *tau);

static inline const char *tw_bad_tau(const struct tw_matrix *tau, const struct tw_matrix *A)
{
    const char *why = tw_bad_general(tau);
    if (why) return why;
    if (tau == A) return "it is the matrix A itself";
    if (tau->type != A->type) return "its type differs from A's";
    if (tau->n != 1) return "it is not a column";
    return tw_same_cuts(tau->m, tau->mb, A->nb) ? NULL : "its tiles have another number of rows than A's have columns";
}
/* That of a factorization of A. */
static inline const char *tw_bad_full_tau(const struct tw_matrix *tau, const struct tw_matrix *A)
{
    const char *why = tw_bad_tau(tau, A);
    return why ? why : tau->m != tw_min(A->m, A->n) ? "it is not min(m, n) x 1" : NULL;
}

/* Of the routines that multiply by a Q: op(Q), and the matrix C beside A's reflectors and tau. */
static inline const char *tw_bad_q_trans(enum tw_trans trans, const struct tw_matrix *A)
{
    const char *why = tw_bad_trans(trans);
    if (why) return why;
    return trans == TW_TRANS && A && tw_is_complex(A->type) ? "TW_TRANS, with complex matrices" : NULL;
}
static inline const char *tw_bad_q_target(const struct tw_matrix *C, const struct tw_matrix *A,
                                          const struct tw_matrix *tau)
{
    const char *why = tw_bad_general(C);
    if (!why) why = tw_bad_pair(A, C);
    if (why) return why;
    if (tw_shares(A, C) || (tau && tw_shares(tau, C))) return "it is another operand";
    return tw_max(C->m, C->n) > INT32_MAX ? "more than 2^31 - 1 rows or columns" : NULL;
}
/* C times the Q of `count` reflectors; without C, m x n of Q itself. */
static inline double tw_flops_q(const struct tw_matrix *C, enum tw_side side, const struct tw_matrix *A, double m,
                                double n, double count)
{
    return C ? tw_flops_unmqr(C->type, (char)side, (double)C->m, (double)C->n, count)
             : tw_flops_ungqr(A->type, m, n, count);
}
#endif
