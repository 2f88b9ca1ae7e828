/* Facts about the types of elements. */
#ifndef TILEWORK_TYPE_H
#define TILEWORK_TYPE_H

#include <stddef.h>
#include <tilework/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of an element, and the unit roundoff, half the distance of 1 to the next number (2^-24 in single precision, 0
 * of integers); both 0 for what is no type. */
TW_API size_t tw_type_size(enum tw_type type);
TW_API double tw_type_eps(enum tw_type type);
/* LAPACK's letter, s, d, c or z; of the others i, l, h, b and q; 0 for what is no type. */
TW_API char tw_type_letter(enum tw_type type);
TW_API int tw_type_is_complex(enum tw_type type);
/* The real type of the same precision: of norms, eigenvalues and the like beside a complex matrix. */
TW_API enum tw_type tw_type_real(enum tw_type type);

#ifdef __cplusplus
}
#endif
#endif
