/* Tiles of matrices that are not general. */
#ifndef TW_TYPES_DENSE_STRUCTURE_H
#define TW_TYPES_DENSE_STRUCTURE_H

/* How a tile counts in a norm. Diagonal tiles of symmetric, hermitian and triangular matrices hold one triangle (uplo
 * 'L' or 'U'), all other tiles are full (uplo 'G'). */
enum tw_structure { TW_STRUCT_GENERAL, TW_STRUCT_SYMMETRIC, TW_STRUCT_HERMITIAN, TW_STRUCT_TRIANGULAR };
#endif
