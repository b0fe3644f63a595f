/* SPDX-License-Identifier: GPL-2.0 */
/* Builds streams as a module would write them, for tests. */
#ifndef GRT_SYNTH_H
#define GRT_SYNTH_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

struct grt_writer;

#define SYNTH_SESSION	0x5e55101u
#define SYNTH_START	1000000000ull

/* One CPU's stream. */
struct synth {
	struct grt_vec bytes;
	uint16_t cpu;
	uint64_t session_id, cseq, subbufs, last_ns;
	uint64_t *gseq;			/* event counter of all CPUs; NULL: gseq is 0 */
	struct grtrace_fates fates;
};

void synth_begin(struct synth *s, uint16_t cpu);	/* STREAM_INFO, METADATA */
void synth_free(struct synth *s);

/* The @nth record of @type, from 0; aborts if there are fewer. */
void *synth_find(struct synth *s, uint16_t type, unsigned int nth);

/* Adds a record of @bytes with its header; the rest is zero. */
void *synth_record(struct synth *s, uint16_t type, uint16_t bytes, uint64_t ns);

/* The same for an event, which is counted as written. */
void *synth_event(struct synth *s, uint16_t type, uint64_t ns);
void *synth_whole_event(struct synth *s, uint16_t type, uint64_t ns);	/* with all members */

void synth_ring(struct synth *s, uint32_t ring, const char *name, uint64_t ns);
void synth_process(struct synth *s, uint32_t tgid, const char *comm, uint64_t ns);
void synth_policy(struct synth *s, const char *text, uint64_t ns);	/* "key=value" */
void synth_mark(struct synth *s, const char *text, uint64_t ns);	/* of process 100 */
void synth_mark_of(struct synth *s, uint32_t tgid, const char *text, uint64_t ns);
void synth_trace_event(struct synth *s, const char *text, uint64_t ns);

/* Counts @count events with fate @fate and without records. */
void synth_lose(struct synth *s, enum grtrace_fate fate, uint64_t count);

void synth_subbuf(struct synth *s, uint64_t ns);
void synth_end(struct synth *s, uint64_t ns);

/* Adds SUBMIT, COMMIT, END and COMPLETE of one job. */
void synth_job(struct synth *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t tgid,
	       uint64_t ns);

/* Writes the records of @s, a sub-buffer at a time, and empties @s.  0 or -errno. */
int synth_write(struct grt_writer *w, struct synth *s);

/* A stream of definitions, three sub-buffers with a job each, two losses and an end. */
void synth_example(struct synth *s, uint16_t cpu);

#endif /* GRT_SYNTH_H */
