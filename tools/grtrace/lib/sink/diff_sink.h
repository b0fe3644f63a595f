/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of a comparison: a row per format. */
#ifndef GRT_DIFF_SINK_H
#define GRT_DIFF_SINK_H

#include "diff.h"
#include "job_sink.h"
#include "report_table.h"

struct grt_diff_out {
	const struct grt_diff *diff;
	const struct grt_job_out *how;	/* where and how to print */
	const struct grt_job_out *const *side[GRT_NR_SIDES];	/* runs, as many as in @diff */
	bool is_both_ways;	/* also report improvements */
	bool has_all_rows;	/* text: also rows that did not change */
};

struct grt_diff_sink {
	const char *name;
	void (*print)(const struct grt_diff_out *o);
};

/* NULL with a cause if there is no such format. */
const struct grt_diff_sink *grt_diff_sink_find(const char *name);

/* The verdict on the whole comparison. */
enum grt_change grt_diff_verdict(const struct grt_diff_out *o);

/* Writes "p50" or "p99.9" into @buf, 8 bytes. */
const char *grt_diff_stat(char *buf, unsigned int permille);

/*
 * Tables: quantiles, means and largest; jobs per second; what went wrong; the time of rings that
 * changed by at least @least; what only one side has.
 */
void grt_report_diff(struct grt_report_table *s, const struct grt_diff *d);
void grt_report_diff_trouble(struct grt_report_table *s, const struct grt_diff *d);
void grt_report_diff_idle(struct grt_report_table *s, const struct grt_diff *d, double least);
void grt_report_diff_only(struct grt_report_table *s, const struct grt_diff *d);

/* Jobs per second at this time from one job to the next. */
static inline double grt_diff_per_second(double ns)
{
	return ns > 0 ? 1e9 / ns : 0;
}

/* diff_text.c */
void grt_diff_text(const struct grt_diff_out *o);
void grt_diff_csv(const struct grt_diff_out *o);
void grt_diff_json(const struct grt_diff_out *o);

#endif /* GRT_DIFF_SINK_H */
