/* The passes of the fast multipole method on a GPU. Buffers: the table below; objects that a problem does not have are
 * left out.
 *
 * Arguments  the problem; the charge vector; the pass */
#include "codelets/nbody/fmm_gpu.h"
#include "kernels/nbody/cuda/fmm.h"

struct args {
    const struct tw_fmm_gpu *g;
    int d;
    enum tw_fmm_gpu_pass pass;
    unsigned present; /* objects: g's own list may have changed when the task runs */
};
struct use {
    unsigned char object, mode;
};
#define R(o)                                                                                                           \
    {                                                                                                                  \
        TW_GPU_##o, TW_R                                                                                               \
    }
#define W(o)                                                                                                           \
    {                                                                                                                  \
        TW_GPU_##o, TW_W                                                                                               \
    }
#define RW(o)                                                                                                          \
    {                                                                                                                  \
        TW_GPU_##o, TW_RW                                                                                              \
    }
#define LISTS W(COUNT), W(PAIR), W(MATRIX), R(TABLES), R(CELL), R(NEAR) /* of pairs, and their matrices */
#define FAR   R(INFO), R(TABLES), R(CELL), R(NEAR)
#define NOTHING                                                                                                        \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
enum { MOST = 14 };
static const struct use uses[TW_FMM_GPU_PASSES][MOST] = {
    [TW_GPU_POINTS] = {W(INFO), R(XYZ), R(TARGET_XYZ), W(ALL_XYZ), W(SOURCE_KEY), W(SOURCE_ORDER), W(SOURCE),
                       W(TARGET_KEY), W(TARGET_ORDER), W(TARGET), W(WORK), NOTHING},
    [TW_GPU_TREE] = {RW(INFO), R(SOURCE_KEY), R(TARGET_KEY), W(CELL), W(NEAR), W(LEAF_TILE), W(COUNT), NOTHING},
    [TW_GPU_CHARGES] = {R(CHARGE), R(SOURCE_ORDER), RW(SOURCE), W(MOMENT), NOTHING},
    [TW_GPU_P2P] = {R(INFO), R(CELL), R(NEAR), R(LEAF_TILE), R(SOURCE), R(TARGET), W(RESULT), NOTHING},
    [TW_GPU_M2M] = {R(INFO), R(SOURCE), W(MULTIPOLE), LISTS, R(LEVELS), R(WIDE_TABLES), W(FIRST), NOTHING},
    [TW_GPU_M2L_ALL] = {R(INFO), R(MULTIPOLE), W(LOCAL), LISTS, R(LEVELS), NOTHING},
    [TW_GPU_L2L] = {R(INFO), R(SOURCE), RW(LOCAL), LISTS, R(LEVELS), R(FIRST), NOTHING},
    [TW_GPU_L2P] = {FAR, R(SOURCE), R(TARGET), R(MULTIPOLE), R(LOCAL), R(WIDE_TABLES), R(FIRST), RW(RESULT), NOTHING},
    [TW_GPU_GIVE] = {R(RESULT), R(SOURCE_ORDER), R(TARGET_ORDER), R(SOURCE), R(TARGET), R(MOMENT), RW(POT), RW(GRAD),
                     RW(POT_TARGET), RW(GRAD_TARGET), NOTHING},
};

/* What was submitted: the accesses of a pass, in the order of its buffers. */
static int accesses(const struct tw_fmm_gpu *g, struct args *a, struct tw_access *to)
{
    int n = 0;
    for (const struct use *u = uses[a->pass]; u->mode; u++) {
        enum tw_mode mode = (enum tw_mode)u->mode;
        if (!g->data[u->object]) continue;
        if (a->pass == TW_GPU_GIVE && mode == TW_RW && g->nd == 1) mode = TW_W; /* one vector is all of it */
        to[n++] = (struct tw_access){g->data[u->object], mode};
        a->present |= 1u << u->object;
    }
    return n;
}

struct place {
    struct tw_gpu_fmm f;
    void *at[TW_GPU_OBJECTS];
};

static void places(const struct tw_body *body, struct place *p)
{
    const struct args *a = body->args;
    struct tw_gpu_fmm *f = &p->f;
    int n = 0;

    *p = (struct place){.f = a->g->f};
    for (const struct use *u = uses[a->pass]; u->mode; u++)
        if (a->present >> u->object & 1) p->at[u->object] = body->buf[n++].ptr;
    f->info = p->at[TW_GPU_INFO];
    if (p->at[TW_GPU_TABLES]) f->t = tw_gpu_tables_at(f->t, p->at[TW_GPU_TABLES]);
    if (p->at[TW_GPU_WIDE_TABLES])
        f->wide = tw_gpu_tables_at(f->wide, p->at[TW_GPU_WIDE_TABLES]);
    else
        f->wide.number = f->t.number, f->wide.integer = f->t.integer; /* the same tables, if any */
    f->levels = p->at[TW_GPU_LEVELS];
    f->first = p->at[TW_GPU_FIRST];
    f->moment = p->at[TW_GPU_MOMENT];
    f->cell = p->at[TW_GPU_CELL];
    f->near = p->at[TW_GPU_NEAR];
    f->tile = p->at[TW_GPU_LEAF_TILE];
    f->skey = p->at[TW_GPU_SOURCE_KEY];
    f->sorder = p->at[TW_GPU_SOURCE_ORDER];
    f->source = p->at[TW_GPU_SOURCE];
    /* Where the sources are all targets there is one copy. */
    f->tkey = p->at[TW_GPU_TARGET_KEY] ? p->at[TW_GPU_TARGET_KEY] : f->skey;
    f->torder = p->at[TW_GPU_TARGET_ORDER] ? p->at[TW_GPU_TARGET_ORDER] : f->sorder;
    f->target = p->at[TW_GPU_TARGET] ? p->at[TW_GPU_TARGET] : f->source;
    f->count = p->at[TW_GPU_COUNT];
    f->pair = p->at[TW_GPU_PAIR];
    f->matrix = p->at[TW_GPU_MATRIX];
    f->M = p->at[TW_GPU_MULTIPOLE];
    f->L = p->at[TW_GPU_LOCAL];
    f->result = p->at[TW_GPU_RESULT];
}

/* Sources and, if they differ, targets. */
static int points(const struct tw_body *body, const struct place *p)
{
    const struct tw_fmm_gpu *g = ((const struct args *)body->args)->g;
    const struct tw_gpu_fmm *f = &p->f;
    const struct tw_gpu_space *s = &f->space;
    const void *source = p->at[TW_GPU_XYZ], *target = p->at[TW_GPU_TARGET_XYZ];
    void *all = p->at[TW_GPU_ALL_XYZ], *work = p->at[TW_GPU_WORK];
    const int ntarget = f->nt - g->own;
    int e = tw_gpu_box(body->cuda, s, source, f->ns, target, target ? ntarget : 0, f->info, work);

    if (!e) e = tw_gpu_sort(body->cuda, s, source, f->ns, f->info, f->skey, f->sorder, work, g->work_bytes);
    if (!e) e = tw_gpu_gather(body->cuda, s, source, f->ns, f->info, f->sorder, f->source);
    if (!p->at[TW_GPU_TARGET] || e) return e;
    if (all && (e = tw_gpu_join(body->cuda, s, source, g->own, target, ntarget, all))) return e;
    if (all) target = all;
    e = tw_gpu_sort(body->cuda, s, target, f->nt, f->info, f->tkey, f->torder, work, g->work_bytes);
    return e ? e : tw_gpu_gather(body->cuda, s, target, f->nt, f->info, f->torder, f->target);
}

static int charges(const struct tw_body *body, const struct place *p)
{
    const struct args *a = body->args;
    const struct tw_gpu_fmm *f = &p->f;
    int e =
        tw_gpu_charges(body->cuda, f->space.type, p->at[TW_GPU_CHARGE], a->g->nd, a->d, f->ns, f->sorder, f->source);
    return e || !f->moment ? e : tw_gpu_moments(body->cuda, f);
}

static int give(const struct tw_body *body, const struct place *p)
{
    const struct args *a = body->args;
    const struct tw_fmm_gpu *g = a->g;
    struct tw_gpu_fmm f = p->f;
    int e;

    if (!g->adjusts) f.moment = NULL;
    e = tw_gpu_scatter(body->cuda, &f, 0, g->own, g->nd, a->d, p->at[TW_GPU_POT], p->at[TW_GPU_GRAD]);
    return e ? e
             : tw_gpu_scatter(body->cuda, &f, g->own, f.nt - g->own, g->nd, a->d, p->at[TW_GPU_POT_TARGET],
                              p->at[TW_GPU_GRAD_TARGET]);
}

static int cuda(const struct tw_body *body)
{
    const struct args *a = body->args;
    struct place p;

    places(body, &p);
    switch (a->pass) {
    case TW_GPU_POINTS: return points(body, &p);
    case TW_GPU_TREE: return tw_gpu_tree(body->cuda, &p.f);
    case TW_GPU_CHARGES: return charges(body, &p);
    case TW_GPU_P2P: return tw_gpu_near(body->cuda, &p.f);
    case TW_GPU_M2M: return tw_gpu_up(body->cuda, &p.f);
    case TW_GPU_M2L_ALL: return tw_gpu_m2l(body->cuda, &p.f);
    case TW_GPU_L2L: return tw_gpu_down(body->cuda, &p.f);
    case TW_GPU_L2P: return tw_gpu_end(body->cuda, &p.f);
    case TW_GPU_GIVE: return give(body, &p);
    case TW_FMM_GPU_PASSES: break;
    }
    return 0;
}

#define CODELET(n, c)                                                                                                  \
    {                                                                                                                  \
        .name = n, .color = c, .rate = TW_RATE_GEMM, .cuda = TW_CUDA_BODY(cuda)                                        \
    }
static struct tw_codelet codelet[TW_FMM_GPU_PASSES] = {
    [TW_GPU_POINTS] = CODELET("points", 0x999933),   [TW_GPU_TREE] = CODELET("tree", 0x117733),
    [TW_GPU_CHARGES] = CODELET("charges", 0x888888), [TW_GPU_P2P] = CODELET("p2p_all", 0xAA3377),
    [TW_GPU_M2M] = CODELET("m2m_all", 0x66CCEE),     [TW_GPU_M2L_ALL] = CODELET("m2l_all", 0x228833),
    [TW_GPU_L2L] = CODELET("l2l_all", 0xCCBB44),     [TW_GPU_L2P] = CODELET("l2p_all", 0xBBBBBB),
    [TW_GPU_GIVE] = CODELET("give", 0x888888),
};

void tw_task_fmm_gpu(struct tw_sequence *seq, enum tw_fmm_gpu_pass pass, const struct tw_fmm_gpu *g, int d, int gpu,
                     double flops)
{
    struct args args = {g, d, pass, 0};
    struct tw_access access[MOST];
    const int n = accesses(g, &args, access);

    tw_submit(seq, &(struct tw_task){
                       .codelet = &codelet[pass],
                       .type = TW_DOUBLE,
                       .args = &args,
                       .args_size = sizeof args,
                       .access = access,
                       .naccess = n,
                       .priority = tw_priority(seq, (double)(TW_FMM_GPU_PASSES - pass), (double)TW_FMM_GPU_PASSES, 0),
                       .flops = flops,
                       .size = 2048,
                       .coord = {d, -1, -1, -1},
                       .place = TW_ON_GPU(gpu)});
}
