/* SPDX-License-Identifier: LGPL-2.1 */
/* What the text outputs of jobs have in common. */
#ifndef GRT_JOB_WORDS_H
#define GRT_JOB_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "job_sink.h"

#define GRT_WORD_MAX	64	/* bytes for each of these; all return @buf or a constant */

/* "game[4121]", "kernel" or "-". */
const char *grt_word_process(char *buf, const struct grt_names *names, uint32_t row);

/* The ring's name, with its device where two have the same; or "-". */
const char *grt_word_ring(char *buf, const struct grt_names *names, uint32_t row);

/* "3.1 ms" or "-". */
const char *grt_word_stage(char *buf, const struct grt_job_out *o, const struct grt_job *job,
			   enum grt_stage stage);

/* "ok", "EIO" or "-". */
const char *grt_word_status(char *buf, const struct grt_job *job);

/* "9%", "<1%", "0%"; "-" of nothing. */
const char *grt_word_share(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole);

/* "game[4121] gfx", for 2 * GRT_WORD_MAX bytes. */
#define GRT_PARTY_MAX	(2 * GRT_WORD_MAX)
const char *grt_word_party(char *buf, const struct grt_model *m, uint32_t party);

/*
 * "377:2051 (llama-srv[990], comp)", "the scheduler" and the like: what a charge or an
 * idle stretch blames, for GRT_CULPRIT_MAX bytes.
 */
#define GRT_CULPRIT_MAX	(GRT_PARTY_MAX + 64)
const char *grt_word_culprit(char *buf, const struct grt_model *m, const struct grt_charge *c);

/* The same of a charge that is all there was with a party: "llama-srv[990] on comp (377:2051 first)". */
const char *grt_word_culprits(char *buf, const struct grt_model *m, const struct grt_charge *c);

/* @part of @whole as a bar; empty where the terminal cannot show one. */
#define GRT_BAR_CELLS	12
#define GRT_BAR_MAX	(4 * (GRT_BAR_CELLS + 2))
const char *grt_bar(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole);

/* Events that are missing: lost, or left out because somebody asked for it. */
uint64_t grt_lost_events(const struct grt_model_totals *t);
uint64_t grt_left_out_events(const struct grt_model_totals *t);

/* The lines that stand above every summary and below every list of jobs. */
void grt_headline(const struct grt_job_out *o);

/* Says why there is nothing to show. */
void grt_say_no_jobs(const struct grt_job_out *o);

static inline const char *grt_na(const struct grt_job_out *o)
{
	return o->na ? o->na : "-";
}

static inline const char *grt_bold(const struct grt_job_out *o)
{
	return o->has_colour ? "\033[1m" : "";
}

static inline const char *grt_plain(const struct grt_job_out *o)
{
	return o->has_colour ? "\033[0m" : "";
}

#endif /* GRT_JOB_WORDS_H */
