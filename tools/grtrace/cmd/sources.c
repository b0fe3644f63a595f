// SPDX-License-Identifier: GPL-2.0
#include "sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "print.h"
#include "record.h"

static const struct grt_record_source *const sources[] = {
	&grt_module_source,
	&grt_bpf_source,
	&grt_tracefs_source,
};

#define COUNT	(sizeof(sources) / sizeof(*sources))

_Static_assert(COUNT == GRT_NR_SOURCES, "a trial for each source");

/* Opens a source if it can do what was asked for. */
static int open_source(const struct grt_record_source *source, struct record *r)
{
	if (r->is_summary && !source->sums_up)
		return grt_fail(EOPNOTSUPP, "--source=bpf, or record and then: grtrace report",
				"it cannot sum up");
	if (r->events.count && !source->has_events)
		return grt_fail(EOPNOTSUPP, "--source=tracefs, or without --source",
				"it cannot record other events (-e)");
	if (r->probes.count && !source->has_events)
		return grt_fail(EOPNOTSUPP, "--source=tracefs, or without --source", "it has no --probe");
	if (r->stack_kinds && !source->has_stacks)
		return grt_fail(EOPNOTSUPP, "--source=bpf", "it records no call stacks");
	return source->open(r);
}

static void note_reason(struct grt_source_trial *to)
{
	snprintf(to->why, sizeof(to->why), "%s", grt_cause());
	snprintf(to->hint, sizeof(to->hint), "%s", grt_hint() ? grt_hint() : "");
}

static int print_reasons(const struct grt_source_trial *reasons)
{
	grt_print_error(NULL, "cannot record: no source works here");
	for (size_t i = 0; i < COUNT; i++)
		fprintf(stderr, "  %-8s %-34s%s%s\n", sources[i]->name, reasons[i].why,
			*reasons[i].hint ? "  hint: " : "", reasons[i].hint);
	return GRT_EXIT_SETUP;
}

static int choose_first(struct record *r)
{
	struct grt_source_trial reasons[COUNT];

	for (size_t i = 0; i < COUNT; i++) {
		if (!open_source(sources[i], r)) {
			r->source = sources[i];
			return 0;
		}
		note_reason(&reasons[i]);
	}
	return print_reasons(reasons);
}

int grt_source_choose(struct record *r, const char *name)
{
	char names[128] = "one of: auto";
	size_t at = strlen(names);
	struct grt_source_trial reason;
	int err;

	if (!name || !strcmp(name, "auto")) {
		if (!r->events.count && !r->probes.count)
			return choose_first(r);
		name = grt_tracefs_source.name;		/* the only one that can */
	}
	for (size_t i = 0; i < COUNT; i++) {
		if (strcmp(name, sources[i]->name))
			continue;
		r->source = sources[i];
		err = open_source(sources[i], r);
		if (!err)
			return 0;
		/* What was asked for is wrong, not the source. */
		if (err == -EINVAL)
			return grt_print_failure(err);
		note_reason(&reason);
		return grt_print_failure(grt_fail(-err, *reason.hint ? reason.hint : NULL,
						  "the source %s does not work here: %s", name,
						  reason.why));
	}
	for (size_t i = 0; i < COUNT; i++)
		at += snprintf(names + at, sizeof(names) - at, " %s", sources[i]->name);
	grt_fail(EINVAL, names, "there is no source '%s'", name);
	grt_print_error(grt_hint(), grt_cause());
	return GRT_EXIT_USAGE;
}

void grt_sources_try(struct grt_source_trial trials[GRT_NR_SOURCES])
{
	for (size_t i = 0; i < COUNT; i++) {
		struct record r = GRT_RECORD_INIT("");

		trials[i] = (struct grt_source_trial){ .name = sources[i]->name };
		trials[i].works = !open_source(sources[i], &r);
		if (!trials[i].works)
			note_reason(&trials[i]);
		sources[i]->release(&r);
	}
}
