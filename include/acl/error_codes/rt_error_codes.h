/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rt_error_codes.h: the codes of the runtime layer. 107xxx: the caller's arguments or state; 207xxx: resources and
 * features; 507xxx: internal failures and failures of work that had been queued. They are macros, so they can be
 * `case` labels.
 */
#ifndef PACL_ACL_ERROR_CODES_RT_ERROR_CODES_H
#define PACL_ACL_ERROR_CODES_RT_ERROR_CODES_H

#define ACL_RT_SUCCESS 0 /* success, as spelled in the runtime code list */

/* Arguments and state */
#define ACL_ERROR_RT_PARAM_INVALID 107000               /* an argument was rejected by the runtime */
#define ACL_ERROR_RT_INVALID_DEVICEID 107001            /* device id out of range */
#define ACL_ERROR_RT_CONTEXT_NULL 107002                /* calling thread has no current context */
#define ACL_ERROR_RT_STREAM_CONTEXT 107003              /* stream belongs to another context */
#define ACL_ERROR_RT_MODEL_CONTEXT 107004               /* model belongs to another context */
#define ACL_ERROR_RT_STREAM_MODEL 107005                /* stream is not bound to this model */
#define ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID 107006     /* event holds no usable time stamp */
#define ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL 107007    /* end time stamp lies before the start */
#define ACL_ERROR_RT_ADDR_UNALIGNED 107008              /* address violates an alignment rule (runtime) */
#define ACL_ERROR_RT_FILE_OPEN 107009                   /* opening a file failed */
#define ACL_ERROR_RT_FILE_WRITE 107010                  /* writing a file failed */
#define ACL_ERROR_RT_STREAM_SUBSCRIBE 107011            /* stream subscription missing or duplicated */
#define ACL_ERROR_RT_THREAD_SUBSCRIBE 107012            /* thread subscription missing or duplicated */
#define ACL_ERROR_RT_GROUP_NOT_SET 107013               /* no group selected */
#define ACL_ERROR_RT_GROUP_NOT_CREATE 107014            /* no group with this id */
#define ACL_ERROR_RT_STREAM_NO_CB_REG 107015            /* callback launched on a stream without a subscription */
#define ACL_ERROR_RT_INVALID_MEMORY_TYPE 107016         /* memory kind not acceptable */
#define ACL_ERROR_RT_INVALID_HANDLE 107017              /* handle not valid */
#define ACL_ERROR_RT_INVALID_MALLOC_TYPE 107018         /* memory was allocated with the wrong kind */
#define ACL_ERROR_RT_WAIT_TIMEOUT 107019                /* a wait ran out of time */
#define ACL_ERROR_RT_TASK_TIMEOUT 107020                /* a task ran out of time */
#define ACL_ERROR_RT_SYSPARAMOPT_NOT_SET 107021         /* system parameter was never set */
#define ACL_ERROR_RT_DEVICE_TASK_ABORT 107022           /* collides with a device-wide task abort in progress */
#define ACL_ERROR_RT_STREAM_ABORT 107023                /* stream is having its tasks cleared */
#define ACL_ERROR_RT_CAPTURE_DEPENDENCY 107024          /* capture: dependency between streams is not allowed */
#define ACL_ERROR_RT_STREAM_UNJOINED 107025             /* capture: forked stream was not joined back */
#define ACL_ERROR_RT_MODEL_CAPTURED 107026              /* capture: not allowed, the model comes from a capture */
#define ACL_ERROR_RT_STREAM_CAPTURED 107027             /* capture: stream is being captured, call not allowed */
#define ACL_ERROR_RT_EVENT_CAPTURED 107028              /* capture: event is part of a capture, call not allowed */
#define ACL_ERROR_RT_STREAM_NOT_CAPTURED 107029         /* capture: stream is not being captured */
#define ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT 107030    /* capture: call forbidden in the active capture mode */
#define ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT 107031     /* capture: implicit dependency on the default stream */
#define ACL_ERROR_STREAM_CAPTURE_CONFLICT 107032        /* capture: linked streams cannot start capturing together */
#define ACL_ERROR_STREAM_TASK_GROUP_STATUS 107033       /* capture: task group is in the wrong state */
#define ACL_ERROR_STREAM_TASK_GROUP_INTR 107034         /* capture: task group was interrupted */
#define ACL_ERROR_RT_TASK_ABORT_STOP 107035             /* device abort stopped before its last phase */
#define ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED 107036    /* capture: end called on a stream that did not begin it */
#define ACL_ERROR_RT_MODEL_RUNNING 107037               /* model instance is executing */
#define ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD 107038 /* capture: begun in one thread, ended in another */
#define ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY 107039    /* caller's array is too short */
#define ACL_ERROR_RT_MODEL_UPDATE_FAILED 107040         /* updating the model instance failed */
#define ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC 107041    /* capture: asynchronous call would have to block */
#define ACL_ERROR_RT_SYMBOL_NOT_FOUND 107042            /* symbol name not found in the binary */
#define ACL_ERROR_RT_INVALID_SYMBOL 107043              /* pointer is not a registered device symbol */
#define ACL_ERROR_RT_INVALID_DEVICE_FUNCTION 107044     /* pointer is not a registered device function */
#define ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING 107045   /* capture: a nested graph is still capturing */

/* Resources and features */
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT 207000           /* feature not available on this device */
#define ACL_ERROR_RT_MEMORY_ALLOCATION 207001             /* runtime is out of memory */
#define ACL_ERROR_RT_MEMORY_FREE 207002                   /* freeing memory failed */
#define ACL_ERROR_RT_AICORE_OVER_FLOW 207003              /* numeric overflow in a cube/AI core kernel */
#define ACL_ERROR_RT_NO_DEVICE 207004                     /* no device is usable */
#define ACL_ERROR_RT_RESOURCE_ALLOC_FAIL 207005           /* a runtime resource could not be allocated */
#define ACL_ERROR_RT_NO_PERMISSION 207006                 /* caller lacks permission */
#define ACL_ERROR_RT_NO_EVENT_RESOURCE 207007             /* out of events */
#define ACL_ERROR_RT_NO_STREAM_RESOURCE 207008            /* out of streams */
#define ACL_ERROR_RT_NO_NOTIFY_RESOURCE 207009            /* out of notifies */
#define ACL_ERROR_RT_NO_MODEL_RESOURCE 207010             /* out of model slots */
#define ACL_ERROR_RT_NO_CDQ_RESOURCE 207011               /* out of internal queue resources */
#define ACL_ERROR_RT_OVER_LIMIT 207012                    /* a count limit was exceeded */
#define ACL_ERROR_RT_QUEUE_EMPTY 207013                   /* queue has no element */
#define ACL_ERROR_RT_QUEUE_FULL 207014                    /* queue has no room */
#define ACL_ERROR_RT_REPEATED_INIT 207015                 /* queue subsystem initialised twice */
#define ACL_ERROR_RT_AIVEC_OVER_FLOW 207016               /* numeric overflow in a vector core kernel */
#define ACL_ERROR_RT_OVER_FLOW 207017                     /* numeric overflow, unit not specified */
#define ACL_ERROR_RT_DEVICE_OOM 207018                    /* device memory is exhausted */
#define ACL_ERROR_RT_FEATURE_NOT_SUPPORT_UPDATE_OP 207019 /* driver cannot update this operator */
#define ACL_ERROR_RT_TIMEOUT 207020                       /* driver operation ran out of time */
#define ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED 207021       /* interconnect kind not acceptable */

/* Internal failures, and failures of queued work */
#define ACL_ERROR_RT_INTERNAL_ERROR 507000                  /* internal failure in the host runtime */
#define ACL_ERROR_RT_TS_ERROR 507001                        /* internal failure in the task scheduler */
#define ACL_ERROR_RT_STREAM_TASK_FULL 507002                /* stream holds the maximum number of tasks */
#define ACL_ERROR_RT_STREAM_TASK_EMPTY 507003               /* stream holds no task */
#define ACL_ERROR_RT_STREAM_NOT_COMPLETE 507004             /* stream still has unfinished tasks */
#define ACL_ERROR_RT_END_OF_SEQUENCE 507005                 /* input sequence is finished */
#define ACL_ERROR_RT_EVENT_NOT_COMPLETE 507006              /* event has not fired yet */
#define ACL_ERROR_RT_CONTEXT_RELEASE_ERROR 507007           /* releasing a context failed */
#define ACL_ERROR_RT_SOC_VERSION 507008                     /* chip version could not be determined */
#define ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT 507009           /* task kind not handled */
#define ACL_ERROR_RT_LOST_HEARTBEAT 507010                  /* task scheduler stopped answering */
#define ACL_ERROR_RT_MODEL_EXECUTE 507011                   /* model execution failed */
#define ACL_ERROR_RT_REPORT_TIMEOUT 507012                  /* no report or callback arrived in time */
#define ACL_ERROR_RT_SYS_DMA 507013                         /* DMA engine fault */
#define ACL_ERROR_RT_AICORE_TIMEOUT 507014                  /* AI core kernel ran too long */
#define ACL_ERROR_RT_AICORE_EXCEPTION 507015                /* AI core kernel faulted */
#define ACL_ERROR_RT_AICORE_TRAP_EXCEPTION 507016           /* AI core kernel trapped */
#define ACL_ERROR_RT_AICPU_TIMEOUT 507017                   /* AI CPU kernel ran too long */
#define ACL_ERROR_RT_AICPU_EXCEPTION 507018                 /* AI CPU kernel faulted */
#define ACL_ERROR_RT_AICPU_DATADUMP_RSP_ERR 507019          /* bad answer from the AI CPU data dump */
#define ACL_ERROR_RT_AICPU_MODEL_RSP_ERR 507020             /* bad answer from the AI CPU model operation */
#define ACL_ERROR_RT_PROFILING_ERROR 507021                 /* profiling failed inside the runtime */
#define ACL_ERROR_RT_IPC_ERROR 507022                       /* inter-process communication failed */
#define ACL_ERROR_RT_MODEL_ABORT_NORMAL 507023              /* model was stopped on request */
#define ACL_ERROR_RT_KERNEL_UNREGISTERING 507024            /* kernel is being unregistered */
#define ACL_ERROR_RT_RINGBUFFER_NOT_INIT 507025             /* ring buffer not set up */
#define ACL_ERROR_RT_RINGBUFFER_NO_DATA 507026              /* ring buffer holds nothing */
#define ACL_ERROR_RT_KERNEL_LOOKUP 507027                   /* kernel look-up failed */
#define ACL_ERROR_RT_KERNEL_DUPLICATE 507028                /* kernel registered twice (runtime) */
#define ACL_ERROR_RT_DEBUG_REGISTER_FAIL 507029             /* debug registration failed */
#define ACL_ERROR_RT_DEBUG_UNREGISTER_FAIL 507030           /* debug unregistration failed */
#define ACL_ERROR_RT_LABEL_CONTEXT 507031                   /* label belongs to another context */
#define ACL_ERROR_RT_PROGRAM_USE_OUT 507032                 /* program slots are used up */
#define ACL_ERROR_RT_DEV_SETUP_ERROR 507033                 /* bringing the device up failed */
#define ACL_ERROR_RT_VECTOR_CORE_TIMEOUT 507034             /* vector core kernel ran too long */
#define ACL_ERROR_RT_VECTOR_CORE_EXCEPTION 507035           /* vector core kernel faulted */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION 507036      /* vector core kernel trapped */
#define ACL_ERROR_RT_CDQ_BATCH_ABNORMAL 507037              /* internal queue batch allocation went wrong */
#define ACL_ERROR_RT_DIE_MODE_CHANGE_ERROR 507038           /* die mode cannot be changed now */
#define ACL_ERROR_RT_DIE_SET_ERROR 507039                   /* die cannot be selected in single-die mode */
#define ACL_ERROR_RT_INVALID_DIEID 507040                   /* no die with this id */
#define ACL_ERROR_RT_DIE_MODE_NOT_SET 507041                /* die mode was never chosen */
#define ACL_ERROR_RT_AICORE_TRAP_READ_OVERFLOW 507042       /* AI core read past a bound */
#define ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW 507043      /* AI core wrote past a bound */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_READ_OVERFLOW 507044  /* vector core read past a bound */
#define ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW 507045 /* vector core wrote past a bound */
#define ACL_ERROR_RT_STREAM_SYNC_TIMEOUT 507046             /* stream synchronize ran out of time */
#define ACL_ERROR_RT_EVENT_SYNC_TIMEOUT 507047              /* event synchronize ran out of time */
#define ACL_ERROR_RT_FFTS_PLUS_TIMEOUT 507048               /* FFTS+ task ran too long */
#define ACL_ERROR_RT_FFTS_PLUS_EXCEPTION 507049             /* FFTS+ task faulted */
#define ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION 507050        /* FFTS+ task trapped */
#define ACL_ERROR_RT_SEND_MSG 507051                        /* host-device message could not be sent */
#define ACL_ERROR_RT_COPY_DATA 507052                       /* copying data failed */
#define ACL_ERROR_RT_DEVICE_MEM_ERROR 507053                /* device memory fault */
#define ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR 507054         /* uncorrectable ECC fault in device memory */
#define ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR 507055        /* probable device memory fault */
#define ACL_ERROR_RT_LINK_ERROR 507056                      /* interconnect fault */
#define ACL_ERROR_RT_SUSPECT_REMOTE_ERROR 507057            /* probable fault on the remote side */
#define ACL_ERROR_RT_DRV_INTERNAL_ERROR 507899              /* internal failure in the driver */
#define ACL_ERROR_RT_AICPU_INTERNAL_ERROR 507900            /* internal failure in the AI CPU */
#define ACL_ERROR_RT_SOCKET_CLOSE 507901                    /* host-device connection dropped */
#define ACL_ERROR_RT_AICPU_INFO_LOAD_RSP_ERR 507902         /* bad answer from the AI CPU info load */
#define ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED 507903      /* capture: an earlier error spoiled this capture */
#define ACL_ERROR_RT_COMM_OP_RETRY_FAIL 507904              /* collective operation failed even after retry */
#define ACL_ERROR_SNAPSHOT_LOCK_TIMEOUT 507905              /* snapshot: lock not obtained in time */
#define ACL_ERROR_SNAPSHOT_LOCK_FAILED 507906               /* snapshot: lock failed */
#define ACL_ERROR_SNAPSHOT_UNLOCK_FAILED 507907             /* snapshot: unlock failed */
#define ACL_ERROR_SNAPSHOT_BACKUP_FAILED 507908             /* snapshot: saving failed */
#define ACL_ERROR_SNAPSHOT_RESTORE_FAILED 507909            /* snapshot: restoring failed */
#define ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED 507910     /* host range is registered already */
#define ACL_ERROR_HOST_MEMORY_NOT_REGISTERED 507911         /* host range was never registered */
#define ACL_ERROR_SNAPSHOT_CALLBACK_FAILED 507912           /* snapshot: a user callback failed */
#define ACL_ERROR_SNAPSHOT_REGISTER_CALLBACK_FAILED 507913  /* snapshot: a user callback could not be registered */
#define ACL_ERROR_RT_L3_PORT_ERROR 507914                   /* L3 port fault */
#define ACL_ERROR_RT_CCU_TIMEOUT 507915                     /* CCU unit ran too long */
#define ACL_ERROR_RT_CCU_EXCEPTION 507916                   /* CCU unit faulted */

#endif
