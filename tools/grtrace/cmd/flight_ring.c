// SPDX-License-Identifier: GPL-2.0
#include "flight_ring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"
#include "kept.h"
#include "output.h"
#include "vec.h"

#define PRUNE_BYTES	(1u << 20)	/* of definitions, at least */

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
	struct grt_kept kept;
	size_t prune_bytes;		/* prune them when they are larger */
	struct lane lane[];
};

struct grt_flight_ring *grt_flight_ring_create(unsigned int lanes, size_t bytes, uint32_t ring_rows)
{
	struct grt_flight_ring *ring = calloc(1, sizeof(*ring) + lanes * sizeof(ring->lane[0]));

	if (!ring)
		return NULL;
	ring->lanes = lanes;
	ring->half_bytes = bytes / 2;
	ring->prune_bytes = PRUNE_BYTES;
	ring->kept.ring_rows = ring_rows;
	return ring;
}

void grt_flight_ring_destroy(struct grt_flight_ring *ring)
{
	for (unsigned int i = 0; i < ring->lanes; i++) {
		grt_vec_free(&ring->lane[i].old.records);
		grt_vec_free(&ring->lane[i].young.records);
	}
	grt_kept_free(&ring->kept);
	free(ring);
}

const struct grtrace_stream_info *grt_flight_ring_info(const struct grt_flight_ring *ring)
{
	return ring->kept.stream.has_info ? &ring->kept.stream.info : NULL;
}

/* --- definitions --- */

/* Where to note what the field of an event names; NULL: it names nothing. */
static struct grt_map *place_of(struct grt_named *named, const struct grt_field *f)
{
	static const char *const tasks[] = { "tgid", "tid", "prev_tid", "next_tid" };

	for (size_t i = 0; i < sizeof(tasks) / sizeof(tasks[0]); i++)
		if (!strcmp(f->name, tasks[i]))
			return &named->tasks;
	return strcmp(f->name, "ring") ? NULL : &named->rings;
}

static int note_field(struct grt_named *named, const struct grtrace_hdr *hdr, const struct grt_field *f)
{
	struct grt_map *place = place_of(named, f);
	uint64_t *first_ns;
	size_t before;

	if (!place || f->offset + f->bytes > hdr->size)
		return 0;
	before = grt_map_count(place);
	first_ns = grt_map_put(place, grt_field_u64(f, hdr));
	if (!first_ns)
		return grt_fail_memory();
	if (grt_map_count(place) > before || hdr->ts < *first_ns)
		*first_ns = hdr->ts;
	return 0;
}

static int find_named(const struct grt_vec *records, struct grt_named *named)
{
	struct grt_cursor c = grt_cursor(records->data, records->bytes);
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (hdr = grt_take_record(&c))) {
		const struct grt_type *type = grt_type_by_number(hdr->type);

		for (int i = 0; !err && type && i < type->nr_fields; i++)
			err = note_field(named, hdr, &type->fields[i]);
	}
	return err;
}

/* Looks at all events, so it is done only when the definitions have doubled. */
static int prune(struct grt_flight_ring *ring, uint64_t now_ns)
{
	struct grt_named named = { 0 };
	int err = 0;

	for (unsigned int i = 0; !err && i < ring->lanes; i++) {
		err = find_named(&ring->lane[i].old.records, &named);
		if (!err)
			err = find_named(&ring->lane[i].young.records, &named);
	}
	if (!err)
		err = grt_kept_prune(&ring->kept, now_ns, &named);
	grt_map_free(&named.tasks);
	grt_map_free(&named.rings);
	ring->prune_bytes = PRUNE_BYTES + 2 * ring->kept.records.bytes;
	return err;
}

static int add_definitions(struct grt_flight_ring *ring, const struct grt_run *run)
{
	uint64_t now_ns = grt_snapshot_now(CLOCK_MONOTONIC);
	int err = grt_kept_add(&ring->kept, run, now_ns);

	return err || ring->kept.records.bytes <= ring->prune_bytes ? err : prune(ring, now_ns);
}

/* --- events --- */

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
	int err = save_records(o, 0, 0, ring->kept.records.data, ring->kept.records.bytes, &none);

	*part = none;
	if (!err)
		err = grt_output_definition(o, &why->hdr);
	for (unsigned int i = 0; !err && i < ring->lanes; i++)
		err = save_lane(o, i, &ring->lane[i], part);
	return err;
}
