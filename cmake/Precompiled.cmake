# SPDX-License-Identifier: MIT
# retrylab_precompile(TARGET library|tests|commands): more than a third of the time of a build
# went into the same headers again and again. Only for g++, whose files serve all targets with
# the same options; the presets clang and tidy have none, so that they show a missing include.
option(RETRYLAB_PRECOMPILE "Precompile common headers" ON)

function(retrylab_precompile name headers)
  if(NOT RETRYLAB_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(owner retrylab_precompiled_${headers})
  if(NOT TARGET ${owner})
    set(folder ${PROJECT_SOURCE_DIR}/cmake/precompiled)
    add_library(${owner} OBJECT ${folder}/owner.cc)
    target_link_libraries(${owner} PRIVATE retrylab_warnings)
    retrylab_precompiled_options(${owner} ${headers})
    target_precompile_headers(${owner} PRIVATE ${folder}/${headers}.h)
  endif()
  retrylab_precompiled_options(${name} ${headers})
  target_precompile_headers(${name} REUSE_FROM ${owner})
endfunction()

# The same definitions for all: g++ turns down a header that was compiled with others.
function(retrylab_precompiled_options name headers)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:fmt::fmt>
                                        $<BUILD_INTERFACE:tl::expected>)
  if(headers STREQUAL tests)
    target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock)
    # A test's own code runs once: to optimise it takes longer than to run it as it is.
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
  endif()
  # What ccache needs to know of them.
  target_compile_options(${name} PRIVATE -fpch-preprocess)
endfunction()
