/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grtrace_smoke: the shortest test of all of grtrace, with only the uapi headers and libc.
 *
 *	grtrace_smoke.c	the session: its input, and the results as TAP
 *	smoke_stream.c	the streams: the output
 */
#ifndef SMOKE_H
#define SMOKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <drm/grtrace_mock_drm.h>
#include <linux/grtrace.h>

#define EMIT_CTX	0x6772740000000000ull	/* no fence of the kernel has this context */
#define EMIT_RING	1000
#define EMIT_JOBS	100
#define REAL_JOBS	60
#define JOB_TYPES	5	/* of a job by hand: SUBMIT, COMMIT, START, END, COMPLETE */

/* The checks; the first fault of each is kept. */
enum smoke_check { CHECK_WALK, CHECK_HEAD, CHECK_RINGS, CHECK_ORDER, CHECK_CSEQ, CHECK_GSEQ,
		   CHECK_EMITTED, CHECK_REAL, CHECK_FATES, CHECKS };

struct smoke {
	/* input */
	struct drm_grtrace_mock_job_key real[REAL_JOBS];
	unsigned int real_cnt, cpus;
	uint32_t tgid;
	/* output */
	uint64_t events;	/* of all CPUs */
	uint8_t emitted[JOB_TYPES][EMIT_JOBS], ran[JOB_TYPES][REAL_JOBS];
	unsigned int marks;
	uint8_t *gseq;		/* which numbers were seen */
	uint64_t gseq_room;
	struct grtrace_fates fates;
	char wrong[CHECKS][160];
};

void smoke_wrong(struct smoke *s, enum smoke_check check, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Checks the stream of one CPU. */
void smoke_stream(struct smoke *s, unsigned int cpu, const uint8_t *bytes, size_t len);
/* Checks what is known only after all streams.  @seen and @written: from stats. */
void smoke_all(struct smoke *s, uint64_t seen, uint64_t written);

#endif /* SMOKE_H */
