// SPDX-License-Identifier: LGPL-2.1
/*
 * Jobs as CSV, or as one JSON object with the report: rows and columns are those of
 * grtrace report --jobs.
 */
#include <errno.h>

#include "error.h"
#include "formats.h"

static int begin(struct grt_export *x)
{
	(void)x;
	return 0;
}

static int csv_job(struct grt_export *x, const struct grt_job *job)
{
	grt_job_csv.job(&x->out, job);
	return grt_export_check(x);
}

static int csv_end(struct grt_export *x)
{
	grt_job_csv.end(&x->out);
	return grt_export_check(x);
}

static int json_begin(struct grt_export *x)
{
	fputs("{\"jobs\": [\n", x->file);
	return grt_export_check(x);
}

static int json_job(struct grt_export *x, const struct grt_job *job)
{
	if (x->jobs > 1)
		fputs(", ", x->file);
	grt_job_json.job(&x->out, job);
	return grt_export_check(x);
}

static int json_end(struct grt_export *x)
{
	fputs("], \"report\": ", x->file);
	grt_job_json.summary(&x->out);
	fputs("}\n", x->file);
	return grt_export_check(x);
}

const struct grt_export_format grt_export_csv = {
	.name = "csv", .text = "a row per job, as of report --jobs",
	.begin = begin, .job = csv_job, .end = csv_end,
};

const struct grt_export_format grt_export_json = {
	.name = "json", .text = "one JSON object: all jobs, and the report",
	.needs = GRT_EXPORT_REPORT,
	.begin = json_begin, .job = json_job, .end = json_end,
};
