# libtilework.so, and tilework_static for tests of internal rooms, fuzzers and the bench, from the same objects.

add_library(tilework_flags INTERFACE)    # what every object of the library is compiled with
target_include_directories(tilework_flags INTERFACE
  "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/generated")
target_compile_definitions(tilework_flags INTERFACE TW_BUILT_WITH_CUDA=$<BOOL:${use_cuda}>)   # for TW_CUDA_BODY alone
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

include(Family)
include(Report)

file(GLOB sources CONFIGURE_DEPENDS runtime/*.c runtime/*/*.c io/*.c traces/*.c)
tw_cuda_room(sources)
tw_objects(core tw_core ${sources})
tw_family(dense LIBRARY core CPU_TYPES S D C Z CUDA_TYPES S D C Z)
tw_family(lapack LIBRARY core)
tw_family(eigen LIBRARY core CPU_TYPES S D C Z CPU_ISAS CPU_ISA_FILES "/(hb2st|diamond_apply|sturm|latrd)\\.c$" CUDA_TYPES S D C Z)
tw_family(svd LIBRARY core CPU_TYPES S D C Z CPU_ISAS CPU_ISA_FILES "/(tb2bd|golub_kahan)\\.c$" CUDA_TYPES S D C Z)
tw_family(nbody LIBRARY core CPU_TYPES S D CPU_ISAS CPU_SINGLE "/direct\\.c$")   # expansions are double only
tw_family(md LIBRARY core CPU_TYPES S D CPU_ISAS)

get_property(tilework_objects GLOBAL PROPERTY tilework_objects)
add_library(tilework SHARED ${tilework_objects})
add_library(tilework::tilework ALIAS tilework)
set_target_properties(tilework PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C
  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
tw_installed_library(tilework)
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
target_link_options(tilework_static INTERFACE "LINKER:-u,tw_traces_register" "LINKER:-u,tw_probe_register" "LINKER:-u,tw_init")
