// SPDX-License-Identifier: LGPL-2.1
#include "event_query.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "key_names.h"

static int fail_type(const char *word)
{
	char list[512];
	size_t at = 0;

	for (size_t i = 0; i < grt_nr_types && at < sizeof(list); i++)
		at += snprintf(list + at, sizeof(list) - at, "%s%s", i ? " " : "", grt_types[i].name);
	return grt_fail(EINVAL, list, "no type '%s'", word);
}

int grt_event_query_types(struct grt_event_query *q, const char *list)
{
	char word[64];

	_Static_assert(GRTRACE_NR_EVENTS + 16 <= 64, "a bit per type");
	do {
		size_t len = strcspn(list, ",");
		uint64_t types = 0;

		snprintf(word, sizeof(word), "%.*s", (int)(len < 60 ? len : 60), list);
		for (size_t i = 0; i < grt_nr_types; i++)
			if (!fnmatch(word, grt_types[i].name, FNM_CASEFOLD))
				types |= 1ull << i;
		if (!types)
			return fail_type(word);
		q->types |= types;
		list += len;
	} while (*list++ == ',');
	return 0;
}

int grt_event_query_cpus(struct grt_event_query *q, const char *list)
{
	q->has_cpus = true;
	return grt_parse_cpus(list, q->cpus);
}

bool grt_event_query_names(const struct grt_event_query *q, const struct grt_type *type)
{
	return q->types >> (type - grt_types) & 1;
}

static bool is_whose(const struct grt_event_query *q, const struct grt_event_view *view)
{
	if (q->ring && (!view->ring || !grt_ring_is(view->ring, q->ring, strlen(q->ring))))
		return false;
	if (q->pid && (!view->has_pid || view->pid != q->pid))
		return false;
	if (q->comm && (!view->process || strcmp(view->process->comm, q->comm)))
		return false;
	return !q->has_job || grt_event_is_of_job(view, q->ctx, q->seqno);
}

bool grt_event_query_wants(const struct grt_event_query *q, const struct grt_event_view *view)
{
	const struct grt_view filtered = { .event = view };

	if (q->types && !grt_event_query_names(q, view->type))
		return false;
	if (q->has_cpus && !grt_cpus_have(q->cpus, view->rec->cpu))
		return false;
	if (view->rec->type != GRTRACE_LOSS && !is_whose(q, view))
		return false;
	return !q->filter || grt_filter_matches(q->filter, &filtered);
}
