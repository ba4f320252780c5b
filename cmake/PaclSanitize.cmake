# SPDX-License-Identifier: Apache-2.0
# PACL_SANITIZE instruments every target, so that the library, the tests and the tools agree on one runtime.
if(PACL_SANITIZE)
    add_compile_options(-fsanitize=${PACL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${PACL_SANITIZE})
endif()
