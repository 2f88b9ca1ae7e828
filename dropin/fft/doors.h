/* FFTW's functions of one precision. Included twice by doors.c, which says what X, x, F77_1, F77_2, R and TYPE are. */

typedef R X(complex)[2];

/* ---- planners: every one becomes dimensions, loops and two arrays ------------------------------------------------ */

/* The arrays' problem, asked of Tilework; `real`: the call that the program made, to FFTW itself. */
#define TAKEN_OR(problem_, in_, out_, real_)                                                                           \
    do {                                                                                                               \
        struct problem p_ = problem_;                                                                                  \
        struct fftw_wrapped *w_ = fftw_take(&p_, (in_), (out_), flags, __builtin_return_address(0));                   \
        if (w_) return w_;                                                                                             \
        void *plan_;                                                                                                   \
        FORWARD_BEGIN(p_.type);                                                                                        \
        plan_ = real_;                                                                                                 \
        FORWARD_END();                                                                                                 \
        return plan_;                                                                                                  \
    } while (0)
#define REAL(name, ...) (((void *(*)(__VA_ARGS__))fftw_real(#name, TYPE, __builtin_return_address(0))))

static struct problem X(many)(int kind, int rank, const int *n, int howmany, const int *inembed, int istride, int idist,
                              const int *onembed, int ostride, int odist, int in_place, int sign, const int *kinds)
{
    struct problem p = {.type = TYPE,
                        .kind = kind,
                        .rank = rank,
                        .sign = sign,
                        .in_place = in_place,
                        .possible = rank >= 1 && rank <= 3 && howmany >= 1};
    if (!p.possible) return p;
    int64_t is = istride, os = ostride;
    for (int d = rank - 1; d >= 0; d--) {
        const int last = d == rank - 1, half = n[d] / 2 + 1;
        int ni = n[d], no = n[d];
        if (kind == KIND_R2C && last) ni = in_place ? 2 * half : ni, no = half;
        if (kind == KIND_C2R && last) no = in_place ? 2 * half : no, ni = half;
        if (inembed) ni = inembed[d];
        if (onembed) no = onembed[d];
        p.dims[d] = (struct dim){n[d], is, os};
        is *= ni;
        os *= no;
        if (kinds) p.r2r[d] = kinds[d];
    }
    if (howmany > 1) p.loops[p.nloops++] = (struct dim){howmany, idist, odist};
    return p;
}

void *X(plan_many_dft)(int rank, const int *n, int howmany, X(complex) *in, const int *inembed, int istride, int idist,
                       X(complex) *out, const int *onembed, int ostride, int odist, int sign, unsigned flags)
{
    TAKEN_OR(
        X(many)(KIND_C2C, rank, n, howmany, inembed, istride, idist, onembed, ostride, odist, in == out, sign, NULL),
        in, out,
        REAL(plan_many_dft, int, const int *, int, void *, const int *, int, int, void *, const int *, int, int, int,
             unsigned)(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, sign, flags));
}
void *X(plan_many_dft_r2c)(int rank, const int *n, int howmany, R *in, const int *inembed, int istride, int idist,
                           X(complex) *out, const int *onembed, int ostride, int odist, unsigned flags)
{
    TAKEN_OR(X(many)(KIND_R2C, rank, n, howmany, inembed, istride, idist, onembed, ostride, odist,
                     (void *)in == (void *)out, -1, NULL),
             in, out,
             REAL(plan_many_dft_r2c, int, const int *, int, void *, const int *, int, int, void *, const int *, int,
                  int, unsigned)(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags));
}
void *X(plan_many_dft_c2r)(int rank, const int *n, int howmany, X(complex) *in, const int *inembed, int istride,
                           int idist, R *out, const int *onembed, int ostride, int odist, unsigned flags)
{
    TAKEN_OR(X(many)(KIND_C2R, rank, n, howmany, inembed, istride, idist, onembed, ostride, odist,
                     (void *)in == (void *)out, 1, NULL),
             in, out,
             REAL(plan_many_dft_c2r, int, const int *, int, void *, const int *, int, int, void *, const int *, int,
                  int, unsigned)(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, flags));
}
void *X(plan_many_r2r)(int rank, const int *n, int howmany, R *in, const int *inembed, int istride, int idist, R *out,
                       const int *onembed, int ostride, int odist, const int *kinds, unsigned flags)
{
    TAKEN_OR(X(many)(KIND_R2R, rank, n, howmany, inembed, istride, idist, onembed, ostride, odist, in == out, 0, kinds),
             in, out,
             REAL(plan_many_r2r, int, const int *, int, void *, const int *, int, int, void *, const int *, int, int,
                  const int *,
                  unsigned)(rank, n, howmany, in, inembed, istride, idist, out, onembed, ostride, odist, kinds, flags));
}

#define BASIC(suffix, kind, IN, OUT, sign_argument, sign_passed, sign_value)                                           \
    void *X(plan_##suffix)(int rank, const int *n, IN *in, OUT *out sign_argument, unsigned flags)                     \
    {                                                                                                                  \
        TAKEN_OR(X(many)(kind, rank, n, 1, NULL, 1, 1, NULL, 1, 1, (void *)in == (void *)out, sign_value, NULL), in,   \
                 out, BASIC_REAL(suffix, int, const int *)(rank, n, in, out sign_passed, flags));                      \
    }                                                                                                                  \
    void *X(plan_##suffix##_1d)(int n0, IN *in, OUT *out sign_argument, unsigned flags)                                \
    {                                                                                                                  \
        TAKEN_OR(X(many)(kind, 1, &n0, 1, NULL, 1, 1, NULL, 1, 1, (void *)in == (void *)out, sign_value, NULL), in,    \
                 out, BASIC_REAL(suffix##_1d, int)(n0, in, out sign_passed, flags));                                   \
    }                                                                                                                  \
    void *X(plan_##suffix##_2d)(int n0, int n1, IN *in, OUT *out sign_argument, unsigned flags)                        \
    {                                                                                                                  \
        const int n[] = {n0, n1};                                                                                      \
        TAKEN_OR(X(many)(kind, 2, n, 1, NULL, 1, 1, NULL, 1, 1, (void *)in == (void *)out, sign_value, NULL), in, out, \
                 BASIC_REAL(suffix##_2d, int, int)(n0, n1, in, out sign_passed, flags));                               \
    }                                                                                                                  \
    void *X(plan_##suffix##_3d)(int n0, int n1, int n2, IN *in, OUT *out sign_argument, unsigned flags)                \
    {                                                                                                                  \
        const int n[] = {n0, n1, n2};                                                                                  \
        TAKEN_OR(X(many)(kind, 3, n, 1, NULL, 1, 1, NULL, 1, 1, (void *)in == (void *)out, sign_value, NULL), in, out, \
                 BASIC_REAL(suffix##_3d, int, int, int)(n0, n1, n2, in, out sign_passed, flags));                      \
    }
#define COMMA                 ,
#define BASIC_REAL(name, ...) REAL(plan_##name, __VA_ARGS__, void *, void *, int, unsigned)
BASIC(dft, KIND_C2C, X(complex), X(complex), COMMA int sign, COMMA sign, sign)
#undef BASIC_REAL
#define BASIC_REAL(name, ...) REAL(plan_##name, __VA_ARGS__, void *, void *, unsigned)
BASIC(dft_r2c, KIND_R2C, R, X(complex), , , -1)
BASIC(dft_c2r, KIND_C2R, X(complex), R, , , 1)
#undef BASIC_REAL
#undef BASIC

void *X(plan_r2r)(int rank, const int *n, R *in, R *out, const int *kinds, unsigned flags)
{
    TAKEN_OR(X(many)(KIND_R2R, rank, n, 1, NULL, 1, 1, NULL, 1, 1, in == out, 0, kinds), in, out,
             REAL(plan_r2r, int, const int *, void *, void *, const int *, unsigned)(rank, n, in, out, kinds, flags));
}
void *X(plan_r2r_1d)(int n, R *in, R *out, int kind, unsigned flags)
{
    TAKEN_OR(X(many)(KIND_R2R, 1, &n, 1, NULL, 1, 1, NULL, 1, 1, in == out, 0, &kind), in, out,
             REAL(plan_r2r_1d, int, void *, void *, int, unsigned)(n, in, out, kind, flags));
}
void *X(plan_r2r_2d)(int n0, int n1, R *in, R *out, int kind0, int kind1, unsigned flags)
{
    const int n[] = {n0, n1}, kinds[] = {kind0, kind1};
    TAKEN_OR(X(many)(KIND_R2R, 2, n, 1, NULL, 1, 1, NULL, 1, 1, in == out, 0, kinds), in, out,
             REAL(plan_r2r_2d, int, int, void *, void *, int, int, unsigned)(n0, n1, in, out, kind0, kind1, flags));
}
void *X(plan_r2r_3d)(int n0, int n1, int n2, R *in, R *out, int kind0, int kind1, int kind2, unsigned flags)
{
    const int n[] = {n0, n1, n2}, kinds[] = {kind0, kind1, kind2};
    TAKEN_OR(X(many)(KIND_R2R, 3, n, 1, NULL, 1, 1, NULL, 1, 1, in == out, 0, kinds), in, out,
             REAL(plan_r2r_3d, int, int, int, void *, void *, int, int, int, unsigned)(n0, n1, n2, in, out, kind0,
                                                                                       kind1, kind2, flags));
}

#define GURU(width, DIM)                                                                                                                   \
    static struct problem X(guru_of##width)(int kind, int rank, const DIM *dims, int nloops, const DIM *loops,                             \
                                            int in_place, int sign, const int *kinds)                                                      \
    {                                                                                                                                      \
        struct problem p = {.type = TYPE,                                                                                                  \
                            .kind = kind,                                                                                                  \
                            .rank = rank,                                                                                                  \
                            .nloops = nloops,                                                                                              \
                            .sign = sign,                                                                                                  \
                            .in_place = in_place,                                                                                          \
                            .possible = rank >= 1 && rank <= 3 && nloops >= 0 && nloops <= 3};                                             \
        for (int d = 0; p.possible && d < rank; d++) {                                                                                     \
            p.dims[d] = (struct dim){dims[d].n, dims[d].is, dims[d].os};                                                                   \
            if (kinds) p.r2r[d] = kinds[d];                                                                                                \
        }                                                                                                                                  \
        for (int d = 0; p.possible && d < nloops; d++)                                                                                     \
            p.loops[d] = (struct dim){loops[d].n, loops[d].is, loops[d].os};                                                               \
        return p;                                                                                                                          \
    }                                                                                                                                      \
    void *X(plan_guru##width##_dft)(int rank, const DIM *dims, int nloops, const DIM *loops, X(complex) *in,                               \
                                    X(complex) *out, int sign, unsigned flags)                                                             \
    {                                                                                                                                      \
        TAKEN_OR(X(guru_of##width)(KIND_C2C, rank, dims, nloops, loops, in == out, sign, NULL), in, out,                                   \
                 REAL(plan_guru##width##_dft, int, const void *, int, const void *, void *, void *, int,                                   \
                      unsigned)(rank, dims, nloops, loops, in, out, sign, flags));                                                         \
    }                                                                                                                                      \
    void *X(plan_guru##width##_dft_r2c)(int rank, const DIM *dims, int nloops, const DIM *loops, R *in,                                    \
                                        X(complex) *out, unsigned flags)                                                                   \
    {                                                                                                                                      \
        TAKEN_OR(X(guru_of##width)(KIND_R2C, rank, dims, nloops, loops, (void *)in == (void *)out, -1, NULL), in, out,                     \
                 REAL(plan_guru##width##_dft_r2c, int, const void *, int, const void *, void *, void *,                                    \
                      unsigned)(rank, dims, nloops, loops, in, out, flags));                                                               \
    }                                                                                                                                      \
    void *X(plan_guru##width##_dft_c2r)(int rank, const DIM *dims, int nloops, const DIM *loops, X(complex) *in,                           \
                                        R *out, unsigned flags)                                                                            \
    {                                                                                                                                      \
        TAKEN_OR(X(guru_of##width)(KIND_C2R, rank, dims, nloops, loops, (void *)in == (void *)out, 1, NULL), in, out,                      \
                 REAL(plan_guru##width##_dft_c2r, int, const void *, int, const void *, void *, void *,                                    \
                      unsigned)(rank, dims, nloops, loops, in, out, flags));                                                               \
    }                                                                                                                                      \
    void *X(plan_guru##width##_r2r)(int rank, const DIM *dims, int nloops, const DIM *loops, R *in, R *out,                                \
                                    const int *kinds, unsigned flags)                                                                      \
    {                                                                                                                                      \
        TAKEN_OR(X(guru_of##width)(KIND_R2R, rank, dims, nloops, loops, in == out, 0, kinds), in, out,                                     \
                 REAL(plan_guru##width##_r2r, int, const void *, int, const void *, void *, void *, const int *,                           \
                      unsigned)(rank, dims, nloops, loops, in, out, kinds, flags));                                                        \
    }                                                                                                                                      \
    /* Split arrays whose imaginary parts follow the real ones are interleaved, with strides of half the number. All others are FFTW's. */ \
    void *X(plan_guru##width##_split_dft)(int rank, const DIM *dims, int nloops, const DIM *loops, R *ri, R *ii,                           \
                                          R *ro, R *io, unsigned flags)                                                                    \
    {                                                                                                                                      \
        struct problem p = {.type = TYPE};                                                                                                 \
        if (ii - ri == io - ro &&                                                                                                          \
            (ii - ri == 1 || ii - ri == -1)) { /* backward: real and imaginary parts are exchanged */                                      \
            p = X(guru_of##width)(KIND_C2C, rank, dims, nloops, loops, ri == ro, ii > ri ? -1 : 1, NULL);                                  \
            for (int d = 0; p.possible && d < rank + nloops; d++) {                                                                        \
                struct dim *s = d < rank ? p.dims + d : p.loops + d - rank;                                                                \
                if (s->is % 2 || s->os % 2) p.possible = 0;                                                                                \
                s->is /= 2, s->os /= 2;                                                                                                    \
            }                                                                                                                              \
        }                                                                                                                                  \
        p.split = 1;                                                                                                                       \
        TAKEN_OR(p, ii > ri ? ri : ii, ii > ri ? ro : io,                                                                                  \
                 REAL(plan_guru##width##_split_dft, int, const void *, int, const void *, void *, void *, void *,                          \
                      void *, unsigned)(rank, dims, nloops, loops, ri, ii, ro, io, flags));                                                \
    }                                                                                                                                      \
    void *X(plan_guru##width##_split_dft_r2c)(int rank, const DIM *dims, int nloops, const DIM *loops, R *in, R *ro,                       \
                                              R *io, unsigned flags)                                                                       \
    {                                                                                                                                      \
        struct problem p = {.type = TYPE};                                                                                                 \
        TAKEN_OR(p, in, ro,                                                                                                                \
                 REAL(plan_guru##width##_split_dft_r2c, int, const void *, int, const void *, void *, void *, void *,                      \
                      unsigned)(rank, dims, nloops, loops, in, ro, io, flags));                                                            \
    }                                                                                                                                      \
    void *X(plan_guru##width##_split_dft_c2r)(int rank, const DIM *dims, int nloops, const DIM *loops, R *ri, R *ii,                       \
                                              R *out, unsigned flags)                                                                      \
    {                                                                                                                                      \
        struct problem p = {.type = TYPE};                                                                                                 \
        TAKEN_OR(p, ri, out,                                                                                                               \
                 REAL(plan_guru##width##_split_dft_c2r, int, const void *, int, const void *, void *, void *, void *,                      \
                      unsigned)(rank, dims, nloops, loops, ri, ii, out, flags));                                                           \
    }
GURU(, struct iodim)
GURU(64, struct iodim64)
#undef GURU

/* ---- execution --------------------------------------------------------------------------------------------------- */

#define WHERE __builtin_return_address(0)
void X(execute)(const void *plan)
{
    const struct fftw_wrapped *w = fftw_is_ours(plan);
    if (w)
        fftw_run(w, w->in, w->out, WHERE);
    else
        ((void (*)(const void *))fftw_real_once(REAL_execute, TYPE, WHERE))(plan);
}
#define NEW_ARRAYS(name, IN, OUT)                                                                                      \
    void X(name)(const void *plan, IN *in, OUT *out)                                                                   \
    {                                                                                                                  \
        const struct fftw_wrapped *w = fftw_is_ours(plan);                                                             \
        if (w)                                                                                                         \
            fftw_run(w, in, out, WHERE);                                                                               \
        else                                                                                                           \
            ((void (*)(const void *, void *, void *))fftw_real_once(REAL_##name, TYPE, WHERE))(plan, in, out);         \
    }
NEW_ARRAYS(execute_dft, X(complex), X(complex))
NEW_ARRAYS(execute_dft_r2c, R, X(complex))
NEW_ARRAYS(execute_dft_c2r, X(complex), R)
NEW_ARRAYS(execute_r2r, R, R)
#undef NEW_ARRAYS
void X(execute_split_dft)(const void *plan, R *ri, R *ii, R *ro, R *io)
{
    const struct fftw_wrapped *w = fftw_is_ours(plan);
    if (w)
        fftw_run(w, ii > ri ? ri : ii, ii > ri ? ro : io, WHERE);
    else
        ((void (*)(const void *, void *, void *, void *, void *))fftw_real_once(REAL_execute_split_dft, TYPE, WHERE))(
            plan, ri, ii, ro, io);
}

/* ---- what else takes a plan -------------------------------------------------------------------------------------- */

void X(destroy_plan)(void *plan)
{
    struct fftw_wrapped *w = (struct fftw_wrapped *)(uintptr_t)fftw_is_ours(plan);
    void (*real)(void *) = (void (*)(void *))fftw_real("destroy_plan", TYPE, WHERE);
    if (w) plan = fftw_unwrap(w);
    if (!plan) return;
    FORWARD_BEGIN(TYPE);
    real(plan);
    FORWARD_END();
}
#define ASKED(type, name, parameters, arguments)                                                                       \
    type X(name) parameters                                                                                            \
    {                                                                                                                  \
        const struct fftw_wrapped *w = fftw_is_ours(plan);                                                             \
        if (w) plan = fftw_real_plan(w, WHERE);                                                                        \
        return ((type(*) parameters)fftw_real(#name, TYPE, WHERE))arguments;                                           \
    }
ASKED(void, print_plan, (const void *plan), (plan))
ASKED(void, fprint_plan, (const void *plan, FILE *file), (plan, file))
ASKED(char *, sprint_plan, (const void *plan), (plan))
ASKED(void, flops, (const void *plan, double *add, double *mul, double *fma), (plan, add, mul, fma))
ASKED(double, estimate_cost, (const void *plan), (plan))
ASKED(double, cost, (const void *plan), (plan))
#undef ASKED

/* ---- memory ---------------------------------------------------------------------------------------------------------
 * Of each caller's own FFTW, which has to free what it gave: large arrays are remembered, and pinned when a plan of
 * Tilework's takes them. */

void *X(malloc)(size_t bytes)
{
    return fftw_remember(((void *(*)(size_t))fftw_real("malloc", TYPE, WHERE))(bytes), bytes);
}
R *X(alloc_real)(size_t n)
{
    return fftw_remember(((R * (*)(size_t)) fftw_real("alloc_real", TYPE, WHERE))(n), n * sizeof(R));
}
X(complex) *X(alloc_complex)(size_t n)
{
    return fftw_remember(((X(complex) *(*)(size_t))fftw_real("alloc_complex", TYPE, WHERE))(n), n * sizeof(X(complex)));
}
void X(free)(void *array)
{
    fftw_unpin(array);
    ((void (*)(void *))fftw_real("free", TYPE, WHERE))(array);
}

/* ---- settings of FFTW's planner that are the program's, not of the plans inside of Tilework ---------------------- */

void X(plan_with_nthreads)(int n)
{
    fftw_settings[TYPE].threads = n;
    if (!fftw_engine_is_open()) ((void (*)(int))fftw_real("plan_with_nthreads", TYPE, WHERE))(n);
}
int X(planner_nthreads)(void)
{
    if (fftw_settings[TYPE].threads) return fftw_settings[TYPE].threads;
    return ((int (*)(void))fftw_real("planner_nthreads", TYPE, WHERE))();
}
void X(set_timelimit)(double seconds)
{
    fftw_settings[TYPE].limited = 1;
    fftw_settings[TYPE].limit = seconds;
    ((void (*)(double))fftw_real("set_timelimit", TYPE, WHERE))(seconds);
}
/* What FFTW has made for Tilework stays. */
void X(cleanup)(void)
{
    if (fftw_engine_is_open())
        ((void (*)(void))fftw_real("forget_wisdom", TYPE, WHERE))();
    else
        ((void (*)(void))fftw_real("cleanup", TYPE, WHERE))();
}
void X(cleanup_threads)(void)
{
    if (fftw_engine_is_open()) {
        fftw_settings[TYPE].threads = 0;
        X(cleanup)();
    } else
        ((void (*)(void))fftw_real("cleanup_threads", TYPE, WHERE))();
}

/* ---- Fortran 77: arguments by address, dimensions in reversed order; a name with one underscore, and with two ---- */

#define F77(name, parameters, body)                                                                                    \
    void F77_1(name) parameters                                                                                        \
    {                                                                                                                  \
        body;                                                                                                          \
    }                                                                                                                  \
    void F77_2(name) parameters                                                                                        \
    {                                                                                                                  \
        body;                                                                                                          \
    }
#define REVERSED(rank, from)                                                                                           \
    int n_[8] = {0};                                                                                                   \
    for (int d = 0; d < (rank) && d < 8; d++)                                                                          \
    n_[d] = (from)[(rank)-1 - d]
F77(execute, (void **p), X(execute)(*p))
F77(destroy_plan, (void **p), X(destroy_plan)(*p))
F77(print_plan, (void **p), {
    X(print_plan)(*p);
    fflush(stdout);
})
F77(flops, (void **p, double *add, double *mul, double *fma), X(flops)(*p, add, mul, fma))
F77(estimate_cost, (double *cost, void **p), *cost = X(estimate_cost)(*p))
F77(cost, (double *cost, void **p), *cost = X(cost)(*p))
F77(cleanup, (void), X(cleanup)())
F77(cleanup_threads, (void), X(cleanup_threads)())
F77(plan_with_nthreads, (int *n), X(plan_with_nthreads)(*n))
F77(planner_nthreads, (int *n), *n = X(planner_nthreads)())
F77(set_timelimit, (double *t), X(set_timelimit)(*t))
F77(plan_dft, (void **p, int *rank, const int *n, X(complex) *in, X(complex) *out, int *sign, int *flags), {
    REVERSED(*rank, n);
    *p = X(plan_dft)(*rank, n_, in, out, *sign, (unsigned)*flags);
})
F77(plan_dft_1d, (void **p, int *n, X(complex) *in, X(complex) *out, int *sign, int *flags),
    *p = X(plan_dft_1d)(*n, in, out, *sign, (unsigned)*flags))
F77(plan_dft_2d, (void **p, int *nx, int *ny, X(complex) *in, X(complex) *out, int *sign, int *flags),
    *p = X(plan_dft_2d)(*ny, *nx, in, out, *sign, (unsigned)*flags))
F77(plan_dft_3d, (void **p, int *nx, int *ny, int *nz, X(complex) *in, X(complex) *out, int *sign, int *flags),
    *p = X(plan_dft_3d)(*nz, *ny, *nx, in, out, *sign, (unsigned)*flags))
F77(plan_dft_r2c, (void **p, int *rank, const int *n, R *in, X(complex) *out, int *flags), {
    REVERSED(*rank, n);
    *p = X(plan_dft_r2c)(*rank, n_, in, out, (unsigned)*flags);
})
F77(plan_dft_r2c_1d, (void **p, int *n, R *in, X(complex) *out, int *flags),
    *p = X(plan_dft_r2c_1d)(*n, in, out, (unsigned)*flags))
F77(plan_dft_r2c_2d, (void **p, int *nx, int *ny, R *in, X(complex) *out, int *flags),
    *p = X(plan_dft_r2c_2d)(*ny, *nx, in, out, (unsigned)*flags))
F77(plan_dft_r2c_3d, (void **p, int *nx, int *ny, int *nz, R *in, X(complex) *out, int *flags),
    *p = X(plan_dft_r2c_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags))
F77(plan_dft_c2r, (void **p, int *rank, const int *n, X(complex) *in, R *out, int *flags), {
    REVERSED(*rank, n);
    *p = X(plan_dft_c2r)(*rank, n_, in, out, (unsigned)*flags);
})
F77(plan_dft_c2r_1d, (void **p, int *n, X(complex) *in, R *out, int *flags),
    *p = X(plan_dft_c2r_1d)(*n, in, out, (unsigned)*flags))
F77(plan_dft_c2r_2d, (void **p, int *nx, int *ny, X(complex) *in, R *out, int *flags),
    *p = X(plan_dft_c2r_2d)(*ny, *nx, in, out, (unsigned)*flags))
F77(plan_dft_c2r_3d, (void **p, int *nx, int *ny, int *nz, X(complex) *in, R *out, int *flags),
    *p = X(plan_dft_c2r_3d)(*nz, *ny, *nx, in, out, (unsigned)*flags))
#define KINDS(rank, from)                                                                                              \
    int k_[8] = {0};                                                                                                   \
    for (int d = 0; d < (rank) && d < 8; d++)                                                                          \
    k_[d] = (from)[(rank)-1 - d]
#define EMBEDDED(rank, from)                                                                                           \
    int in_[8] = {0}, on_[8] = {0};                                                                                    \
    for (int d = 0; d < (rank) && d < 8; d++)                                                                          \
    in_[d] = inembed[(rank)-1 - d], on_[d] = onembed[(rank)-1 - d]
F77(plan_r2r, (void **p, int *rank, const int *n, R *in, R *out, int *kinds, int *flags), {
    REVERSED(*rank, n);
    KINDS(*rank, kinds);
    *p = X(plan_r2r)(*rank, n_, in, out, k_, (unsigned)*flags);
})
F77(plan_r2r_1d, (void **p, int *n, R *in, R *out, int *kind, int *flags),
    *p = X(plan_r2r_1d)(*n, in, out, *kind, (unsigned)*flags))
F77(plan_r2r_2d, (void **p, int *nx, int *ny, R *in, R *out, int *kx, int *ky, int *flags),
    *p = X(plan_r2r_2d)(*ny, *nx, in, out, *ky, *kx, (unsigned)*flags))
F77(plan_r2r_3d, (void **p, int *nx, int *ny, int *nz, R *in, R *out, int *kx, int *ky, int *kz, int *flags),
    *p = X(plan_r2r_3d)(*nz, *ny, *nx, in, out, *kz, *ky, *kx, (unsigned)*flags))
F77(plan_many_dft,
    (void **p, int *rank, const int *n, int *howmany, X(complex) *in, const int *inembed, int *istride, int *idist,
     X(complex) *out, const int *onembed, int *ostride, int *odist, int *sign, int *flags),
    {
        REVERSED(*rank, n);
        EMBEDDED(*rank, 0);
        *p = X(plan_many_dft)(*rank, n_, *howmany, in, in_, *istride, *idist, out, on_, *ostride, *odist, *sign,
                              (unsigned)*flags);
    })
F77(plan_many_dft_r2c,
    (void **p, int *rank, const int *n, int *howmany, R *in, const int *inembed, int *istride, int *idist,
     X(complex) *out, const int *onembed, int *ostride, int *odist, int *flags),
    {
        REVERSED(*rank, n);
        EMBEDDED(*rank, 0);
        *p = X(plan_many_dft_r2c)(*rank, n_, *howmany, in, in_, *istride, *idist, out, on_, *ostride, *odist,
                                  (unsigned)*flags);
    })
F77(plan_many_dft_c2r,
    (void **p, int *rank, const int *n, int *howmany, X(complex) *in, const int *inembed, int *istride, int *idist,
     R *out, const int *onembed, int *ostride, int *odist, int *flags),
    {
        REVERSED(*rank, n);
        EMBEDDED(*rank, 0);
        *p = X(plan_many_dft_c2r)(*rank, n_, *howmany, in, in_, *istride, *idist, out, on_, *ostride, *odist,
                                  (unsigned)*flags);
    })
F77(plan_many_r2r,
    (void **p, int *rank, const int *n, int *howmany, R *in, const int *inembed, int *istride, int *idist, R *out,
     const int *onembed, int *ostride, int *odist, int *kinds, int *flags),
    {
        REVERSED(*rank, n);
        EMBEDDED(*rank, 0);
        KINDS(*rank, kinds);
        *p = X(plan_many_r2r)(*rank, n_, *howmany, in, in_, *istride, *idist, out, on_, *ostride, *odist, k_,
                              (unsigned)*flags);
    })
/* Dimensions as three arrays; guru's are not reversed, but its kinds are, in FFTW 3.3. */
#define DIMENSIONS                                                                                                     \
    struct iodim d_[8], l_[8];                                                                                         \
    for (int d = 0; d < *rank && d < 8; d++)                                                                           \
        d_[d] = (struct iodim){n[d], is[d], os[d]};                                                                    \
    for (int d = 0; d < *nloops && d < 8; d++)                                                                         \
        l_[d] = (struct iodim){ln[d], lis[d], los[d]};                                                                 \
    *p = NULL;                                                                                                         \
    if (*rank > 8 || *nloops > 8) return
#define GURU_ARGUMENTS                                                                                                 \
    void **p, int *rank, const int *n, const int *is, const int *os, int *nloops, const int *ln, const int *lis,       \
        const int *los
F77(plan_guru_dft, (GURU_ARGUMENTS, X(complex) *in, X(complex) *out, int *sign, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_dft)(*rank, d_, *nloops, l_, in, out, *sign, (unsigned)*flags);
})
F77(plan_guru_dft_r2c, (GURU_ARGUMENTS, R *in, X(complex) *out, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_dft_r2c)(*rank, d_, *nloops, l_, in, out, (unsigned)*flags);
})
F77(plan_guru_dft_c2r, (GURU_ARGUMENTS, X(complex) *in, R *out, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_dft_c2r)(*rank, d_, *nloops, l_, in, out, (unsigned)*flags);
})
F77(plan_guru_r2r, (GURU_ARGUMENTS, R *in, R *out, int *kinds, int *flags), {
    DIMENSIONS;
    KINDS(*rank, kinds);
    *p = X(plan_guru_r2r)(*rank, d_, *nloops, l_, in, out, k_, (unsigned)*flags);
})
F77(plan_guru_split_dft, (GURU_ARGUMENTS, R *ri, R *ii, R *ro, R *io, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_split_dft)(*rank, d_, *nloops, l_, ri, ii, ro, io, (unsigned)*flags);
})
F77(plan_guru_split_dft_r2c, (GURU_ARGUMENTS, R *in, R *ro, R *io, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_split_dft_r2c)(*rank, d_, *nloops, l_, in, ro, io, (unsigned)*flags);
})
F77(plan_guru_split_dft_c2r, (GURU_ARGUMENTS, R *ri, R *ii, R *out, int *flags), {
    DIMENSIONS;
    *p = X(plan_guru_split_dft_c2r)(*rank, d_, *nloops, l_, ri, ii, out, (unsigned)*flags);
})
F77(execute_dft, (void **p, X(complex) *in, X(complex) *out), X(execute_dft)(*p, in, out))
F77(execute_dft_r2c, (void **p, R *in, X(complex) *out), X(execute_dft_r2c)(*p, in, out))
F77(execute_dft_c2r, (void **p, X(complex) *in, R *out), X(execute_dft_c2r)(*p, in, out))
F77(execute_r2r, (void **p, R *in, R *out), X(execute_r2r)(*p, in, out))
F77(execute_split_dft, (void **p, R *ri, R *ii, R *ro, R *io), X(execute_split_dft)(*p, ri, ii, ro, io))
#undef F77
#undef REVERSED
#undef KINDS
#undef EMBEDDED
#undef DIMENSIONS
#undef GURU_ARGUMENTS
#undef COMMA
#undef WHERE
#undef REAL
#undef TAKEN_OR
