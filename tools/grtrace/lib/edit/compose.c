// SPDX-License-Identifier: LGPL-2.1
#include "compose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "error.h"
#include "lossless.h"

#define DEFS_BYTES	(64u << 10)

struct grt_compose_cpu {
	uint32_t cpu;
	uint64_t cseq, index;
	uint64_t before;		/* cseq of the last event before this sub-buffer */
	struct grt_vec bytes;		/* of the sub-buffer; starts with room for its SUBBUF */
};

static struct grt_compose_cpu *state_at(const struct grt_compose *c, size_t cpu)
{
	return *grt_vec_at(&c->cpus, struct grt_compose_cpu *, cpu);
}

static struct grt_compose_cpu *state_of(struct grt_compose *c, uint16_t cpu)
{
	struct grt_compose_cpu *state = NULL;

	if (grt_vec_reach(&c->cpus, cpu, &state, sizeof(state)))
		return NULL;
	state = state_at(c, cpu);
	if (state)
		return state;
	state = calloc(1, sizeof(*state));
	if (!state)
		return NULL;
	state->cpu = cpu;
	*grt_vec_at(&c->cpus, struct grt_compose_cpu *, cpu) = state;
	return state;
}

/* Called when the sub-buffer is complete: fills in its SUBBUF. */
static void finish_subbuf(const struct grt_compose *c, struct grt_compose_cpu *state)
{
	struct grtrace_subbuf *sub = state->bytes.data;
	const struct grtrace_hdr *first = (void *)(sub + 1);

	*sub = grt_lossless_subbuf(state->cpu, first->ts, c->session_id, state->index++,
				   state->before);
}

/* Time of the last of the records from @at on. */
static uint64_t last_time(const struct grt_vec *bytes, size_t at)
{
	const struct grtrace_hdr *hdr = NULL;

	for (; at < bytes->bytes; at += hdr->size)
		hdr = (const void *)((const char *)bytes->data + at);
	return hdr->ts;
}

static int flush_defs(struct grt_compose *c)
{
	struct grt_run run = {
		.data = c->defs.data, .bytes = c->defs.bytes, .is_defs = true,
	};
	int err;

	if (!run.bytes)
		return 0;
	run.first_ts = ((const struct grtrace_hdr *)run.data)->ts;
	run.last_ts = last_time(&c->defs, 0);
	err = grt_writer_run(c->to->writer, 0, &run);
	c->defs.bytes = 0;
	return err;
}

static int flush(struct grt_compose *c, struct grt_compose_cpu *state)
{
	struct grt_cursor bytes;
	struct grt_run run;
	int err;

	if (!state->bytes.bytes)
		return 0;
	/* Definitions go in front of the events that need them. */
	err = flush_defs(c);
	if (err)
		return err;
	finish_subbuf(c, state);
	bytes = grt_cursor(state->bytes.data, state->bytes.bytes);
	if (!grt_next_run(&bytes, SIZE_MAX, &run))
		return grt_fail(EBADMSG, NULL, "a record of CPU %u cannot be written", state->cpu);
	err = grt_writer_run(c->to->writer, state->cpu, &run);
	state->bytes.bytes = 0;
	return err;
}

static int put_definition(struct grt_compose *c, const struct grtrace_hdr *rec,
			  struct grtrace_hdr **copy)
{
	int err = c->defs.bytes + rec->size > DEFS_BYTES ? flush_defs(c) : 0;

	if (!err)
		err = grt_vec_append(&c->defs, rec, rec->size);
	if (err)
		return err;
	*copy = (void *)((char *)c->defs.data + c->defs.bytes - rec->size);
	if (rec->type == GRTRACE_STATS)
		((struct grtrace_stats *)*copy)->session_id = c->session_id;
	return 0;
}

static int put_event(struct grt_compose *c, const struct grtrace_hdr *rec, uint16_t cpu,
		     struct grtrace_hdr **copy)
{
	struct grt_compose_cpu *state = state_of(c, cpu);
	int err = 0;

	if (!state)
		return grt_fail_memory();
	if (state->bytes.bytes + rec->size > GRT_COMPOSE_BYTES)
		err = flush(c, state);
	if (!err && !state->bytes.bytes) {
		state->before = state->cseq;
		if (!grt_vec_grow(&state->bytes, sizeof(struct grtrace_subbuf)))
			return grt_fail_memory();
	}
	if (!err)
		err = grt_vec_append(&state->bytes, rec, rec->size);
	if (err)
		return err;
	if (rec->type < GRTRACE_STREAM_BASE) {
		state->cseq++;
		c->events++;
	}
	*copy = (void *)((char *)state->bytes.data + state->bytes.bytes - rec->size);
	(*copy)->cpu = cpu;
	(*copy)->cseq = state->cseq;
	return 0;
}

int grt_compose_put(struct grt_compose *c, const struct grtrace_hdr *rec, uint16_t cpu,
		    struct grtrace_hdr **copy)
{
	return grt_is_definition(rec->type) ? put_definition(c, rec, copy) :
					      put_event(c, rec, cpu, copy);
}

int grt_compose_metadata(struct grt_compose *c, const struct grtrace_metadata *rec)
{
	const char *text = (const char *)(rec + 1);
	size_t more = strlen(c->line) + 1, old = strnlen(text, rec->hdr.size - sizeof(*rec));
	size_t size = (sizeof(*rec) + more + old + 7) / 8 * 8;
	struct grtrace_metadata *to;
	int err;

	if (size > UINT16_MAX / 8 * 8) {
		grt_warn(NULL, "METADATA is too long: its end is left out");
		size = UINT16_MAX / 8 * 8;
		old = size - sizeof(*rec) - more;
	}
	to = calloc(1, size);
	if (!to)
		return grt_fail_memory();
	*to = *rec;
	to->hdr.size = size;
	to->session_id = c->session_id;
	memcpy(to + 1, c->line, more - 1);
	((char *)(to + 1))[more - 1] = '\n';
	memcpy((char *)(to + 1) + more, text, old);
	err = grt_vec_append(&c->defs, to, size);
	free(to);
	c->has_metadata = true;
	return err;
}

/* Writes all data of a CPU except its last sub-buffer, which is never empty. */
static int end_cpu(struct grt_compose *c, struct grt_compose_cpu *state)
{
	struct grtrace_stream_end end =
		grt_lossless_end(state->cpu, last_time(&state->bytes, sizeof(struct grtrace_subbuf)),
				 c->session_id, state->cseq);

	return grt_vec_append(&state->bytes, &end, sizeof(end));
}

/*
 * Without an end, the stream of a CPU ends with an account: what may be missing is told by a LOSS of the
 * records, and no reader has to guess more.
 */
static int account_cpu(struct grt_compose *c, struct grt_compose_cpu *state)
{
	uint64_t ns = state->bytes.bytes ? last_time(&state->bytes, sizeof(struct grtrace_subbuf)) : 0;
	struct grtrace_subbuf last;
	struct grt_run run = { .data = &last, .bytes = sizeof(last), .first_ts = ns, .last_ts = ns };
	int err = flush(c, state);

	last = grt_lossless_subbuf(state->cpu, ns, c->session_id, state->index++, state->cseq);
	return err || !ns ? err : grt_writer_run(c->to->writer, state->cpu, &run);
}

int grt_compose_end(struct grt_compose *c, bool has_end)
{
	const struct grtrace_metadata none = {
		.hdr = { .type = GRTRACE_METADATA, .size = sizeof(none) },
	};
	int err = c->has_metadata ? 0 : grt_compose_metadata(c, &none);

	if (!err)
		err = flush_defs(c);
	for (size_t i = 0; !err && i < grt_vec_count(&c->cpus, struct grt_compose_cpu *); i++) {
		struct grt_compose_cpu *state = state_at(c, i);

		if (!state)
			continue;
		err = has_end ? end_cpu(c, state) : account_cpu(c, state);
		if (!err)
			err = flush(c, state);
	}
	return err;
}

void grt_compose_free(struct grt_compose *c)
{
	for (size_t i = 0; i < grt_vec_count(&c->cpus, struct grt_compose_cpu *); i++) {
		struct grt_compose_cpu *state = state_at(c, i);

		if (!state)
			continue;
		grt_vec_free(&state->bytes);
		free(state);
	}
	grt_vec_free(&c->cpus);
	grt_vec_free(&c->defs);
}
