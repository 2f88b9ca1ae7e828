/* The kernel of a stage, run on the host thread by thread: between two synchronisations every thread runs in turn. */
#include <cstring>
#include <vector>
#include "kernels/fft/cuda/stage_choices.cuh"
#include "kernels/fft/cuda/small_roots.h"
#include "fft/stage_host.h"

template <class S> struct block {
    typedef typename S::C C;
    std::vector<C> registers = std::vector<C>(S::threads * S::P), shared = std::vector<C>(S::M * S::B);
    C *of(int thread)
    {
        return &registers[(size_t)(thread * S::P)];
    }
    tw_fft_stage_column<C, S::B> column(int thread)
    {
        return {&shared[(size_t)(thread % S::B)]};
    }
};

template <class S, int s> static void steps(block<S> &k, const typename S::C *table)
{
    typedef tw_small_core<S> core;
    for (int t = 0; t < S::threads; t++)
        core::template compute<s>(k.of(t), t / S::B, table);
    if constexpr (s < S::passes - 1) {
        for (int t = 0; t < S::threads; t++)
            core::template exchange<s>(k.of(t), k.column(t), t / S::B);
        for (int t = 0; t < S::threads; t++)
            core::gather(k.of(t), k.column(t), t / S::B);
        steps<S, s + 1>(k, table);
    }
}

template <class R, int M> static void run(const struct tw_fft_stage *stage, const void *in, void *out)
{
    typedef tw_fft_stage_choice<R, M> S;
    std::vector<typename S::C> table(S::total);
    struct tw_fft_stage_args args = {
        in, out, *stage, (stage->cols + S::B - 1) / S::B, stage->roots ? -2.0 / (double)stage->roots : 0, table.data()};

    tw_small_fill<typename S::alone>(table.data());
    for (int64_t b = 0; b < args.blocks * stage->outer; b++) {
        block<S> k;
        /* what is read before it was written spoils the result */
        memset(k.registers.data(), 0xff, k.registers.size() * sizeof(typename S::C));
        memset(k.shared.data(), 0xff, k.shared.size() * sizeof(typename S::C));
        for (int t = 0; t < S::threads; t++)
            tw_fft_stage_thread<S>(&args, b, t).load(k.of(t));
        steps<S, 0>(k, table.data());
        for (int t = 0; t < S::threads; t++) {
            const tw_fft_stage_thread<S> thread(&args, b, t);
            thread.twiddle(k.of(t));
            thread.store(k.of(t));
        }
    }
}

template <class R> static void by_size(const struct tw_fft_stage *s, const void *in, void *out)
{
    switch (s->n) {
    case 256: run<R, 256>(s, in, out); break;
    case 512: run<R, 512>(s, in, out); break;
    case 1024: run<R, 1024>(s, in, out); break;
    default: run<R, 2048>(s, in, out);
    }
}

void stage_on_host(int single, const struct tw_fft_stage *s, const void *in, void *out)
{
    if (single)
        by_size<float>(s, in, out);
    else
        by_size<double>(s, in, out);
}
