// SPDX-License-Identifier: GPL-2.0
#include "bpf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/grtrace.h>

#include "bpf_lacks.h"
#include "bpf_lane.h"
#include "bpf_load.h"
#include "bpf_programs.h"
#include "bpf_sums.h"
#include "capture.h"
#include "choice.h"
#include "definitions.h"
#include "error.h"
#include "grace.h"
#include "live.h"
#include "machine.h"
#include "number.h"
#include "stacks.h"

#include "capture.skel.h"

struct grt_bpf {
	struct grt_bpf_options options;
	struct grt_bpf_programs programs;
	bool is_stopped;
	struct grt_capture_defs defs;
	struct grt_capture_stacks stacks;
	struct grt_bpf_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	struct grt_bpf_buffers buffers;
	struct grt_live *live;
};

/* A CPU that comes online later has a stream, too, which says how many of its events are lost. */
static enum grtrace_fate refused_fate(const struct grt_bpf *b)
{
	if (b->options.sums_up)
		return GRTRACE_FATE_AGGREGATED;
	return grt_capture_chooses(b->options.choice) ? grt_capture_choice_fate(b->options.choice) :
							GRTRACE_FATE_WRITTEN;
}

static void set_tables(struct grt_bpf *b)
{
	const struct capture_bpf *part = b->programs.parts[0];
	const int tables[GRT_BPF_STACK_KINDS][2] = {
		[GRT_BPF_STACK_KERNEL] = { bpf_map__fd(part->maps.kernel_stacks),
					   bpf_map__fd(part->maps.kernel_stacks_more) },
		[GRT_BPF_STACK_USER] = { bpf_map__fd(part->maps.user_stacks),
					 bpf_map__fd(part->maps.user_stacks_more) },
	};

	memcpy(b->stacks.tables, tables, sizeof(tables));
}

static int open_lanes(struct grt_bpf *b)
{
	struct grt_bpf_cpu *counters = b->programs.parts[0]->bss->cpus;
	unsigned int cpus = libbpf_num_possible_cpus();
	int err = grt_bpf_buffers_open(&b->buffers, b->programs.parts[0]->maps.buffers,
				       b->programs.parts[0]->maps.doorbell);

	b->lanes = calloc(cpus, sizeof(*b->lanes));
	if (!b->lanes)
		return grt_fail_memory();
	for (uint32_t cpu = 0; !err && cpu < cpus; cpu++)
		grt_bpf_lane_open(&b->lanes[b->nr_lanes++], cpu,
				  grt_bpf_buffer(&b->buffers, counters[cpu].slot), b->buffers.bytes,
				  &counters[cpu], refused_fate(b), &b->defs);
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].stacks = &b->stacks;
	set_tables(b);
	return err;
}

/*
 * Sets how many events neither a program nor its twin has, of all CPUs together.  @misses was counted before a
 * grace period, so the twins have looked at these events.
 */
static void set_missed(struct grt_bpf *b, uint64_t misses)
{
	const uint64_t saved = b->programs.parts[0]->bss->saved;

	if (misses > saved && misses - saved > b->lanes[0].missed)
		b->lanes[0].missed = misses - saved;
}

static ssize_t bpf_read(void *source, unsigned int lane, void *to, size_t room)
{
	struct grt_bpf *b = source;
	int err = lane || b->is_stopped ? 0 : grt_bpf_programs_follow(&b->programs);

	if (!lane)
		ring_buffer__consume(b->buffers.doorbell);
	return err ? err : grt_bpf_lane_read(&b->lanes[lane], to, room);
}

static void tell_lanes(struct grt_bpf *b, uint64_t now)
{
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		grt_bpf_lane_tell(&b->lanes[i], now);
}

static uint64_t bpf_flush(void *source)
{
	struct grt_bpf *b = source;
	uint64_t now = grt_capture_now_ns(), misses;

	if (b->is_stopped)
		return 0;
	misses = grt_bpf_programs_misses(&b->programs);
	tell_lanes(b, now);
	grt_capture_grace();
	set_missed(b, misses);
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].safe_ns = now;
	return now;
}

void grt_bpf_close(struct grt_bpf *b)
{
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		grt_bpf_lane_close(&b->lanes[i]);
	grt_bpf_buffers_close(&b->buffers);
	grt_bpf_programs_close(&b->programs);
	grt_capture_defs_free(&b->defs);
	grt_capture_stacks_free(&b->stacks);
	free(b->lanes);
	free(b);
}

static void bpf_close(void *source)
{
	grt_bpf_close(source);
}

static const struct grt_live_ops bpf_ops = {
	.read	= bpf_read,
	.flush	= bpf_flush,
	.close	= bpf_close,
	.file	= "the BPF buffer of CPU ",
};

static int create_live(struct grt_bpf *b)
{
	struct grt_live_lane *lanes = calloc(b->nr_lanes, sizeof(*lanes));
	int doorbell = bpf_map__fd(b->programs.parts[0]->maps.doorbell);
	int err;

	if (!lanes)
		return grt_fail_memory();
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		lanes[i] = (struct grt_live_lane){ .fd = doorbell, .cpu = b->lanes[i].stream.cpu };
	err = grt_live_create(&b->live, &bpf_ops, b, lanes, b->nr_lanes);
	free(lanes);
	return err;
}

static int load(struct grt_bpf *b)
{
	int err = grt_bpf_check("grtrace record");
	if (!err && b->options.stacks)
		err = grt_capture_stacks_open(&b->stacks, b->options.stacks);
	return err ? err : grt_bpf_programs_open(&b->programs, &b->options, b->buffers.bytes);
}

int grt_bpf_open(struct grt_bpf **bpf, const struct grt_bpf_options *options)
{
	struct grt_bpf *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return grt_fail_memory();
	b->options = *options;
	b->buffers.bytes = grt_bpf_buffer_bytes(options->buffer_bytes);
	err = load(b);
	if (err)
		grt_bpf_close(b);
	else
		*bpf = b;
	return err;
}

int grt_bpf_start(struct grt_bpf *b)
{
	int err = open_lanes(b);

	b->programs.parts[0]->bss->chosen_tgid = b->options.choice->tgid;
	if (!err)
		err = grt_bpf_programs_attach(&b->programs);
	if (!err)
		err = grt_capture_defs_begin(&b->defs, "bpf", b->programs.features, b->nr_lanes, b->buffers.bytes);
	if (!err)
		err = grt_capture_choice_tell(b->options.choice, b->options.types, &b->defs);
	if (!err && b->options.stacks)
		err = grt_capture_defs_line(&b->defs, "stacks", grt_capture_stacks_names(b->options.stacks));
	return err ? err : create_live(b);
}

struct grt_live *grt_bpf_live(struct grt_bpf *b)
{
	return b->live;
}

/* Of both kinds together. */
static struct grt_bpf_stack_counts unknown_stacks(const struct grt_bpf *b)
{
	const struct grt_bpf_stack_counts *kinds = b->programs.parts[0]->bss->stack_counts;

	return (struct grt_bpf_stack_counts){
		.no_room = kinds[GRT_BPF_STACK_KERNEL].no_room + kinds[GRT_BPF_STACK_USER].no_room + b->stacks.raced,
		.no_stack = kinds[GRT_BPF_STACK_KERNEL].no_stack + kinds[GRT_BPF_STACK_USER].no_stack,
	};
}

static void warn_of_stacks(const struct grt_bpf *b)
{
	struct grt_bpf_stack_counts unknown = unknown_stacks(b);

	if (unknown.no_room)
		grt_warn(NULL, "%" PRIu64 " call %s not known: the kernel's tables had no room, or were just being read",
			 (uint64_t)unknown.no_room, grt_plural(unknown.no_room, "stack is", "stacks are"));
	if (unknown.no_stack)
		grt_warn(NULL, "the kernel could not read %" PRIu64 " call %s, which %s not known",
			 (uint64_t)unknown.no_stack, grt_plural(unknown.no_stack, "stack", "stacks"),
			 grt_plural(unknown.no_stack, "is", "are"));
}

int grt_bpf_stop(struct grt_bpf *b)
{
	if (b->is_stopped)
		return 0;
	grt_bpf_programs_detach(&b->programs);
	grt_capture_grace();
	b->is_stopped = true;
	tell_lanes(b, grt_capture_now_ns());
	set_missed(b, grt_bpf_programs_misses(&b->programs));
	warn_of_stacks(b);
	grt_bpf_lacks_warn((const uint64_t *)b->programs.parts[0]->bss->lacks);
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].is_stopped = true;
	return 0;
}

int grt_bpf_sums(struct grt_bpf *b, struct grt_vec *totals, uint64_t *lost)
{
	*lost = b->programs.parts[0]->bss->sums_lost;
	return grt_bpf_sums_read(bpf_map__fd(b->programs.parts[0]->maps.sums), &b->defs, totals);
}

size_t grt_bpf_stats(struct grt_bpf *b, char *to, size_t room)
{
	const struct capture_bpf__bss *bss = b->programs.parts[0]->bss;
	const struct grt_bpf_stack_counts *stacks = bss->stack_counts;
	uint64_t seen = 0, lost = 0, filtered = 0, refused = 0, written = 0;
	int len;

	for (unsigned int i = 0; i < b->nr_lanes; i++) {
		const struct grt_bpf_lane *l = &b->lanes[i];

		seen += l->taker.counters->seen + l->missed;
		lost += l->taker.counters->lost + l->missed;
		filtered += l->taker.counters->filtered;
		refused += l->taker.counters->refused;
		written += l->stream.cseq;
	}
	len = snprintf(to, room, "source=bpf\nseen=%" PRIu64 "\nwritten=%" PRIu64 "\nbuffer_full=%" PRIu64
		       "\nfiltered_type=%" PRIu64 "\nrefused=%" PRIu64 "\nrecursion_misses=%" PRIu64
		       "\nkernel_stacks_no_room=%" PRIu64 "\nuser_stacks_no_room=%" PRIu64
		       "\nkernel_stacks_not_read=%" PRIu64 "\nuser_stacks_not_read=%" PRIu64 "\nstacks_raced=%" PRIu64 "\n",
		       seen, written, lost, filtered, refused, b->lanes[0].missed,
		       (uint64_t)stacks[GRT_BPF_STACK_KERNEL].no_room, (uint64_t)stacks[GRT_BPF_STACK_USER].no_room,
		       (uint64_t)stacks[GRT_BPF_STACK_KERNEL].no_stack, (uint64_t)stacks[GRT_BPF_STACK_USER].no_stack,
		       b->stacks.raced);
	if (len < 0 || (size_t)len >= room)
		return len < 0 ? 0 : room - 1;
	return len + grt_bpf_lacks_stats((const uint64_t *)bss->lacks, to + len, room - len);
}
