/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nvidia:nvidia_dev_xid with the fields that it has in NVIDIA's driver
 * (kernel-open/nvidia/nv-tracepoint.h, from 575.51.02 on).
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM nvidia

#if !defined(_GRTRACE_NVIDIA_XID_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _GRTRACE_NVIDIA_XID_TRACE_H

#include <linux/string.h>
#include <linux/tracepoint.h>

TRACE_EVENT(nvidia_dev_xid,
	TP_PROTO(const char *dev, u32 error_code, const char *msg),
	TP_ARGS(dev, error_code, msg),
	/* as __string(), whose second half takes other arguments from kernel to kernel */
	TP_STRUCT__entry(
		__dynamic_array(char, dev, strlen(dev) + 1)
		__field(u32, error_code)
		__dynamic_array(char, msg, strlen(msg) + 1)
	),
	TP_fast_assign(
		memcpy(__get_dynamic_array(dev), dev, strlen(dev) + 1);
		__entry->error_code = error_code;
		memcpy(__get_dynamic_array(msg), msg, strlen(msg) + 1);
	),
	TP_printk("%s: Xid %u, %s", __get_str(dev), __entry->error_code, __get_str(msg))
);

#endif

/* Kbuild says where this file is. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE nvidia_xid_trace
#include <trace/define_trace.h>
