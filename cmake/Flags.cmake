# Language level, warnings, optimisation, sanitizers and coverage for Tilework's own code.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()
# -O2 everywhere (CMake's Release says -O3); the CPU kernels get -O3 in Library.cmake.
if(CMAKE_C_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)               # gnu11: StarPU's headers need the pthread types
set(CMAKE_C_VISIBILITY_PRESET hidden)    # public functions carry TW_API
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_compile_options("$<$<COMPILE_LANGUAGE:C>:-Wall;-Wextra>")
# Generators promise exactly hermitian matrices: x*y + z is rounded twice on both sides of the diagonal.
add_compile_options("$<$<COMPILE_LANGUAGE:C>:-ffp-contract=off>")
# __FILE__ in messages is relative to the tree, wherever it was built.
add_compile_options("$<$<COMPILE_LANGUAGE:C>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>")
if(TILEWORK_WERROR)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:-Werror>")
endif()
add_link_options(-Wl,--as-needed)

if(TILEWORK_CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  find_program(TILEWORK_CCACHE_PROGRAM ccache)
  mark_as_advanced(TILEWORK_CCACHE_PROGRAM)
  if(TILEWORK_CCACHE_PROGRAM)
    set(CMAKE_C_COMPILER_LAUNCHER "${TILEWORK_CCACHE_PROGRAM}")
    set(CMAKE_CUDA_COMPILER_LAUNCHER "${TILEWORK_CCACHE_PROGRAM}")
  endif()
endif()

if(TILEWORK_FUZZ)
  if(NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "TILEWORK_FUZZ needs clang: use the preset `fuzz`, or -DCMAKE_C_COMPILER=clang")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(TILEWORK_SANITIZE)
  if(NOT TILEWORK_SANITIZE MATCHES "^(address|undefined|thread|address,undefined)$")
    message(FATAL_ERROR "TILEWORK_SANITIZE=${TILEWORK_SANITIZE}: expected address, undefined, thread or address,undefined")
  endif()
  set(flags -fsanitize=${TILEWORK_SANITIZE} -fno-omit-frame-pointer -g1)      # lines for the reports, no more: half the time of building
  if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT TILEWORK_FUZZ)
    # And half of the rest; the kernels keep their -O3. What values may be is not known as well then, and some warnings are about nothing.
    list(APPEND flags -O1 -Wno-error=format-truncation -Wno-error=maybe-uninitialized)
  endif()
  if(TILEWORK_SANITIZE MATCHES undefined)
    list(APPEND flags -fno-sanitize-recover=undefined)
  endif()
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${flags}>")
  add_link_options(-fsanitize=${TILEWORK_SANITIZE})
endif()
if(TILEWORK_COVERAGE)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:--coverage;-O0;-g>")
  add_link_options(--coverage)
endif()
