/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the parts of grtrace monitor's statistics; monitor_stats.c prints all of them. */
#ifndef GRT_MONITOR_PRIVATE_H
#define GRT_MONITOR_PRIVATE_H

#include "monitor_sink.h"
#include "report_table.h"

#define GRT_STATS_ROWS	20	/* of a table in text, beside that of rings */
#define GRT_STATS_BARS	8	/* distributions of so many rings, processes or clients in text */

/* The statistics of one time. */
struct grt_stats {
	const struct grt_monitor_out *out;
	const struct grt_monitor *m;
	const struct grt_monitor_sums *sums;
	struct grt_json *json;	/* NULL: text */
	bool is_lap;
	uint64_t ns;		/* how long the time was */
};

static inline const struct grt_names *grt_stats_names(const struct grt_stats *s)
{
	return grt_model_names(s->m->model);
}

/* monitor_tables.c */

/* Returns how many of @count rows are shown, and sets *left_out to the number of the others. */
size_t grt_stats_shown(const struct grt_stats *s, size_t count, size_t most, unsigned int *left_out);
/* Prints a table with rows, and frees it. */
void grt_stats_print(const struct grt_stats *s, struct grt_report_table *t, unsigned int left_out);

#define GRT_HIST_CELLS	7	/* of grt_stats_put_hist() */
#define GRT_HIST_WORD	48

/* Columns of a distribution, which text shows if @is_in_text; @words gets their names, two of each. */
unsigned int grt_stats_name_hist(struct grt_report_column *to, char (*words)[GRT_HIST_WORD], const char *name,
				 const char *title, bool is_in_text);
void grt_stats_put_hist(struct grt_report_table *t, const struct grt_hist *h, bool is_bound);
/* "wait of gfx (SUBMIT to START)", its numbers, and bars. */
void grt_stats_bars(const struct grt_stats *s, const char *what, const char *whose, const char *text,
		    const struct grt_hist *h);

/* The parts: monitor_jobs.c, monitor_memory.c, monitor_displays.c. */
void grt_stats_jobs(const struct grt_stats *s);
void grt_stats_memory(const struct grt_stats *s);
void grt_stats_irqs(const struct grt_stats *s);
void grt_stats_displays(const struct grt_stats *s);

#endif /* GRT_MONITOR_PRIVATE_H */
