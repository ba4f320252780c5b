# SPDX-License-Identifier: Apache-2.0
# Warnings for every target of the project. They become errors in the developers' presets only: a user's newer
# compiler must not fail a build over a warning that we have not seen.
add_compile_options(
    -Wall
    -Wextra
    -Wpedantic
    -Wcast-align
    -Wconversion
    -Wno-sign-conversion
    -Wformat=2
    -Wpointer-arith
    -Wshadow
    -Wundef
    -Wvla
    -Wwrite-strings
    $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
    $<$<COMPILE_LANGUAGE:C>:-Wold-style-definition>
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>)
if(PACL_WERROR)
    add_compile_options(-Werror)
endif()
