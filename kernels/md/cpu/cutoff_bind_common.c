/* Where everything lies in the memory of a localized problem; which instruction set's stages run. */
#include <string.h>

#include "kernels/isa.h"
#include "kernels/md/cut.h"

struct carver {
    char *base;
    size_t used;
};

static void *carve(struct carver *c, double count, size_t size)
{
    const size_t at = c->used;
    c->used += ((size_t)count * size + 255) / 256 * 256;
    return c->base ? c->base + at : NULL;
}

static size_t bind_params(struct tw_cut *c, size_t size, void *memory)
{
    struct carver m = {memory, 0};
    const double n = c->s.n, kinds = c->s.ntypes;

    c->charge = carve(&m, n, size);
    c->half = carve(&m, n, size);
    c->root = carve(&m, n, size);
    c->lightness = carve(&m, n, size);
    c->kind = carve(&m, 3 * kinds, size);
    c->pair = carve(&m, 4 * kinds * kinds, size);
    c->type = carve(&m, n, sizeof(int));
    c->link_first = carve(&m, n + 1, sizeof(int));
    c->link_to = carve(&m, c->s.nlinks, sizeof(int));
    c->link_k = carve(&m, c->s.nlinks, size);
    c->link_r = carve(&m, c->s.nlinks, size);
    return m.used;
}

static size_t bind_state(struct tw_cut *c, size_t size, void *memory)
{
    struct carver m = {memory, 0};
    const double n = c->s.n, minimises = c->s.mode >= TW_CUT_DESCENT;

    c->x = carve(&m, 3 * n, size);
    c->v = carve(&m, 3 * n, size);
    c->f = carve(&m, 3 * n, size);
    c->e = carve(&m, 3 * n, size);
    c->d = carve(&m, minimises * 3 * n, size);
    c->fp = carve(&m, minimises * 3 * n, size);
    c->history = carve(&m, 6 * n * c->s.history, size);
    return m.used;
}

static size_t bind_work(struct tw_cut *c, size_t size, size_t temp, void *memory)
{
    struct carver m = {memory, 0};
    const double n = c->s.n, slots = c->s.slots;

    c->head = carve(&m, 1, sizeof *c->head);
    c->ref = carve(&m, 3 * n, size);
    c->sorted = carve(&m, 4 * slots, size);
    c->vdw = carve(&m, 2 * slots, size);
    c->born = carve(&m, 2 * slots, size);
    c->start = carve(&m, c->s.in_places ? 4 * slots : 0, size);
    c->speed = carve(&m, c->s.in_places ? 4 * slots : 0, size);
    c->sorted_next = carve(&m, c->s.in_places ? 4 * slots : 0, size);
    c->speed_next = carve(&m, c->s.in_places ? 4 * slots : 0, size);
    c->types = carve(&m, slots, sizeof(int));
    c->atom = carve(&m, slots, sizeof(int));
    c->slot = carve(&m, n, sizeof(int));
    c->column = carve(&m, 2 * ((double)c->s.nx * c->s.ny + 1), sizeof(int));
    c->reaction = carve(&m, c->s.once ? 8 * slots : 0, sizeof(float));
    for (int k = 0; k < 2; k++) {
        c->key[k] = carve(&m, n, sizeof(uint64_t));
        c->value[k] = carve(&m, n, sizeof(uint32_t));
    }
    c->partial = carve(&m, TW_CUT_BLOCKS * TW_CUT_TOTALS + (c->s.in_places ? slots / 32 : 0), sizeof(double));
    c->temp = carve(&m, (double)temp, 1);
    c->temp_bytes = temp;
    return m.used;
}

static size_t bind_part(const struct tw_cut_shape *s, struct tw_cut_part *p, size_t size, void *memory)
{
    struct carver m = {memory, 0};
    const double items = s->items;

    p->count = carve(&m, 8, sizeof(int));
    p->first = carve(&m, s->clusters / s->groups + 2.0, sizeof(int));
    p->item = carve(&m, items, sizeof(struct tw_cut_item));
    p->kept = carve(&m, items, sizeof(int));
    p->pool = carve(&m, s->pool, sizeof(uint32_t));
    p->inner = carve(&m, s->pool, sizeof(uint32_t));
    p->sum = carve(&m, items * TW_CUT_SUMS * TW_CUT_LANES, size);
    return m.used;
}

void tw_cut_bind_part(const struct tw_cut_shape *s, struct tw_cut_part *p, size_t size, void *memory)
{
    bind_part(s, p, size, memory);
}

void tw_cut_bind(struct tw_cut *c, const struct tw_cut_shape *s, size_t size, size_t temp, void *params, void *state,
                 void *work, void *lone, void *control, struct tw_cut_bytes *bytes)
{
    struct tw_cut_bytes b;

    memset(c, 0, sizeof *c);
    c->s = *s;
    c->control = control;
    b.params = bind_params(c, size, params);
    b.state = bind_state(c, size, state);
    b.work = bind_work(c, size, temp, work);
    b.part = bind_part(s, &c->lone, size, s->groups == 1 ? lone : NULL);
    if (s->groups == 1) c->part = &c->lone;
    if (bytes) *bytes = b;
}

#define DECLARE(isa) extern const struct tw_cut_kernels tw_nbody_scut_kernels_##isa, tw_nbody_dcut_kernels_##isa;
DECLARE(generic)
#ifdef TW_ISA_X86
DECLARE(avx2)
DECLARE(avx512)
#endif

const struct tw_cut_kernels *tw_cut_cpu(int type)
{
#ifdef TW_ISA_X86
    if (tw_isa() == TW_AVX512) return type ? &tw_nbody_dcut_kernels_avx512 : &tw_nbody_scut_kernels_avx512;
    if (tw_isa() == TW_AVX2) return type ? &tw_nbody_dcut_kernels_avx2 : &tw_nbody_scut_kernels_avx2;
#endif
    return type ? &tw_nbody_dcut_kernels_generic : &tw_nbody_scut_kernels_generic;
}
