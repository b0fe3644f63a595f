/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of a comparison: a row per format. */
#ifndef GRT_DIFF_SINK_H
#define GRT_DIFF_SINK_H

#include "diff.h"
#include "job_sink.h"
#include "sheet.h"

struct grt_diff_out {
	const struct grt_diff *diff;
	const struct grt_job_out *side[GRT_NR_SIDES];	/* the first has where to and how */
	bool is_both_ways;	/* what is better is a change, too */
	bool has_all_rows;	/* in text: not only what changed */
};

struct grt_diff_sink {
	const char *name;
	void (*print)(const struct grt_diff_out *o);
};

/* NULL with a cause when there is no such format. */
const struct grt_diff_sink *grt_diff_sink_find(const char *name);

/* What the whole comes to. */
enum grt_change grt_diff_verdict(const struct grt_diff_out *o);

/* "ring", "engine", "process" or "all". */
const char *grt_diff_scope(const struct grt_diff *d);

/* "p50", "p99.9" into @buf, 8 bytes. */
const char *grt_diff_stat(char *buf, unsigned int permille);

/*
 * Quantiles, means and largest; where the time of rings went, as far as it changed by
 * @least of it; what only one side has.
 */
void grt_sheet_diff(struct grt_sheet *s, const struct grt_diff *d);
void grt_sheet_diff_idle(struct grt_sheet *s, const struct grt_diff *d, double least);
void grt_sheet_diff_only(struct grt_sheet *s, const struct grt_diff *d);

/* diff_text.c */
void grt_diff_text(const struct grt_diff_out *o);

#endif /* GRT_DIFF_SINK_H */
