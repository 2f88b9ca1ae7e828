/* libtilework_lapack.so: Tilework's routines under LAPACK's and BLAS' own Fortran names. What its functions, which the build makes of the
 * prototypes in lapacke.h and lapack.h (dropin/doors.awk), share: whose call it is, the way to LAPACK's own function, infos.
 *
 *   void dgetrf_(const int *m, …, int *info)
 *   {
 *       if (!tw_dropin_enter(door, caller)) { LAPACK's own dgetrf_(m, …, info), of address door->own; return; }
 *       tw_dropin_leave(door, tw_LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, *m, …), info);
 *   }
 */
#ifndef TW_DROPIN_DROPIN_H
#define TW_DROPIN_DROPIN_H
#include <stdatomic.h>
#include <stdint.h>

/* One name. */
struct tw_dropin_door {
    const char *name;  /* in LAPACK's letters, with blanks up to the six that LAPACK's XERBLA may read */
    int blas;          /* BLAS has no infos */
    int layout;        /* its codes count the layout among the arguments, too: LAPACKE's */
    void *_Atomic own; /* the function of this name that the program would have without us */
    atomic_llong by_program, by_others,
        left; /* calls taken: from the program itself, from its libraries; left to LAPACK */
};
extern struct tw_dropin_door tw_dropin_doors[]; /* the last has no name */

/* Is this call, which came from the address `caller`, Tilework's? If not, `own` is where it goes. Calls that Tilework's own work makes, from
 * whatever thread, are LAPACK's, and so are all in a process in which the library cannot run. */
int tw_dropin_enter(struct tw_dropin_door *door, const void *caller);
/* `code` as LAPACKE's functions (LAPACK's names) or the LAPACK door's (BLAS' names) return it; becomes LAPACK's info. XERBLA is called for what it
 * is called for by LAPACK, here, in the caller's thread; info is NULL for BLAS' names. */
void tw_dropin_leave(const struct tw_dropin_door *door, int64_t code, int32_t *info);
#endif
