# SPDX-License-Identifier: Apache-2.0
# pacl_test(NAME name SOURCES file... [LIBS lib...] [ENV VAR=value...] [INTERNAL])
#
# Builds test_<name> with the harness `check` and registers it with ctest under <name>, labelled with its folder.
# A test sees the library as a program does, through the public headers and the shared library; INTERNAL links the
# object library instead and may include the headers of src/. Exit code 77 means skipped.
function(pacl_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "INTERNAL" "NAME" "SOURCES;LIBS;ENV")
    if(NOT arg_NAME OR NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "pacl_test: NAME and SOURCES are needed; not understood: '${arg_UNPARSED_ARGUMENTS}'")
    endif()

    set(target test_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    if(arg_INTERNAL)
        set(library pacl_core)
    else()
        set(library PACL::ascendcl)
    endif()
    target_link_libraries(${target} PRIVATE ${library} ${arg_LIBS} PkgConfig::CHECK Threads::Threads)

    get_filename_component(folder "${CMAKE_CURRENT_SOURCE_DIR}" NAME)
    add_test(NAME ${arg_NAME} COMMAND ${target})
    set_tests_properties(${arg_NAME} PROPERTIES
        ENVIRONMENT "${arg_ENV}"
        LABELS ${folder}
        SKIP_RETURN_CODE 77
        TIMEOUT 900)
endfunction()
