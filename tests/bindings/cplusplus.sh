#!/usr/bin/env bash
# The C++ header with g++ and clang++: the examples, and objects, overloads and errors one by one.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
[ -e "$TILEWORK_SOURCE/bindings/generate" ] || { echo "a bundle has neither generator nor headers of other languages"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
export LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cat > objects.cpp <<'P'
#include <tilework/tilework.hpp>

#include <complex>
#include <cstdio>
#include <type_traits>

static_assert(!std::is_copy_constructible_v<tilework::matrix> && !std::is_copy_assignable_v<tilework::matrix>);
static_assert(std::is_nothrow_move_constructible_v<tilework::matrix> && std::is_nothrow_move_assignable_v<tilework::sequence>);
static_assert(!std::is_copy_constructible_v<tilework::particles> && std::is_nothrow_move_constructible_v<tilework::particles>);
#define CHECK(x) do { if (!(x)) { std::printf("line %d: %s\n", __LINE__, #x); return 1; } } while (0)
template <class T> static int types()
{
    T a[4] = {4, 2, 2, 3}, b[2] = {8, 7}, c[4];
    tw_int pivots[2];
    tilework::gemm('N', 'N', 2, 2, 2, T(1), a, 2, a, 2, T(0), c, 2);
    CHECK(std::abs(c[0] - T(20)) < 1e-5);
    tilework::potrf('L', 2, a, 2);
    CHECK(std::abs(a[0] - T(2)) < 1e-6);
    T d[4] = {4, 2, 2, 3};
    tilework::gesv(2, 1, d, 2, pivots, b, 2);
    CHECK(std::abs(b[0] - T(1.25)) < 1e-5);
    return 0;
}
int main()
{
    CHECK(types<float>() + types<double>() + types<std::complex<float>>() + types<std::complex<double>>() == 0);
    tilework::matrix A = tilework::matrix_create(TW_DOUBLE, TW_LOWER, 100, 100, 32), moved;
    CHECK(A && !moved && tilework::matrix_nb(A) == 32);
    tw_matrix *pointer = A;
    moved = std::move(A);
    CHECK(!A && moved.get() == pointer);
    tilework::matrix again = std::move(moved);
    tilework::generator g = tilework::generator_create("spd", TW_DOUBLE, 100, 100);
    CHECK(tilework::generator_is_spd(g) == 1);
    tilework::matrix_generate(again, g);
    CHECK(tilework::lansy(TW_MAX_NORM, TW_LOWER, again) > 0);
    CHECK(tw_potrf(TW_LOWER, again) == 0); // the C function: objects stand for their pointers
    tilework::laset(TW_LOWER, {0, 0}, {-1, 0}, again);
    CHECK(tw_potrf(TW_LOWER, again) == 1);
    try {
        tilework::potrf(TW_LOWER, again);
        CHECK(!"an exception");
    } catch (const tilework::numerical_error &e) {
        CHECK(e.info() == 1);
    }
    try {
        tilework::matrix_load("/nowhere/matrix.mtx", TW_DOUBLE, TW_GENERAL);
        CHECK(!"an exception");
    } catch (const tilework::error &e) {
        CHECK(e.code() == TW_E_IO && std::string(e.what()).find("/nowhere") != std::string::npos);
    }
    {
        tilework::sequence seq;
        tilework::potrf_async(TW_LOWER, again, seq);
        int numerical = 0;
        try {
            seq.wait();
        } catch (const tilework::numerical_error &e) {
            numerical = int(e.info());
        }
        CHECK(numerical == 1 && seq.done());
        tilework::sequence other = std::move(seq);
        CHECK(!seq && other);
    }
    tilework::particles p, q;
    tilework::particles_generate(p, "plummer", 100, 1);
    tilework::particles_generate(p, "uniform", 200, 1); // what it held is freed
    q = std::move(p);
    CHECK(q.n == 200 && p.n == 0 && !p.x);
    CHECK(tilework::machine_info().cpu_workers > 0 && !tilework::start_phases().empty());
    CHECK(tilework::profile_entries().size() > 3);
    tilework::recorded r = tilework::recorded_example("chain:n=10,t=1e-3");
    CHECK(tilework::recorded_facts(r).tasks == 10 && tilework::recorded_path(r).size() == 10);
    CHECK(tilework::recorded_replay(r, "") > 0.009);
    tilework::finalize();
    return 0;
}
P
awk '/^```/ { inside = !inside; next } inside && /^#include <tilework/ { found = 1 } inside && found' "$TILEWORK_SOURCE/docs/cplusplus.md" | awk '{ print } /^}$/ { exit }' > page.cpp
grep -q 'int main' page.cpp || { echo "FAILED: where is the page's program?"; exit 1; }
fft=; if [ -e "$TILEWORK_BUILD/lib/libtilework_fft.so" ]; then fft=-ltilework_fft; fi
compilers=0
for compiler in g++ clang++; do
  command -v $compiler > /dev/null || { echo "no $compiler here"; continue; }
  compilers=$((compilers + 1))
  for program in objects.cpp page.cpp "$TILEWORK_SOURCE"/examples/cplusplus/*.cpp; do
    case $program in */fft_*) if [ -z "$fft" ]; then continue; fi ;; esac
    $compiler -std=c++17 -O1 -Wall -Wextra -Wshadow -Werror "-I$TILEWORK_SOURCE/include" "-I$TILEWORK_BUILD/generated/bindings" "$program" "-L$TILEWORK_BUILD/lib" $fft -ltilework -o program
    ./program || { echo "FAILED: $program ($compiler)"; exit 1; }
  done
done
[ $compilers -gt 0 ] || { echo "no C++ compiler here"; exit 77; }
# Two files of one program may include it.
echo '#include <tilework/tilework.hpp>
int main() {}' > one.cpp
echo '#include <tilework/tilework.hpp>
void other(); void other() { tilework::counters_reset(); }' > two.cpp
c++ -std=c++17 "-I$TILEWORK_SOURCE/include" "-I$TILEWORK_BUILD/generated/bindings" one.cpp two.cpp "-L$TILEWORK_BUILD/lib" -ltilework -o program
echo passed
