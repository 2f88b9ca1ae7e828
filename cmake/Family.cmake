# tw_family(NAME …): the rooms of one family of algorithms, kernels/NAME, codelets/NAME, algorithms/NAME and io/NAME, as objects.
#
#   LIBRARY core|fft        whose they are: libtilework.so's, or libtilework_fft.so's
#   CPU_TYPES S D C Z       kernels/NAME/cpu: *_common.c once, every other file once per precision (TW_PRECISION_S and so on), …
#   CPU_ISAS                … and, if given, instruction set (TW_ISA_generic, …): the library chooses at run time
#   CPU_ISA_FILES REGEX     those of them that there are for each instruction set, if not all: the others once per precision
#   CPU_SINGLE REGEX        files of which there is a float version, if not all have one
#   CUDA_TYPES S D C Z      kernels/NAME/cuda: the same; without it each file once
#   DEPS TARGETS            further libraries
#   CUDA_OPTIONS OPTIONS    for nvcc
#
# A room that is not there is no error: a family begins with the one it needs.

# tw_cuda_room(LIST): of a folder cuda/ a build without CUDA has none.c alone, which stands for all other files, and a build with CUDA all but that.
function(tw_cuda_room list)
  set(kept "")
  foreach(file IN LISTS ${list})
    if(NOT file MATCHES "/cuda/[^/]*$" OR (use_cuda AND NOT file MATCHES "/cuda/none\\.c$") OR (NOT use_cuda AND file MATCHES "/cuda/none\\.c$"))
      list(APPEND kept "${file}")
    endif()
  endforeach()
  set(${list} "${kept}" PARENT_SCOPE)
endfunction()

# tw_objects(LIBRARY NAME sources...): one OBJECT library, nothing if there are no sources.
macro(tw_objects library name)
  if(NOT "${ARGN}" STREQUAL "")
    add_library(${name} OBJECT ${ARGN})
    target_link_libraries(${name} PRIVATE tilework_flags tilework_deps ${family_DEPS})
    if("${library}" STREQUAL "fft")
      set_property(GLOBAL APPEND PROPERTY tilework_fft_objects $<TARGET_OBJECTS:${name}>)
    else()
      set_property(GLOBAL APPEND PROPERTY tilework_objects $<TARGET_OBJECTS:${name}>)
    endif()
  endif()
endmacro()

set(tw_isas generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  list(APPEND tw_isas avx2 avx512)
endif()
set(tw_isa_flags_generic "")
set(tw_isa_flags_avx2 -mavx2 -mfma)
set(tw_isa_flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx2 -mfma)

function(tw_optimise target)
  if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT TILEWORK_COVERAGE)
    target_compile_options(${target} PRIVATE -O3)
  endif()
endfunction()

# What several families share lies in the rooms themselves.
file(GLOB shared CONFIGURE_DEPENDS kernels/*.c codelets/*.c algorithms/*.c)
if(NOT use_cuda)
  list(FILTER shared EXCLUDE REGEX "kernels/status\\.c$")
endif()
tw_objects(core tw_shared ${shared})

function(tw_family name)
  cmake_parse_arguments(family "CPU_ISAS" "LIBRARY;CPU_SINGLE;CPU_ISA_FILES" "CPU_TYPES;CUDA_TYPES;CUDA_OPTIONS;DEPS" ${ARGN})

  file(GLOB sources CONFIGURE_DEPENDS algorithms/${name}/*.c codelets/${name}/*.c io/${name}/*.c)
  tw_objects(${family_LIBRARY} tw_${name} ${sources})

  file(GLOB common CONFIGURE_DEPENDS kernels/${name}/cpu/*_common.c)
  file(GLOB typed CONFIGURE_DEPENDS kernels/${name}/cpu/*.c)
  list(FILTER typed EXCLUDE REGEX "_common\\.c$")
  tw_objects(${family_LIBRARY} tw_${name}_cpu ${common})
  if(family_CPU_ISAS AND common AND NOT tw_isas STREQUAL "generic")
    target_compile_definitions(tw_${name}_cpu PRIVATE TW_ISA_X86=1)
  endif()
  if(common)
    tw_optimise(tw_${name}_cpu)
  endif()
  foreach(precision IN LISTS family_CPU_TYPES)
    set(files ${typed})
    if(family_CPU_SINGLE AND precision STREQUAL "S")
      list(FILTER files INCLUDE REGEX "${family_CPU_SINGLE}")
    endif()
    set(plain ${files})
    if(family_CPU_ISA_FILES)
      list(FILTER plain EXCLUDE REGEX "${family_CPU_ISA_FILES}")
      list(FILTER files INCLUDE REGEX "${family_CPU_ISA_FILES}")
    elseif(family_CPU_ISAS)
      set(plain "")
    endif()
    if(plain)
      set(target tw_${name}_cpu_${precision})
      tw_objects(${family_LIBRARY} ${target} ${plain})
      target_compile_definitions(${target} PRIVATE TW_PRECISION_${precision}=1)
      tw_optimise(${target})
    endif()
    if(NOT family_CPU_ISAS)
      continue()
    endif()
    foreach(isa IN LISTS tw_isas)
      set(target tw_${name}_cpu_${precision}_${isa})
      tw_objects(${family_LIBRARY} ${target} ${files})
      target_compile_definitions(${target} PRIVATE TW_PRECISION_${precision}=1 TW_ISA_${isa}=1)
      # Contraction: these sums promise the same bits from run to run on one machine, not across instruction sets.
      target_compile_options(${target} PRIVATE ${tw_isa_flags_${isa}} -ffp-contract=fast -fno-math-errno -fno-trapping-math -Wno-psabi)
      tw_optimise(${target})
    endforeach()
  endforeach()

  file(GLOB common CONFIGURE_DEPENDS kernels/${name}/cuda/*.c kernels/${name}/cuda/*.cu)
  tw_cuda_room(common)
  if(family_CUDA_TYPES AND use_cuda)
    set(typed ${common})
    list(FILTER common INCLUDE REGEX "_common\\.cu?$")
    list(FILTER typed EXCLUDE REGEX "_common\\.cu?$")
    foreach(precision IN LISTS family_CUDA_TYPES)
      tw_objects(${family_LIBRARY} tw_${name}_cuda_${precision} ${typed})
      target_compile_definitions(tw_${name}_cuda_${precision} PRIVATE TW_PRECISION_${precision}=1)
    endforeach()
  endif()
  tw_objects(${family_LIBRARY} tw_${name}_cuda ${common})
  if(family_CUDA_OPTIONS AND common AND use_cuda)
    target_compile_options(tw_${name}_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${family_CUDA_OPTIONS}>)
  endif()
endfunction()
