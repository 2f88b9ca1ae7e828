# What `cmake --install` puts where: library, headers, command, CMake package, tilework.pc, examples.
include(CMakePackageConfigHelpers)

install(TARGETS tilework EXPORT tilework-targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/tilework DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
foreach(program tilework_cli tilework-bench)     # `tilework bench` starts tilework-bench beside it
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)      # which `tilework help` names
install(FILES ${pages} KNOWN_PROBLEMS.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES docs/licences.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSES.md)
if(install_starpu)
  install(FILES "${STARPU_LIBDIR}/../share/doc/starpu/COPYING.LGPL" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME LICENSE.starpu OPTIONAL)
endif()
install(DIRECTORY python/tilework DESTINATION "${CMAKE_INSTALL_DATADIR}/tilework/python" FILES_MATCHING PATTERN "*.py")
if(TARGET tilework_fft)      # a package apart: its library is under the GPL
  install(DIRECTORY python/tilework_fft DESTINATION "${CMAKE_INSTALL_DATADIR}/tilework/python" FILES_MATCHING PATTERN "*.py")
endif()
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/tilework")

# StarPU: library and headers, laid out as its own installation does it.
set(TILEWORK_STARPU_LIBDIR "${STARPU_LIBDIR}")          # where programs that use StarPU themselves find it: a folder, or empty ...
set(TILEWORK_STARPU_INCLUDES "${STARPU_INCLUDE_DIRS}")
if(install_starpu)
  file(GLOB libraries "${STARPU_LIBDIR}/libstarpu-1.4.so*")
  install(PROGRAMS ${libraries} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  file(GLOB library "${STARPU_LIBDIR}/libstarpu-1.4.so.*.*")
  get_filename_component(library "${library}" NAME)
  install(CODE "execute_process(COMMAND bash \"${PROJECT_SOURCE_DIR}/cmake/relocate-starpu.sh\"
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/${library}\" \"${STARPU_PREFIX}\" COMMAND_ERROR_IS_FATAL ANY)")
  install(DIRECTORY "${starpu_headers}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/starpu/1.4" FILES_MATCHING PATTERN "*.h")
  set(TILEWORK_STARPU_LIBDIR "")                         # ... where it is in Tilework's own tree
  list(REMOVE_ITEM TILEWORK_STARPU_INCLUDES "${starpu_headers}")
endif()
list(APPEND TILEWORK_STARPU_INCLUDES ${OPENBLAS_INCLUDE_DIRS})
list(FILTER TILEWORK_STARPU_INCLUDES EXCLUDE REGEX "^/usr/include(/|$)")
list(REMOVE_DUPLICATES TILEWORK_STARPU_INCLUDES)

configure_package_config_file(cmake/tilework-config.cmake.in "${PROJECT_BINARY_DIR}/generated/tilework-config.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/tilework-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/tilework-config.cmake"
              "${PROJECT_BINARY_DIR}/generated/tilework-config-version.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework")
install(EXPORT tilework-targets NAMESPACE tilework:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework")

# What programs of the user's own may call besides Tilework (the examples do): StarPU, BLAS, the mathematical functions.
# --as-needed keeps out what a program does not call.
set(TILEWORK_PC_CFLAGS "-I\${includedir}")
set(TILEWORK_PC_PEERS "-Wl,--push-state,--as-needed")
if(install_starpu)
  string(APPEND TILEWORK_PC_CFLAGS " -I\${includedir}/starpu/1.4")
elseif(NOT starpu_is_of_system)
  string(APPEND TILEWORK_PC_PEERS " -L${STARPU_LIBDIR}")
endif()
foreach(dir IN LISTS TILEWORK_STARPU_INCLUDES)
  string(APPEND TILEWORK_PC_CFLAGS " -isystem ${dir}")      # their headers may warn
endforeach()
foreach(dir IN LISTS OPENBLAS_LIBRARY_DIRS)
  tw_is_of_system(of_system "${dir}")
  if(NOT of_system)
    string(APPEND TILEWORK_PC_PEERS " -L${dir}")
  endif()
endforeach()
string(APPEND TILEWORK_PC_PEERS " -lstarpu-1.4 -lopenblas -lm -Wl,--pop-state")
# ${pcfiledir} keeps the file right after `cmake --install --prefix` and when the tree is moved.
file(RELATIVE_PATH TILEWORK_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/tilework.pc.in "${PROJECT_BINARY_DIR}/generated/tilework.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/tilework.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
