# SPDX-License-Identifier: MIT
# cpack: Debian packages, one with the programs and one with the libraries and headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME retrylab)
set(CPACK_PACKAGE_VENDOR "retrylab authors")
set(CPACK_PACKAGE_CONTACT "retrylab authors <retrylab@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Fault-injection HTTP server that judges how clients retry")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME retrylab)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libretrylab-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libboost1.81-dev | libboost-dev (>= 1.81), libcpp-httplib-dev, libexpected-dev, libfmt-dev, libhowardhinnant-date-dev, libssl-dev, nlohmann-json3-dev, pkg-config | pkgconf, zlib1g-dev")
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The programs retrylab and retrylab-client.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "The retry client, the server and the test helpers as C++ libraries.")
include(CPack)
