# SPDX-License-Identifier: MIT
# cmake -DBUILD=... -DSOURCE=... -P run.cmake: installs BUILD into a prefix of its own, runs the
# installed programs, then configures, builds and tests the consumer project against it. Also holds
# that no installed header asks for httplib, Boost or nlohmann.
set(work ${BUILD}/consumer)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${prefix})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

file(GLOB_RECURSE headers ${prefix}/include/*.h)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
foreach(header ${headers})
  file(STRINGS ${header} banned REGEX "#include <(httplib|boost|nlohmann)")
  if(banned)
    message(FATAL_ERROR "${header}: ${banned}")
  endif()
endforeach()

run(${prefix}/bin/retrylab run two-503-then-success -- ${prefix}/bin/retrylab-client GET {url})

run(${CMAKE_COMMAND} -S ${SOURCE} -B ${work}/build -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_FLAGS=${CXX_FLAGS} -DCMAKE_CXX_COMPILER=${CXX}
    -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER})
run(${CMAKE_COMMAND} --build ${work}/build --parallel 2)
run(${CMAKE_CTEST_COMMAND} --test-dir ${work}/build --output-on-failure)
