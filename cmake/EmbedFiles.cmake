# SPDX-License-Identifier: MIT
# cmake -DOUTPUT=x.inc "-DFILES=a.json;b.json" -P EmbedFiles.cmake
# Writes one line `{"a", R"retrylab(...)retrylab"},` per file, sorted by name, to be included
# between the braces of an array.
list(SORT FILES)
set(lines "")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND lines "{\"${name}\", R\"retrylab(${text})retrylab\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "${lines}")
