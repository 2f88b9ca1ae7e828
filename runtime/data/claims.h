/* Arrays of the caller's as operands: which addresses routines of a sequence work on, so that those that overlap follow
 * each other. A claim is a range of addresses and the routine's token, which its tasks read. One list for each
 * sequence, for the thread that submits. */
#ifndef TW_RUNTIME_DATA_CLAIMS_H
#define TW_RUNTIME_DATA_CLAIMS_H
#include <stdatomic.h>
#include "runtime/data/data.h"

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* Addresses that a routine reads (TW_R) or also writes (TW_RW). */
struct tw_range {
    const void *from;
    size_t bytes;
    enum tw_mode mode;
};
#pragma GCC visibility pop

/* A routine that claims addresses. Its references: the routine itself, until it has ended, and each of its claims. */
struct tw_claimant {
    struct tw_data *token;
    atomic_int owners, ended;
};
struct tw_claimant *tw_claimant_new(void); /* NULL without memory */
/* The routine has ended: later ones do not wait for it. */
void tw_claimant_end(struct tw_claimant *c);

struct tw_claim;
/* The tokens of the routines that have not ended and whose claims conflict with these ranges: how many, each once; the
 * first `room` of them are stored. */
int tw_claims_find(struct tw_claim **list, const struct tw_range *range, int n, struct tw_data **token, int room);
/* Add c's, which come after all that conflict: what they cover is forgotten. 0, or -1 without memory (and nothing is
 * added). */
int tw_claims_add(struct tw_claim **list, const struct tw_range *range, int n, struct tw_claimant *c);
/* All of them have ended. */
void tw_claims_clear(struct tw_claim **list);

/* How many matrices that were made over arrays of the caller's (in main memory) share addresses with these ranges; the
 * first `room` are stored. They live: the caller says so to living.h before anybody destroys them. */
int tw_matrices_over(const struct tw_range *range, int n, struct tw_matrix **matrix, int room);
/* 1 if the object is such a matrix, and its addresses, as written. */
int tw_matrix_range(const struct tw_living *object, struct tw_range *range);
#endif
