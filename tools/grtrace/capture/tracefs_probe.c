// SPDX-License-Identifier: GPL-2.0
#include "tracefs_probe.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "types.h"

/* Of all 64-bit kernels up to now; used only where a kernel has no type information. */
static const struct {
	const char *member;
	int offset;
} usual[] = {
	{ "dma_fence.context", 32 },
	{ "dma_fence.seqno", 40 },
	{ "dma_fence.error", 60 },
};

static int offset_of(const struct grt_types *types, const char *member)
{
	for (size_t i = 0; !types->kernel && i < sizeof(usual) / sizeof(*usual); i++)
		if (!strcmp(usual[i].member, member))
			return usual[i].offset;
	return grt_types_offset(types, member);
}

/* "struct.member+struct.member-struct.member", @len bytes long. */
static bool sum_up(const struct grt_types *types, const char *text, size_t len, int *sum)
{
	const char *end = text + len;
	char member[128];
	int sign = 1, offset;

	for (*sum = 0; text < end; text += len) {
		if (*text == '+' || *text == '-')
			sign = *text++ == '-' ? -1 : 1;
		len = strcspn(text, "+-|}");
		snprintf(member, sizeof(member), "%.*s", (int)len, text);
		offset = offset_of(types, member);
		if (offset < 0)
			return false;
		*sum += sign * offset;
	}
	return true;
}

/* Puts what stands in braces, @text up to the closing one. */
static bool put_braces(const struct grt_types *types, const char *text, FILE *to)
{
	char name[128];
	int32_t value;
	int sum;
	size_t len;

	if (*text == '=') {
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text + 1, "}"), text + 1);
		if (grt_types_value(types, name, &value))
			return false;
		fprintf(to, "%d", value);
		return true;
	}
	for (;; text += len + 1) {
		len = strcspn(text, "|}");
		if (sum_up(types, text, len, &sum)) {
			fprintf(to, "%+d", sum);
			return true;
		}
		if (text[len] == '}')
			return false;
	}
}

/* Puts one argument, @len bytes long. */
static bool put_arg(const struct grt_types *types, const char *arg, size_t len, FILE *to)
{
	const char *end = arg + len;

	fputc(' ', to);
	for (; arg < end; arg++) {
		if (*arg != '{') {
			fputc(*arg, to);
			continue;
		}
		if (!put_braces(types, arg + 1, to))
			return false;
		arg += strcspn(arg, "}");
	}
	return true;
}

bool grt_tracefs_probe_args(const struct grt_types *types, const char *args, char *to, size_t room)
{
	bool is_first = true, has_arg;
	size_t at = 0, len;
	char text[256];
	FILE *f;

	for (*to = '\0'; *args; args += len + (args[len] == ' ')) {
		len = strcspn(args, " ");
		f = fmemopen(text, sizeof(text), "w");
		if (!f)
			return false;
		has_arg = put_arg(types, args, len, f);
		if (fclose(f) || (is_first && !has_arg))
			return false;
		is_first = false;
		if (!has_arg)
			continue;
		if (at + strlen(text) >= room)
			return false;
		at += snprintf(to + at, room - at, "%s", text);
	}
	return true;
}
