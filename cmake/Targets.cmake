# SPDX-License-Identifier: MIT
# One folder, one target: retrylab_library(NAME SOURCES... LINKS...). The link list is the list
# of what the folder may depend on.
add_library(retrylab_warnings INTERFACE)
target_compile_options(
  retrylab_warnings
  INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
            -Wnon-virtual-dtor -Wswitch-enum -Werror -ffp-contract=off
            # Designated initializers leave members at their defaults on purpose.
            -Wno-missing-field-initializers
            # g++ 12 sees an overlap in "text" + std::string at -O3 that is not there.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

function(retrylab_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                            $<INSTALL_INTERFACE:include/retrylab>)
  target_link_libraries(${name} PUBLIC ${ARG_LINKS}
                                PRIVATE ${ARG_PRIVATE_LINKS} $<BUILD_INTERFACE:retrylab_warnings>)
  retrylab_precompile(${name} library)
endfunction()

function(retrylab_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} retrylab_warnings)
  retrylab_precompile(${name} commands)
endfunction()

# retrylab_embed(TARGET OUTPUT FILES...): the files' text as `{"name", "text"},` lines in OUTPUT,
# for a source of TARGET to include.
function(retrylab_embed target output)
  string(JOIN "$<SEMICOLON>" files ${ARGN})
  retrylab_embedded(${target} ${output} "-DFILES=${files}" ${ARGN})
endfunction()

# retrylab_embed_text(TARGET OUTPUT FILE): the file's text as a literal.
function(retrylab_embed_text target output file)
  retrylab_embedded(${target} ${output} -DTEXT=${file} ${file})
endfunction()

function(retrylab_embedded target output argument)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${output})
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} ${argument} -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
