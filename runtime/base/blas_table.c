/* The table of BLAS and LAPACK. */
#define TW_BLAS_UNBOUND
#include "runtime/base/blas_table.h"
#include "runtime/base/foreign.h"

/* The linker's until the constructor has run. */
#define LINKED(function) .function = function,
struct tw_blas_table tw_blas_table = {TW_BLAS_FUNCTIONS(LINKED)};
#define NAME(function) #function,
static const char *const name[] = {TW_BLAS_FUNCTIONS(NAME)};

__attribute__((constructor)) static void bind_blas(void)
{
    tw_foreign_bind(&tw_blas_table, name, &tw_blas_table, sizeof name / sizeof *name);
}
