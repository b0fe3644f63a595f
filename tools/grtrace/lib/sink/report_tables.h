/* SPDX-License-Identifier: LGPL-2.1 */
/* The tables of a report, one function each, for all formats. */
#ifndef GRT_REPORT_TABLES_H
#define GRT_REPORT_TABLES_H

#include "job_sink.h"
#include "report_table.h"

struct grt_report_maker {
	uint32_t tables;	/* a bit per enum grt_table_choice that includes it */
	bool on_screen;		/* also in the JSON of the first screen */
	void (*make)(struct grt_report_table *s, const struct grt_job_out *o);
};

extern const struct grt_report_maker grt_report_makers[];
extern const size_t grt_nr_report_makers;

/* The time of rings, the reasons for idle time, and what jobs waited for. */
void grt_report_time(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_idle(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_blame(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_roots(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_worst(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_findings(struct grt_report_table *s, const struct grt_job_out *o);

/* report_owners.c */
void grt_report_owner_blame(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_owner_roots(struct grt_report_table *s, const struct grt_job_out *o);

/* report_steps.c */
void grt_report_steps(struct grt_report_table *s, const struct grt_job_out *o);

/* report_count.c */
void grt_report_latency(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_size(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_result(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_overhead(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_drops(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_rules(struct grt_report_table *s, const struct grt_job_out *o);
void grt_report_labels(struct grt_report_table *s, const struct grt_job_out *o);

/* Adds five cells: pid, comm, client, device, ring. */
void grt_report_client(struct grt_report_table *s, const struct grt_job_out *o, uint32_t client);

/* Adds the cells of a job, in the order of grt_columns[]. */
void grt_report_job(struct grt_report_table *s, const struct grt_view *view);

const char *grt_order_name(uint32_t order);

#endif /* GRT_REPORT_TABLES_H */
