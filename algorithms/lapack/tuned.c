/* How routines on matrices cut them, and where LAPACK alone is better: for callers that ask by name. */
#include <string.h>
#include "algorithms/dense/dense_loops.h"
#include "algorithms/dense/tall.h"
#include "algorithms/eigen/eigen_loops.h"
#include "algorithms/lapack/named.h"
#include "algorithms/svd/svd_loops.h"
#include "runtime/base/error.h"
#include "runtime/base/gate.h"

const struct tw_routine *tw_routine_named(const char *name)
{
    const struct tw_routine *const *const families[] = {tw_dense_routines, tw_eigen_routines, tw_svd_routines};

    for (size_t f = 0; name && f < sizeof families / sizeof *families; f++)
        for (const struct tw_routine *const *r = families[f]; *r; r++)
            if (strcmp((*r)->name, name) == 0) return *r;
    return NULL;
}

int tw_routine_has_side(const struct tw_routine *r)
{
    return r->needs.given && strncmp(r->needs.given, "Tmm", 3) == 0;
}

/* The inner size, where 0 is told for that of a routine with a side: at which side nobody knows. */
static tw_int inner(const struct tw_routine *r, tw_int m, tw_int n, tw_int k)
{
    return k == 0 && tw_routine_has_side(r) ? tw_max(m, n) : k;
}

tw_int tw_routine_nb(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, const char **source)
{
    static const char who[] = "tw_routine_nb";
    const struct tw_routine *r = tw_routine_named(routine);

    TW_CHECK(who, 1, r ? NULL : "no routine on matrices has this name");
    TW_CHECK(who, 2, tw_type_ok(type) ? NULL : "not a type");
    TW_CHECK(who, 3, m < 0 ? "negative number of rows" : NULL);
    TW_CHECK(who, 4, n < 0 ? "negative number of columns" : NULL);
    TW_CHECK(who, 5, k < 0 ? "negative inner size" : NULL);
    TW_INSIDE int refused = tw_begin(); /* the machine's profile */
    if (refused) return refused;
    return tw_choose_nb(r->tuning, &(struct tw_sizes){type, m, n, inner(r, m, n, k)}, source);
}

int tw_routine_tiles(const char *routine, enum tw_type type, tw_int m, tw_int n, tw_int k, tw_int *mb, tw_int *nb)
{
    static const char who[] = "tw_routine_tiles";
    const struct tw_routine *r = tw_routine_named(routine);
    struct tw_sizes sizes = {type, m, n, k};
    const char *source = NULL;
    tw_int rows;
    int e;

    TW_CHECK(who, 1, r ? NULL : "no routine on matrices has this name");
    TW_CHECK(who, 2, tw_type_ok(type) ? NULL : "not a type");
    TW_CHECK(who, 3, m < 0 ? "negative number of rows" : NULL);
    TW_CHECK(who, 4, n < 0 ? "negative number of columns" : NULL);
    TW_CHECK(who, 5, k < 0 ? "negative inner size" : NULL);
    TW_CHECK(who, 6, mb ? NULL : "NULL");
    TW_CHECK(who, 7, nb ? NULL : "NULL");
    TW_INSIDE int refused = tw_begin(); /* the machine's profile */
    if (refused) return refused;
    if (r->tall && (e = tw_tall_variable())) return e;
    sizes.k = inner(r, m, n, k);
    *mb = *nb = tw_choose_nb(r->tuning, &sizes, &source);
    rows = r->tall && (!strcmp(source, "profile") || !strcmp(source, "reproducible")) ? r->tall(&sizes) : 0;
    if (rows > 0) *mb = rows, *nb = n;
    return 0;
}

tw_int tw_routine_crossover(const char *routine, enum tw_type type, const char **source)
{
    const struct tw_routine *r = tw_routine_named(routine);

    TW_CHECK("tw_routine_crossover", 1, r ? NULL : "no routine on matrices has this name");
    TW_CHECK("tw_routine_crossover", 2, tw_type_ok(type) ? NULL : "not a type");
    return tw_crossover(r->tuning, type, source);
}
