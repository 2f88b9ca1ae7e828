! A transform in Fortran (libtilework_fft is GPL: a module apart).
!
!   f=$(pkg-config --variable=fortran tilework)
!   gfortran $f/tilework.f90 $f/tilework_fft.f90 fft_lines.f90 $(pkg-config --libs tilework_fft tilework) -o fft_lines
program fft_lines
  use tilework_fft
  implicit none
  integer(c_int64_t), parameter :: n = 4096
  complex(c_double_complex), target :: x(n), y(n)
  integer :: i
  do i = 1, int(n)
    x(i) = cos(2 * acos(-1d0) * 300 * (i - 1) / n)
  end do
  if (tw_fft_1d(TW_DOUBLE, n, c_loc(x), c_loc(y), TW_FFT_FORWARD) /= 0) error stop 'fft'
  print '(a, i0, a, f8.1)', 'line at ', maxloc(abs(y(1:n/2))) - 1, ', height ', maxval(abs(y))
  if (any(maxloc(abs(y(1:n/2))) /= 301) .or. abs(abs(y(301)) - n / 2) > 1d-6) error stop 'the line is not where it should be'
end program
