// SPDX-License-Identifier: GPL-2.0
/* What a report says once everything was read. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"
#include "error.h"
#include "print.h"
#include "report.h"

/* Rows for programs have no room for it. */
static void warn_of_losses(const struct report *r)
{
	const uint64_t *lost = grt_model_totals(r->model)->lost;
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += lost[i];
	if (sum)
		grt_warn(NULL, "%" PRIu64 " events are not in this trace; what that makes "
			 "unknown is empty", sum);
	else if (grt_model_totals(r->model)->uncounted)
		grt_warn(NULL, "events are not in this trace, how many is not known; what that "
			 "makes unknown is empty");
}

int report_check_ring(const struct report *r)
{
	const struct grt_names *names = grt_model_names(r->model);
	size_t rings = grt_vec_count(&names->rings, struct grt_ring);
	char list[512] = "";
	size_t at = 0;

	if (!r->wants.query.ring)
		return 0;
	for (uint32_t i = 0; i < rings; i++) {
		const struct grt_ring *ring = grt_names_ring_at(names, i);

		if (grt_query_is_ring(&r->wants.query, ring))
			return 0;
		if (at + sizeof(ring->name) + 16 < sizeof(list))
			at += snprintf(list + at, sizeof(list) - at, "%s%s (%u)",
				       at ? ", " : "its rings: ", ring->name, ring->id);
	}
	return grt_fail(EINVAL, *list ? list : NULL, "no ring '%s' in this trace",
			r->wants.query.ring);
}

static int print_why(struct report *r)
{
	int err = grt_why_finish(r->why);

	if (err == -ENOENT) {
		grt_print_failure(err);
		return GRT_EXIT_USAGE;
	}
	if (err)
		return grt_print_failure(err);
	r->sink->why(&r->out, r->why);
	return GRT_EXIT_OK;
}

int report_print(struct report *r)
{
	if (report_check_ring(r)) {
		grt_print_failure(-EINVAL);
		return GRT_EXIT_USAGE;
	}
	if (r->sink != &grt_job_text && (r->has_jobs || r->why || r->sink != &grt_job_json))
		warn_of_losses(r);
	if (r->why)
		return print_why(r);
	if (r->has_jobs)
		r->sink->end(&r->out);
	else
		r->sink->summary(&r->out);
	return GRT_EXIT_OK;
}
