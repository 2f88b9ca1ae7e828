/* What a pair does: forces and energies, and the sums and forces of the Born model. A neighbour in each lane meets the
 * cluster's 8 atoms, which are in every lane's registers. The lanes' sums are added by a fixed tree. */
namespace
{

/* 32 values in each lane: lane l gets the sum of value l over the lanes. */
__device__ __forceinline__ T transpose_sum(T v[WARP], int lane)
{
#pragma unroll
    for (int step = 0; step < 5; step++) {
        const int k = WARP / 2 >> step;
#pragma unroll
        for (int j = 0; j < WARP / 2; j++) {
            if (j >= k) break;
            const bool upper = lane & k;
            const T send = upper ? v[j] : v[j + k], stay = upper ? v[j + k] : v[j];
            v[j] = stay + __shfl_xor_sync(~0u, send, k);
        }
    }
    return v[0];
}
__device__ __forceinline__ T warp_sum(T x)
{
    for (int k = WARP / 2; k; k /= 2)
        x += __shfl_xor_sync(~0u, x, k);
    return x;
}

/* What a lane adds up: forces on the 8 atoms, one number more for each of them (Born), energies. */
struct Sums {
    T x[LANES], y[LANES], z[LANES], born[LANES], vdw, elec;
};

/* The neighbour in a lane; the mask says with which of the 8 atoms it interacts; f: the force on it. */
struct Neighbour {
    Place p;
    Two vdw, born;
    T f[3];
    int type;
    unsigned mask;
};

template <bool MASKED>
__device__ __forceinline__ bool pair_of(const tw_cut_constants &k, const Place &i, const Neighbour &j, int a, T &dx,
                                        T &dy, T &dz, T &r2)
{
    dx = i.x - j.p.x;
    dy = i.y - j.p.y;
    dz = i.z - j.p.z;
    r2 = dx * dx + dy * dy + dz * dz;
    return r2 < k.rc2 && (!MASKED || (j.mask >> a & 1));
}

/* A force into memory: its parts are so round that their sums are exact, in any order. */
__device__ __forceinline__ void give(const tw_cut &c, unsigned slot, const float v[3])
{
    const float coarse = (float)(1.5 * 8388608) * (float)c.s.coarse,
                fine = (float)(1.5 * 8388608) * (float)c.s.fine; /* adding 1.5 2^23 units rounds to a unit */
    float high[3], low[3], *to = c.reaction + 4 * (size_t)slot;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        high[k] = __fsub_rn(__fadd_rn(v[k], coarse), coarse);
        low[k] = __fsub_rn(__fadd_rn(__fsub_rn(v[k], high[k]), fine), fine);
    }
    add_four(to, high[0], high[1], high[2], 1);
    add_four(to + 4 * (size_t)c.s.slots, low[0], low[1], low[2],
             fmaxf(fmaxf(fabsf(high[0]), fabsf(high[1])), fabsf(high[2])));
}

/* Adds f d to a and takes it from b, if r2 < limit: a float. */
template <class Real>
__device__ __forceinline__ void push(Real r2, Real limit, Real f, const Real d[3], Real &ax, Real &ay, Real &az,
                                     Real b[3])
{
    asm("{\n\t.reg .pred p;\n\tsetp.lt.f32 p, %6, %7;\n\t"
        "@p fma.rn.f32 %0, %8, %9, %0;\n\t@p fma.rn.f32 %1, %8, %10, %1;\n\t@p fma.rn.f32 %2, %8, %11, %2;\n\t"
        "@p fma.rn.f32 %3, %12, %9, %3;\n\t@p fma.rn.f32 %4, %12, %10, %4;\n\t@p fma.rn.f32 %5, %12, %11, %5;\n\t}"
        : "+f"(ax), "+f"(ay), "+f"(az), "+f"(b[0]), "+f"(b[1]), "+f"(b[2])
        : "f"(r2), "f"(limit), "f"(f), "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(-f));
}

/* ONCE: a pair is in one list only, so that the neighbour feels it, too. */
template <int VDW, int COULOMB, bool BORN, bool ENERGY, bool ONCE> struct Force {
    static constexpr int WALK = WALK_FORCE;
    /* Where van der Waals forces are all there is, the root of an atom's own depth multiplies its sums instead of its
     * pairs. */
    static constexpr bool FACTOR = VDW && !COULOMB && !BORN && !ONCE;
    Two vdw[LANES], born[LANES];

    __device__ void begin(const tw_cut &c, int cluster)
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            if (VDW) vdw[a] = ((const Two *)c.vdw)[cluster * LANES + a];
            if (BORN) born[a] = ((const Two *)c.born)[cluster * LANES + a];
        }
    }
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        if (VDW) j.vdw = ((const Two *)c.vdw)[slot];
        if (BORN) j.born = ((const Two *)c.born)[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, Neighbour &j, Sums &s) const
    {
        const T charge = COULOMB ? k.elec * j.p.q : j.p.q;
        if (ONCE) j.f[0] = j.f[1] = j.f[2] = 0;
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, db, fr = 0;
            const bool near = pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2);
            const T safe = MASKED ? (near ? r2 : T(1)) : r2, ir = COULOMB || BORN ? root(safe) : T(1),
                    irr = COULOMB || BORN ? ir * ir : inverse(safe), qq = i[a].q * charge;
            if (VDW) {
                const int kind = VDW == TW_CUT_VDW_SMOOTH ? VDW : ENERGY ? c.s.vdw : TW_CUT_VDW_CUT;
                fr =
                    tw_cut_vdw_pair(&k, kind, safe, irr, vdw[a].a + j.vdw.a, FACTOR ? j.vdw.b : vdw[a].b * j.vdw.b, &e);
                if (ENERGY) s.vdw += near ? (FACTOR ? vdw[a].b * e : e) : T(0);
            }
            if (COULOMB) {
                fr += tw_cut_coulomb_pair(&k, COULOMB, safe, ir, qq, &e);
                if (ENERGY) s.elec += near ? e : T(0);
            }
            fr *= irr;
            if (BORN) {
                const T far = safe > k.on2 ? T(1) : T(0);
                fr += tw_cut_born_pair(&k, safe, ir, far, qq, born[a].a, j.born.a, &e, &db);
                if (ENERGY) s.elec += near ? e : T(0);
                s.born[a] += near ? db : T(0);
            }
            if constexpr (ONCE) {
                const T d[3] = {dx, dy, dz};
                push(r2, !MASKED || (j.mask >> a & 1) ? k.rc2 : T(-1), fr, d, s.x[a], s.y[a], s.z[a], j.f);
                continue;
            }
            fr = near ? fr : T(0);
            s.x[a] += fr * dx;
            s.y[a] += fr * dy;
            s.z[a] += fr * dz;
        }
    }
    __device__ __forceinline__ void react(const tw_cut &c, uint32_t entry, bool there, const Neighbour &j) const
    {
        const float f[3] = {(float)j.f[0], (float)j.f[1], (float)j.f[2]};
        if (ONCE && there) give(c, entry & PLACE, f);
    }
    __device__ void save(const tw_cut &c, T *to, Sums &s, int lane) const
    {
        T v[WARP];
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            const T factor = FACTOR ? vdw[a].b : T(1);
            v[a] = factor * s.x[a];
            v[LANES + a] = factor * s.y[a];
            v[2 * LANES + a] = factor * s.z[a];
            v[3 * LANES + a] = BORN ? s.born[a] : T(0);
        }
        const T mine = transpose_sum(v, lane);
        if (lane < 3 * LANES) to[lane] = mine;
        if (BORN && lane >= 3 * LANES) to[2 * LANES + lane] = mine;
        if (!ENERGY) return;
        /* Only their totals are asked for: the cluster's first atom gets them. */
        const T evdw = warp_sum(s.vdw), eelec = warp_sum(s.elec);
        if (lane < LANES) {
            to[3 * LANES + lane] = lane == 0 ? evdw : T(0);
            to[4 * LANES + lane] = lane == 0 ? eelec : T(0);
        }
    }
};

/* Types of the cluster's atoms, and the table of pairs of types. */
struct Types {
    int type[LANES];
    __device__ __forceinline__ void react(const tw_cut &, uint32_t, bool, const Neighbour &) const
    {
    }
    __device__ void begin(const tw_cut &c, int cluster)
    {
#pragma unroll
        for (int a = 0; a < LANES; a++)
            type[a] = c.types[cluster * LANES + a];
    }
    __device__ __forceinline__ void brace(const tw_cut &c, const tw_cut_constants &k, int of, int around, T r2, T irr,
                                          T *e, T *de) const
    {
        const Four f = ((const Four *)c.pair)[of * c.s.ntypes + around];
        tw_cut_brace(&k, f.a, f.b, f.c, f.d, r2, irr, r2 > k.on2 ? T(1) : T(0), e, de);
    }
};

struct Self : Types {
    static constexpr int WALK = WALK_SELF;
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        j.type = c.types[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, const Neighbour &j, Sums &s) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, de;
            if (!pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2)) continue;
            brace(c, k, type[a], j.type, r2, 1 / r2, &e, &de);
            s.born[a] += e;
        }
    }
    __device__ void save(const tw_cut &, T *to, Sums &s, int lane) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            const T sum = warp_sum(s.born[a]);
            if (lane == a) to[5 * LANES + a] = sum;
        }
    }
};

struct Chain : Types {
    static constexpr int WALK = WALK_CHAIN;
    Two born[LANES];
    __device__ void begin(const tw_cut &c, int cluster)
    {
        Types::begin(c, cluster);
#pragma unroll
        for (int a = 0; a < LANES; a++)
            born[a] = ((const Two *)c.born)[cluster * LANES + a];
    }
    __device__ void fetch(const tw_cut &c, unsigned slot, Neighbour &j) const
    {
        j.type = c.types[slot];
        j.born = ((const Two *)c.born)[slot];
    }
    template <bool MASKED>
    __device__ void add(const tw_cut &c, const tw_cut_constants &k, const Place *i, const Neighbour &j, Sums &s) const
    {
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            T dx, dy, dz, r2, e, mine, other;
            if (!pair_of<MASKED>(k, i[a], j, a, dx, dy, dz, r2)) continue;
            brace(c, k, type[a], j.type, r2, 1 / r2, &e, &mine);
            brace(c, k, j.type, type[a], r2, 1 / r2, &e, &other);
            const T fr = -(born[a].b * mine + j.born.b * other);
            s.x[a] += fr * dx;
            s.y[a] += fr * dy;
            s.z[a] += fr * dz;
        }
    }
    __device__ void save(const tw_cut &, T *to, Sums &s, int lane) const
    {
        T v[WARP];
#pragma unroll
        for (int a = 0; a < LANES; a++) {
            v[a] = s.x[a];
            v[LANES + a] = s.y[a];
            v[2 * LANES + a] = s.z[a];
            v[3 * LANES + a] = 0;
        }
        const T mine = transpose_sum(v, lane);
        if (lane < 3 * LANES) to[lane] += mine;
    }
};

} /* namespace */
