/* A segment of a run: lists, then steps. */
namespace
{

cudaError_t evaluate(cudaStream_t stream, const tw_cut &c)
{
    const unsigned atoms = blocks_for(c.s.n, BLOCK), places = blocks_for(c.s.slots, BLOCK);
    cudaError_t e = cudaSuccess;

    TW_LAUNCH(e, stream, 1, 1, begin, c);
    TW_LAUNCH_WALK(e, stream, list_prune, c);
    if (c.s.born) {
        TW_LAUNCH_WALK(e, stream, born<Self>, c);
        TW_LAUNCH(e, stream, atoms, BLOCK, radii, c);
    }
    if (e != cudaSuccess) return e;
    switch (c.s.vdw) {
    case TW_CUT_VDW_NONE: e = force_of<TW_CUT_VDW_NONE>(stream, c); break;
    case TW_CUT_VDW_SMOOTH: e = force_of<TW_CUT_VDW_SMOOTH>(stream, c); break;
    default: e = force_of<TW_CUT_VDW_CUT>(stream, c); break;
    }
    if (c.s.born) {
        TW_LAUNCH(e, stream, atoms, BLOCK, gather, c);
        TW_LAUNCH_WALK(e, stream, born<Chain>, c);
    }
    TW_LAUNCH(e, stream, places, BLOCK, collect, c);
    return e;
}

cudaError_t segment(cudaStream_t stream, const tw_cut &c, int iterations)
{
    const unsigned atoms = blocks_for(c.s.n, BLOCK);
    cudaError_t e = sort(stream, c);

    if (e == cudaSuccess) e = list(stream, c);
    for (int k = 0; k < iterations && e == cudaSuccess; k++) {
        e = evaluate(stream, c);
        TW_LAUNCH(e, stream, TW_CUT_BLOCKS, BLOCK, measure, c);
        TW_LAUNCH(e, stream, 1, TW_CUT_TOTALS, decide, c);
        if (c.s.mode == TW_CUT_ENERGY) continue;
        if (c.s.mode >= TW_CUT_DESCENT) TW_LAUNCH(e, stream, atoms, BLOCK, direct, c);
        TW_LAUNCH(e, stream, atoms, BLOCK, move, c);
    }
    return e;
}

} /* namespace */
