/* SPDX-License-Identifier: LGPL-2.1 */
/* The tables of a report as sheets: one maker each, behind all formats. */
#ifndef GRT_REPORT_SHEET_H
#define GRT_REPORT_SHEET_H

#include "job_sink.h"
#include "sheet.h"

struct grt_sheet_maker {
	uint32_t tables;	/* bit per enum grt_report_table that it belongs to */
	bool on_screen;		/* also a part of the JSON of the first screen */
	void (*make)(struct grt_sheet *s, const struct grt_job_out *o);
};

extern const struct grt_sheet_maker grt_sheet_makers[];
extern const size_t grt_nr_sheet_makers;

/* Where rings' time went, and who they were idle for; whom jobs waited for. */
void grt_sheet_time(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_idle(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_blame(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_worst(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_findings(struct grt_sheet *s, const struct grt_job_out *o);

/* report_count.c */
void grt_sheet_latency(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_size(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_result(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_overhead(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_drops(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_rules(struct grt_sheet *s, const struct grt_job_out *o);
void grt_sheet_labels(struct grt_sheet *s, const struct grt_job_out *o);

/* Five cells: pid, comm, client, device, ring. */
void grt_sheet_party(struct grt_sheet *s, const struct grt_job_out *o, uint32_t party);

/* Cells of a job, in the order of grt_columns[]. */
void grt_sheet_job(struct grt_sheet *s, const struct grt_view *view);

const char *grt_through_name(enum grt_through through);
const char *grt_order_name(uint32_t order);

#endif /* GRT_REPORT_SHEET_H */
