// SPDX-License-Identifier: LGPL-2.1
#include "policies.h"

#include "quote.h"
#include "number.h"

#define MAX_SHOWN	8	/* in one line */

static const struct grt_policy_log *policies_of(const struct grt_job_out *o)
{
	return grt_model_policies(o->summary->model);
}

void grt_policy_line(const struct grt_job_out *o)
{
	const struct grt_policy_log *p = policies_of(o);
	uint64_t first_ns = grt_model_totals(o->summary->model)->first_ns;
	size_t count = grt_policy_log_count(p), shown = count > MAX_SHOWN ? MAX_SHOWN : count;
	char text[128], number[GRT_NUMBER_MAX];

	if (!count)
		return;
	fputs("policy: ", o->file);
	for (size_t i = 0; i < shown; i++) {
		const struct grt_policy *row = grt_policy_log_at(p, i);

		fprintf(o->file, "%s%s=", i ? ", " : "", grt_quote_text(text, sizeof(text), row->key));
		fputs(grt_quote_text(text, sizeof(text), row->value), o->file);
		if (!row->is_initial)
			fprintf(o->file, " from %s", grt_format_ns(number, row->since_ns > first_ns ?
						      row->since_ns - first_ns : 0));
	}
	if (count + p->more > shown)
		fprintf(o->file, ", and %s more %s",
			grt_format_count(number, count + p->more - shown),
			grt_plural(count + p->more - shown, "change", "changes"));
	putc('\n', o->file);
}

void grt_policies_json(struct grt_json *j, const struct grt_job_out *o)
{
	const struct grt_policy_log *p = policies_of(o);

	grt_json_open(j, "policies", '[');
	for (size_t i = 0; i < grt_policy_log_count(p); i++) {
		const struct grt_policy *row = grt_policy_log_at(p, i);

		grt_json_open(j, NULL, '{');
		grt_json_text(j, "key", row->key);
		grt_json_text(j, "value", row->value);
		if (row->is_initial)
			grt_json_null(j, "from_ns");
		else
			grt_json_u64(j, "from_ns", row->since_ns);
		grt_json_close(j, '}');
	}
	grt_json_close(j, ']');
	grt_json_u64(j, "more_policies", p->more);
}
