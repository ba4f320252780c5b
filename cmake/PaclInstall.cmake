# SPDX-License-Identifier: Apache-2.0
# What lies beside the library and the command in an installed tree. The targets install themselves.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/pacl")
configure_file(cmake/PACLConfig.cmake.in PACLConfig.cmake @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/PACLConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/PACLConfig.cmake" "${PROJECT_BINARY_DIR}/PACLConfigVersion.cmake"
    DESTINATION "${package_dir}")
install(EXPORT PACLTargets NAMESPACE PACL:: DESTINATION "${package_dir}")
# Debian's CMake does not look into lib64, every CMake looks into share.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/package_link")
file(CREATE_LINK "../../${package_dir}" "${PROJECT_BINARY_DIR}/package_link/pacl" SYMBOLIC)
install(FILES "${PROJECT_BINARY_DIR}/package_link/pacl" DESTINATION share/cmake)

configure_file(cmake/ascendcl.pc.in ascendcl.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ascendcl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(DIRECTORY include/acl include/pacl DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")

# The documents keep their places to each other, so that their links lead somewhere; `include` is a link to the headers.
set(doc_dir "${CMAKE_INSTALL_DATADIR}/doc/pacl")
install(FILES README.md LICENSE CHANGELOG.md CONTRIBUTING.md DESTINATION "${doc_dir}")
install(DIRECTORY docs DESTINATION "${doc_dir}" FILES_MATCHING PATTERN "*.md")
install(DIRECTORY examples DESTINATION "${doc_dir}" PATTERN "CMakeLists.txt" EXCLUDE PATTERN "__pycache__" EXCLUDE)
file(RELATIVE_PATH include_link "/${doc_dir}" "/${CMAKE_INSTALL_INCLUDEDIR}")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/doc_link")
file(CREATE_LINK "${include_link}" "${PROJECT_BINARY_DIR}/doc_link/include" SYMBOLIC)
install(FILES "${PROJECT_BINARY_DIR}/doc_link/include" DESTINATION "${doc_dir}")

# Where aclsysGetVersionStr looks; the build tree has it at the same place, so it can serve as ASCEND_HOME_PATH.
set(version_info share/info/runtime/version.info)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/${version_info}" CONTENT "Version=@PROJECT_VERSION@\n" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/${version_info}" DESTINATION share/info/runtime)

# The prefix is known for certain only while installing: `cmake --install --prefix` may differ from the configured one,
# and be relative.
install(CODE "
    cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_PREFIX NORMALIZE)
    configure_file(\"${PROJECT_SOURCE_DIR}/tools/set_env.sh.in\" \"${PROJECT_BINARY_DIR}/set_env.sh\" @ONLY)
    file(INSTALL \"${PROJECT_BINARY_DIR}/set_env.sh\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}\")")
