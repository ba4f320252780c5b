/* SPDX-License-Identifier: Apache-2.0 */
/* Code for the cores of a device, which PACL does not run. */
#include "api/refused.h"

static const char NUMBERS[] =
    "PACL does not know which numbers the device makes of a seed and a counter; make them in a host "
    "function, or in a function in place of a kernel (pacl/kernel.h)";
static const char KERNELS[] = "PACL runs no device code; queue a C function in its place (pacl/kernel.h)";

/* Copies: batches, descriptions, symbols, reductions */
aclError aclrtGetSymbolAddress(const void *symbol, void **devPtr) PACL_REFUSES(KERNELS);
aclError aclrtGetSymbolSize(const void *symbol, size_t *size) PACL_REFUSES(KERNELS);
aclError aclrtMemcpyFromSymbol(void *dst, size_t dstMax, const void *symbol, size_t count, size_t offset,
                               aclrtMemcpyKind kind) PACL_REFUSES(KERNELS);
aclError aclrtMemcpyFromSymbolAsync(void *dst, size_t dstMax, const void *symbol, size_t count, size_t offset,
                                    aclrtMemcpyKind kind, aclrtStream stream) PACL_REFUSES(KERNELS);
aclError aclrtMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, aclrtMemcpyKind kind)
    PACL_REFUSES(KERNELS);
aclError aclrtMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset,
                                  aclrtMemcpyKind kind, aclrtStream stream) PACL_REFUSES(KERNELS);

/* Random numbers */
aclError aclrtRandomNumAsync(const aclrtRandomNumTaskInfo *taskInfo, aclrtStream stream, void *reserve)
    PACL_REFUSES(NUMBERS);

/* Kernels */
aclrtBinary aclrtCreateBinary(const void *data, size_t dataLen) PACL_REFUSES_WITH(NULL, KERNELS);
aclError aclrtDestroyBinary(aclrtBinary binary) PACL_REFUSES(KERNELS);
aclError aclrtBinaryLoad(aclrtBinary binary, aclrtBinHandle *binHandle) PACL_REFUSES(KERNELS);
aclError aclrtBinaryLoadFromFile(const char *binPath, aclrtBinaryLoadOptions *options, aclrtBinHandle *binHandle)
    PACL_REFUSES(KERNELS);
aclError aclrtBinaryLoadFromData(const void *data, size_t length, const aclrtBinaryLoadOptions *options,
                                 aclrtBinHandle *binHandle) PACL_REFUSES(KERNELS);
aclError aclrtBinaryUnLoad(aclrtBinHandle binHandle) PACL_REFUSES(KERNELS);
aclError aclrtBinaryGetFunction(aclrtBinHandle binHandle, const char *kernelName, aclrtFuncHandle *funcHandle)
    PACL_REFUSES(KERNELS);
aclError aclrtBinaryGetFunctionByEntry(aclrtBinHandle binHandle, uint64_t funcEntry, aclrtFuncHandle *funcHandle)
    PACL_REFUSES(KERNELS);
aclError aclrtBinaryGetDevAddress(aclrtBinHandle binHandle, void **binAddr, size_t *binSize) PACL_REFUSES(KERNELS);
aclError aclrtBinaryGetGlobal(aclrtBinHandle binHandle, const char *name, void **dptr, size_t *size)
    PACL_REFUSES(KERNELS);
aclError aclrtBinarySetExceptionCallback(aclrtBinHandle binHandle, aclrtOpExceptionCallback callback, void *userData)
    PACL_REFUSES(KERNELS);
aclError aclrtRegisterCpuFunc(aclrtBinHandle handle, const char *funcName, const char *kernelName,
                              aclrtFuncHandle *funcHandle) PACL_REFUSES(KERNELS);
aclError aclrtGetFuncBySymbol(const void *symbol, aclrtFuncHandle *funcHandle) PACL_REFUSES(KERNELS);
aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void **aicAddr, void **aivAddr) PACL_REFUSES(KERNELS);
aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t *aicSize, size_t *aivSize) PACL_REFUSES(KERNELS);
aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char *name) PACL_REFUSES(KERNELS);
aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType, int64_t *attrValue)
    PACL_REFUSES(KERNELS);
aclError aclrtFunctionGetBinary(aclrtFuncHandle funcHandle, aclrtBinHandle *binHandle) PACL_REFUSES(KERNELS);
aclError aclrtFunctionGetParamCount(const void *func, size_t *paramCount) PACL_REFUSES(KERNELS);
aclError aclrtFunctionGetParamInfo(const void *func, size_t paramIndex, size_t *paramOffset, size_t *paramSize)
    PACL_REFUSES(KERNELS);
aclError aclrtFunctionGetAvailDynUbufPerBlock(void *func, uint32_t flags, size_t *dynamicUbufSize)
    PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t *memSize) PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize, size_t *actualArgsSize)
    PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle *argsHandle) PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle, void *userHostMem,
                                      size_t actualArgsSize) PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void *param, size_t paramSize, aclrtParamHandle *paramHandle)
    PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle, aclrtParamHandle *paramHandle)
    PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, size_t dataSize,
                                             void **bufferAddr) PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle, void *param,
                                   size_t paramSize) PACL_REFUSES(KERNELS);
aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) PACL_REFUSES(KERNELS);
aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                           aclrtStream stream) PACL_REFUSES(KERNELS);
aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void *argsData, size_t argsSize,
                             aclrtLaunchKernelCfg *cfg, aclrtStream stream) PACL_REFUSES(KERNELS);
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg *cfg, aclrtArgsHandle argsHandle, void *reserve)
    PACL_REFUSES(KERNELS);
aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks, aclrtStream stream,
                                       aclrtLaunchKernelCfg *cfg, void *hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo *placeHolderArray, size_t placeHolderNum)
    PACL_REFUSES(KERNELS);
aclError aclrtLaunchKernelWithArgsArray(void *func, uint32_t numBlocks, aclrtStream stream, aclrtLaunchKernelCfg *cfg,
                                        void **args) PACL_REFUSES(KERNELS);
aclError aclrtLaunchSIMTKernelWithArgsArray(void *func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                            aclrtStream stream, aclrtLaunchKernelCfg *cfg, void **args)
    PACL_REFUSES(KERNELS);
aclError aclrtLaunchSIMTKernelWithHostArgs(void *func, dim3 gridDim, dim3 blockDim, size_t dynUbufSize,
                                           aclrtStream stream, aclrtLaunchKernelCfg *cfg, void *hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo *placeHolderArray,
                                           size_t placeHolderNum) PACL_REFUSES(KERNELS);
aclError aclrtGetHardwareSyncAddr(void **addr) PACL_REFUSES(KERNELS);
