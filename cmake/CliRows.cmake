# cmake -DSOURCES=… -DOUTPUT=… -P CliRows.cmake: the command's routines and subcommands, found where they are defined,
#
#   CLI_ROUTINE(PLACE, NAME) = {…};     CLI_COMMAND(PLACE, NAME) = {…};
#
# as a header with their declarations and two lists, CLI_ROUTINES and CLI_COMMANDS, in the order of their places: help lists them so.
foreach(kind ROUTINE COMMAND)
  set(rows "")
  foreach(source IN LISTS SOURCES)
    file(STRINGS "${source}" lines REGEX "^CLI_${kind}\\(")
    foreach(line IN LISTS lines)
      if(NOT line MATCHES "^CLI_${kind}\\(([1-9][0-9]*), ([a-z][a-z0-9_]*)\\)")
        message(FATAL_ERROR "${source}: not CLI_${kind}(PLACE, NAME): ${line}")
      endif()
      math(EXPR place "100000 + ${CMAKE_MATCH_1}")     # sorted as words
      list(APPEND rows "${place} ${CMAKE_MATCH_2}")
    endforeach()
  endforeach()
  list(SORT rows)
  set(${kind}_list "")
  set(${kind}_declarations "")
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "^[0-9]+ " "" name "${row}")
    if(kind STREQUAL "ROUTINE")
      set(symbol cli_${name})
    else()
      set(symbol cli_command_${name})
    endif()
    string(TOLOWER "struct cli_${kind}" type)
    string(APPEND ${kind}_declarations "extern const ${type} ${symbol};\n")
    string(APPEND ${kind}_list " \\\n    &${symbol},")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "/* Made by cmake/CliRows.cmake from the files in cli/. */\n${ROUTINE_declarations}${COMMAND_declarations}\
#define CLI_ROUTINES${ROUTINE_list}\n\n#define CLI_COMMANDS${COMMAND_list}\n\n" @ONLY)
