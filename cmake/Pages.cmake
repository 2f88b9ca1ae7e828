# Man pages and shell completions, made of what the programs say of themselves and of the public headers (cmake/pages/). Not where the
# programs are instrumented, or cannot run here.
if(TILEWORK_SANITIZE OR TILEWORK_COVERAGE OR TILEWORK_FUZZ OR CMAKE_CROSSCOMPILING OR NOT TARGET tilework_cli)
  return()
endif()
set(page_programs tilework_cli)
foreach(program tilework-fft tilework-bench)
  if(TARGET ${program})
    list(APPEND page_programs ${program})
  endif()
endforeach()
file(GLOB page_sources CONFIGURE_DEPENDS cmake/pages/* docs/man/*.in include/tilework/*.h)
set(pages "${PROJECT_BINARY_DIR}/share")
add_custom_command(OUTPUT "${pages}/pages.stamp"
  COMMAND bash "${PROJECT_SOURCE_DIR}/cmake/pages/make.sh" "${PROJECT_BINARY_DIR}/bin" "${pages}"
  COMMAND ${CMAKE_COMMAND} -E touch "${pages}/pages.stamp"
  DEPENDS ${page_programs} ${page_sources} COMMENT "Making man pages and shell completions" VERBATIM)
add_custom_target(tilework_pages ALL DEPENDS "${pages}/pages.stamp")

install(DIRECTORY "${pages}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
install(FILES "${pages}/completions/bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME tilework)
install(FILES "${pages}/completions/zsh" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" RENAME _tilework)
install(FILES "${pages}/completions/fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME tilework.fish)
if(TARGET tilework-fft)
  install(FILES "${pages}/completions/bash" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME tilework-fft)
  install(FILES "${pages}/completions/fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" RENAME tilework-fft.fish)
endif()
