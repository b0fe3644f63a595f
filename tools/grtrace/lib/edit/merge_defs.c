// SPDX-License-Identifier: LGPL-2.1
/* Merges the definitions: one STREAM_INFO, one METADATA, all rings and processes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "error.h"
#include "lines.h"
#include "merge_private.h"
#include "number.h"

/* A ring of the merged trace. */
struct merge_ring {
	struct grtrace_ring row;	/* as in its own trace */
	uint64_t boot;
	uint32_t number;		/* in the merged trace */
	int nr;				/* number of the trace that it came from */
};

static const struct grtrace_metadata *metadata_of(const struct merge_trace *t)
{
	struct grt_cursor c = grt_cursor(t->defs.data, t->defs.bytes);
	const struct grtrace_hdr *hdr;

	while ((hdr = grt_take_record(&c)))
		if (hdr->type == GRTRACE_METADATA)
			return (const void *)hdr;
	return NULL;
}

static size_t text_bytes(const struct grtrace_metadata *rec)
{
	return rec ? strnlen((const char *)(rec + 1), rec->hdr.size - sizeof(*rec)) : 0;
}

bool merge_metadata_value(const struct merge_trace *t, const char *key, char *value, size_t room)
{
	const struct grtrace_metadata *rec = metadata_of(t);

	return rec && grt_line_copy(value, room, (const char *)(rec + 1), text_bytes(rec), key);
}

/* Finds the same ring in another trace of the same boot. */
static const struct merge_ring *find_ring(const struct merge_job *j, const struct merge_trace *t,
					  const struct grtrace_ring *row)
{
	for (size_t i = 0; i < grt_vec_count(&j->rings, struct merge_ring); i++) {
		const struct merge_ring *r = grt_vec_at(&j->rings, struct merge_ring, i);

		if (r->boot == t->remap.first_boot && r->nr != t->nr && t->remap.boots == 1 &&
		    r->row.engine == row->engine && r->row.order == row->order &&
		    !memcmp(r->row.name, row->name, sizeof(row->name)) &&
		    !memcmp(r->row.device, row->device, sizeof(row->device)) &&
		    !memcmp(r->row.driver, row->driver, sizeof(row->driver)))
			return r;
	}
	return NULL;
}

/* Gives the ring a number in the merged trace; called before any record names it. */
static int number_ring(struct merge_job *j, struct merge_trace *t, const struct grtrace_ring *row)
{
	const struct merge_ring *same = find_ring(j, t, row);
	uint64_t *number = grt_map_put(&t->remap.rings, row->ring);
	struct merge_ring ring = { .row = *row, .boot = t->remap.first_boot, .nr = t->nr };

	if (!number)
		return grt_fail_memory();
	if (*number || !row->ring)
		return 0;
	*number = same ? same->number : ++j->last_ring;
	ring.number = *number;
	return same ? 0 : grt_vec_append(&j->rings, &ring, sizeof(ring));
}

/*
 * Two machines may both have a device "0000:0b:00.0": adds the name of the machine, or the number of the trace if
 * that is not known or has no room.
 */
static void name_device(const struct merge_job *j, struct merge_trace *t,
			struct grtrace_ring *ring)
{
	const char *host = t->in->host;
	char device[sizeof(ring->device) + 1] = "", name[sizeof(device) + 512];

	if (!strcmp(host, j->traces[0].in->host) && (*host || !t->remap.first_boot))
		return;
	memcpy(device, ring->device, sizeof(ring->device));
	if (!*host || strlen(host) + 1 + strlen(device) > sizeof(ring->device))
		snprintf(name, sizeof(name), "%d:%s", t->nr, device);
	else
		snprintf(name, sizeof(name), "%s:%s", host, device);
	if (strlen(name) > sizeof(ring->device) && !t->has_cut_device) {
		t->has_cut_device = true;
		grt_warn("report shows devices of one name as one", "'%s': the name of a device is cut: '%s'",
			 t->in->path, name);
	}
	memset(ring->device, 0, sizeof(ring->device));
	memcpy(ring->device, name, strnlen(name, sizeof(ring->device)));
}

int merge_ring(struct merge_job *j, struct merge_trace *t, const struct grtrace_ring *rec)
{
	struct grtrace_ring ring = *rec;
	struct grtrace_hdr *copy;
	int err = number_ring(j, t, rec);

	ring.hdr.size = sizeof(ring);
	if (!err)
		err = grt_remap_record(&t->remap, &ring.hdr);
	name_device(j, t, &ring);
	return err ? err : grt_compose_put(&j->compose, &ring.hdr, 0, &copy);
}

static int put_info(struct merge_job *j)
{
	struct grtrace_stream_info info = j->traces[0].info;
	uint32_t cpus = info.cpus;
	struct grtrace_hdr *copy;

	info.hdr.size = sizeof(info);
	info.hdr.ts = 0;
	for (int i = 0; i < j->m->count; i++) {
		const struct merge_trace *t = &j->traces[i];
		uint64_t begin = grt_remap_time(&t->remap, t->info.start_ns);

		info.features &= t->info.features;
		if (!i || begin < info.start_ns) {
			info.start_ns = begin;
			info.start_real_ns = t->info.start_real_ns;
		}
		if (t->remap.first_boot * 1024 + t->info.cpus > cpus)
			cpus = t->remap.first_boot * 1024 + t->info.cpus;
	}
	info.features &= ~(1ull << GRTRACE_FEATURE_GLOBAL_SEQ);
	info.cpus = cpus;
	info.subbuf_bytes = GRT_COMPOSE_BYTES;
	j->compose.session_id = info.session_id;
	return grt_compose_put(&j->compose, &info.hdr, 0, &copy);
}

#define MAX_TEXT	60000	/* a record is at most 64 KiB */

/* Lines of the first trace stay as they are; others get the number of their trace in front.  Counts those without room. */
static int add_lines(struct grt_vec *text, const struct merge_trace *t, uint64_t *left_out)
{
	const struct grtrace_metadata *rec = metadata_of(t);
	const char *line = (const char *)(rec + 1), *end = line + text_bytes(rec), *stop;
	char prefix[16];
	int err = 0;

	snprintf(prefix, sizeof(prefix), "%d:", t->nr);
	for (; rec && line < end && !err; line = stop + 1) {
		stop = memchr(line, '\n', end - line);
		if (!stop)
			stop = end;
		if (text->bytes + strlen(prefix) + (stop - line) + 1 > MAX_TEXT) {
			++*left_out;
			continue;
		}
		err = t->nr == 1 ? 0 : grt_vec_append(text, prefix, strlen(prefix));
		if (!err)
			err = grt_vec_append(text, line, stop - line);
		if (!err)
			err = grt_vec_append(text, "\n", 1);
	}
	return err;
}

/* Features per boot, because a job depends on what its own trace has. */
static int add_features(struct grt_vec *text, const struct merge_job *j)
{
	uint64_t features[GRT_MAX_BOOTS];
	char number[24], list[GRT_MAX_BOOTS * sizeof(number)];
	int err;

	memset(features, 0xff, sizeof(features));
	for (int i = 0; i < j->m->count; i++) {
		const struct merge_trace *t = &j->traces[i];
		bool has_list = merge_metadata_value(t, "merge_features", list, sizeof(list));
		const char *at = has_list ? list : "";

		for (uint64_t boot = 0; boot < t->remap.boots; boot++) {
			char *end = (char *)at;
			uint64_t own = strtoull(at, &end, 16);

			features[t->remap.first_boot + boot] &= end != at ? own : t->info.features;
			at = *end == ',' ? end + 1 : "";
		}
	}
	err = grt_vec_append(text, "merge_features", strlen("merge_features"));
	for (uint64_t boot = 0; boot < j->m->boots && !err; boot++) {
		int len = snprintf(number, sizeof(number), "%c%" PRIx64, boot ? ',' : '=',
				   features[boot]);

		err = grt_vec_append(text, number, len);
	}
	return err ? err : grt_vec_append(text, "\n", 1);
}

static int put_metadata(struct merge_job *j)
{
	struct grt_vec rec = { 0 };
	struct grtrace_metadata *meta;
	uint64_t left_out = 0;
	char boots[40];
	int err = 0;

	snprintf(boots, sizeof(boots), "merge_boots=%" PRIu64 "\n", j->m->boots);
	if (!grt_vec_grow(&rec, sizeof(*meta)) || grt_vec_append(&rec, boots, strlen(boots)) ||
	    add_features(&rec, j))
		err = grt_fail_memory();
	for (int i = 0; i < j->m->count && !err; i++)
		err = add_lines(&rec, &j->traces[i], &left_out);
	if (left_out)
		grt_warn("merge fewer traces", "%" PRIu64 " %s left out: a record of METADATA has no room for more", left_out,
			 grt_plural(left_out, "line is", "lines are"));
	if (!err)
		err = grt_vec_append(&rec, &(uint64_t){ 0 }, 8);
	if (!err) {
		meta = rec.data;
		*meta = (struct grtrace_metadata){ .hdr = { .type = GRTRACE_METADATA } };
		meta->hdr.size = rec.bytes / 8 * 8;
		err = grt_compose_metadata(&j->compose, meta);
	}
	grt_vec_free(&rec);
	return err;
}

static bool defines_machine(const struct merge_trace *t)
{
	struct grt_cursor c = grt_cursor(t->defs.data, t->defs.bytes);
	const struct grtrace_hdr *hdr;

	while ((hdr = grt_take_record(&c)))
		if (hdr->type == GRTRACE_MACHINE)
			return true;
	return false;
}

/* The merged file has one head, so a machine that only the head of its file names gets a definition. */
static int put_machine(struct merge_job *j, const struct merge_trace *t)
{
	struct {
		struct grtrace_machine rec;
		char text[(sizeof("host=") + sizeof(t->in->host) + 7) / 8 * 8];
	} machine = { .rec.hdr = { .type = GRTRACE_MACHINE, .size = sizeof(machine) } };
	struct grtrace_hdr *copy;
	int err = 0;

	if (!*t->in->host || defines_machine(t))
		return 0;
	snprintf(machine.text, sizeof(machine.text), "host=%s", t->in->host);
	for (uint64_t boot = 0; boot < t->remap.boots && !err; boot++) {
		machine.rec.boot = t->remap.first_boot + boot;
		err = grt_compose_put(&j->compose, &machine.rec.hdr, 0, &copy);
	}
	return err;
}

static int put_rest(struct merge_job *j, struct merge_trace *t)
{
	struct grt_cursor c = grt_cursor(t->defs.data, t->defs.bytes);
	const struct grtrace_hdr *hdr;
	struct grtrace_hdr *copy;
	int err = 0;

	while (!err && (hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_STREAM_INFO || hdr->type == GRTRACE_METADATA)
			continue;
		if (hdr->type == GRTRACE_RING) {
			err = merge_ring(j, t, (const void *)hdr);
			continue;
		}
		err = grt_compose_put(&j->compose, hdr, 0, &copy);
		if (!err)
			err = grt_remap_record(&t->remap, copy);
	}
	return err;
}

int merge_definitions(struct merge_job *j)
{
	int err = put_info(j);

	if (!err)
		err = put_metadata(j);
	/* First, because definitions of their own may say more, and the last one counts. */
	for (int i = 0; i < j->m->count && !err; i++)
		err = put_machine(j, &j->traces[i]);
	for (int i = 0; i < j->m->count && !err; i++) {
		struct merge_trace *t = &j->traces[i];
		struct grt_cursor c = grt_cursor(t->defs.data, t->defs.bytes);
		const struct grtrace_hdr *hdr;

		/*
		 * First number all rings, because a ring may name another one that shares its
		 * hardware and comes later.
		 */
		while (!err && (hdr = grt_take_record(&c)))
			if (hdr->type == GRTRACE_RING)
				err = number_ring(j, t, (const void *)hdr);
		if (!err)
			err = put_rest(j, t);
	}
	return err;
}
