! Tilework in Fortran: every function of tilework/tilework.h under its own name. Made of the C headers by the build.
!
!   use tilework
!   real(c_double) :: a(n, n)
!   info = tw_potrf('L', a)                     ! LAPACK's routines: any of four types, assumed-shape arrays, no sizes and leading dimensions
!   info = tw_potrf(TW_LOWER, matrix)           ! the same name for type(tw_matrix)
!
! Functions take what the C header says: tw_int is integer(c_int64_t), text ends with c_null_char, structures are types with the C names, pointers to objects type(tw_matrix) and so on,
! what may be NULL may be left out. Arrays of LAPACK's routines may be sections whose columns have no gaps (a(1:k, 2:5)); others, and those of wrong shapes, are refused:
! info = -i, with the number of the argument in C.
module tilework
  use, intrinsic :: iso_c_binding
  implicit none
  public
  private :: of_look, of_pick, of_left, &
    of_factor, of_wants, of_found, of_inside, of_compact, of_vectors, of_wide, of_tall, of_min, of_max
  interface of_look
    module procedure look1_s, look2_s
    module procedure look1_d, look2_d
    module procedure look1_c, look2_c
    module procedure look1_z, look2_z
    module procedure look1_i
  end interface
  private :: look1_s, look2_s
  private :: look1_d, look2_d
  private :: look1_c, look2_c
  private :: look1_z, look2_z
  private :: look1_i
  ! The library's own, for messages of the module: of no use to programs.
  interface
    function of_illegal(routine, argument, why) bind(C, name='tw_illegal')
      import
      character(kind=c_char), dimension(*), intent(in) :: routine, why
      integer(c_int), value :: argument
      integer(c_int) :: of_illegal
    end function
  end interface
  character(kind=c_char, len=*), parameter, private :: of_why = &
    'an array of another shape than others ask for, or with gaps between the elements of a column' // c_null_char
  ! PARTS

  ! What a C function's const char * says; "" for NULL.
  function tw_text(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: letters(:)
    integer :: i, n
    if (.not. c_associated(pointer)) then
      text = ''
      return
    end if
    call c_f_pointer(pointer, letters, [huge(1)])
    n = 0
    do while (letters(n + 1) /= c_null_char)
      n = n + 1
    end do
    allocate (character(len=n) :: text)
    do i = 1, n
      text(i:i) = letters(i)
    end do
  end function

  pure function of_min(x, y) result(z)
    integer(c_int64_t), intent(in) :: x, y
    integer(c_int64_t) :: z
    z = min(x, y)
  end function
  pure function of_max(x, y) result(z)
    integer(c_int64_t), intent(in) :: x, y
    integer(c_int64_t) :: z
    z = max(x, y)
  end function
  pure function of_pick(trans, x, y) result(z)
    character(kind=c_char), intent(in) :: trans
    integer(c_int64_t), intent(in) :: x, y
    integer(c_int64_t) :: z
    z = merge(x, y, trans == 'N' .or. trans == 'n')
  end function
  pure function of_left(side, x, y) result(z)
    character(kind=c_char), intent(in) :: side
    integer(c_int64_t), intent(in) :: x, y
    integer(c_int64_t) :: z
    z = merge(x, y, side == 'L' .or. side == 'l')
  end function
  pure function of_factor(vect, x, y) result(z)
    character(kind=c_char), intent(in) :: vect
    integer(c_int64_t), intent(in) :: x, y
    integer(c_int64_t) :: z
    z = merge(x, y, vect == 'Q' .or. vect == 'q')
  end function
  pure function of_wants(job, x) result(z)
    character(kind=c_char), intent(in) :: job
    integer(c_int64_t), intent(in) :: x
    integer(c_int64_t) :: z
    z = merge(0_c_int64_t, x, job == 'N' .or. job == 'n')
  end function
  pure function of_found(range, n, il, iu) result(z)
    character(kind=c_char), intent(in) :: range
    integer(c_int64_t), intent(in) :: n, il, iu
    integer(c_int64_t) :: z
    z = n
    if (range == 'I' .or. range == 'i') z = max(0_c_int64_t, min(n, iu - il + 1))
  end function
  pure function of_inside(job, x) result(z)
    character(kind=c_char), intent(in) :: job
    integer(c_int64_t), intent(in) :: x
    integer(c_int64_t) :: z
    z = merge(x, 0_c_int64_t, job == 'I' .or. job == 'i')
  end function
  ! What LAPACK's bdsdc takes for its compact form: small parts are of order 25.
  pure function of_compact(job, n, integers) result(z)
    character(kind=c_char), intent(in) :: job
    integer(c_int64_t), intent(in) :: n, integers
    integer(c_int64_t) :: z, levels
    levels = 0
    do while (26 * 2_c_int64_t**(levels + 1) <= n)
      levels = levels + 1
    end do
    z = merge(n * merge(3 + 3 * levels, 61 + 8 * levels, integers == 1), 0_c_int64_t, job == 'P' .or. job == 'p')
  end function
  pure function of_vectors(job, all, some, over) result(z)
    character(kind=c_char), intent(in) :: job
    integer(c_int64_t), intent(in) :: all, some, over
    integer(c_int64_t) :: z
    select case (job)
    case ('A', 'a')
      z = all
    case ('S', 's')
      z = some
    case ('O', 'o')
      z = over
    case default
      z = 0
    end select
  end function
  pure function of_wide(m, n, x) result(z)
    integer(c_int64_t), intent(in) :: m, n, x
    integer(c_int64_t) :: z
    z = merge(x, 0_c_int64_t, m < n)
  end function
  pure function of_tall(m, n, x) result(z)
    integer(c_int64_t), intent(in) :: m, n, x
    integer(c_int64_t) :: z
    z = merge(x, 0_c_int64_t, m >= n)
  end function

  ! Where an array begins and how far its columns are apart; info = -number if it is too small, or has another shape where that counts, or its elements do not follow each other.
  subroutine look1_s(a, rows, at, ld, info, number)
    real(c_float), intent(in), target :: a(:)
    integer(c_int64_t), intent(in) :: rows, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = 1
    if (size(a, kind=c_int64_t) < rows) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1))
    if (size(a) > 1) then
      if (transfer(c_loc(a(2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
  end subroutine
  subroutine look2_s(a, rows, columns, at, ld, info, number, exact)
    real(c_float), intent(in), target :: a(:,:)
    logical, intent(in) :: exact
    integer(c_int64_t), intent(in) :: rows, columns, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = max(1_c_int64_t, size(a, 1, kind=c_int64_t))
    if (size(a, 1, kind=c_int64_t) < rows .or. size(a, 2, kind=c_int64_t) < columns) info = -number
    if (exact .and. (size(a, 1, kind=c_int64_t) > rows .or. size(a, 2, kind=c_int64_t) > columns)) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1, 1))
    if (size(a, 1) > 1) then
      if (transfer(c_loc(a(2, 1)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
    if (size(a, 2) > 1) then
      ld = (transfer(c_loc(a(1, 2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t)) / (storage_size(a) / 8)
      if (ld < size(a, 1, kind=c_int64_t)) info = -number
    end if
  end subroutine
  subroutine look1_d(a, rows, at, ld, info, number)
    real(c_double), intent(in), target :: a(:)
    integer(c_int64_t), intent(in) :: rows, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = 1
    if (size(a, kind=c_int64_t) < rows) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1))
    if (size(a) > 1) then
      if (transfer(c_loc(a(2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
  end subroutine
  subroutine look2_d(a, rows, columns, at, ld, info, number, exact)
    real(c_double), intent(in), target :: a(:,:)
    logical, intent(in) :: exact
    integer(c_int64_t), intent(in) :: rows, columns, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = max(1_c_int64_t, size(a, 1, kind=c_int64_t))
    if (size(a, 1, kind=c_int64_t) < rows .or. size(a, 2, kind=c_int64_t) < columns) info = -number
    if (exact .and. (size(a, 1, kind=c_int64_t) > rows .or. size(a, 2, kind=c_int64_t) > columns)) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1, 1))
    if (size(a, 1) > 1) then
      if (transfer(c_loc(a(2, 1)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
    if (size(a, 2) > 1) then
      ld = (transfer(c_loc(a(1, 2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t)) / (storage_size(a) / 8)
      if (ld < size(a, 1, kind=c_int64_t)) info = -number
    end if
  end subroutine
  subroutine look1_c(a, rows, at, ld, info, number)
    complex(c_float_complex), intent(in), target :: a(:)
    integer(c_int64_t), intent(in) :: rows, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = 1
    if (size(a, kind=c_int64_t) < rows) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1))
    if (size(a) > 1) then
      if (transfer(c_loc(a(2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
  end subroutine
  subroutine look2_c(a, rows, columns, at, ld, info, number, exact)
    complex(c_float_complex), intent(in), target :: a(:,:)
    logical, intent(in) :: exact
    integer(c_int64_t), intent(in) :: rows, columns, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = max(1_c_int64_t, size(a, 1, kind=c_int64_t))
    if (size(a, 1, kind=c_int64_t) < rows .or. size(a, 2, kind=c_int64_t) < columns) info = -number
    if (exact .and. (size(a, 1, kind=c_int64_t) > rows .or. size(a, 2, kind=c_int64_t) > columns)) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1, 1))
    if (size(a, 1) > 1) then
      if (transfer(c_loc(a(2, 1)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
    if (size(a, 2) > 1) then
      ld = (transfer(c_loc(a(1, 2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t)) / (storage_size(a) / 8)
      if (ld < size(a, 1, kind=c_int64_t)) info = -number
    end if
  end subroutine
  subroutine look1_z(a, rows, at, ld, info, number)
    complex(c_double_complex), intent(in), target :: a(:)
    integer(c_int64_t), intent(in) :: rows, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = 1
    if (size(a, kind=c_int64_t) < rows) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1))
    if (size(a) > 1) then
      if (transfer(c_loc(a(2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
  end subroutine
  subroutine look2_z(a, rows, columns, at, ld, info, number, exact)
    complex(c_double_complex), intent(in), target :: a(:,:)
    logical, intent(in) :: exact
    integer(c_int64_t), intent(in) :: rows, columns, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = max(1_c_int64_t, size(a, 1, kind=c_int64_t))
    if (size(a, 1, kind=c_int64_t) < rows .or. size(a, 2, kind=c_int64_t) < columns) info = -number
    if (exact .and. (size(a, 1, kind=c_int64_t) > rows .or. size(a, 2, kind=c_int64_t) > columns)) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1, 1))
    if (size(a, 1) > 1) then
      if (transfer(c_loc(a(2, 1)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
    if (size(a, 2) > 1) then
      ld = (transfer(c_loc(a(1, 2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t)) / (storage_size(a) / 8)
      if (ld < size(a, 1, kind=c_int64_t)) info = -number
    end if
  end subroutine
  subroutine look1_i(a, rows, at, ld, info, number)
    integer(c_int64_t), intent(in), target :: a(:)
    integer(c_int64_t), intent(in) :: rows, number
    type(c_ptr), intent(out) :: at
    integer(c_int64_t), intent(out) :: ld
    integer(c_int64_t), intent(inout) :: info
    at = c_null_ptr
    ld = 1
    if (size(a, kind=c_int64_t) < rows) info = -number
    if (size(a) == 0) return
    at = c_loc(a(1))
    if (size(a) > 1) then
      if (transfer(c_loc(a(2)), 0_c_intptr_t) - transfer(at, 0_c_intptr_t) /= storage_size(a) / 8) info = -number
    end if
  end subroutine
