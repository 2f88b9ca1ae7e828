/* Functions of other libraries that have the names of drop-ins. A program that preloads such a drop-in, which calls
 * Tilework, must not have Tilework's own calls of BLAS, LAPACK or FFTW come back to it: they go by tables of addresses,
 * which are looked up in the libraries that Tilework was linked with, not in the order in which the program's symbols
 * are found. */
#ifndef TW_RUNTIME_BASE_FOREIGN_H
#define TW_RUNTIME_BASE_FOREIGN_H
#include <stddef.h>

#pragma GCC visibility push(default) /* for libtilework_fft: see runtime/data/data.h */
/* table: `count` addresses of functions with these names, as the linker has them, in an object of the library's that
 * lies at `near`; each is replaced by the address in the library that this object needs, if one of them has it. Call it
 * when the object is loaded. */
void tw_foreign_bind(const void *near, const char *const *name, void *table, size_t count);
#pragma GCC visibility pop
#endif
