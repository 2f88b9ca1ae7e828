/* Tilework: numerical algorithms as task graphs on StarPU. This header includes all the public ones but
 * tilework/lapacke.h (LAPACKE's names), tilework/starpu.h (for programs that use StarPU themselves) and tilework/fft.h
 * (of libtilework_fft, a library apart). */
#ifndef TILEWORK_H
#define TILEWORK_H
#include <tilework/runtime.h>
#include <tilework/type.h>
#include <tilework/profile.h>
#include <tilework/matrix.h>
#include <tilework/lapack.h>
#include <tilework/dense.h>
#include <tilework/eigen.h>
#include <tilework/svd.h>
#include <tilework/nbody.h>
#include <tilework/trace.h>
#endif
