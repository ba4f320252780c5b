/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl.h"

#include <string.h>

void bench_opencl_check(const char *call, cl_int code)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: %d\n", call, code);
    exit(1);
}

static bool find_device(cl_device_id *device)
{
    enum { PLATFORMS_MAX = 16 };
    cl_platform_id platform[PLATFORMS_MAX];
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS_MAX, platform, &count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < count && i < PLATFORMS_MAX; i++) {
        char name[128] = "";
        (void)clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        if (strcmp(name, "Portable Computing Language") == 0 &&
            clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_CPU, 1, device, NULL) == CL_SUCCESS)
            return true;
    }
    return false;
}

bool bench_opencl_open(struct bench_opencl *cl)
{
    cl_device_id device = NULL;
    cl_int code = CL_SUCCESS;
    if (!find_device(&device)) {
        fprintf(stderr, "POCL: no processor device (package pocl-opencl-icd)\n");
        return false;
    }
    cl->context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    bench_opencl_check("clCreateContext", code);
    cl->queue = clCreateCommandQueue(cl->context, device, 0, &code);
    bench_opencl_check("clCreateCommandQueue", code);
    return true;
}

void bench_opencl_close(struct bench_opencl *cl)
{
    bench_opencl_check("clReleaseCommandQueue", clReleaseCommandQueue(cl->queue));
    bench_opencl_check("clReleaseContext", clReleaseContext(cl->context));
}

cl_mem bench_opencl_buffer(struct bench_opencl *cl, void *at, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    const cl_mem buffer = clCreateBuffer(cl->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, at, &code);
    bench_opencl_check("clCreateBuffer", code);
    return buffer;
}

void bench_opencl_copy(struct bench_opencl *cl, cl_mem dst, cl_mem src, const struct bench_rect *r)
{
    const size_t from[] = { r->src, 0, 0 }, to[] = { r->dst, 0, 0 }, region[] = { r->width, r->height, 1 };
    bench_opencl_check("clEnqueueCopyBufferRect", clEnqueueCopyBufferRect(cl->queue, src, dst, from, to, region,
                                                                          r->spitch, 0, r->dpitch, 0, 0, NULL, NULL));
}

void bench_opencl_finish(struct bench_opencl *cl)
{
    bench_opencl_check("clFinish", clFinish(cl->queue));
}

void *bench_opencl_map(struct bench_opencl *cl, cl_mem buffer, size_t offset, size_t bytes)
{
    cl_int code = CL_SUCCESS;
    void *at =
        clEnqueueMapBuffer(cl->queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, offset, bytes, 0, NULL, NULL, &code);
    bench_opencl_check("clEnqueueMapBuffer", code);
    return at;
}

void bench_opencl_unmap(struct bench_opencl *cl, cl_mem buffer, void *at)
{
    bench_opencl_check("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(cl->queue, buffer, at, 0, NULL, NULL));
    bench_opencl_finish(cl);
}
