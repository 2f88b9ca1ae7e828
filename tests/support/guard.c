/* Arrays that begin or end at a page nobody may touch: a violation is a crash. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <sys/mman.h>
#include <unistd.h>

#include "tt.h"

struct tt_guarded tt_guard(size_t bytes, int at_end)
{
    struct tt_guarded g = {.page = (size_t)sysconf(_SC_PAGESIZE)};
    size_t inside = (bytes + g.page - 1) / g.page * g.page;

    g.bytes = inside + 2 * g.page;
    g.base = mmap(NULL, g.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(g.base != MAP_FAILED);
    assert_int_equal(mprotect(g.base, g.page, PROT_NONE), 0);
    assert_int_equal(mprotect(g.base + g.page + inside, g.page, PROT_NONE), 0);
    g.array = g.base + g.page + (at_end ? inside - bytes : 0);
    return g;
}

void tt_guard_drop(struct tt_guarded *g)
{
    assert_int_equal(munmap(g->base, g->bytes), 0);
}

size_t tt_bytes_of(enum tw_type t, int m, int n, int ld)
{
    return ((size_t)ld * (size_t)(n - 1) + (size_t)m) * tt_size(t);
}
