# SPDX-License-Identifier: MIT
# Everything that comes from Debian packages. docs/decisions/ has a page for each.
find_package(Threads REQUIRED)
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS headers)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(tl-expected REQUIRED)
find_package(date REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
# Its CMake package asks for what only its other two libraries need.
pkg_check_modules(PROMETHEUS REQUIRED IMPORTED_TARGET prometheus-cpp-core)

# llhttp: bookworm ships it as C sources (node-llhttp), trixie as a library (libllhttp-dev).
find_library(LLHTTP_LIBRARY llhttp)
find_path(LLHTTP_INCLUDE_DIR llhttp.h PATHS /usr/share/include/llhttp)
if(LLHTTP_LIBRARY)
  add_library(retrylab_llhttp INTERFACE)
  target_link_libraries(retrylab_llhttp INTERFACE ${LLHTTP_LIBRARY})
  target_include_directories(retrylab_llhttp SYSTEM INTERFACE ${LLHTTP_INCLUDE_DIR})
else()
  find_path(LLHTTP_SOURCE_DIR llhttp.c PATHS /usr/share/llhttp REQUIRED)
  add_library(retrylab_llhttp STATIC ${LLHTTP_SOURCE_DIR}/api.c ${LLHTTP_SOURCE_DIR}/http.c
                                     ${LLHTTP_SOURCE_DIR}/llhttp.c)
  target_include_directories(retrylab_llhttp SYSTEM PUBLIC ${LLHTTP_INCLUDE_DIR})
  target_compile_definitions(retrylab_llhttp PUBLIC LLHTTP_STRICT_MODE=1)
  target_compile_options(retrylab_llhttp PRIVATE -O2 -w)
endif()
