# What `cmake --install` puts where: library, headers, command, CMake package, tilework.pc, man pages, examples.
include(CMakePackageConfigHelpers)

install(TARGETS tilework EXPORT tilework-targets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY include/tilework DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
foreach(program tilework_cli tilework-bench)     # `tilework bench` starts tilework-bench beside it
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
if(pages)
  install(FILES ${pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/tilework")

# <tilework/starpu.h> includes StarPU's headers. Where they lie outside the compiler's path, the package says so.
set(TILEWORK_STARPU_INCLUDES "${STARPU_INCLUDE_DIRS}")
list(FILTER TILEWORK_STARPU_INCLUDES EXCLUDE REGEX "^/usr/include$")
configure_package_config_file(cmake/tilework-config.cmake.in "${PROJECT_BINARY_DIR}/generated/tilework-config.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/tilework-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/tilework-config.cmake"
              "${PROJECT_BINARY_DIR}/generated/tilework-config-version.cmake"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework")
install(EXPORT tilework-targets NAMESPACE tilework:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/tilework")

list(TRANSFORM TILEWORK_STARPU_INCLUDES PREPEND "-I" OUTPUT_VARIABLE starpu_cflags)
list(JOIN starpu_cflags " " TILEWORK_PC_STARPU_CFLAGS)
# ${pcfiledir} keeps the file right after `cmake --install --prefix` and when the tree is moved.
file(RELATIVE_PATH TILEWORK_PC_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/tilework.pc.in "${PROJECT_BINARY_DIR}/generated/tilework.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/generated/tilework.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
