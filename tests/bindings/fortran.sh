#!/usr/bin/env bash
# The Fortran module with gfortran: the examples, and what wrappers make of shapes, sections, absent arrays and types.
set -euo pipefail
: "${TILEWORK_BUILD:?}" "${TILEWORK_SOURCE:?}"
command -v gfortran > /dev/null || { echo "no gfortran here (package gfortran)"; exit 77; }
[ -e "$TILEWORK_SOURCE/bindings/generate" ] || { echo "a bundle has neither generator nor headers of other languages"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
export LD_LIBRARY_PATH=$TILEWORK_BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cat > shapes.f90 <<'P'
program shapes
  use tilework
  implicit none
  integer(c_int64_t), parameter :: m = 40, n = 25
  real(c_double) :: a(m, n), b(n, m), c(n, n), u(m, m), vt(n, n), s(n), w(n), z(n, n), tau(n), x(m, 3), e(n), rcond
  complex(c_double_complex) :: q(n, n), r(n, n), t(n, n)
  real(c_float) :: single(6, 6)
  integer(c_int64_t) :: found, support(2 * n), rank
  character(kind=c_char) :: equed
  integer :: i, j
  do j = 1, int(n)
    do i = 1, int(m)
      a(i, j) = cos(real(3 * i + 7 * i * j, c_double)) + merge(5, 0, i == j)
    end do
  end do
  b = transpose(a)
  ! op(A) op(B): the inner size by trans
  c = 0
  call equal(tw_gemm('T', 'N', 1d0, a, a, 0d0, c), 0_c_int64_t, 'gemm')
  call near(maxval(abs(c - matmul(b, a))), 'gemm')
  call equal(tw_gemm('T', 'T', 2d0, a, b, 1d0, c), 0_c_int64_t, 'gemm')
  call near(maxval(abs(c - 3 * matmul(b, a))), 'gemm')
  call equal(tw_gemm('N', 'N', 1d0, c, a, 0d0, c), -9_c_int64_t, 'gemm: b does not fit')
  c = matmul(b, a)
  q = c
  q(1, 2) = q(1, 2) + (0, 1)
  q(2, 1) = q(2, 1) - (0, 1)
  r = q
  t = 0
  call equal(tw_potrf('L', r), 0_c_int64_t, 'potrf')
  call equal(tw_lauum('U', r(1:3, 1:3)), 0_c_int64_t, 'lauum of a section')
  r = q
  call equal(tw_hemm('L', 'U', (1d0, 0d0), r, q, (0d0, 0d0), t), 0_c_int64_t, 'hemm')
  call near(maxval(abs(t - matmul(q, q))), 'hemm')
  ! arrays that are not there
  call equal(tw_gesdd('N', a, s), 0_c_int64_t, 'gesdd N')
  a = transpose(b)
  call equal(tw_gesdd('S', a, w, u(:, 1:n), vt), 0_c_int64_t, 'gesdd S')
  call near(maxval(abs(s - w)), 'gesdd')
  call near(maxval(abs(matmul(u(:, 1:n) * spread(w, 1, int(m)), vt) - transpose(b))), 'gesdd vectors')
  a = transpose(b)
  call equal(tw_gesdd('A', a, w, u(:, 1:n), vt), -7_c_int64_t, 'gesdd: u is too small')
  call equal(tw_gesdd('S', a, w), -9_c_int64_t + 2, 'gesdd: u is missing')
  call equal(tw_gesdd('O', a, w, vt=vt), 0_c_int64_t, 'gesdd O')
  call equal(tw_syevr('V', 'I', 'L', c, 0d0, 0d0, 2_c_int64_t, 4_c_int64_t, 0d0, found, w, z(:, 1:3), support), &
    0_c_int64_t, 'syevr')
  call equal(found, 3_c_int64_t, 'syevr: how many')
  c = matmul(b, transpose(b))
  call near(maxval(abs(matmul(c, z(:, 1:3)) - z(:, 1:3) * spread(w(1:3), 1, int(n)))), 'syevr vectors')
  ! reflectors
  a = transpose(b)
  x = a(:, 1:3)
  call equal(tw_geqrf(a, tau), 0_c_int64_t, 'geqrf')
  call equal(tw_ormqr('L', 'T', a, tau, x), 0_c_int64_t, 'ormqr')
  call near(abs(abs(x(1, 1)) - abs(a(1, 1))) + maxval(abs(x(4:, :))), 'ormqr')
  a = transpose(b)
  x = a(:, 1:3)
  call equal(tw_gels('N', a, x), 0_c_int64_t, 'gels')
  call near(abs(x(1, 1) - 1) + abs(x(2, 1)), 'gels')
  a = transpose(b)
  x = a(:, 1:3)
  call equal(tw_gelsd(a, x, s, -1d0, rank), 0_c_int64_t, 'gelsd')
  call equal(rank, n, 'gelsd: rank')
  ! tridiagonal
  w = 2
  e = -1
  call equal(tw_stedc('I', w, e(1:n-1), z), 0_c_int64_t, 'stedc')
  call near(abs(w(1) - (2 - 2 * cos(acos(-1d0) / (n + 1)))), 'stedc')
  call equal(tw_stedc('I', w, e(1:n-2), z), -4_c_int64_t, 'stedc: e is too short')
  ! one number behind a pointer, letters, other types
  single = 0
  do i = 1, 6
    single(i, i) = i
  end do
  block
    real(c_float) :: af(6, 6), sc(6), rhs(6, 1), sol(6, 1), fe(1), be(1), rc
    rhs = 1
    call equal(tw_posvx('N', 'L', single, af, equed, sc, rhs, sol, rc, fe, be), 0_c_int64_t, 'posvx')
    call near(real(maxval(abs(sol(:, 1) - [(1.0 / i, i = 1, 6)])) / 1e6, c_double), 'posvx')
    if (equed /= 'N') error stop 'equed'
  end block
  c = matmul(b, transpose(b))
  call equal(tw_potrf('L', c), 0_c_int64_t, 'potrf')
  call equal(tw_pocon('L', c, 1d0, rcond), 0_c_int64_t, 'pocon')
  if (.not. rcond > 0) error stop 'pocon'
  ! one right-hand side as a vector, which may be longer, but not shorter or with gaps
  block
    real(c_double) :: f(n, n), g(n, n), v(n), y(m), twice(2 * n)
    integer(c_int64_t) :: p(n)
    c = matmul(b, transpose(b))
    f = c
    v = matmul(c, [(1d0 * i, i = 1, int(n))])
    call equal(tw_gesv(f, p, v), 0_c_int64_t, 'gesv of a vector')
    call near(maxval(abs(v - [(1d0 * i, i = 1, int(n))])) / 1e3, 'gesv of a vector')
    y = 7
    y(1:n) = matmul(c, [(1d0, i = 1, int(n))])
    call equal(tw_getrs('N', f, p, y), 0_c_int64_t, 'getrs of a vector')
    call near((maxval(abs(y(1:n) - 1)) + maxval(abs(y(n+1:) - 7))) / 1e3, 'getrs of a vector')
    g = c
    v = matmul(c, [(1d0, i = 1, int(n))])
    call equal(tw_posv('L', g, v), 0_c_int64_t, 'posv of a vector')
    call near(maxval(abs(v - 1)) / 1e3, 'posv of a vector')
    call equal(tw_potrf('X', g), -1_c_int64_t, 'potrf: uplo')
    call equal(tw_potrs('L', g, v(2:)), -6_c_int64_t, 'potrs: b is too short')
    if (index(tw_text(tw_last_message()), 'tw_dpotrs: argument 6 is illegal: an array of') /= 1) error stop 'the message'
    twice = 1
    call equal(tw_potrs('L', g, twice(::2)), -6_c_int64_t, 'potrs: b has gaps')
    a = transpose(b)
    y = matmul(a, [(1d0, i = 1, int(n))])
    call equal(tw_gels('N', a, y), 0_c_int64_t, 'gels of a vector')
    call near(maxval(abs(y(1:n) - 1)), 'gels of a vector')
  end block
  ! nothing is nothing
  call equal(tw_potrf('L', c(1:0, 1:0)), 0_c_int64_t, 'potrf of nothing')
  call equal(int(tw_finalize(), c_int64_t), 0_c_int64_t, 'finalize')
  print '(a)', 'shapes: right'
contains
  subroutine equal(x, y, what)
    integer(c_int64_t), intent(in) :: x, y
    character(len=*), intent(in) :: what
    if (x /= y) then
      print *, what, x, y, tw_text(tw_last_message())
      error stop
    end if
  end subroutine
  subroutine near(x, what)
    real(c_double), intent(in) :: x
    character(len=*), intent(in) :: what
    if (.not. x < 1d-9) then
      print *, what, x
      error stop
    end if
  end subroutine
end program
P
sources=$TILEWORK_BUILD/generated/bindings/tilework.f90 fft=
if [ -e "$TILEWORK_BUILD/lib/libtilework_fft.so" ]; then sources="$sources $TILEWORK_BUILD/generated/bindings/tilework_fft.f90" fft=-ltilework_fft; fi
# shellcheck disable=SC2086
gfortran -c -std=f2018 -Wall -Werror $sources
for program in shapes.f90 "$TILEWORK_SOURCE"/examples/fortran/*.f90; do
  case $program in */fft_*) if [ -z "$fft" ]; then continue; fi ;; esac
  gfortran -Wall -Wno-maybe-uninitialized -Werror -fcheck=all "$program" ./*.o "-L$TILEWORK_BUILD/lib" $fft -ltilework -o program
  TILEWORK_CROSSOVER=0 TILEWORK_NB=16 ./program || { echo "FAILED: $program"; exit 1; }
done
# The page's program.
awk '/^```fortran$/ { on = 1; next } /^```$/ { on = 0 } on' "$TILEWORK_SOURCE/docs/fortran.md" > page.f90
gfortran -Wall -Wno-maybe-uninitialized -Werror page.f90 ./*.o "-L$TILEWORK_BUILD/lib" $fft -ltilework -o program
[ "$(./program | tr -d ' ')" = 0.2500 ] || { echo "FAILED: docs/fortran.md"; exit 1; }
# What does not fit is the compiler's to say.
printf 'program p\n use tilework\n real(c_float) :: a(3, 3)\n integer(c_int64_t) :: i, p(3)\n real(c_double) :: b(3, 1)\n i = tw_gesv(a, p, b)\nend\n' > wrong.f90
if gfortran -c wrong.f90 2> said; then echo "FAILED: two types in one call"; exit 1; fi
echo passed
