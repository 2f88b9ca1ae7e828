/* The kernels of the small transforms and the passes of the real ones, run on the host thread by thread. Between two
 * synchronisations every thread runs in turn, as small_kernel.cuh orders the steps. */
#include <cmath>
#include <cstring>
#include <vector>
#include "kernels/fft/cuda/real.h"
#include "kernels/fft/cuda/real_filters.cuh"
#include "kernels/fft/cuda/small_choices.cuh"
#include "kernels/fft/cuda/small_kernel.cuh"
#include "kernels/fft/cuda/small_roots.h"
#include "fft/small_host.h"

/* ---- small transforms -------------------------------------------------------------------------------------------- */

template <class S> struct block {
    typedef typename S::C C;
    std::vector<C> registers = std::vector<C>(S::threads * S::P), shared = std::vector<C>(S::row * S::B);
    C *of(int thread)
    {
        return &registers[(size_t)(thread * S::P)];
    }
    C *transform(int thread)
    {
        return &shared[(size_t)(thread / S::T * S::row)];
    }
};

template <class S, int s> static void passes(block<S> &k, const typename S::C *table)
{
    typedef tw_small_core<S> core;
    for (int t = 0; t < S::threads; t++)
        core::template compute<s>(k.of(t), t % S::T, table);
    if constexpr (s < S::passes - 1) {
        for (int t = 0; t < S::threads; t++)
            core::template exchange<s>(k.of(t), k.transform(t), t % S::T);
        for (int t = 0; t < S::threads; t++)
            core::gather(k.of(t), k.transform(t), t % S::T);
        passes<S, s + 1>(k, table);
    }
}

template <class R, int KIND, int M> static void run(struct tw_small_args args)
{
    typedef tw_small_choice<R, KIND, M> choice;
    typedef tw_small_shape<R, M, choice::points, choice::threads> S;
    typedef tw_small_core<S> core;
    typedef tw_small_filter<S, KIND> F;
    std::vector<typename S::C> table(S::total);

    tw_small_fill<S>(table.data());
    args.table = table.data();
    for (int64_t first = 0; first < args.rows; first += S::B) {
        block<S> k;
        /* what is read before it was written spoils the result */
        memset(k.registers.data(), 0xff, k.registers.size() * sizeof(typename S::C));
        memset(k.shared.data(), 0xff, k.shared.size() * sizeof(typename S::C));
        auto filter = [&](int t) { return F{&args, k.shared.data(), first, t}; };
        for (int t = 0; t < S::threads; t++)
            filter(t).load(k.of(t));
        if constexpr (F::joined) {
            for (int t = 0; t < S::threads; t++)
                filter(t).fetch_pairs(k.of(t));
            for (int t = 0; t < S::threads; t++)
                filter(t).join_pairs(k.of(t));
        }
        for (int t = 0; F::staged_in && t < S::threads; t++)
            core::gather(k.of(t), k.transform(t), t % S::T);
        passes<S, 0>(k, table.data());
        for (int t = 0; F::staged_out && t < S::threads; t++)
            core::scatter(k.of(t), k.transform(t), t % S::T);
        for (int t = 0; t < S::threads; t++)
            filter(t).store(k.of(t));
    }
}

template <class R, int KIND> static void by_size(int m, const struct tw_small_args &args)
{
    static void (*const runs[])(struct tw_small_args) = {run<R, KIND, 2>,    run<R, KIND, 4>,    run<R, KIND, 8>,
                                                         run<R, KIND, 16>,   run<R, KIND, 32>,   run<R, KIND, 64>,
                                                         run<R, KIND, 128>,  run<R, KIND, 256>,  run<R, KIND, 512>,
                                                         run<R, KIND, 1024>, run<R, KIND, 2048>, run<R, KIND, 4096>};
    runs[m - 1](args);
}

template <class R> static void by_kind(int kind, int m, const struct tw_small_args &args)
{
    switch (kind) {
    case TW_SMALL_C2C: by_size<R, TW_SMALL_C2C>(m, args); break;
    case TW_SMALL_R2C: by_size<R, TW_SMALL_R2C>(m, args); break;
    case TW_SMALL_C2R: by_size<R, TW_SMALL_C2R>(m, args); break;
    case TW_SMALL_DHT: by_size<R, TW_SMALL_DHT>(m, args); break;
    case TW_SMALL_T1: by_size<R, TW_SMALL_T1>(m, args); break;
    case TW_SMALL_T2: by_size<R, TW_SMALL_T2>(m, args); break;
    case TW_SMALL_T3: by_size<R, TW_SMALL_T3>(m, args); break;
    default: by_size<R, TW_SMALL_T4>(m, args);
    }
}

int small_on_host(const struct tw_fft_cuda_lines *l, const void *in, void *out)
{
    struct tw_small_args args = {in, out, l->rows, l->ld_in, l->ld_out, NULL, l->scale, 0};
    int kind, m;

    if (tw_small_which(l, &kind, &m, &args.flip)) return 1;
    if (l->single)
        by_kind<float>(kind, m, args);
    else
        by_kind<double>(kind, m, args);
    return 0;
}

/* ---- passes before and behind: the inner transform by its definition --------------------------------------------- */

static long double angle(long long j, long long k, long long n)
{
    return 2 * 3.14159265358979323846264338327950288L * (long double)(j * k % n) / (long double)n;
}

template <class C> static void forward(int n, const C *x, C *z, int count)
{
    for (int k = 0; k < count; k++) {
        long double re = 0, im = 0;
        for (int j = 0; j < n; j++) {
            long double c = cosl(angle(j, k, n)), s = -sinl(angle(j, k, n));
            re += x[j].x * c - x[j].y * s;
            im += x[j].x * s + x[j].y * c;
        }
        z[k].x = (decltype(z->x))re;
        z[k].y = (decltype(z->x))im;
    }
}

template <class C, class R> static void backward(int n, const C *g, R *v)
{
    for (int j = 0; j < n; j++) {
        long double sum = 0;
        for (int k = 0; k <= n / 2; k++) {
            int own = k == 0 || 2 * k == n; /* its own mirror image */
            long double t = angle(j, k, n);
            sum += (own ? 1 : 2) * (g[k].x * cosl(t) - (own ? 0 : g[k].y * sinl(t)));
        }
        v[j] = (R)sum;
    }
}

template <class R, int METHOD> static void around(const struct tw_fft_cuda_lines *l, int length, const R *in, R *out)
{
    typedef tw_cx<R> C;
    const int sine = l->r2r >= TW_FFT_DST1 && l->r2r <= TW_FFT_DST4, n = (int)l->n;
    const tw_real_filter<R, METHOD> f = {l->n, length, sine, NULL, (R)l->scale};
    std::vector<C> x((size_t)length + n + 1), z((size_t)length + n + 1);
    std::vector<R> v((size_t)n + 1);

    for (int64_t row = 0; row < l->rows; row++) {
        const tw_real_line<const R> line = tw_real_line_of(in, tw_real_lines{1, l->ld_in, 1, 0}, row);
        const tw_real_line<R> to = tw_real_line_of(out, tw_real_lines{1, l->ld_out, 1, 0}, row);
        const int complex_in = METHOD == TW_REAL_T3 || METHOD == TW_REAL_T4_EVEN,
                  count = METHOD == TW_REAL_T3 ? n / 2 + 1 : length;
        for (int i = 0; i < count; i++) {
            if (complex_in)
                x[(size_t)i] = f.before(line, i, (C *)0);
            else
                x[(size_t)i] = tw_make<R>(f.before(line, i, (R *)0), 0);
        }
        if (METHOD == TW_REAL_T3)
            backward(n, x.data(), v.data());
        else
            forward(length, x.data(), z.data(), METHOD == TW_REAL_T4_EVEN ? length : length / 2 + 1);
        for (int64_t k = 0; k < n; k++)
            to[k] = METHOD == TW_REAL_T3 ? f.behind(v.data(), k) : f.behind(z.data(), k);
    }
}

template <class R> static void any_length(const struct tw_fft_cuda_lines *l, const R *in, R *out)
{
    const int n = (int)l->n;

    switch (l->r2r) {
    case TW_FFT_DCT1: around<R, TW_REAL_T1>(l, 2 * (n - 1), in, out); break;
    case TW_FFT_DST1: around<R, TW_REAL_T1>(l, 2 * (n + 1), in, out); break;
    case TW_FFT_DCT2:
    case TW_FFT_DST2: around<R, TW_REAL_T2>(l, n, in, out); break;
    case TW_FFT_DCT3:
    case TW_FFT_DST3: around<R, TW_REAL_T3>(l, n, in, out); break;
    case TW_FFT_DCT4:
    case TW_FFT_DST4:
        if (n % 2)
            around<R, TW_REAL_T4_ODD>(l, n, in, out);
        else
            around<R, TW_REAL_T4_EVEN>(l, n / 2, in, out);
        break;
    default: around<R, TW_REAL_DHT>(l, n, in, out);
    }
}

void around_on_host(const struct tw_fft_cuda_lines *l, const void *in, void *out)
{
    if (l->single)
        any_length(l, (const float *)in, (float *)out);
    else
        any_length(l, (const double *)in, (double *)out);
}
