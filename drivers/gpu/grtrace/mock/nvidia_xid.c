// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_nvidia_xid: the trace event nvidia:nvidia_dev_xid, which older drivers of NVIDIA lack,
 * as grtrace_nvidia_mock does.  Writing "CODE TEXT" to its parameter xid fires it.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>

#define CREATE_TRACE_POINTS
#include "nvidia_xid_trace.h"

static int fire(const char *words, const struct kernel_param *kp)
{
	char text[128], *rest = text, *word;
	u32 code;

	if (strscpy(text, words, sizeof(text)) < 0)
		return -E2BIG;
	word = strsep(&rest, " ");
	if (!rest || kstrtouint(word, 0, &code))
		return -EINVAL;
	trace_nvidia_dev_xid("0000:01:00.0", code, strim(rest));
	return 0;
}

static const struct kernel_param_ops xid_ops = { .set = fire };
module_param_cb(xid, &xid_ops, NULL, 0200);
MODULE_PARM_DESC(xid, "an error of the GPU, CODE TEXT: written here, it is traced");

MODULE_DESCRIPTION("The trace event of NVIDIA's driver, for tests");
MODULE_LICENSE("GPL");
