/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of the memory of GPUs: the same tables in each format. */
#ifndef GRT_MEMORY_SINK_H
#define GRT_MEMORY_SINK_H

#include "job_sink.h"
#include "memory.h"
#include "report_table.h"

/* Prints it as @sink prints jobs. */
void grt_memory_print(struct grt_job_out *o, const struct grt_memory *m, const struct grt_job_sink *sink);

/* memory_tables.c */
struct grt_memory_maker {
	void (*make)(struct grt_report_table *t, const struct grt_job_out *o, const struct grt_memory *m);
	bool in_text;
};

extern const struct grt_memory_maker grt_memory_makers[];
extern const size_t grt_nr_memory_makers;

/* "game[7]", or what stands for several processes.  Needs GRT_WORD_MAX bytes. */
const char *grt_word_memory_process(char *buf, const struct grt_memory *m, const struct grt_memory_process *p);

/* memory_text.c */
void grt_memory_text(struct grt_job_out *o, const struct grt_memory *m);

#endif /* GRT_MEMORY_SINK_H */
