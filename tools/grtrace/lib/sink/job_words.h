/* SPDX-License-Identifier: LGPL-2.1 */
/* What the text outputs of jobs have in common. */
#ifndef GRT_JOB_WORDS_H
#define GRT_JOB_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "job_sink.h"

#define GRT_WORD_MAX	64	/* bytes for each of these; all return @buf */

/* "game[4121]", "kernel" or "-". */
const char *grt_word_process(char *buf, const struct grt_names *names, uint32_t row);

/* The ring's name or "-". */
const char *grt_word_ring(char *buf, const struct grt_names *names, uint32_t row);

/* "3.1 ms" or "-". */
const char *grt_word_stage(char *buf, const struct grt_job *job, enum grt_stage stage);

/* "ok", "EIO" or "-". */
const char *grt_word_status(char *buf, const struct grt_job *job);

/* The lines that stand above every summary and below every list of jobs. */
void grt_headline(const struct grt_job_out *o);

/* Says why there is nothing to show. */
void grt_say_no_jobs(const struct grt_job_out *o);

static inline const char *grt_bold(const struct grt_job_out *o)
{
	return o->has_colour ? "\033[1m" : "";
}

static inline const char *grt_plain(const struct grt_job_out *o)
{
	return o->has_colour ? "\033[0m" : "";
}

#endif /* GRT_JOB_WORDS_H */
