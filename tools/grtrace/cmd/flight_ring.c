// SPDX-License-Identifier: GPL-2.0
#include "flight_ring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "defs.h"
#include "error.h"
#include "output.h"
#include "vec.h"

/* Records, and the account of all events before them. */
struct half {
	struct grt_vec records;
	struct grtrace_subbuf before;
};

struct lane {
	uint32_t cpu;
	bool has_account;		/* @now is valid */
	struct grtrace_subbuf now;	/* account of all events so far */
	struct half old, young;		/* when @young is full, @old is forgotten */
};

struct grt_flight_ring {
	unsigned int lanes;
	size_t half_bytes;
	struct grt_defs defs;
	struct grt_vec kept;		/* definitions */
	struct lane lane[];
};

struct grt_flight_ring *grt_flight_ring_create(unsigned int lanes, size_t bytes)
{
	struct grt_flight_ring *ring = calloc(1, sizeof(*ring) + lanes * sizeof(ring->lane[0]));

	if (!ring)
		return NULL;
	ring->lanes = lanes;
	ring->half_bytes = bytes / 2;
	return ring;
}

void grt_flight_ring_destroy(struct grt_flight_ring *ring)
{
	for (unsigned int i = 0; i < ring->lanes; i++) {
		grt_vec_free(&ring->lane[i].old.records);
		grt_vec_free(&ring->lane[i].young.records);
	}
	grt_defs_free(&ring->defs);
	grt_vec_free(&ring->kept);
	free(ring);
}

const struct grtrace_stream_info *grt_flight_ring_info(const struct grt_flight_ring *ring)
{
	return ring->defs.has_info ? &ring->defs.info : NULL;
}

static int add_definitions(struct grt_flight_ring *ring, const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *def;
	int err = 0;

	while (err >= 0 && (def = grt_take_record(&c))) {
		err = grt_defs_add(&ring->defs, def);
		if (err == 1 || (!err && def->type == GRTRACE_STREAM_INFO))
			err = grt_vec_append(&ring->kept, def, def->size) ? grt_fail_memory() : 0;
	}
	return err < 0 ? err : 0;
}

/* A job that was killed with its process, or cancelled, is no fault of the GPU: as in the module. */
static bool is_fault(int32_t status)
{
	return status && status != -ESRCH && status != -ECANCELED;
}

static bool is_trigger(const struct grtrace_hdr *hdr, struct grtrace_snapshot *why)
{
	const struct grtrace_complete *complete = (const void *)hdr;
	const struct grtrace_end *end = (const void *)hdr;
	const struct grtrace_error *error = (const void *)hdr;

	switch (hdr->type) {
	case GRTRACE_ERROR:
		if (error->code >= 32 || !(GRTRACE_TRIGGER_CODES & 1u << error->code))
			return false;
		why->trigger = GRTRACE_TRIGGER_ERROR;
		why->detail = error->code;
		return true;
	case GRTRACE_END:
		why->detail = end->status;
		break;
	case GRTRACE_COMPLETE:
		why->detail = complete->status;
		break;
	default:
		return false;
	}
	why->trigger = GRTRACE_TRIGGER_STATUS;
	return is_fault(why->detail);
}

/* The first one counts, and the lanes are not read in the order of time. */
static void look_for_trigger(const struct grtrace_hdr *hdr, struct grtrace_snapshot *why)
{
	const struct grtrace_job_key *key = (const void *)hdr;
	struct grtrace_snapshot found = {
		.hdr = { .type = GRTRACE_SNAPSHOT, .size = sizeof(found), .ts = hdr->ts },
	};

	if ((why->hdr.size && why->hdr.ts <= hdr->ts) || !is_trigger(hdr, &found))
		return;
	found.ctx = key->ctx;
	found.seqno = key->seqno;
	found.ring = key->ring;
	*why = found;
}

/* What is known at the end of the stream only, such as the last losses.  Each file gets an end of its own. */
static void count_end(struct lane *l, const struct grtrace_stream_end *end)
{
	l->now.fates = end->fates;
	if (end->hdr.ts > l->now.hdr.ts)
		l->now.hdr.ts = end->hdr.ts;
}

static void count(struct lane *l, const struct grtrace_hdr *hdr)
{
	if (hdr->type == GRTRACE_SUBBUF) {
		memcpy(&l->now, hdr, sizeof(l->now));
		l->now.hdr.size = sizeof(l->now);
		l->has_account = true;
	} else if (hdr->type < GRTRACE_STREAM_BASE) {
		l->now.hdr.ts = hdr->ts;
		l->now.hdr.cseq = hdr->cseq;
		l->now.fates.written++;
		l->now.fates.seen++;
	}
}

/* Makes room for another record, which begins the young half then. */
static void age(struct grt_flight_ring *ring, struct lane *l, size_t bytes)
{
	if (l->young.records.bytes + bytes <= ring->half_bytes)
		return;
	grt_vec_free(&l->old.records);
	l->old = l->young;
	l->young = (struct half){ .before = l->now };
}

int grt_flight_ring_add(struct grt_flight_ring *ring, unsigned int lane, uint32_t cpu,
			const struct grt_run *run, struct grtrace_snapshot *why)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	struct lane *l = &ring->lane[lane];
	const struct grtrace_hdr *hdr;

	l->cpu = cpu;
	if (run->is_defs)
		return add_definitions(ring, run);
	while ((hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_STREAM_END) {
			count_end(l, (const void *)hdr);
			continue;
		}
		age(ring, l, hdr->size);
		if (grt_vec_append(&l->young.records, hdr, hdr->size))
			return grt_fail_memory();
		count(l, hdr);
		look_for_trigger(hdr, why);
	}
	return 0;
}

/* --- saving --- */

static int save_records(struct grt_output *o, unsigned int nr, uint32_t cpu, const void *data,
			size_t bytes, struct grt_flight_part *part)
{
	struct grt_cursor c = grt_cursor(data, bytes);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run)) {
		if (run.events && (!part->events || run.first_ts < part->first_ns))
			part->first_ns = run.first_ts;
		if (run.events && run.last_ts > part->last_ns)
			part->last_ns = run.last_ts;
		part->events += run.events;
		err = grt_output_run(o, nr, cpu, &run);
	}
	return err;
}

static int save_lane(struct grt_output *o, unsigned int nr, struct lane *l,
		     struct grt_flight_part *part)
{
	const struct half *first = l->old.records.bytes ? &l->old : &l->young;
	const struct grtrace_stream_end end = {
		.hdr = {
			.type = GRTRACE_STREAM_END, .size = sizeof(end), .cpu = l->cpu,
			.ts = l->now.hdr.ts, .cseq = l->now.hdr.cseq,
		},
		.session_id = l->now.session_id, .last_cseq = l->now.hdr.cseq, .fates = l->now.fates,
	};
	struct grt_flight_part none = { 0 };
	int err = 0;

	if (!l->has_account)
		return 0;
	/* Before the first account of a stream there was nothing. */
	if (first->before.hdr.size)
		err = save_records(o, nr, l->cpu, &first->before, sizeof(first->before), &none);
	if (!err)
		err = save_records(o, nr, l->cpu, l->old.records.data, l->old.records.bytes, part);
	if (!err)
		err = save_records(o, nr, l->cpu, l->young.records.data, l->young.records.bytes, part);
	if (!err)
		err = save_records(o, nr, l->cpu, &end, sizeof(end), &none);
	grt_vec_free(&l->old.records);
	grt_vec_free(&l->young.records);
	l->old = l->young = (struct half){ .before = l->now };
	return err;
}

int grt_flight_ring_save(struct grt_flight_ring *ring, struct grt_output *o,
			 const struct grtrace_snapshot *why, struct grt_flight_part *part)
{
	struct grt_flight_part none = { 0 };
	int err = save_records(o, 0, 0, ring->kept.data, ring->kept.bytes, &none);

	*part = none;
	if (!err)
		err = grt_output_definition(o, &why->hdr);
	for (unsigned int i = 0; !err && i < ring->lanes; i++)
		err = save_lane(o, i, &ring->lane[i], part);
	return err;
}
