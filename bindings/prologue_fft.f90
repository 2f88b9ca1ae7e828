! Tilework's transforms in Fortran, as module tilework. Apart: libtilework_fft is under the GPL, version 2 or later, when distributed.
module tilework_fft
  use tilework
  implicit none
  public
  ! PARTS
