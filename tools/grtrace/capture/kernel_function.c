// SPDX-License-Identifier: GPL-2.0
#include "kernel_function.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "distance.h"
#include "error.h"
#include "probe_spec.h"
#include "tracefs_place.h"

#define MOST_LETTERS	3	/* that differ in a name that was meant */
#define BLACKLIST	"/sys/kernel/debug/kprobes/blacklist"

/* What a search of the kernel's symbols found. */
struct found {
	bool has_function, has_module;
	char module[GRT_PROBE_NAME];	/* of the function; "": the kernel itself */
	char nearest[256], nearest_module[GRT_PROBE_NAME];
	size_t letters;			/* in which the nearest one differs */
};

static void look_at(const struct grt_probe_spec *s, const char *symbol, const char *module, struct found *f)
{
	size_t letters;

	f->has_module |= !strcmp(module, s->module);
	if (*s->module && strcmp(module, s->module))
		return;
	if (!strcmp(symbol, s->function)) {
		/* Without a module: the kernel's own function before that of a module. */
		if (!f->has_function)
			snprintf(f->module, sizeof(f->module), "%s", module);
		f->has_function = true;
		return;
	}
	letters = grt_distance(s->function, symbol);
	if (letters >= f->letters)
		return;
	f->letters = letters;
	snprintf(f->nearest, sizeof(f->nearest), "%s", symbol);
	snprintf(f->nearest_module, sizeof(f->nearest_module), "%s", module);
}

static int fail_unknown(const struct grt_probe_spec *s, const struct found *f)
{
	char hint[512];

	if (*s->module && !f->has_module) {
		snprintf(hint, sizeof(hint), "sudo modprobe %s", s->module);
		return grt_fail(EINVAL, hint, "the module '%s' is not loaded", s->module);
	}
	if (f->letters <= MOST_LETTERS)
		snprintf(hint, sizeof(hint), "%s%s%s    # the nearest name", f->nearest_module,
			 *f->nearest_module ? ":" : "", f->nearest);
	else
		snprintf(hint, sizeof(hint), "sudo grep -i %s /proc/kallsyms    # all names like it", s->function);
	return grt_fail(EINVAL, hint, "%s%s has no function '%s'", *s->module ? "the module " : "the kernel",
			s->module, s->function);
}

int grt_kernel_function_find(struct grt_probe_spec *s)
{
	struct found found = { .letters = MOST_LETTERS + 1 };
	char line[512], symbol[256], module[GRT_PROBE_NAME], type;
	FILE *f = fopen("/proc/kallsyms", "re");

	if (!f)
		return grt_fail_errno(NULL, "cannot read '/proc/kallsyms'");
	while (fgets(line, sizeof(line), f)) {
		*module = '\0';
		if (sscanf(line, "%*s %c %255s [%63[^]]]", &type, symbol, module) >= 2 && strchr("tTwW", type))
			look_at(s, symbol, module, &found);
	}
	fclose(f);
	if (!found.has_function)
		return fail_unknown(s, &found);
	snprintf(s->module, sizeof(s->module), "%s", found.module);
	return 0;
}

/* Whether a line of the file has that word; false without the file. */
static bool has_word(FILE *f, const char *format, const char *word)
{
	char line[512], name[256];
	bool has = false;

	while (f && !has && fgets(line, sizeof(line), f))
		has = sscanf(line, format, name) == 1 && !strcmp(name, word);
	if (f)
		fclose(f);
	return has;
}

const char *grt_kernel_function_refusal(const struct grt_tracefs_place *p, const char *function)
{
	int fd = grt_tracefs_open_file(p, "available_filter_functions", O_RDONLY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (has_word(fopen(BLACKLIST, "re"), "%*s %255s", function))
		return "probes themselves need this function";
	if (f && !has_word(f, "%255s", function))
		return "it is notrace, or has no place for a probe";
	return NULL;
}
