# libtilework.so, and tilework_static for tests of internal rooms, fuzzers and the bench, from the same objects.

add_library(tilework_flags INTERFACE)    # what every object of the library is compiled with
target_include_directories(tilework_flags INTERFACE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated")
if(use_cuda)
  target_compile_definitions(tilework_flags INTERFACE TILEWORK_CUDA=1)
  set(cuda_host_flags -Wall,-Wextra)
  if(TILEWORK_WERROR)
    string(APPEND cuda_host_flags ,-Werror)
  endif()
  target_compile_options(tilework_flags INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cuda_host_flags},-fvisibility=hidden>")
endif()
if(TILEWORK_FAULT_INJECTION)
  target_compile_definitions(tilework_flags INTERFACE TILEWORK_FAULT_INJECTION=1)
endif()

set(tilework_objects "")
# tw_objects(NAME sources...): one OBJECT library, nothing if there are no sources.
function(tw_objects name)
  if(NOT ARGN)
    return()
  endif()
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE tilework_flags tilework_deps)
  set(tilework_objects ${tilework_objects} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS
  runtime/*.c codelets/*.c algorithms/*/*.c io/*.c traces/*.c)
list(FILTER sources EXCLUDE REGEX "/algorithms/fft/")   # libtilework_fft's: cmake/Fft.cmake
tw_objects(tw_core ${sources})

# Kernels: *_common.* once, every other file once per precision (the precision header maps names and types).
set(kernel_rooms cpu)
if(use_cuda)
  list(APPEND kernel_rooms cuda)
endif()
foreach(room IN LISTS kernel_rooms)
  file(GLOB common CONFIGURE_DEPENDS kernels/${room}/*_common.c kernels/${room}/*_common.cu)
  file(GLOB typed CONFIGURE_DEPENDS kernels/${room}/*.c kernels/${room}/*.cu)
  list(REMOVE_ITEM typed ${common})
  if(NOT use_cuda)
    list(FILTER common EXCLUDE REGEX "\\.cu$")
    list(FILTER typed EXCLUDE REGEX "\\.cu$")
  endif()
  tw_objects(tw_kernels_${room}_common ${common})
  foreach(precision S D C Z)
    tw_objects(tw_kernels_${room}_${precision} ${typed})
    if(TARGET tw_kernels_${room}_${precision})
      target_compile_definitions(tw_kernels_${room}_${precision} PRIVATE TW_PRECISION_${precision}=1)
    endif()
  endforeach()
endforeach()
if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT TILEWORK_COVERAGE)
  foreach(part common S D C Z)
    if(TARGET tw_kernels_cpu_${part})
      target_compile_options(tw_kernels_cpu_${part} PRIVATE -O3)
    endif()
  endforeach()
endif()

include(Nbody)                           # kernels/nbody_*, codelets/nbody

if(NOT tilework_objects)                 # an empty tree still configures
  file(WRITE "${PROJECT_BINARY_DIR}/generated/empty.c" "typedef int tw_empty_translation_unit;\n")
  tw_objects(tw_empty "${PROJECT_BINARY_DIR}/generated/empty.c")
endif()

add_library(tilework SHARED ${tilework_objects})
add_library(tilework::tilework ALIAS tilework)
set_target_properties(tilework PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
  INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
target_link_libraries(tilework PRIVATE tilework_deps)
target_include_directories(tilework INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>" "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
if(NOT TILEWORK_SANITIZE AND NOT TILEWORK_FUZZ)
  target_link_options(tilework PRIVATE -Wl,--no-undefined)
endif()

add_library(tilework_static STATIC ${tilework_objects})
set_target_properties(tilework_static PROPERTIES
  LINKER_LANGUAGE C ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
target_link_libraries(tilework_static PUBLIC tilework_flags tilework_deps)
# Files that only register themselves (trace writers, the profile's probe) are pulled in by name.
target_link_options(tilework_static INTERFACE "LINKER:-u,tw_traces_register" "LINKER:-u,tw_probe_register")
