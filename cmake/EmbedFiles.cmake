# SPDX-License-Identifier: MIT
# cmake -DOUTPUT=x.inc "-DFILES=a.json;b.json" -P EmbedFiles.cmake
# Writes one line `{"a", R"retrylab(...)retrylab"},` per file, sorted by name, to be included
# between the braces of an array.
# cmake -DOUTPUT=x.inc "-DTEXT=a.json" -P EmbedFiles.cmake
# Writes the one file's text as a literal, to be included where a string is wanted.
if(TEXT)
  file(READ "${TEXT}" text)
  file(WRITE "${OUTPUT}" "R\"retrylab(${text})retrylab\"\n")
  return()
endif()

set(names "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  list(APPEND names "${name}")
  set(file_of_${name} "${file}")
endforeach()
list(SORT names)

set(lines "")
foreach(name IN LISTS names)
  file(READ "${file_of_${name}}" text)
  string(APPEND lines "{\"${name}\", R\"retrylab(${text})retrylab\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${lines}")
