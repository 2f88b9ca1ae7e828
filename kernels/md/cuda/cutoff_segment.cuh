/* A segment of a run: lists, then steps. */
namespace
{

/* Pruned lists, and the sums over neighbours. */
cudaError_t sums(cudaStream_t stream, const tw_cut &c)
{
    const unsigned atoms = blocks_for(c.s.n, BLOCK);
    cudaError_t e = cudaSuccess;

    /* Not where the sums are taken: reading and clearing the same lines in one kernel took 0.18 ms for 10^6 atoms,
     * beside 0.06. */
    if (c.s.once) e = cudaMemsetAsync(c.reaction, 0, 2 * sizeof(Reaction) * (size_t)c.s.slots, stream);
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
    return e;
}

/* Steps of Verlet: positions and velocities stay in the order of places until the end. */
cudaError_t verlet(cudaStream_t stream, tw_cut c, int iterations)
{
    const unsigned places = blocks_for(c.s.slots, BLOCK);
    const tw_cut sorted = c;
    cudaError_t e = cudaSuccess;

    TW_LAUNCH(e, stream, 1, 1, begin, c);
    for (int k = 0; k < iterations && e == cudaSuccess; k++) {
        e = sums(stream, c);
        TW_LAUNCH(e, stream, places, BLOCK, advance, c);
        std::swap(c.sorted, c.sorted_next);
        std::swap(c.speed, c.speed_next);
    }
    TW_LAUNCH(e, stream, places, BLOCK, unload, sorted);
    return e;
}

cudaError_t segment(cudaStream_t stream, const tw_cut &c, int iterations)
{
    const unsigned atoms = blocks_for(c.s.n, BLOCK), places = blocks_for(c.s.slots, BLOCK);
    cudaError_t e = sort(stream, c);

    if (e == cudaSuccess) e = list(stream, c);
    if (c.s.in_places) return e == cudaSuccess ? verlet(stream, c, iterations) : e;
    for (int k = 0; k < iterations && e == cudaSuccess; k++) {
        TW_LAUNCH(e, stream, 1, 1, begin, c);
        if (e == cudaSuccess) e = sums(stream, c);
        TW_LAUNCH(e, stream, places, BLOCK, collect, c);
        TW_LAUNCH(e, stream, TW_CUT_BLOCKS, BLOCK, measure, c);
        TW_LAUNCH(e, stream, 1, TW_CUT_TOTALS, decide, c);
        if (c.s.mode == TW_CUT_ENERGY) continue;
        if (c.s.mode >= TW_CUT_DESCENT) TW_LAUNCH(e, stream, atoms, BLOCK, direct, c);
        TW_LAUNCH(e, stream, atoms, BLOCK, move, c);
    }
    return e;
}

} /* namespace */
