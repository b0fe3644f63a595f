// SPDX-License-Identifier: GPL-2.0
#include "sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "print.h"
#include "record.h"

extern const struct grt_record_source grt_bpf_source, grt_tracefs_source;

static const struct grt_record_source *const sources[] = {
	&grt_module_source,
	&grt_bpf_source,
	&grt_tracefs_source,
};

#define COUNT	(sizeof(sources) / sizeof(*sources))

/* Why a source does not work here. */
struct reason {
	char why[160], hint[160];
};

static void note_reason(struct reason *to, const struct grt_record_source *source, int err)
{
	const char *why = grt_cause(), *hint = grt_hint();

	if (source == &grt_module_source && err == -ENOENT)
		why = "not loaded";
	if (source == &grt_module_source && (err == -EACCES || err == -EPERM)) {
		why = "only root may use its files";
		hint = "sudo grtrace record";
	}
	/* With Secure Boot, for example: then nobody may write to debugfs. */
	if (source == &grt_module_source && err == -EPERM && !geteuid()) {
		why = "the kernel is locked down";
		hint = "echo 1 > /sys/module/grtrace/parameters/enabled";
	}
	snprintf(to->why, sizeof(to->why), "%s", why);
	snprintf(to->hint, sizeof(to->hint), "%s", hint ? hint : "");
}

static int print_reasons(const struct reason *reasons)
{
	grt_print_error(NULL, "cannot record: no source works here");
	for (size_t i = 0; i < COUNT; i++)
		fprintf(stderr, "  %-8s %-34s%s%s\n", sources[i]->name, reasons[i].why,
			*reasons[i].hint ? "  hint: " : "", reasons[i].hint);
	return GRT_EXIT_SETUP;
}

static int choose_first(struct record *r)
{
	struct reason reasons[COUNT];
	int err;

	for (size_t i = 0; i < COUNT; i++) {
		err = sources[i]->open(r);
		if (!err) {
			r->source = sources[i];
			return 0;
		}
		note_reason(&reasons[i], sources[i], err);
	}
	return print_reasons(reasons);
}

int grt_source_choose(struct record *r, const char *name)
{
	struct reason reason;
	int err;

	if (!name || !strcmp(name, "auto"))
		return choose_first(r);
	for (size_t i = 0; i < COUNT; i++) {
		if (strcmp(name, sources[i]->name))
			continue;
		r->source = sources[i];
		err = sources[i]->open(r);
		if (!err)
			return 0;
		note_reason(&reason, sources[i], err);
		return grt_print_failure(grt_fail(-err, *reason.hint ? reason.hint : NULL,
						  "the source %s does not work here: %s", name,
						  reason.why));
	}
	grt_fail(EINVAL, "one of: auto module bpf tracefs", "there is no source '%s'", name);
	grt_print_error(grt_hint(), grt_cause());
	return GRT_EXIT_USAGE;
}
