# SPDX-License-Identifier: Apache-2.0
# pacl_add_kernels(TARGET): the copy kernels of the processor that is built for. Each is built with its own flag, file by
# file, and chosen at start. Their loops must not become calls of the C library's memcpy (docs/performance.md says why).
function(pacl_add_kernels target)
    set(copy "${PROJECT_SOURCE_DIR}/src/copy")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        target_sources(${target} PRIVATE ${copy}/x86/rows_sse2.c ${copy}/x86/rows_avx2.c ${copy}/x86/rows_avx512.c
            ${copy}/x86/rows_string.c)
        set_source_files_properties(${copy}/x86/rows_avx2.c PROPERTIES COMPILE_OPTIONS "-mavx2")
        set_source_files_properties(${copy}/x86/rows_avx512.c PROPERTIES
            COMPILE_OPTIONS "-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
        target_sources(${target} PRIVATE ${copy}/arm/rows_neon.c)
    endif()
endfunction()
