/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces for tests, written as text.  One word per record:
 *
 *	S1.7@100	SUBMIT of job 1:7 at 100 ns; C COMMIT, B START (begin),
 *			E END, D COMPLETE (done), likewise
 *	E1.7@100=-5	with a status
 *	S1.7@100/3	on ring 3; 1 without, and /0 for a source that cannot tell
 *	S1.7@100#42	by process 42; 7 without
 *	E1.7@100!n	flags: n NO_HW, s SYNTHETIC, k KERNEL_JOB, u UPPER_BOUND,
 *			i INFERRED
 *	S1.7@100*2:3	takes 2 credits while 3 are in use; a COMMIT likewise, with its own
 *	W1.7@100>2.5	DEPENDENCY of job 1:7 on fence 2:5; flags: d DECLARED, p POPPED,
 *			b BLOCKED, l PIPELINED, o SIGNALED (over), f FOREIGN
 *	F2.5@100	FENCE_SIGNALED; F2.5@100=90: it was at 90
 *	R1@100=2	ERROR of ring 1: 1 TIMEOUT, 2 RESET, 3 RECOVERED
 *	L@100-200	LOSS of one event between these times, at the latter
 *	P42@100:game	process 42 is called game from then on
 *
 * Rings 1 and 2 are FIFO with hardware of their own, 3 is FIFO and shares that
 * of 1, 4 has firmware order, 5 is of a driver with queues of its own.
 */
#ifndef MODEL_SCRIPT_H
#define MODEL_SCRIPT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model.h"

union script_record {
	struct grtrace_hdr hdr;
	struct grtrace_job_key key;
	struct grtrace_submit submit;
	struct grtrace_commit commit;
	struct grtrace_start start;
	struct grtrace_end end;
	struct grtrace_complete complete;
	struct grtrace_dependency dependency;
	struct grtrace_fence_signaled fence_signaled;
	struct grtrace_error error;
	struct grtrace_loss loss;
	struct grtrace_process process;
	struct grtrace_ring ring;
};

static inline void script_ring(struct grt_model *m, uint32_t id, uint32_t hw_ring,
			       uint32_t engine, uint32_t order, const char *name,
			       const char *driver)
{
	struct grtrace_ring r = {
		.hdr = { .type = GRTRACE_RING, .size = sizeof(r) },
		.ring = id, .hw_ring = hw_ring, .engine = engine, .order = order,
		.credit_limit = 4, .device = "0000:0b:00.0",
	};

	memcpy(r.name, name, strlen(name));
	memcpy(r.driver, driver, strlen(driver));
	assert_int_equal(grt_model_feed(m, &r.hdr), 0);
}

static inline void script_rings(struct grt_model *m)
{
	script_ring(m, 1, 1, GRTRACE_ENGINE_GRAPHICS, GRTRACE_ORDER_FIFO, "gfx", "mock");
	script_ring(m, 2, 2, GRTRACE_ENGINE_COMPUTE, GRTRACE_ORDER_FIFO, "compute", "mock");
	script_ring(m, 3, 1, GRTRACE_ENGINE_GRAPHICS, GRTRACE_ORDER_FIFO, "gfx_low", "mock");
	script_ring(m, 4, 4, GRTRACE_ENGINE_COMPUTE, GRTRACE_ORDER_FIRMWARE, "fw", "mock");
	script_ring(m, 5, 5, GRTRACE_ENGINE_GRAPHICS, GRTRACE_ORDER_UNKNOWN, "rcs0", "i915");
}

static inline uint16_t script_flags(const char *p)
{
	static const char letters[] = "nskuidpblof";
	static const uint16_t bits[] = {
		GRTRACE_F_NO_HW, GRTRACE_F_SYNTHETIC, GRTRACE_F_KERNEL_JOB,
		GRTRACE_F_UPPER_BOUND, GRTRACE_F_INFERRED, GRTRACE_F_DECLARED, GRTRACE_F_POPPED,
		GRTRACE_F_BLOCKED, GRTRACE_F_PIPELINED, GRTRACE_F_SIGNALED, GRTRACE_F_FOREIGN,
	};
	uint16_t flags = 0;

	for (; *p && *p != ' '; p++) {
		const char *letter = strchr(letters, *p);

		assert_non_null(letter);
		flags |= bits[letter - letters];
	}
	return flags;
}

/* Options behind a job event, in any order. */
static inline void script_options(union script_record *r, char *p)
{
	uint32_t tgid = 7;
	int32_t status = 0;
	uint32_t credits = 0, in_use = 0;

	r->key.ring = 1;
	while (*p && *p != ' ') {
		switch (*p++) {
		case '/':
			r->key.ring = strtoul(p, &p, 10);
			break;
		case '#':
			tgid = strtoul(p, &p, 10);
			break;
		case '=':
			status = strtol(p, &p, 10);
			break;
		case '*':
			credits = strtoul(p, &p, 10);
			break;
		case ':':
			in_use = strtoul(p, &p, 10);
			break;
		case '!':
			r->hdr.flags = script_flags(p);
			p += strcspn(p, " ");
			break;
		default:
			fail_msg("bad option at '%s'", p - 1);
		}
	}
	if (r->hdr.type == GRTRACE_SUBMIT) {
		r->submit.tgid = tgid;
		r->submit.tid = tgid + 1;
		r->submit.credits = credits;
		r->submit.hw_credits = in_use;
	} else if (r->hdr.type == GRTRACE_COMMIT) {
		r->commit.credits = credits;
		r->commit.hw_credits = in_use;
	} else if (r->hdr.type == GRTRACE_END) {
		r->end.status = status;
	} else if (r->hdr.type == GRTRACE_COMPLETE) {
		r->complete.status = status;
	}
}

static inline void script_job_event(union script_record *r, char *p)
{
	static const struct {
		char letter;
		uint16_t type, bytes;
	} types[] = {
		{ 'S', GRTRACE_SUBMIT, GRTRACE_SUBMIT_BYTES },
		{ 'C', GRTRACE_COMMIT, sizeof(struct grtrace_commit) },
		{ 'B', GRTRACE_START, sizeof(struct grtrace_start) },
		{ 'E', GRTRACE_END, sizeof(struct grtrace_end) },
		{ 'D', GRTRACE_COMPLETE, sizeof(struct grtrace_complete) },
	};
	size_t i = 0;

	while (types[i].letter != *p)
		assert_true(++i < sizeof(types) / sizeof(types[0]));
	r->hdr.type = types[i].type;
	r->hdr.size = types[i].bytes;
	r->key.ctx = strtoull(p + 1, &p, 10);
	assert_int_equal(*p, '.');
	r->key.seqno = strtoull(p + 1, &p, 10);
	assert_int_equal(*p, '@');
	r->hdr.ts = strtoull(p + 1, &p, 10);
	script_options(r, p);
}

/* W1.7@100>2.5!db */
static inline void script_dependency(union script_record *r, char *p)
{
	r->hdr.type = GRTRACE_DEPENDENCY;
	r->hdr.size = sizeof(r->dependency);
	r->dependency.ctx = strtoull(p + 1, &p, 10);
	r->dependency.seqno = strtoull(p + 1, &p, 10);
	r->hdr.ts = strtoull(p + 1, &p, 10);
	assert_int_equal(*p, '>');
	r->dependency.dep_ctx = strtoull(p + 1, &p, 10);
	r->dependency.dep_seqno = strtoull(p + 1, &p, 10);
	if (*p == '!')
		r->hdr.flags = script_flags(p + 1);
}

static inline void script_signaled(union script_record *r, char *p)
{
	r->hdr.type = GRTRACE_FENCE_SIGNALED;
	r->hdr.size = sizeof(r->fence_signaled);
	r->fence_signaled.ctx = strtoull(p + 1, &p, 10);
	r->fence_signaled.seqno = strtoull(p + 1, &p, 10);
	r->hdr.ts = strtoull(p + 1, &p, 10);
	if (*p == '=')
		r->fence_signaled.signaled_ns = strtoull(p + 1, &p, 10);
}

static inline void script_error(union script_record *r, char *p)
{
	r->hdr.type = GRTRACE_ERROR;
	r->hdr.size = sizeof(r->error);
	r->error.ring = strtoul(p + 1, &p, 10);
	r->hdr.ts = strtoull(p + 1, &p, 10);
	assert_int_equal(*p, '=');
	r->error.code = strtoul(p + 1, &p, 10);
}

/* One word of the script as a record. */
static inline void script_record(union script_record *r, char *p)
{
	memset(r, 0, sizeof(*r));
	if (*p == 'L') {
		r->hdr.type = GRTRACE_LOSS;
		r->hdr.size = sizeof(r->loss);
		r->loss.reason = GRTRACE_FATE_BUFFER_FULL;
		r->loss.count = 1;
		r->loss.from_ns = strtoull(p + 2, &p, 10);
		r->loss.to_ns = r->hdr.ts = strtoull(p + 1, &p, 10);
	} else if (*p == 'P') {
		r->hdr.type = GRTRACE_PROCESS;
		r->hdr.size = sizeof(r->process);
		r->process.tgid = strtoul(p + 1, &p, 10);
		r->hdr.ts = strtoull(p + 1, &p, 10);
		assert_int_equal(*p, ':');
		memcpy(r->process.comm, p + 1, strcspn(p + 1, " "));
	} else if (*p == 'W') {
		script_dependency(r, p);
	} else if (*p == 'F') {
		script_signaled(r, p);
	} else if (*p == 'R') {
		script_error(r, p);
	} else {
		script_job_event(r, p);
	}
}

/* Feeds all words of @script, all times @later_ns later; does not finish the model. */
static inline void script_feed_later(struct grt_model *m, const char *script, uint64_t later_ns)
{
	char *copy = strdup(script), *save, *word;

	assert_non_null(copy);
	for (word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		union script_record r;

		script_record(&r, word);
		r.hdr.ts += later_ns;
		if (r.hdr.type == GRTRACE_LOSS) {
			r.loss.from_ns += later_ns;
			r.loss.to_ns += later_ns;
		}
		assert_int_equal(grt_model_feed(m, &r.hdr), 0);
	}
	free(copy);
}

static inline void script_feed(struct grt_model *m, const char *script)
{
	script_feed_later(m, script, 0);
}

#endif /* MODEL_SCRIPT_H */
