// SPDX-License-Identifier: LGPL-2.1
#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

bool grt_late_is_told;

static _Thread_local char cause[1024];
static _Thread_local char hint_text[2048];
static _Thread_local const char *hint_given;
static _Thread_local bool lacks_memory;
static grt_warn_fn *warn_handler;

/* Copies the hint, because the caller may have built it on its stack. */
static void keep_hint(const char *hint)
{
	hint_given = NULL;
	if (!hint)
		return;
	snprintf(hint_text, sizeof(hint_text), "%s", hint);
	hint_given = hint_text;
}

int grt_fail(int err, const char *hint, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(cause, sizeof(cause), fmt, args);
	va_end(args);
	keep_hint(hint);
	return -err;
}

int grt_fail_errno(const char *hint, const char *fmt, ...)
{
	int err = errno;
	va_list args;
	size_t len;

	va_start(args, fmt);
	vsnprintf(cause, sizeof(cause), fmt, args);
	va_end(args);
	len = strlen(cause);
	snprintf(cause + len, sizeof(cause) - len, ": %s", strerror(err));
	keep_hint(hint);
	return -err;
}

int grt_fail_memory(void)
{
	lacks_memory = true;
	return grt_fail(ENOMEM, NULL, "out of memory");
}

bool grt_was_out_of_memory(void)
{
	return lacks_memory;
}

const char *grt_cause(void)
{
	return cause;
}

const char *grt_hint(void)
{
	return hint_given;
}

grt_warn_fn *grt_warn_to(grt_warn_fn *handler)
{
	grt_warn_fn *before = warn_handler;

	warn_handler = handler;
	return before;
}

void grt_warn(const char *hint, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	if (!warn_handler)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	warn_handler(hint, text);
}
