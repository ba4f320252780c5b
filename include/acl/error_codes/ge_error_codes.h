/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ge_error_codes.h: the codes of the graph engine. PACL has no graph engine and returns none of them; they are here for
 * programs that name them. They are objects, so C cannot use them as `case` labels.
 */
#ifndef PACL_ACL_ERROR_CODES_GE_ERROR_CODES_H
#define PACL_ACL_ERROR_CODES_GE_ERROR_CODES_H

#include <stdint.h>

#if defined(__GNUC__)
#define GE_FUNC_VISIBILITY __attribute__((visibility("default")))
#else
#define GE_FUNC_VISIBILITY
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif

/* Arguments and state */
static const uint32_t ACL_ERROR_GE_PARAM_INVALID = 145000;                /* graph engine rejected an argument */
static const uint32_t ACL_ERROR_GE_EXEC_NOT_INIT = 145001;                /* graph executor was not initialised */
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_PATH_INVALID = 145002;      /* model path is bad */
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_ID_INVALID = 145003;        /* graph executor knows no such model id */
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_DATA_SIZE_INVALID = 145006; /* model data size is bad */
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_ADDR_INVALID = 145007;      /* model memory address is bad */
static const uint32_t ACL_ERROR_GE_EXEC_MODEL_QUEUE_ID_INVALID = 145008;  /* model queue id is bad */
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_MODEL_REPEATED = 145009;     /* model is loaded already */
static const uint32_t ACL_ERROR_GE_DYNAMIC_INPUT_ADDR_INVALID = 145011;   /* dynamic input: bad address */
static const uint32_t ACL_ERROR_GE_DYNAMIC_INPUT_LENGTH_INVALID = 145012; /* dynamic input: bad length */
static const uint32_t ACL_ERROR_GE_DYNAMIC_BATCH_SIZE_INVALID = 145013;   /* dynamic batch size is bad */
static const uint32_t ACL_ERROR_GE_AIPP_BATCH_EMPTY = 145014;             /* AIPP batch holds nothing */
static const uint32_t ACL_ERROR_GE_AIPP_NOT_EXIST = 145015;               /* model has no AIPP configuration */
static const uint32_t ACL_ERROR_GE_AIPP_MODE_INVALID = 145016;            /* AIPP mode does not fit */
static const uint32_t ACL_ERROR_GE_OP_TASK_TYPE_INVALID = 145017;         /* operator task kind is bad */
static const uint32_t ACL_ERROR_GE_OP_KERNEL_TYPE_INVALID = 145018;       /* operator kernel kind is bad */
static const uint32_t ACL_ERROR_GE_PLGMGR_PATH_INVALID = 145019;          /* plug-in path is bad */
static const uint32_t ACL_ERROR_GE_FORMAT_INVALID = 145020;               /* tensor layout is bad */
static const uint32_t ACL_ERROR_GE_SHAPE_INVALID = 145021;                /* tensor shape is bad */
static const uint32_t ACL_ERROR_GE_DATATYPE_INVALID = 145022;             /* tensor data type is bad */

/* Resources */
static const uint32_t ACL_ERROR_GE_MEMORY_ALLOCATION = 245000;            /* out of memory */
static const uint32_t ACL_ERROR_GE_MEMORY_OPERATE_FAILED = 245001;        /* memory operation failed */
static const uint32_t ACL_ERROR_GE_DEVICE_MEMORY_OPERATE_FAILED = 245002; /* device memory operation failed */

/* Deployment and data */
static const uint32_t ACL_ERROR_GE_SUBHEALTHY = 345102;           /* deployment is degraded */
static const uint32_t ACL_ERROR_GE_USER_RAISE_EXCEPTION = 345103; /* user code raised an exception */
static const uint32_t ACL_ERROR_GE_DATA_NOT_ALIGNED = 345104;     /* input data do not line up */

/* Internal failures */
static const uint32_t ACL_ERROR_GE_INTERNAL_ERROR = 545000;                    /* unclassified */
static const uint32_t ACL_ERROR_GE_LOAD_MODEL = 545001;                        /* model could not be loaded */
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_MODEL_PARTITION_FAILED = 545002;  /* model section could not be loaded */
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_WEIGHT_PARTITION_FAILED = 545003; /* weight section could not be loaded */
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_TASK_PARTITION_FAILED = 545004;   /* task section could not be loaded */
static const uint32_t ACL_ERROR_GE_EXEC_LOAD_KERNEL_PARTITION_FAILED = 545005; /* kernel section could not be loaded */
static const uint32_t ACL_ERROR_GE_EXEC_RELEASE_MODEL_DATA = 545006;           /* releasing model data failed */
static const uint32_t ACL_ERROR_GE_COMMAND_HANDLE = 545007;                    /* graph engine command failed */
static const uint32_t ACL_ERROR_GE_GET_TENSOR_INFO = 545008;                   /* tensor information unreadable */
static const uint32_t ACL_ERROR_GE_UNLOAD_MODEL = 545009;                      /* unloading the model failed */
static const uint32_t ACL_ERROR_GE_MODEL_EXECUTE_TIMEOUT = 545601;             /* model execution ran out of time */
static const uint32_t ACL_ERROR_GE_REDEPLOYING = 545602;                       /* deployment is being redone */

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
