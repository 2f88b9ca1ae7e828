/* Where the points lie in the tree's cube. */
#ifndef TW_TYPES_NBODY_CUBE_H
#define TW_TYPES_NBODY_CUBE_H

#ifdef __CUDACC__
#define TW_CUBE_INLINE static __host__ __device__ inline
#else
#define TW_CUBE_INLINE static inline
#endif

/* At which part of the cube's side the middle of the points lies, in a dimension in which they are `wide`. Flat ones at
 * a third: then they are at one or two thirds of their cells on every level. In the middle of the cube they would be on
 * faces of the cells on all levels, farther from the centres than points are anywhere else: expansions of a flat disk
 * had twice the error that was asked for. What is made of it on CPUs and GPUs goes by fma, to the same bits. */
TW_CUBE_INLINE double tw_box_middle(double wide, double side)
{
    return wide <= side / 16 ? 1.0 / 3 : 0.5;
}
#endif
