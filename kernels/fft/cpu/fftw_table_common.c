/* The table of FFTW. */
#define TW_FFTW_UNBOUND
#include "kernels/fft/cpu/fftw_table.h"
#include "runtime/base/foreign.h"

/* The linker's until the constructor has run. */
#define LINKED(function) .function = function,
struct tw_fftw_table tw_fftw_table = {TW_FFTW_FUNCTIONS(LINKED)};
#define NAME(function) #function,
static const char *const name[] = {TW_FFTW_FUNCTIONS(NAME)};

__attribute__((constructor)) static void bind_fftw(void)
{
    tw_foreign_bind(&tw_fftw_table, name, &tw_fftw_table, sizeof name / sizeof *name);
}
