/* FFTW as the library calls it: by addresses that were looked up when it was loaded (runtime/base/foreign.h), under its
 * own names. A function that is not in fftw_functions.txt is called where the linker finds it, which tests/foreign.sh
 * notices. */
#ifndef TW_KERNELS_FFT_CPU_FFTW_TABLE_H
#define TW_KERNELS_FFT_CPU_FFTW_TABLE_H
#include <fftw3.h>
#include "fftw_table_list.h"

#define TW_FFTW_MEMBER(function) __typeof__(function) *function;
struct tw_fftw_table {
    TW_FFTW_FUNCTIONS(TW_FFTW_MEMBER)
};
#undef TW_FFTW_MEMBER
extern struct tw_fftw_table tw_fftw_table;

#ifndef TW_FFTW_UNBOUND
#include "fftw_table_calls.h"
#endif
#endif
