/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the text outputs of jobs. */
#ifndef GRT_JOB_WORDS_H
#define GRT_JOB_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "job_sink.h"

#define GRT_WORD_MAX	64	/* size of @buf below; each returns @buf or a constant */

/* "the snapshot was taken" or "the trace ends": what cuts the jobs in flight. */
const char *grt_word_end(const struct grt_job_out *o);

/* "game[4121]", "kernel" or "-". */
const char *grt_word_process(char *buf, const struct grt_names *names, uint32_t row);

/* The ring's name, or "-"; with its device if two rings have that name. */
const char *grt_word_ring(char *buf, const struct grt_names *names, uint32_t row);

/* "SUBMIT_3D", as the driver calls the command; NULL: not known. */
const char *grt_word_command(const struct grt_names *names, const struct grt_job *job);

/* "0000:0b:00.0", or "unnamed GPU", as in traces of old kernels. */
const char *grt_word_device(char *buf, const char *device);

/*
 * Who owns a cgroup, or its path: "default/train-0", "/system.slice/x.service"; "cgroup 77" if the path is
 * not known, "-" for NULL.  @room: of @buf; what does not fit is cut.
 */
const char *grt_word_cgroup(char *buf, size_t room, const struct grt_names *names, const struct grt_cgroup *c);

/* The owner of a cgroup, as of grt_cgroup_owner(); "-" if that is not known.  As above. */
const char *grt_word_owner(char *buf, size_t room, const struct grt_names *names, const struct grt_cgroup *c);

/* A time, marked if it is an upper bound. */
#define GRT_AT_MOST	"<="
#define GRT_AT_MOST_TEXT " " GRT_AT_MOST " at most: that the job was over may have been noticed later\n"
const char *grt_word_ns(char *buf, uint64_t ns, bool is_bound);
/* "3.1 ms" or "-". */
const char *grt_word_stage(char *buf, const struct grt_job_out *o, const struct grt_job *job,
			   enum grt_stage stage);

/* "ok", "EIO" or "-". */
const char *grt_word_status(char *buf, const struct grt_job *job);

/* "9%", "<1%", "0%"; "-" if @whole is 0. */
const char *grt_word_share(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole);

/*
 * How much of its time a ring was busy: "71.2%", or at least and at most, where that is not known of all of it:
 * "62.0..71.2%".  grt_use_span_ns() is not 0.
 */
const char *grt_word_busy(char *buf, const struct grt_ring_use *use);

/* "CRTC 1", or "CRTC 1 of 0000:0b:00.0"; @gpu: as pci_address, 0: there is one, or it is not known. */
const char *grt_word_crtc(char *buf, uint32_t crtc, uint32_t gpu);

/* "game[4121] gfx"; needs 2 * GRT_WORD_MAX bytes. */
#define GRT_CLIENT_MAX	(2 * GRT_WORD_MAX)
const char *grt_word_client(char *buf, const struct grt_model *m, uint32_t client);

/*
 * Who a charge or an idle time blames: "377:2051 (llama-srv[990], comp)", "the scheduler".  Needs
 * GRT_CULPRIT_MAX bytes.
 */
#define GRT_CULPRIT_MAX	(GRT_CLIENT_MAX + 64)
const char *grt_word_culprit(char *buf, const struct grt_model *m, const struct grt_charge *c);

/* The same if the charge may cover several jobs: "llama-srv[990] on comp (377:2051 first)". */
const char *grt_word_culprits(char *buf, const struct grt_model *m, const struct grt_charge *c);

/* @part of @whole as a bar; empty if the terminal cannot show bars. */
#define GRT_BAR_CELLS	12
#define GRT_BAR_MAX	(4 * (GRT_BAR_CELLS + 2))
const char *grt_bar(char *buf, const struct grt_job_out *o, uint64_t part, uint64_t whole);

/* Events that are missing: lost, or left out on request. */
uint64_t grt_lost_events(const struct grt_model_totals *t);
uint64_t grt_left_out_events(const struct grt_model_totals *t);

/* Why the beginning of the trace lacks events of some CPUs.  Needs GRT_LATE_MAX bytes. */
#define GRT_LATE_MAX	64
const char *grt_word_late(char *to, const struct grt_job_out *o);

/* Prints the lines above every summary and below every list of jobs. */
void grt_headline(const struct grt_job_out *o);

/* Says why there are no jobs to print. */
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
