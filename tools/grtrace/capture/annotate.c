// SPDX-License-Identifier: GPL-2.0
#include "annotate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/libbpf.h>

#include "bpf_load.h"
#include "bpf_take.h"
#include "capture.h"
#include "cpu_event.h"
#include "drivers.h"
#include "drm_ioctl.h"
#include "error.h"
#include "grace.h"
#include "machine.h"
#include "note.h"
#include "types.h"

#include "annotate.skel.h"

#define COMMAND		"grtrace annotate"
#define TRIES		1000		/* looks at a record that is not complete yet */

/* What one CPU recorded. */
struct lane {
	struct grt_bpf_taker taker;
	struct grt_vec notes;	/* of struct grt_note, by time */
	size_t at;		/* the first that was not given yet */
	uint64_t lost;		/* told so far */
};

struct grt_annotate {
	struct grt_annotate_options options;
	struct annotate_bpf *programs;
	struct grt_bpf_buffers buffers;
	struct lane *lanes;	/* owned */
	unsigned int nr_lanes;
	struct grt_drivers drivers;
	uint64_t written, missed;
	bool is_cheap;
};

/* --- programs --- */

/* A kernel without 32-bit programs has no function for them. */
static bool has_target(const struct bpf_program *prog, const struct grt_types *types)
{
	const char *name = strchr(bpf_program__section_name(prog), '/');

	if (grt_bpf_is_twin(prog) && !grt_bpf_has_preemption())
		return false;
	return !grt_bpf_is_entry(prog) || (name && grt_types_has(types, name + 1, BTF_KIND_FUNC));
}

static int load(struct grt_annotate *a, const struct grt_types *types)
{
	struct annotate_bpf *p = annotate_bpf__open();
	struct bpf_program *prog;
	int err;

	if (!p)
		return -errno;
	a->programs = p;
	p->rodata->types = 1 << GRT_NOTE_ENTER | 1 << GRT_NOTE_EXIT;
	p->rodata->only_tgid = a->options.tgid;
	p->rodata->has_twins = grt_bpf_has_preemption();
	p->rodata->buffer_mask = a->buffers.bytes - 8;
	p->rodata->wake_bytes = grt_bpf_wake_bytes(a->buffers.bytes);
	bpf_object__for_each_program(prog, p->obj)
		bpf_program__set_autoload(prog, grt_bpf_is_entry(prog) == a->is_cheap &&
					  has_target(prog, types));
	err = grt_bpf_buffers_size(p->maps.buffers, p->bss->cpus, a->buffers.bytes);
	return err ? err : annotate_bpf__load(p);
}

static int start(struct grt_annotate *a)
{
	struct grt_types types = { .kernel = NULL };
	int err = grt_types_load(&types);

	if (err)
		return err;
	a->is_cheap = grt_bpf_permits_ioctl(types.kernel);
	err = load(a, &types);
	if (!err)
		err = annotate_bpf__attach(a->programs);
	grt_types_free(&types);
	return err ? grt_bpf_fail_load(err, COMMAND) : 0;
}

/* --- events --- */

/* Programs of one CPU interrupt each other rarely, so records are nearly in order. */
static void sort_last(struct lane *l)
{
	size_t place = grt_vec_count(&l->notes, struct grt_note) - 1;
	struct grt_note *notes = l->notes.data, last = notes[place];

	while (place > l->at && notes[place - 1].hdr.ts > last.hdr.ts) {
		notes[place] = notes[place - 1];
		place--;
	}
	notes[place] = last;
}

/* Takes all complete records.  Returns 1 if another one is being written, 0, or -errno. */
static int take_all(struct lane *l)
{
	const struct grt_bpf_cpu *c = l->taker.counters;
	int got = 1;

	if (l->at) {
		l->notes.bytes -= l->at * sizeof(struct grt_note);
		memmove(l->notes.data, (struct grt_note *)l->notes.data + l->at, l->notes.bytes);
		l->at = 0;
	}
	while (got > 0) {
		got = grt_bpf_take(&l->taker, &l->notes);
		if (got > 0)
			sort_last(l);
	}
	return got ? got : l->taker.buffer && __atomic_load_n(&c->head, __ATOMIC_ACQUIRE) != l->taker.taken;
}

/*
 * Takes all records of all CPUs that have a time before now, and perhaps others.  A program reads
 * the time after it has reserved room, so a record that was not even reserved has a later time.
 */
static int take_until(struct grt_annotate *a, uint64_t *now)
{
	bool has_waited = false;
	int got;

	*now = grt_capture_now_ns();
	for (unsigned int i = 0; i < a->nr_lanes; i++) {
		for (unsigned int tries = 0; (got = take_all(&a->lanes[i])) > 0; tries++) {
			if (tries < TRIES)
				continue;
			/* The program was preempted. */
			if (has_waited)
				break;
			grt_capture_grace();
			has_waited = true;
		}
		if (got < 0)
			return got;
	}
	return 0;
}

static bool tell_loss(struct grt_annotate *a, struct lane *l, uint64_t lost)
{
	uint64_t count = lost > l->lost ? lost - l->lost : 0;

	if (!count)
		return true;
	l->lost = lost;
	return a->options.lost(a->options.arg, l->taker.cpu, count);
}

static bool give(struct grt_annotate *a, struct lane *l, const struct grt_note *note)
{
	bool is_exit = note->hdr.type == GRT_NOTE_EXIT;
	struct grt_cpu_event ev = {
		.ts = note->hdr.ts, .res_ns = 1, .pid = note->tgid, .tid = note->tid,
		.type = is_exit ? GRT_IOCTL_EXIT : GRT_IOCTL_ENTER,
	};
	const char *name = NULL;

	memcpy(ev.comm, note->comm, sizeof(ev.comm) - 1);
	if (is_exit) {
		ev.ret = note->value;
		ev.has = GRT_CPU_HAS_RET;
		if (note->enter_ns && note->enter_ns <= ev.ts) {
			ev.duration_ns = ev.ts - note->enter_ns;
			ev.has |= GRT_CPU_HAS_DURATION;
		}
	} else {
		ev.cmd = note->enter.cmd;
		ev.arg = note->value;
		ev.has = GRT_CPU_HAS_CMD | GRT_CPU_HAS_ARG;
		name = grt_drm_ioctl_name(grt_driver_of(&a->drivers, note->enter.device), ev.cmd);
	}
	a->written++;
	return tell_loss(a, l, note->hdr.gseq) && a->options.event(a->options.arg, &ev, name);
}

static const struct grt_note *next_of(const struct lane *l)
{
	return l->at < grt_vec_count(&l->notes, struct grt_note) ?
	       grt_vec_at(&l->notes, struct grt_note, l->at) : NULL;
}

/* Gives the events before @until_ns, of all CPUs in the order of time. */
static int give_all(struct grt_annotate *a, uint64_t until_ns)
{
	for (;;) {
		const struct grt_note *note, *first = NULL;
		struct lane *lane = NULL;

		for (unsigned int i = 0; i < a->nr_lanes; i++) {
			note = next_of(&a->lanes[i]);
			if (!note || (first && first->hdr.ts <= note->hdr.ts))
				continue;
			first = note;
			lane = &a->lanes[i];
		}
		if (!first || first->hdr.ts >= until_ns)
			return 0;
		lane->at++;
		if (!give(a, lane, first))
			return 1;
	}
}

int grt_annotate_read(struct grt_annotate *a)
{
	uint64_t now;
	int err;

	ring_buffer__consume(a->buffers.doorbell);
	err = take_until(a, &now);
	return err ? err : give_all(a, now);
}

int grt_annotate_stop(struct grt_annotate *a)
{
	struct bpf_program *prog;
	uint64_t missed = 0;
	int err = 0;

	annotate_bpf__detach(a->programs);
	grt_capture_grace();
	for (unsigned int i = 0; err >= 0 && i < a->nr_lanes; i++)
		err = take_all(&a->lanes[i]);
	if (err < 0)
		return err;
	err = give_all(a, UINT64_MAX);
	for (unsigned int i = 0; !err && i < a->nr_lanes; i++)
		err = !tell_loss(a, &a->lanes[i], a->lanes[i].taker.counters->lost);
	bpf_object__for_each_program(prog, a->programs->obj) {
		if (!grt_bpf_is_twin(prog))
			missed += grt_bpf_misses(prog);
	}
	if (missed > a->programs->bss->saved)
		a->missed = missed - a->programs->bss->saved;
	return err;
}

/* --- the whole --- */

static int open_lanes(struct grt_annotate *a)
{
	struct grt_bpf_cpu *counters = a->programs->bss->cpus;
	unsigned int cpus = libbpf_num_possible_cpus();
	int err = grt_bpf_buffers_open(&a->buffers, a->programs->maps.buffers,
				       a->programs->maps.doorbell);

	if (err)
		return err;
	a->lanes = calloc(cpus, sizeof(*a->lanes));
	if (!a->lanes)
		return grt_fail_memory();
	for (; a->nr_lanes < cpus; a->nr_lanes++)
		a->lanes[a->nr_lanes].taker = (struct grt_bpf_taker){
			.buffer = grt_bpf_buffer(&a->buffers, counters[a->nr_lanes].slot),
			.bytes = a->buffers.bytes, .cpu = a->nr_lanes,
			.counters = &counters[a->nr_lanes],
		};
	return 0;
}

int grt_annotate_open(struct grt_annotate **annotate, const struct grt_annotate_options *options)
{
	struct grt_annotate *a = calloc(1, sizeof(*a));
	int err;

	if (!a)
		return grt_fail_memory();
	a->options = *options;
	a->buffers.bytes = grt_bpf_buffer_bytes(options->buffer_bytes);
	err = grt_bpf_check(COMMAND);
	if (!err)
		err = start(a);
	if (!err)
		err = open_lanes(a);
	if (err)
		grt_annotate_close(a);
	else
		*annotate = a;
	return err;
}

bool grt_annotate_is_cheap(const struct grt_annotate *a)
{
	return a->is_cheap;
}

int grt_annotate_fd(const struct grt_annotate *a)
{
	return ring_buffer__epoll_fd(a->buffers.doorbell);
}

struct grt_annotate_stats grt_annotate_stats(const struct grt_annotate *a)
{
	struct grt_annotate_stats stats = { .written = a->written, .missed = a->missed };

	for (unsigned int i = 0; i < a->nr_lanes; i++) {
		stats.seen += a->lanes[i].taker.counters->seen;
		stats.lost += a->lanes[i].taker.counters->lost;
	}
	return stats;
}

void grt_annotate_close(struct grt_annotate *a)
{
	for (unsigned int i = 0; i < a->nr_lanes; i++)
		grt_vec_free(&a->lanes[i].notes);
	grt_bpf_buffers_close(&a->buffers);
	annotate_bpf__destroy(a->programs);
	grt_drivers_free(&a->drivers);
	free(a->lanes);
	free(a);
}
