! Systems of equations in Fortran: LAPACK's names for arrays of any type, and matrices of tiles in a sequence.
!
!   gfortran $(pkg-config --variable=fortran tilework)/tilework.f90 solve_many.f90 $(pkg-config --libs tilework) -o solve_many
program solve_many
  use tilework
  implicit none
  integer(c_int64_t), parameter :: n = 700, nrhs = 5
  real(c_double) :: a(n + 10, n), b(n, nrhs), x(n, nrhs), w(n)
  complex(c_float_complex) :: c(50, 50), d(50, 2)
  integer(c_int64_t) :: pivots(n), info
  integer(c_int) :: code
  type(tw_matrix) :: m, y
  type(tw_sequence) :: seq
  integer :: i, j

  do j = 1, int(n)
    do i = 1, int(n)
      a(i, j) = 1d0 / (1 + abs(i - j))
    end do
    a(j, j) = a(j, j) + 1
  end do
  x = 1
  do j = 1, int(nrhs)
    x(:, j) = [(sin(real(i * j, c_double)), i = 1, int(n))]
  end do
  b = matmul(a(1:n, :), x)

  ! A section whose columns have no gaps; sizes and leading dimensions follow from the arrays.
  info = tw_gesv(a(1:n, :), pivots, b)
  if (info /= 0) error stop 'gesv'
  print '(a, es8.1)', 'gesv: error ', maxval(abs(b - x))
  if (maxval(abs(b - x)) > 1d-9) error stop 'gesv is wrong'
  ! Rows with gaps are refused: argument 3 in C.
  info = tw_gesv(a(1:n:2, 1:n/2), pivots, b(1:n/2, :))
  if (info /= -3) error stop 'gaps were not refused'
  print '(a)', tw_text(tw_strerror(int(info, c_int)))

  ! The same name for another type.
  c = (0, 0)
  do j = 1, 50
    c(j, j) = cmplx(2, j)
  end do
  d = (1, 0)
  info = tw_gesv(c, pivots(1:50), d)
  if (info /= 0 .or. maxval(abs(d(:, 1) - [(1 / cmplx(2, j), j = 1, 50)])) > 1e-6) error stop 'complex gesv is wrong'

  ! Tiles: a matrix from a generator, factored and solved in one graph.
  code = tw_matrix_create(m, TW_DOUBLE, TW_LOWER, n, n, 128_c_int64_t)
  block
    type(tw_generator) :: g
    code = tw_generator_create(g, 'spd'//c_null_char, TW_DOUBLE, n, n, 1_c_int64_t)
    code = tw_matrix_generate(m, g)
    call tw_generator_destroy(g)
  end block
  x = 1
  code = tw_matrix_wrap(y, TW_DOUBLE, TW_GENERAL, n, nrhs, c_loc_of(x), n, 128_c_int64_t)
  code = tw_sequence_create(seq)
  code = tw_potrf_async(TW_LOWER, m, seq)
  code = tw_potrs_async(TW_LOWER, m, y, seq)
  code = tw_sequence_wait(seq)
  if (code /= 0) error stop 'potrf and potrs'
  code = tw_sequence_destroy(seq)
  code = tw_matrix_destroy(y)
  code = tw_matrix_destroy(m)

  ! Eigenvalues of the symmetric matrix, without vectors.
  do j = 1, int(n)
    do i = 1, int(n)
      a(i, j) = min(i, j)
    end do
  end do
  info = tw_syevd('N', 'L', a(1:n, :), w)
  print '(a, f9.6, a, f12.3)', 'syevd: eigenvalues from ', w(1), ' to', w(n)
  if (info /= 0 .or. abs(w(1) - 0.25d0) > 1d-4) error stop 'syevd is wrong'
  code = tw_finalize()
contains
  function c_loc_of(array) result(at)
    real(c_double), intent(in), target :: array(:, :)
    type(c_ptr) :: at
    at = c_loc(array(1, 1))
  end function
end program
