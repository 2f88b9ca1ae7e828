# Where installed programs and libraries find what they need: their own tree first, by $ORIGIN, so that it may be moved, and
# read by others than the one who built it.
#
# A StarPU outside the system's folders (the copy that ./quickstart built, in somebody's home perhaps) is installed with Tilework.
set(TILEWORK_INSTALL_STARPU AUTO CACHE STRING
    "Install StarPU's library and headers with Tilework: AUTO (where StarPU is not in a folder of the system), ON, OFF")
set_property(CACHE TILEWORK_INSTALL_STARPU PROPERTY STRINGS AUTO ON OFF)

# tw_is_of_system(VARIABLE DIR): the loader looks there by itself, or the distribution tells it to (Debian's alternatives).
function(tw_is_of_system variable dir)
  set(${variable} OFF PARENT_SCOPE)
  foreach(system /usr/lib /usr/lib64 /lib /lib64)
    cmake_path(IS_PREFIX system "${dir}" NORMALIZE below)
    if(below)
      set(${variable} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

tw_is_of_system(starpu_is_of_system "${STARPU_LIBDIR}")
get_filename_component(starpu_headers "${starpu_config_h}" DIRECTORY)
set(install_starpu OFF)
if(TILEWORK_INSTALL_STARPU STREQUAL "ON" OR (TILEWORK_INSTALL_STARPU STREQUAL "AUTO" AND NOT starpu_is_of_system))
  set(install_starpu ON)
endif()

# Other folders outside the system's, CUDA's among them, have to be the same for whoever runs the installed programs.
set(installed_paths "")
macro(tw_outside_paths)
  foreach(dir ${ARGN})
    tw_is_of_system(of_system "${dir}")
    if(NOT of_system)
      list(APPEND installed_paths "${dir}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES installed_paths)
endmacro()
tw_outside_paths(${HWLOC_LIBRARY_DIRS} ${JANSSON_LIBRARY_DIRS} ${OPENBLAS_LIBRARY_DIRS} ${LAPACKE_LIBRARY_DIRS})
if(use_cuda)
  tw_outside_paths("${CUDAToolkit_LIBRARY_DIR}")
endif()
if(NOT install_starpu)
  tw_outside_paths("${STARPU_LIBDIR}")
endif()

# tw_installed_program(TARGET), tw_installed_library(TARGET): the RUNPATH they have once installed.
function(tw_installed_program target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${installed_paths}")
endfunction()
function(tw_installed_library target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN;${installed_paths}")
endfunction()
