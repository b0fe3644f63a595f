/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What became of the vertical blanks of each CRTC: how often it refreshes, which of them were not
 * seen, and which clients were told of a later one than they had asked for, or were told late.
 *
 * Nothing is counted twice or left out:
 *	seen + missing = last number - first number + 1
 *	asked = in time + missed + passed + not known
 *	told = prompt + late + not known
 * and what clients of a CRTC asked and were told sums up to that of the CRTC.
 */
#ifndef GRT_CRTCS_H
#define GRT_CRTCS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "hist.h"
#include "loss.h"
#include "meaning.h"
#include "vec.h"

#define GRT_CRTCS		16	/* events of more are counted as left out, and a warning says so */
#define GRT_CRTC_KEPT		65536	/* gaps and misses (a warning tells of more), and distances (more do not change their median much) */
#define GRT_CRTC_OPEN		256	/* questions and answers that something has still to come for */
#define GRT_CRTC_RECENT		64	/* vertical blanks whose time is remembered */
#define GRT_CRTC_CLIENTS	256	/* of more, all others share a row */
#define GRT_CRTC_LATE_NS	1000000	/* a client that is told so long after the blank is told late */

/* A vertical blank that was numbered and seen. */
struct grt_crtc_blank {
	uint64_t ns;		/* its begin */
	uint32_t frame;
};

/* What clients asked, and how they were told. */
struct grt_crtc_sums {
	uint64_t asked, in_time, missed, passed, asked_unknown;
	uint64_t told, prompt, late, told_unknown;
	struct grt_hist latency;	/* from the question until the answer; without @passed */
	struct grt_hist delivery;	/* from the blank until the answer; of all that are judged */
};

/* A client of a CRTC: an open file. */
struct grt_crtc_client {
	uint64_t client_id;	/* 0: not known, or several */
	uint32_t tgid;		/* 0: not known */
	bool is_others;		/* all clients that found no row */
	struct grt_crtc_sums sums;
};

/* An answer to a client, once it is known whether its blank was seen. */
struct grt_crtc_answer {
	uint64_t ns, client_id;
	uint32_t crtc, frame;
	bool has_asked, has_blank;
	uint64_t asked_ns, blank_ns;	/* how long before */
};

struct grt_crtc {
	uint32_t gpu, crtc;	/* @gpu: as pci_address, 0: not known */
	/*
	 * Several GPUs have a CRTC of this number, and their vertical blanks do not say which is theirs: all
	 * that depends on blanks is not known.
	 */
	bool is_mixed;
	uint64_t seen;
	uint64_t missing;	/* by their numbers they were between those that were seen */
	uint64_t missing_lost;	/* of these, so many were where events were lost */
	uint64_t restarts;	/* how often the numbers began anew */
	uint64_t refresh_ns;	/* the median of distances; 0: not known */
	bool is_exact;		/* the hardware stamped them */
	uint64_t late_ns;	/* the event of a blank came at most so long after its vblank_ns */

	struct grt_crtc_sums sums;	/* of all clients */
	struct grt_vec clients;		/* of struct grt_crtc_client */

	/* Private. */
	struct grt_crtc_blank recent[GRT_CRTC_RECENT];	/* by @blanks */
	uint64_t blanks;		/* as @seen, but of all laps */
	uint64_t last_ns;		/* time of the last record, not of the blank */
	bool was_exact, has_nameless;	/* the last blank was exact; a blank had no GPU */
	struct grt_vec near, exact;	/* uint64_t: distances, from the records or from the hardware */
	struct grt_vec gaps;		/* struct gap: see crtcs.c */
	struct grt_vec asks, misses, answers;	/* struct ask, struct ask, struct answer */
};

/* Zeroed memory is empty. */
struct grt_crtcs {
	/* Set by the caller: it is called with each answer; or NULL. */
	void (*answered)(void *arg, const struct grt_crtc_answer *answer);
	void *arg;

	struct grt_crtc at[GRT_CRTCS];
	unsigned int count;
	uint64_t left_out;		/* events of other CRTCs, for which there is no room */
	struct grt_losses losses;
	struct grt_blank_clock clock;
};

static inline size_t grt_crtc_clients(const struct grt_crtc *c)
{
	return grt_vec_count(&c->clients, struct grt_crtc_client);
}

static inline const struct grt_crtc_client *grt_crtc_client_at(const struct grt_crtc *c, size_t i)
{
	return grt_vec_at(&c->clients, struct grt_crtc_client, i);
}

/* Whether the event is of this CRTC; events and CRTCs need not name their GPU. */
static inline bool grt_is_of_crtc(const struct grtrace_vblank *rec, uint32_t crtc, uint32_t gpu)
{
	uint32_t own = grt_member(rec, pci_address);

	return rec->crtc == crtc && (!own || !gpu || own == gpu);
}

/* Whether the CRTCs are of several GPUs, so that their names need these. */
bool grt_crtcs_have_gpus(const struct grt_crtcs *c);

/* Takes STREAM_INFO, VBLANK and LOSS; others are none of its business.  0 or -errno. */
int grt_crtcs_record(struct grt_crtcs *c, const struct grtrace_hdr *rec);

/* After the last record: now all of struct grt_crtc is known.  0 or -errno. */
int grt_crtcs_close(struct grt_crtcs *c);

/*
 * For sums of intervals, instead of grt_crtcs_close() after each: the first one finishes the sums of an interval,
 * and the second one begins the next interval.  A question counts in the interval in which it is answered.
 * 0 or -errno.
 */
int grt_crtcs_end_lap(struct grt_crtcs *c);
void grt_crtcs_begin_lap(struct grt_crtcs *c);

void grt_crtcs_free(struct grt_crtcs *c);

#endif /* GRT_CRTCS_H */
