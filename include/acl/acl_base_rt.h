/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_base_rt.h: attributes, handles, result codes and element types, and the few functions that need no device.
 *
 * The letters in brackets say where a statement comes from: [S] the reference page of the 2D copy, [D] [W] the vendor's
 * current and older documentation, [C] [T] behaviour reported of the public runtime and its tests, [P] decided by PACL.
 */
#ifndef PACL_ACL_ACL_BASE_RT_H
#define PACL_ACL_ACL_BASE_RT_H

#include <stddef.h>
#include <stdint.h>

#include "error_codes/ge_error_codes.h"
#include "error_codes/rt_error_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))
#else
#define ACL_FUNC_VISIBILITY
#define ACL_DEPRECATED
#define ACL_DEPRECATED_MESSAGE(message)
#endif

/* ---- Handles ----------------------------------------------------------------------------------------------------- */

/* Each handle belongs to the object's creator until it is given to the matching destroy call. All of them are `void *`,
 * so the compiler cannot tell them apart; the library can, and refuses a wrong one with ACL_ERROR_RT_INVALID_HANDLE. */
typedef void *aclrtContext; /* a device's streams and events under one name */
typedef void *aclrtStream;  /* a queue of work, done in order */
typedef void *aclrtEvent;   /* a mark in a stream that others can wait for */
typedef void *aclrtNotify;
typedef void *aclrtCntNotify;
typedef void *aclrtLabel;
typedef void *aclrtLabelList;
typedef void *aclrtMbuf;
typedef void *aclrtTaskGrp;
typedef void *aclmdlRITask;
typedef void *aclrtAllocatorDesc;
typedef void *aclrtAllocator;
typedef void *aclrtAllocatorBlock;
typedef void *aclrtAllocatorAddr;

typedef int aclError;        /* 0, or one of the codes below and in error_codes/ */
typedef uint16_t aclFloat16; /* the bits of an IEEE 754 half */

typedef struct aclDataBuffer aclDataBuffer;

/* ---- Result codes of the ACL layer ------------------------------------------------------------------------------- */

/* They are objects, not macros, so C cannot use them as `case` labels. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif

static const int ACL_SUCCESS = 0;    /* success */
static const int ACL_ERROR_NONE = 0; /* older name of ACL_SUCCESS */

/* Arguments and state */
static const int ACL_ERROR_INVALID_PARAM = 100000;                   /* an argument was rejected by the ACL layer */
static const int ACL_ERROR_UNINITIALIZE = 100001;                    /* used before its init call */
static const int ACL_ERROR_REPEAT_INITIALIZE = 100002;               /* init or load was called a second time */
static const int ACL_ERROR_INVALID_FILE = 100003;                    /* file missing or not readable */
static const int ACL_ERROR_WRITE_FILE = 100004;                      /* could not write a file */
static const int ACL_ERROR_INVALID_FILE_SIZE = 100005;               /* file has an unacceptable size */
static const int ACL_ERROR_PARSE_FILE = 100006;                      /* file content could not be parsed */
static const int ACL_ERROR_FILE_MISSING_ATTR = 100007;               /* a required key is absent from the file */
static const int ACL_ERROR_FILE_ATTR_INVALID = 100008;               /* a key in the file has a bad value */
static const int ACL_ERROR_INVALID_DUMP_CONFIG = 100009;             /* dump section of the config is bad */
static const int ACL_ERROR_INVALID_PROFILING_CONFIG = 100010;        /* profiling section of the config is bad */
static const int ACL_ERROR_INVALID_MODEL_ID = 100011;                /* no loaded model has this id */
static const int ACL_ERROR_DESERIALIZE_MODEL = 100012;               /* model blob could not be decoded */
static const int ACL_ERROR_PARSE_MODEL = 100013;                     /* model could not be parsed */
static const int ACL_ERROR_READ_MODEL_FAILURE = 100014;              /* model file could not be read */
static const int ACL_ERROR_MODEL_SIZE_INVALID = 100015;              /* model size is not plausible */
static const int ACL_ERROR_MODEL_MISSING_ATTR = 100016;              /* model lacks a needed attribute */
static const int ACL_ERROR_MODEL_INPUT_NOT_MATCH = 100017;           /* given inputs do not fit the model */
static const int ACL_ERROR_MODEL_OUTPUT_NOT_MATCH = 100018;          /* given outputs do not fit the model */
static const int ACL_ERROR_MODEL_NOT_DYNAMIC = 100019;               /* dynamic-shape call on a static model */
static const int ACL_ERROR_OP_TYPE_NOT_MATCH = 100020;               /* single operator: type differs */
static const int ACL_ERROR_OP_INPUT_NOT_MATCH = 100021;              /* single operator: inputs differ */
static const int ACL_ERROR_OP_OUTPUT_NOT_MATCH = 100022;             /* single operator: outputs differ */
static const int ACL_ERROR_OP_ATTR_NOT_MATCH = 100023;               /* single operator: attributes differ */
static const int ACL_ERROR_OP_NOT_FOUND = 100024;                    /* single operator is not known */
static const int ACL_ERROR_OP_LOAD_FAILED = 100025;                  /* single operator could not be loaded */
static const int ACL_ERROR_UNSUPPORTED_DATA_TYPE = 100026;           /* this data type is not handled */
static const int ACL_ERROR_FORMAT_NOT_MATCH = 100027;                /* tensor layout differs from what is needed */
static const int ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED = 100028;     /* operator has no binary selector */
static const int ACL_ERROR_KERNEL_NOT_FOUND = 100029;                /* no kernel was registered for the operator */
static const int ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED = 100030; /* binary selector registered twice */
static const int ACL_ERROR_KERNEL_ALREADY_REGISTERED = 100031;       /* kernel registered twice */
static const int ACL_ERROR_INVALID_QUEUE_ID = 100032;                /* no such queue */
static const int ACL_ERROR_REPEAT_SUBSCRIBE = 100033;                /* the stream has a subscription already */
static const int ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034;            /* older; now ACL_ERROR_RT_STREAM_NO_CB_REG */
static const int ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035;            /* older; now ACL_ERROR_RT_THREAD_SUBSCRIBE */
static const int ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036;           /* older; now ACL_ERROR_RT_REPORT_TIMEOUT */
static const int ACL_ERROR_REPEAT_FINALIZE = 100037;                 /* finalize was called again */
static const int ACL_ERROR_NOT_STATIC_AIPP = 100038;                 /* older; now ACL_ERROR_GE_AIPP_NOT_EXIST */
static const int ACL_ERROR_COMPILING_STUB_MODE = 100039;             /* linked with the compile-time stub library */
static const int ACL_ERROR_GROUP_NOT_SET = 100040;                   /* older; now ACL_ERROR_RT_GROUP_NOT_SET */
static const int ACL_ERROR_GROUP_NOT_CREATE = 100041;                /* older; now ACL_ERROR_RT_GROUP_NOT_CREATE */
static const int ACL_ERROR_PROF_ALREADY_RUN = 100042;                /* a profiling session is already active */
static const int ACL_ERROR_PROF_NOT_RUN = 100043;                    /* profiling was not initialised */
static const int ACL_ERROR_DUMP_ALREADY_RUN = 100044;                /* a dump session is already active */
static const int ACL_ERROR_DUMP_NOT_RUN = 100045;                    /* dump was not initialised */
static const int ACL_ERROR_PROF_REPEAT_SUBSCRIBE = 148046;           /* same model subscribed twice for profiling */
static const int ACL_ERROR_PROF_API_CONFLICT = 148047;               /* the two profiling API families were mixed */
static const int ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048;  /* bad operator-cache ageing setting */
static const int ACL_ERROR_INVALID_OPP_PATH = 148049;                /* operator package path missing or wrong */
static const int ACL_ERROR_OP_UNSUPPORTED_DYNAMIC = 148050;          /* operator cannot take a dynamic shape */
static const int ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED = 148051;   /* a dependent resource still exists */
static const int ACL_ERROR_UNSUPPORTED_JPEG = 148052;                /* JPEG coding variant not handled */
static const int ACL_ERROR_INVALID_BUNDLE_MODEL_ID = 148053;         /* no loaded model bundle has this id */

/* Resources and features */
static const int ACL_ERROR_BAD_ALLOC = 200000;                /* allocation failed in the ACL layer */
static const int ACL_ERROR_API_NOT_SUPPORT = 200001;          /* this call is not available */
static const int ACL_ERROR_INVALID_DEVICE = 200002;           /* older; now ACL_ERROR_RT_INVALID_DEVICEID */
static const int ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003; /* address violates an alignment rule */
static const int ACL_ERROR_RESOURCE_NOT_MATCH = 200004;       /* objects do not belong together */
static const int ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005;  /* handle is dead, foreign or in use */
static const int ACL_ERROR_FEATURE_UNSUPPORTED = 200006;      /* feature is not available */
static const int ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007; /* profiling configuration not available */

/* Limits */
static const int ACL_ERROR_STORAGE_OVER_LIMIT = 300000; /* storage limit exceeded */

/* Internal failures */
static const int ACL_ERROR_INTERNAL_ERROR = 500000;    /* unclassified internal failure (also the catch-all) */
static const int ACL_ERROR_FAILURE = 500001;           /* internal failure in the ACL layer */
static const int ACL_ERROR_GE_FAILURE = 500002;        /* internal failure in the graph engine */
static const int ACL_ERROR_RT_FAILURE = 500003;        /* internal failure in the runtime */
static const int ACL_ERROR_DRV_FAILURE = 500004;       /* internal failure in the driver */
static const int ACL_ERROR_PROFILING_FAILURE = 500005; /* failure in the profiler */

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* ---- Elements of tensors ----------------------------------------------------------------------------------------- */

typedef enum {
    ACL_DT_UNDEFINED = -1,
    ACL_FLOAT = 0,
    ACL_FLOAT16 = 1,
    ACL_INT8 = 2,
    ACL_INT32 = 3,
    ACL_UINT8 = 4,
    ACL_INT16 = 6,
    ACL_UINT16 = 7,
    ACL_UINT32 = 8,
    ACL_INT64 = 9,
    ACL_UINT64 = 10,
    ACL_DOUBLE = 11,
    ACL_BOOL = 12,
    ACL_STRING = 13,
    ACL_COMPLEX64 = 16,
    ACL_COMPLEX128 = 17,
    ACL_BF16 = 27,
    ACL_INT4 = 29,
    ACL_UINT1 = 30,
    ACL_COMPLEX32 = 33,
    ACL_HIFLOAT8 = 34,
    ACL_FLOAT8_E5M2 = 35,
    ACL_FLOAT8_E4M3FN = 36,
    ACL_FLOAT8_E8M0 = 37,
    ACL_FLOAT6_E3M2 = 38,
    ACL_FLOAT6_E2M3 = 39,
    ACL_FLOAT4_E2M1 = 40,
    ACL_FLOAT4_E1M2 = 41
} aclDataType;

/* Order of a tensor's dimensions in memory. */
typedef enum {
    ACL_FORMAT_UNDEFINED = -1,
    ACL_FORMAT_NCHW = 0,
    ACL_FORMAT_NHWC = 1,
    ACL_FORMAT_ND = 2,
    ACL_FORMAT_NC1HWC0 = 3,
    ACL_FORMAT_FRACTAL_Z = 4,
    ACL_FORMAT_NC1HWC0_C04 = 12,
    ACL_FORMAT_HWCN = 16,
    ACL_FORMAT_NDHWC = 27,
    ACL_FORMAT_FRACTAL_NZ = 29,
    ACL_FORMAT_NCDHW = 30,
    ACL_FORMAT_NDC1HWC0 = 32,
    ACL_FRACTAL_Z_3D = 33,
    ACL_FORMAT_NC = 35,
    ACL_FORMAT_NCL = 47,
    ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
    ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
    ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
    ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
    ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

/*
 * Size of one element in bytes, e.g. 4 for ACL_FLOAT, 16 for ACL_COMPLEX128.
 * Returns 0 for ACL_DT_UNDEFINED, ACL_STRING, the types narrower than a byte (INT4, UINT1, FLOAT6_*, FLOAT4_*) and any
 * other value [P]. Needs no aclInit. Any thread. Since 0.1.0.
 */
ACL_FUNC_VISIBILITY size_t aclDataTypeSize(aclDataType dataType);

/*
 * Converts a half to a float. Exact for every input, subnormal, infinite and NaN included.
 * Needs no aclInit. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY float aclFloat16ToFloat(aclFloat16 value);

/*
 * Converts a float to the nearest half, ties to even; what is too large becomes infinite, a NaN stays a NaN.
 * Needs no aclInit. Any thread. Since 0.1.0. [P]
 */
ACL_FUNC_VISIBILITY aclFloat16 aclFloatToFloat16(float value);

/* ---- The chip ---------------------------------------------------------------------------------------------------- */

/*
 * Name of device 0's chip, e.g. "Ascend910B1"; which one is the product's (PACL_PRODUCT). Compare the whole name:
 * "Ascend910B" is another product family than "Ascend910B1". The string belongs to the library, is constant and lives
 * as long as the process; null if the product cannot be determined, then aclGetRecentErrMsg says why.
 * Works before aclInit and without a context. Any thread. Since 0.1.0. [C]
 */
ACL_FUNC_VISIBILITY const char *aclrtGetSocName(void);

/* ---- Data buffers ------------------------------------------------------------------------------------------------ */

/*
 * Makes a description of some bytes for calls that take one. The bytes stay the caller's, and nothing looks at them.
 * data: their address, host or device; may be null. size: their number.
 * Returns the description, which aclDestroyDataBuffer frees; null when memory is short.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);

/*
 * Frees a description; the bytes that it names stay.
 * ACL_ERROR_INVALID_PARAM (100000): `dataBuffer` is null or no data buffer.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer);

/*
 * Lets a description name other bytes. Not while another thread uses the description.
 * data: their address; may be null. size: their number.
 * ACL_ERROR_INVALID_PARAM (100000): `dataBuffer` is null or no data buffer.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size);

/*
 * Returns the address that a description names; null if `dataBuffer` is null or no data buffer.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer);

/*
 * As aclGetDataBufferSizeV2, cut to 32 bits.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_DEPRECATED ACL_FUNC_VISIBILITY uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer);

/*
 * Returns the number of bytes that a description names; 0 if `dataBuffer` is null or no data buffer.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer);

/* ---- Logging ----------------------------------------------------------------------------------------------------- */

typedef enum {
    ACL_DEBUG = 0,
    ACL_INFO = 1,
    ACL_WARNING = 2,
    ACL_ERROR = 3
} aclLogLevel;

/*
 * Writes a line of the program into the log, at most 1023 bytes, if the log takes its level (ASCEND_GLOBAL_LOG_LEVEL)
 * and is printed (ASCEND_SLOG_PRINT_TO_STDOUT). ACL_APP_LOG fills in the place.
 * logLevel: other values than those of aclLogLevel do nothing. func, file, line: the place; null for none. fmt and what
 *     follows: as for printf; null does nothing.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line,
                                   const char *fmt, ...);

#define ACL_APP_LOG(level, fmt, ...) aclAppLog(level, __FUNCTION__, __FILE__, __LINE__, fmt, ##__VA_ARGS__)

/* ---- Attributes of the software and the chip --------------------------------------------------------------------- */

/* Where the memory of a tensor is. */
typedef enum {
    ACL_MEMTYPE_DEVICE = 0,
    ACL_MEMTYPE_HOST = 1,
    ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2
} aclMemType;

typedef enum {
    ACL_OPT_DETERMINISTIC = 0,
    ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
    ACL_OPT_STRONG_CONSISTENCY ACL_DEPRECATED = 2,
    ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
} aclSysParamOpt;

typedef enum {
    ACL_CANN_ATTR_UNDEFINED = -1,
    ACL_CANN_ATTR_INF_NAN = 0,
    ACL_CANN_ATTR_BF16 = 1,
    ACL_CANN_ATTR_JIT_COMPILE = 2
} aclCannAttr;

typedef enum {
    ACL_DEVICE_INFO_UNDEFINED = -1,
    ACL_DEVICE_INFO_AI_CORE_NUM = 0,
    ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
    ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;

/*
 * Tells which attributes aclGetCannAttribute knows.
 * cannAttrList: receives the address of constant storage. num: receives their number.
 * ACL_ERROR_INVALID_PARAM (100000): an argument is null.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num);

/*
 * Tells whether chip and software have an attribute.
 * cannAttr: ACL_CANN_ATTR_INF_NAN and ACL_CANN_ATTR_BF16: 1 on Atlas 350, A3 and A2, else 0.
 *     ACL_CANN_ATTR_JIT_COMPILE: 0, PACL compiles nothing.
 * value: receives 1 or 0.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null, or `cannAttr` is another value.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value);

/*
 * Tells the number of AI cores or vector cores of a device; 0 where the product's is not known.
 * value: receives the number.
 * ACL_ERROR_INVALID_PARAM (100000): `value` is null, or `deviceInfo` is not one of these two.
 * ACL_ERROR_RT_INVALID_DEVICEID (107001): no such device.
 * Any thread. Since 0.1.0. [D][P]
 */
ACL_FUNC_VISIBILITY aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value);

#ifdef __cplusplus
}
#endif

#endif
