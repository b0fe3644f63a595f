/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What each CPU counts.  Only the CPU itself writes, with interrupts off;
 * everybody else reads and sums.  Zeroed at every session start.
 */
#ifndef _GRTRACE_COUNTERS_H
#define _GRTRACE_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <uapi/linux/grtrace.h>

struct rchan_buf;

/* A power of two, so that a row of the matrix is a shift away. */
#define GRT_FATE_COLUMNS	16

struct grt_cpu {
	struct rchan_buf *buf;	/* NULL: no session runs */
	u64 last_ts;		/* ns; time never runs back in one file */
	u64 cseq;
	u64 bytes_written;
	u64 bytes_dropped;
	u64 subbufs;		/* sub-buffers begun */
	u64 overruns;		/* times that the buffer became full */
	char noted_comm[16];	/* whom SUBMIT named last, see processes.h */
	u32 noted_tgid;
	bool is_full;
	bool has_event_in_flight;	/* it asks for a new sub-buffer */
	struct grtrace_fates at_stop;	/* of STREAM_END; events after it are no part */
	u64 seen[GRTRACE_NR_EVENTS];
	u64 fate[GRTRACE_NR_EVENTS][GRT_FATE_COLUMNS];
};

extern struct grt_cpu __percpu *grt_cpus;

int grt_counters_create(void);
void grt_counters_destroy(void);
/* No session may be running. */
void grt_counters_reset(void);

/* One CPU's fates over all types.  Cheap enough for once per sub-buffer. */
void grt_counters_fates(const struct grt_cpu *c, struct grtrace_fates *fates);
/* All CPUs' fates, of all types or of the one @type. */
void grt_counters_total(struct grtrace_fates *fates);
void grt_counters_type(unsigned int type, struct grtrace_fates *fates);

/* Members of struct grtrace_fates by number, in the order of the enum. */
static inline u64 *grt_fates_slot(struct grtrace_fates *fates, enum grtrace_fate f)
{
	return &fates->written + f;
}

#endif
