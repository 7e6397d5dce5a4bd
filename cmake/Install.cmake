# SPDX-License-Identifier: MIT
# cmake --install: the programs (component runtime), and what find_package(retrylab) needs
# (component development): retrylab::client, retrylab::server, retrylab::testing.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(install_headers ${CMAKE_INSTALL_INCLUDEDIR}/retrylab)
set(install_package ${CMAKE_INSTALL_LIBDIR}/cmake/retrylab)

# What runs a scenario and judges it, as one name.
add_library(retrylab_server INTERFACE)
target_link_libraries(retrylab_server INTERFACE retrylab_report retrylab_runs retrylab_scenario
                                                retrylab_verify)

set(install_libraries
    retrylab_base
    retrylab_client
    retrylab_engine
    retrylab_journal
    retrylab_llhttp
    retrylab_net
    retrylab_report
    retrylab_retry
    retrylab_runs
    retrylab_scenario
    retrylab_server
    retrylab_testing
    retrylab_verify
    retrylab_wire)
foreach(library ${install_libraries})
  string(REPLACE "retrylab_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()

install(TARGETS retrylab retrylab-client RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
                                                 COMPONENT runtime)
install(TARGETS ${install_libraries} EXPORT retrylabTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT retrylabTargets NAMESPACE retrylab:: DESTINATION ${install_package}
        COMPONENT development)

# Public headers keep their path: #include "client_lib/net/retry_client.h". Those that are
# private to one source stay at home, and with them httplib, Boost and nlohmann.
set(install_private_headers
    client_lib/net/beast_failure.h
    client_lib/net/broken_pipe.h
    client_lib/net/connection_pool.h
    client_lib/net/content_coding.h
    client_lib/net/entropy.h
    client_lib/net/readable.h
    client_lib/net/redirect.h
    client_lib/net/shared_guards.h
    client_lib/net/watchdog.h
    client_lib/retry/policy_json_fields.h
    client_lib/retry/policy_json_words.h
    testing/attempt_counter.h)
file(GLOB install_public_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     client_lib/base/*.h client_lib/retry/*.h client_lib/net/*.h testing/*.h
     server/wire/*.h server/scenario/*.h)
list(APPEND install_public_headers
     server/journal/in_parallel.h server/journal/operations.h server/journal/packed.h
     server/journal/record.h server/journal/recorder.h server/journal/redaction.h
     server/journal/text.h
     server/report/json.h server/report/report.h server/report/text.h
     server/runs/live_run.h server/scenario/faults/fault.h server/verify/verdict.h)
list(REMOVE_ITEM install_public_headers ${install_private_headers})
foreach(header ${install_public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${install_headers}/${folder} COMPONENT development)
endforeach()

configure_package_config_file(cmake/retrylabConfig.cmake.in retrylabConfig.cmake
                              INSTALL_DESTINATION ${install_package})
write_basic_package_version_file(retrylabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/retrylabConfig.cmake
              ${PROJECT_BINARY_DIR}/retrylabConfigVersion.cmake
        DESTINATION ${install_package} COMPONENT development)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT runtime)
