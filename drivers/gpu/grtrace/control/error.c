// SPDX-License-Identifier: GPL-2.0
/*
 * The file error: why the last refused write was refused.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/mutex.h>

#include "control.h"

/* The innermost lock: any writer may hold others. */
static DEFINE_MUTEX(error_lock);
static char last_error[256] = "no write was refused yet";

static __printf(2, 0) int refuse(int err, const char *fmt, va_list args)
{
	mutex_lock(&error_lock);
	vscnprintf(last_error, sizeof(last_error), fmt, args);
	mutex_unlock(&error_lock);
	return err;
}

int grtrace_ctl_error(const char *fmt, ...)
{
	va_list args;
	int err;

	va_start(args, fmt);
	err = refuse(-EINVAL, fmt, args);
	va_end(args);
	return err;
}
EXPORT_SYMBOL_GPL(grtrace_ctl_error);

int grt_ctl_fail(int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	err = refuse(err, fmt, args);
	va_end(args);
	return err;
}

int grt_error_show(struct seq_file *m)
{
	mutex_lock(&error_lock);
	seq_printf(m, "%s\n", last_error);
	mutex_unlock(&error_lock);
	return 0;
}
