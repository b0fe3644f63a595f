// SPDX-License-Identifier: LGPL-2.1
#include "ring_selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"

#define KEPT		1
#define USED		2

struct grt_ring_selection_job {
	uint64_t number;		/* counts the jobs in the order of their first event */
	uint64_t ctx, seqno;
	uint64_t begin_ns, complete_ns;	/* begin: time of its first own event */
	uint32_t ring, late_ring;	/* of its own events: the first, and a different one later */
	bool has_begun, is_complete, is_named;
};

int grt_ring_selection_begin(struct grt_ring_selection *p)
{
	p->jobs = calloc(GRT_RING_SELECTION_JOBS, sizeof(*p->jobs));
	p->is_scan = true;
	return p->jobs ? 0 : grt_fail_memory();
}

void grt_ring_selection_free(struct grt_ring_selection *p)
{
	grt_vec_free(&p->rows);
	grt_vec_free(&p->late_name);
	grt_map_free(&p->row_of);
	grt_map_free(&p->kept);
	grt_map_free(&p->kept_hw);
	grt_map_free(&p->late_ring);
	grt_keymap_free(&p->keys);
	free(p->jobs);
}

/* Rings that share their hardware are kept together: their jobs decide when others start. */
static bool is_hw_kept(const struct grt_ring_selection *p, uint32_t hw_ring)
{
	return hw_ring && grt_map_get(&p->kept_hw, hw_ring);
}

/* NULL: it has no definition. */
static const struct grtrace_ring *row_of(const struct grt_ring_selection *p, uint32_t ring)
{
	const uint64_t *nr = grt_map_get(&p->row_of, ring);

	return nr ? grt_vec_at(&p->rows, struct grtrace_ring, *nr - 1) : NULL;
}

static bool is_kept(const struct grt_ring_selection *p, uint32_t ring)
{
	const struct grtrace_ring *row;

	if (!ring || grt_map_get(&p->kept, ring))
		return ring;
	row = row_of(p, ring);
	return row && is_hw_kept(p, row->hw_ring);
}

/*
 * Whether a job is dropped.  A job stays if no event names its ring, because it may be of any
 * ring.
 */
static bool is_dropped(const struct grt_ring_selection *p, const struct grt_ring_selection_job *job)
{
	if (!job->ring && !job->late_ring)
		return false;
	return !is_kept(p, job->ring) && !is_kept(p, job->late_ring);
}

/* Jobs that were written to the file emit are separate from the kernel's, even with equal keys. */
static uint64_t space_of(const struct grtrace_hdr *ev, uint64_t ctx)
{
	return ev->flags & GRTRACE_F_SYNTHETIC ? ~ctx : ctx;
}

static struct grt_ring_selection_job *find(const struct grt_ring_selection *p, uint64_t ctx,
					   uint64_t seqno)
{
	uint32_t i = grt_keymap_get(&p->keys, ctx, seqno);

	return i == GRT_NONE ? NULL : &p->jobs[i];
}

/* Finds or adds a job; NULL without memory. */
static struct grt_ring_selection_job *find_or_add(struct grt_ring_selection *p, uint64_t ctx,
						  uint64_t seqno)
{
	struct grt_ring_selection_job *job = find(p, ctx, seqno);
	uint32_t i = p->nr_jobs % GRT_RING_SELECTION_JOBS;
	const uint64_t *ring;

	if (job)
		return job;
	job = &p->jobs[i];
	if (p->nr_jobs >= GRT_RING_SELECTION_JOBS)
		grt_keymap_del(&p->keys, job->ctx, job->seqno);
	if (grt_keymap_put(&p->keys, ctx, seqno, i))
		return NULL;
	*job = (struct grt_ring_selection_job){ .number = p->nr_jobs++, .ctx = ctx, .seqno = seqno };
	ring = p->is_scan ? NULL : grt_map_get(&p->late_ring, job->number);
	if (ring)
		job->late_ring = *ring;
	return job;
}

/* Records the ring of a job for the second pass, which needs it earlier. */
static int note_ring(struct grt_ring_selection *p, struct grt_ring_selection_job *job,
		     uint32_t ring, bool is_first)
{
	uint64_t *late;

	if (!ring || ring == job->ring)
		return 0;
	if (is_first) {
		job->ring = ring;
		return 0;
	}
	job->late_ring = ring;
	late = p->is_scan ? grt_map_put(&p->late_ring, job->number) : &(uint64_t){ 0 };
	if (!late)
		return -ENOMEM;
	*late = ring;
	return 0;
}

static bool was_named_late(const struct grt_ring_selection *p,
			   const struct grt_ring_selection_job *job)
{
	return job->number / 8 < p->late_name.bytes &&
	       ((uint8_t *)p->late_name.data)[job->number / 8] >> job->number % 8 & 1;
}

static int name_late(struct grt_ring_selection *p, const struct grt_ring_selection_job *job)
{
	if (grt_vec_reach(&p->late_name, job->number / 8, &(uint8_t){ 0 }, 1))
		return grt_fail_memory();
	((uint8_t *)p->late_name.data)[job->number / 8] |= 1u << job->number % 8;
	return 0;
}

/* Handles an event that belongs to a job. */
static int handle_life(struct grt_ring_selection *p, const struct grtrace_job_key *ev)
{
	uint64_t before = p->nr_jobs;
	struct grt_ring_selection_job *job = find_or_add(p, space_of(&ev->hdr, ev->ctx), ev->seqno);
	bool is_signaled;

	if (!job || note_ring(p, job, ev->ring, p->nr_jobs != before))
		return grt_fail_memory();
	if (!job->has_begun)
		job->begin_ns = ev->hdr.ts;
	job->has_begun = true;
	is_signaled = ev->hdr.type == GRTRACE_COMPLETE && !job->is_complete &&
		      (job->is_named || was_named_late(p, job));
	if (ev->hdr.type == GRTRACE_COMPLETE && !job->is_complete) {
		job->is_complete = true;
		job->complete_ns = ev->hdr.ts;
	}
	if (!is_dropped(p, job))
		return GRT_RING_SELECTION_KEEP;
	return is_signaled ? GRT_RING_SELECTION_SIGNALED : GRT_RING_SELECTION_DROP;
}

/*
 * Whether @job may stay while @dep is dropped.  The rings of a process are known only at the end
 * of the first pass, but two jobs of the same ring always share their fate.
 */
static bool may_name(const struct grt_ring_selection *p, const struct grt_ring_selection_job *job,
		     const struct grt_ring_selection_job *dep)
{
	if (p->rings)
		return !is_dropped(p, job);
	return !job->ring || job->ring != dep->ring || job->late_ring != dep->late_ring;
}

/*
 * Handles a DEPENDENCY, which belongs to one job and names another.  F_PIPELINED: the dependency
 * ended with the COMMIT of a job of the same scheduler, so of the same ring.
 */
static int handle_dependency(struct grt_ring_selection *p, const struct grtrace_dependency *ev)
{
	const struct grt_ring_selection_job *at =
		find_or_add(p, space_of(&ev->hdr, ev->ctx), ev->seqno);
	struct grt_ring_selection_job job = at ? *at : (struct grt_ring_selection_job){ 0 }, *dep;
	bool is_job_dropped = is_dropped(p, &job);

	if (!at)
		return grt_fail_memory();
	if (ev->hdr.flags & GRTRACE_F_SELF)
		return is_job_dropped ? GRT_RING_SELECTION_DROP : GRT_RING_SELECTION_KEEP;
	/* Even if not needed here: both passes must count the same jobs. */
	dep = find_or_add(p, space_of(&ev->hdr, ev->dep_ctx), ev->dep_seqno);
	if (!dep)
		return grt_fail_memory();
	if (p->is_scan)
		return dep->is_complete && may_name(p, &job, dep) ? name_late(p, dep) : 0;
	if (is_job_dropped)
		return GRT_RING_SELECTION_DROP;
	dep->is_named = true;
	if (!is_dropped(p, dep) || ev->hdr.flags & GRTRACE_F_PIPELINED)
		return GRT_RING_SELECTION_KEEP;
	/* Complete before the job began: nobody waited for it, so its COMPLETE need not be kept. */
	if (dep->is_complete && dep->complete_ns < (job.has_begun ? job.begin_ns : ev->hdr.ts))
		return GRT_RING_SELECTION_KEEP;
	return dep->is_complete ? GRT_RING_SELECTION_FOREIGN : GRT_RING_SELECTION_PENDING;
}

/* Whether to keep an event that does not belong to a job, and may name a ring, a job or neither. */
static bool is_beside(const struct grt_ring_selection *p, const struct grtrace_hdr *ev)
{
	const struct grt_type *type = grt_type_by_number(ev->type);
	const struct grtrace_job_key *key = (const void *)ev;
	const struct grt_field *f = grt_field_by_name(type, "ring");
	uint64_t ring = f ? grt_field_u64(f, ev) : 0;
	const struct grt_ring_selection_job *job;

	if (type->class == GRT_CLASS_EVENT)
		return !ring || is_kept(p, ring);
	job = find(p, space_of(ev, key->ctx), key->seqno);
	if (job && (job->ring || job->late_ring))
		return !is_dropped(p, job);
	return !ring || is_kept(p, ring);
}

int grt_ring_selection_event(struct grt_ring_selection *p, const struct grtrace_hdr *ev)
{
	switch (ev->type) {
	case GRTRACE_SUBMIT:
	case GRTRACE_COMMIT:
	case GRTRACE_START:
	case GRTRACE_END:
	case GRTRACE_COMPLETE:
	case GRTRACE_JOB:
		return handle_life(p, (const void *)ev);
	case GRTRACE_DEPENDENCY:
		return handle_dependency(p, (const void *)ev);
	}
	return p->is_scan || is_beside(p, ev);
}

/* Whether the name of ring @row is @name, @len bytes long. */
static bool is_called(const struct grtrace_ring *row, const char *name, size_t len)
{
	char number[16];

	if (strnlen(row->name, sizeof(row->name)) == len && !memcmp(row->name, name, len))
		return true;
	snprintf(number, sizeof(number), "%u", row->ring);
	return strlen(number) == len && !memcmp(number, name, len);
}

static int keep_ring(struct grt_ring_selection *p, uint32_t ring)
{
	uint64_t *value = grt_map_put(&p->kept, ring);

	if (!value)
		return -ENOMEM;
	*value = KEPT;
	return 0;
}

/* Keeps a ring, and all on its hardware. */
static int keep_hardware(struct grt_ring_selection *p, const struct grtrace_ring *row)
{
	if (row->hw_ring && !grt_map_put(&p->kept_hw, row->hw_ring))
		return -ENOMEM;
	return keep_ring(p, row->ring);
}

static bool is_named(const struct grt_ring_selection *p, const struct grtrace_ring *row)
{
	for (const char *name = p->rings; name && *name; ) {
		size_t len = strcspn(name, ",");

		if (is_called(row, name, len))
			return true;
		name += len + (name[len] == ',');
	}
	return false;
}

/* Definitions come again and again; one that changes is another row. */
static int add_ring(struct grt_ring_selection *p, const struct grtrace_ring *row)
{
	const struct grtrace_ring *before = row_of(p, row->ring);
	uint64_t *nr;
	int err = 0;

	if (before && before->hw_ring == row->hw_ring && !memcmp(before->name, row->name, sizeof(row->name)))
		return 0;
	if (before && is_hw_kept(p, before->hw_ring))
		err = keep_ring(p, row->ring);
	if (err || grt_vec_append(&p->rows, row, sizeof(*row)))
		return -ENOMEM;
	nr = grt_map_put(&p->row_of, row->ring);
	if (!nr)
		return -ENOMEM;
	*nr = grt_vec_count(&p->rows, struct grtrace_ring);
	return is_named(p, row) ? keep_hardware(p, row) : 0;
}

/* Notes a ring that the process used, from its SUBMIT. */
static int note_use(struct grt_ring_selection *p, const struct grtrace_submit *ev)
{
	uint64_t *value;

	if (p->rings || ev->tgid != p->pid || !ev->ring || ev->hdr.flags & GRTRACE_F_KERNEL_JOB ||
	    grt_map_get(&p->kept, ev->ring))
		return 0;
	value = grt_map_put(&p->kept, ev->ring);
	if (!value)
		return -ENOMEM;
	*value = USED;
	return 0;
}

int grt_ring_selection_scan(struct grt_ring_selection *p, const struct grtrace_hdr *rec)
{
	int err = 0;

	if (rec->type == GRTRACE_RING)
		err = add_ring(p, (const void *)rec);
	else if (rec->type == GRTRACE_SUBMIT)
		err = note_use(p, (const void *)rec);
	if (err)
		return grt_fail_memory();
	if (rec->type >= GRTRACE_NR_EVENTS)
		return 0;
	err = grt_ring_selection_event(p, rec);
	return err < 0 ? err : 0;
}

/* Fails if a name is not the name of a ring. */
static int check_names(const struct grt_ring_selection *p)
{
	size_t count = grt_vec_count(&p->rows, struct grtrace_ring), at = 0;
	char list[480] = "its rings: ";

	for (const char *name = p->rings; *name; ) {
		size_t len = strcspn(name, ","), i = 0;

		while (i < count && !is_called(grt_vec_at(&p->rows, struct grtrace_ring, i), name, len))
			i++;
		if (i < count) {
			name += len + (name[len] == ',');
			continue;
		}
		at = strlen(list);
		for (i = 0; i < count && at + 64 < sizeof(list); i++) {
			const struct grtrace_ring *r = grt_vec_at(&p->rows, struct grtrace_ring, i);

			at += snprintf(list + at, sizeof(list) - at, "%s%.32s (%u)", i ? ", " : "",
				       r->name, r->ring);
		}
		return grt_fail(EINVAL, count ? list : NULL, "no ring '%.*s' in this trace",
				(int)len, name);
	}
	return 0;
}

int grt_ring_selection_decide(struct grt_ring_selection *p)
{
	int err = p->rings ? check_names(p) : 0;

	if (!p->rings && !grt_map_count(&p->kept))
		return grt_fail(EINVAL, "report --per-process lists those that did",
				"process %u submitted no job in this trace", p->pid);
	for (size_t i = 0; !err && i < grt_vec_count(&p->rows, struct grtrace_ring); i++) {
		const struct grtrace_ring *row = grt_vec_at(&p->rows, struct grtrace_ring, i);
		const uint64_t *value = grt_map_get(&p->kept, row->ring);

		if (value && *value == USED)
			err = keep_hardware(p, row);
	}
	/* The second pass starts at the beginning. */
	p->is_scan = false;
	p->nr_jobs = 0;
	grt_keymap_free(&p->keys);
	return err;
}
