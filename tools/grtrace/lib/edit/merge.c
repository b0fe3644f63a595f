// SPDX-License-Identifier: LGPL-2.1
#include "merge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "error.h"
#include "merge_private.h"
#include "source.h"

static int step(struct merge_trace *t)
{
	int got = grt_stream_next(t->stream, &t->head);

	if (got < 0)
		return got;
	if (!got)
		t->head = NULL;
	else
		t->head_ns = grt_remap_time(&t->remap, t->head->ts);
	return 0;
}

static int open_trace(struct merge_job *j, int i)
{
	struct merge_trace *t = &j->traces[i];
	struct grt_input *in;
	int err;

	t->in = &j->m->inputs[i];
	t->nr = i + 1;
	t->remap.name = t->in->path;
	t->remap.last_ring = &j->last_ring;
	err = grt_source_open(&in, 1, &t->in->path, 0);
	if (!err)
		err = grt_stream_open(&t->stream, in);
	if (!err)
		err = step(t);
	while (!err && t->head && grt_is_definition(t->head->type)) {
		if (t->head->type == GRTRACE_STREAM_INFO)
			memcpy(&t->info, t->head, sizeof(t->info));
		err = grt_vec_append(&t->defs, t->head, t->head->size);
		if (!err)
			err = step(t);
	}
	if (!err)
		snprintf(t->in->host, sizeof(t->in->host), "%s", grt_stream_info(t->stream)->host);
	return err;
}

static int fail_overlap(const struct merge_job *j, int a, int b)
{
	return grt_fail(EBADMSG, "name each recording once",
			"'%s' and '%s' hold the same time of the same CPUs: events would be counted twice",
			j->m->inputs[a - 1].path, j->m->inputs[b - 1].path);
}

/* Two traces of one boot must not overlap in time on any CPU. */
static int check_overlap(struct merge_job *j, const struct merge_trace *t, uint16_t cpu_nr)
{
	const struct grtrace_hdr *ev = t->head;
	uint64_t hash = XXH64(ev + 1, ev->size - sizeof(*ev), 0);
	struct merge_cpu *cpu;

	if (grt_vec_reach(&j->cpus, cpu_nr, &(struct merge_cpu){ 0 }, sizeof(*cpu)))
		return grt_fail_memory();
	cpu = grt_vec_at(&j->cpus, struct merge_cpu, cpu_nr);
	if (cpu->nr && cpu->nr != t->nr) {
		cpu->over |= 1ull << cpu->nr;
		if (cpu->over >> t->nr & 1 ||
		    (cpu->last.ts == ev->ts && cpu->last.type == ev->type && cpu->last_hash == hash))
			return fail_overlap(j, cpu->nr, t->nr);
	}
	cpu->nr = t->nr;
	cpu->last = *ev;
	cpu->last_hash = hash;
	return 0;
}

/*
 * Whether @a and @b are files of one recording.  Two recordings may have been attached to the same
 * session: then neither of them knows what was lost in between.
 */
static bool is_one_recording(const struct merge_trace *a, const struct merge_trace *b)
{
	const struct grt_trace_info *info = grt_stream_info(b->stream);

	return grt_is_one_session(&a->info, &b->info) && !a->is_cut && !b->is_cut && (!info->is_file || info->goes_on);
}

static uint64_t start_of(const struct merge_trace *t)
{
	return grt_stream_info(t->stream)->start_ns;
}

/* Notes which traces are files of one record --rotate. */
static void find_files(struct merge_job *j)
{
	for (int i = 0; i < j->m->count; i++) {
		for (int k = 0; k < j->m->count; k++) {
			struct merge_trace *a = &j->traces[i], *b = &j->traces[k];

			if (!is_one_recording(a, b) || !grt_stream_info(a->stream)->is_complete ||
			    !grt_stream_info(b->stream)->goes_on || start_of(a) >= start_of(b))
				continue;
			a->has_behind = true;
			if (!b->before || start_of(b->before) < start_of(a))
				b->before = a;
		}
	}
}

/*
 * CPUs go on to the next file at different times, so a file may lack events at its beginning and at its end.
 * They are in the files next to it; put_missing() finds out if one of those is not there.
 */
static bool is_elsewhere(const struct merge_trace *t)
{
	const struct grtrace_loss *loss = (const struct grtrace_loss *)t->head;

	if (loss->hdr.type != GRTRACE_LOSS || loss->reason != GRTRACE_FATE_WRITTEN || loss->count)
		return false;
	return grt_stream_is_tail(t->stream, t->head) ? t->has_behind : t->before != NULL;
}

/*
 * Called for each event.  Before the first one of @cpu_nr in a file it adds a LOSS if events are missing between the
 * file before and this one: accounts tell, because a CPU may have had no event for long.  What is missing behind the
 * first account of this file, the file tells itself.
 */
static int put_missing(struct merge_job *j, const struct merge_trace *t, uint16_t cpu_nr)
{
	const struct grtrace_hdr *ev = t->head;
	struct merge_cpu none = { .nr = 0 }, *cpu = &none;
	uint64_t until, from, unused;
	struct grtrace_hdr *copy;

	if (!t->before || !ev->cseq)
		return 0;
	if (cpu_nr < grt_vec_count(&j->cpus, struct merge_cpu))
		cpu = grt_vec_at(&j->cpus, struct merge_cpu, cpu_nr);
	if (cpu->nr == t->nr || !grt_stream_cseq(t->before->stream, ev->cpu, &unused, &from) ||
	    !grt_stream_cseq(t->stream, ev->cpu, &until, &unused) || until <= from)
		return 0;
	return grt_compose_put(&j->compose, &(struct grtrace_loss){
		.hdr = { .type = GRTRACE_LOSS, .size = sizeof(struct grtrace_loss), .ts = t->head_ns },
		.reason = GRTRACE_FATE_WRITTEN, .count = until - from,
		.from_ns = cpu->nr ? cpu->last.ts : t->info.start_ns, .to_ns = t->head_ns,
	}.hdr, cpu_nr, &copy);
}

/*
 * Adds a LOSS without a count: between two sessions of a boot nobody recorded, and between two
 * recordings of one session an unknown number of events may be missing.
 */
static int put_gap(struct merge_job *j, const struct merge_trace *t, uint16_t cpu)
{
	const struct merge_trace *before = NULL;
	struct grtrace_hdr *copy;

	for (int i = 0; i < j->m->count; i++) {
		const struct merge_trace *other = &j->traces[i];

		if (other == t || other->remap.first_boot != t->remap.first_boot || !other->has_begun)
			continue;
		if (other->head || is_one_recording(other, t))
			return 0;
		if (!before || other->last_ns > before->last_ns)
			before = other;
	}
	if (!before)
		return 0;
	return grt_compose_put(&j->compose, &(struct grtrace_loss){
		.hdr = { .type = GRTRACE_LOSS, .size = sizeof(struct grtrace_loss), .ts = t->head_ns },
		.reason = grt_is_one_session(&before->info, &t->info) ? GRTRACE_FATE_WRITTEN : GRTRACE_FATE_DISABLED,
		.from_ns = before->last_ns, .to_ns = t->head_ns,
	}.hdr, cpu, &copy);
}

static int merge_event(struct merge_job *j, struct merge_trace *t)
{
	uint64_t cpu = t->head->cpu;
	bool is_event = t->head->type < GRTRACE_STREAM_BASE;
	struct grtrace_hdr *copy;
	int err = grt_remap_number(&t->remap, GRT_REMAP_CPU, &cpu);

	if (!err && is_event)
		err = put_missing(j, t, cpu);
	if (!err && is_event)
		err = check_overlap(j, t, cpu);
	if (!err && is_event && !t->has_begun)
		err = put_gap(j, t, cpu);
	if (!err)
		err = grt_compose_put(&j->compose, t->head, cpu, &copy);
	if (!err)
		err = grt_remap_record(&t->remap, copy);
	if (err || !is_event)
		return err;
	/* The traces have no common order by gseq. */
	copy->gseq = 0;
	t->has_begun = true;
	t->last_ns = t->head_ns;
	t->in->events++;
	return 0;
}

static int merge_head(struct merge_job *j, struct merge_trace *t)
{
	struct grtrace_hdr *copy;
	int err;

	if (is_elsewhere(t))
		err = 0;
	else if (t->head->type == GRTRACE_RING)
		err = merge_ring(j, t, (const void *)t->head);
	else if (!grt_is_definition(t->head->type))
		err = merge_event(j, t);
	else {
		err = grt_compose_put(&j->compose, t->head, 0, &copy);
		if (!err)
			err = grt_remap_record(&t->remap, copy);
	}
	return err ? err : step(t);
}

static struct merge_trace *earliest(const struct merge_job *j)
{
	struct merge_trace *first = NULL;

	for (int i = 0; i < j->m->count; i++) {
		struct merge_trace *t = &j->traces[i];

		if (t->head && (!first || t->head_ns < first->head_ns))
			first = t;
	}
	return first;
}

/* Copies the name if all traces have the same, else nothing. */
static void common(char *to, size_t room, const struct merge_job *j, size_t member)
{
	const char *first = (const char *)grt_stream_info(j->traces[0].stream) + member;

	for (int i = 1; i < j->m->count; i++)
		if (strcmp((const char *)grt_stream_info(j->traces[i].stream) + member, first))
			return;
	snprintf(to, room, "%s", first);
}

static struct grt_file_header header_of(const struct merge_job *j)
{
	const struct merge_trace *first = &j->traces[0];
	struct grt_file_header header = { .session_id = first->info.session_id };

#define COMMON(name)	common(header.name, sizeof(header.name), j,			\
			       offsetof(struct grt_trace_info, name))
	COMMON(host);
	COMMON(kernel);
	COMMON(command);
#undef COMMON
	header.start_ns = UINT64_MAX;
	for (int i = 0; i < j->m->count; i++) {
		const struct merge_trace *t = &j->traces[i];
		uint64_t begin = grt_remap_time(&t->remap, grt_stream_info(t->stream)->start_ns);

		if (begin >= header.start_ns)
			continue;
		header.start_ns = begin;
		header.start_real_ns = grt_stream_info(t->stream)->start_real_ns;
	}
	return header;
}

/* Whether every trace reports all that is missing at its end. */
static bool has_end(const struct merge_job *j)
{
	bool has_all = true;

	for (int i = 0; i < j->m->count; i++) {
		const struct grt_stream_stats *stats = grt_stream_stats(j->traces[i].stream);

		if (stats->unknown_events)
			grt_warn("use a newer grtrace", "'%s': records of types that are not known are left out",
				 j->m->inputs[i].path);
		has_all &= j->traces[i].has_behind || grt_stream_is_counted(j->traces[i].stream);
	}
	return has_all;
}

static int merge(struct merge_job *j, struct grt_target *to)
{
	struct grt_file_header header;
	struct merge_trace *t;
	int err = 0;

	for (int i = 0; i < j->m->count && !err; i++)
		err = open_trace(j, i);
	if (!err)
		err = merge_align(j);
	if (err)
		return err;
	for (int i = 0; i < j->m->count; i++)
		if (j->traces[i].head)
			j->traces[i].head_ns = grt_remap_time(&j->traces[i].remap, j->traces[i].head->ts);
	find_files(j);
	header = header_of(j);
	err = grt_target_open(to, &header);
	j->compose.to = to;
	j->compose.line = j->m->line;
	if (!err)
		err = merge_definitions(j);
	while (!err && (t = earliest(j)))
		err = merge_head(j, t);
	return err ? err : grt_compose_end(&j->compose, has_end(j));
}

int grt_merge_files(struct grt_merge *m, struct grt_target *to)
{
	struct merge_job j = { .m = m, .traces = calloc(m->count, sizeof(*j.traces)) };
	int err = j.traces ? merge(&j, to) : grt_fail_memory();

	for (int i = 0; j.traces && i < m->count; i++) {
		grt_stream_close(j.traces[i].stream);
		grt_vec_free(&j.traces[i].defs);
		grt_peers_free(&j.traces[i].peers);
		grt_map_free(&j.traces[i].remap.rings);
	}
	m->events = j.compose.events;
	grt_compose_free(&j.compose);
	grt_vec_free(&j.cpus);
	grt_vec_free(&j.rings);
	free(j.traces);
	if (!err)
		return grt_target_commit(to);
	grt_target_abandon(to);
	return err;
}
