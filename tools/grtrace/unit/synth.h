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
	uint64_t *gseq;			/* counts the events of all CPUs; NULL = 0 in each */
	struct grtrace_fates fates;
};

void synth_begin(struct synth *s, uint16_t cpu);	/* STREAM_INFO, METADATA */
void synth_free(struct synth *s);

/* The @nth record of @type, from 0; aborts if there are fewer. */
void *synth_find(struct synth *s, uint16_t type, unsigned int nth);

/* Room for a record of @bytes with the header filled in; the rest is zero. */
void *synth_record(struct synth *s, uint16_t type, uint16_t bytes, uint64_t ns);

/* The same for an event: written, so it is counted. */
void *synth_event(struct synth *s, uint16_t type, uint64_t ns);

void synth_ring(struct synth *s, uint32_t ring, const char *name, uint64_t ns);
void synth_process(struct synth *s, uint32_t tgid, const char *comm, uint64_t ns);
void synth_policy(struct synth *s, const char *text, uint64_t ns);	/* "key=value" */
void synth_mark(struct synth *s, const char *text, uint64_t ns);

/* @count events that met @fate and left no record. */
void synth_lose(struct synth *s, enum grtrace_fate fate, uint64_t count);

void synth_subbuf(struct synth *s, uint64_t ns);
void synth_end(struct synth *s, uint64_t ns);

/* SUBMIT, COMMIT, END and COMPLETE of one job. */
void synth_job(struct synth *s, uint64_t ctx, uint64_t seqno, uint32_t ring, uint32_t tgid,
	       uint64_t ns);

/* Hands what @s holds to the writer, a sub-buffer at a time, and empties it.  0 or -errno. */
int synth_write(struct grt_writer *w, struct synth *s);

/* A stream of definitions, three sub-buffers with one job each, two losses and an end. */
void synth_example(struct synth *s, uint16_t cpu);

#endif /* GRT_SYNTH_H */
