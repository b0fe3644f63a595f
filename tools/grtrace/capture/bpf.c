// SPDX-License-Identifier: GPL-2.0
#include "bpf.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/grtrace.h>

#include "bpf_lane.h"
#include "bpf_load.h"
#include "bpf_patterns.h"
#include "bpf_sums.h"
#include "capture.h"
#include "choice.h"
#include "definitions.h"
#include "error.h"
#include "grace.h"
#include "live.h"
#include "lockdown.h"
#include "machine.h"
#include "number.h"
#include "stacks.h"
#include "symbols.h"
#include "types.h"

#include "capture.skel.h"

#define LOOK_NS		100000000ull	/* between two looks for modules */
#define COMMAND		"grtrace record --source=bpf"
#define MOST_PARTS	(1 + GRT_TYPES_MODULES)	/* at the start, and as modules are loaded */
#define NR_PROGRAMS	(sizeof(((struct capture_bpf *)NULL)->progs) / sizeof(struct bpf_program *))

struct grt_bpf {
	struct capture_bpf *parts[MOST_PARTS];	/* the first one owns the maps */
	unsigned int nr_parts;
	bool is_loaded[NR_PROGRAMS];		/* by an earlier part */
	uint32_t modules;			/* those that were there then */
	struct grt_bpf_options options;
	struct grt_types types;
	uint64_t marker_ops;			/* of trace_marker; 0: not known */
	uint64_t object_secret[2];		/* see bpf/memory.bpf.h */
	bool has_recovery, has_entry, is_stopped;
	uint64_t looked_ns;
	struct grt_capture_defs defs;
	struct grt_capture_stacks stacks;
	struct grt_bpf_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	struct grt_bpf_buffers buffers;
	struct grt_live *live;
};

static bool has_sched(const struct grt_types *t)
{
	return grt_types_has(t, "drm_sched_job", BTF_KIND_STRUCT);
}

static bool is_unschedulable(const struct bpf_program *prog)
{
	return !strncmp(bpf_program__name(prog), "unschedulable", 13);
}

static bool is_mark(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "mark");
}

/* Only commands of virtio-gpu need to know which fence was emitted. */
static bool is_emit(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "fence_emit");
}

static bool is_kprobe(const struct bpf_program *prog)
{
	return bpf_program__type(prog) == BPF_PROG_TYPE_KPROBE;
}

/* Whether the running kernel has what @prog attaches to. */
static bool has_target(const struct grt_bpf *b, const struct bpf_program *prog)
{
	const struct grt_types *t = &b->types;
	const char *event = strchr(bpf_program__section_name(prog), '/');
	char type[128];

	if (!event || (grt_bpf_is_twin(prog) && !grt_bpf_has_preemption()) ||
	    (is_unschedulable(prog) && !grt_capture_unschedulable_is_safe()))
		return false;
	if (is_mark(prog))
		return b->marker_ops && b->options.types >> GRTRACE_MARK & 1;
	snprintf(type, sizeof(type), "btf_trace_%s", is_emit(prog) ? "virtio_gpu_cmd_queue" : event + 1);
	return is_kprobe(prog) ? has_sched(t) : grt_types_has(t, type, BTF_KIND_TYPEDEF);
}

/* Its target is in every kernel, but it needs nouveau's types. */
static bool is_for_nouveau(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "nouveau_init");
}

static bool has_nouveau(const struct grt_bpf *b)
{
	return grt_types_has(&b->types, "nouveau_fence_chan", BTF_KIND_STRUCT);
}

/* nouveau has no tracepoints: its fences are known by the addresses of their functions. */
static void find_nouveau(struct grt_bpf *b)
{
	static const char *const names[] = { "nouveau_fence_ops_legacy", "nouveau_fence_ops_uevent" };
	uint64_t ops;

	for (int i = 0; has_nouveau(b) && i < 2; i++) {
		ops = grt_capture_module_symbol("nouveau", names[i]);
		if (ops)
			b->parts[0]->data->nouveau_ops[i] = ops;
	}
}

/* Programs of cpu.bpf.h. */
static bool is_for_cpu(const struct bpf_program *prog)
{
	return !strncmp(bpf_program__name(prog), "cpu_", 4);
}

/* A program that follows threads records nothing itself. */
static bool is_follower(const struct bpf_program *prog)
{
	return !strncmp(bpf_program__name(prog), "cpu_follow_", 11);
}

/* Programs of stack.bpf.h, and those that they replace. */
static bool is_other_submit(const struct grt_bpf *b, const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog);

	return b->options.stacks ? !strncmp(name, "submit_", 7) : !strncmp(name, "stack_submit_", 13);
}

static bool is_wanted(const struct grt_bpf *b, const struct bpf_program *prog)
{
	const char *target = strchr(bpf_program__section_name(prog), '/');

	if (is_other_submit(b, prog) || (is_for_nouveau(prog) && !has_nouveau(b)) || (is_for_cpu(prog) && !b->options.has_cpu))
		return false;
	if (grt_bpf_is_entry(prog))
		return (!grt_bpf_is_twin(prog) || grt_bpf_has_preemption()) && b->has_entry &&
		       grt_types_has(&b->types, target + 1, BTF_KIND_FUNC);
	if (!strcmp(bpf_program__name(prog), "cpu_ioctl_any") && b->has_entry)
		return false;
	return has_target(b, prog);
}

/*
 * A later part uses the maps of the first one.  It has constants of its own, since more is known of the
 * kernel when it is loaded.
 */
static int share_maps(struct capture_bpf *part, const struct capture_bpf *first)
{
	const struct bpf_map *shared;
	struct bpf_map *map;
	int err;

	bpf_object__for_each_map(map, part->obj) {
		if (map == part->maps.rodata || !bpf_map__autocreate(map))
			continue;
		shared = bpf_object__find_map_by_name(first->obj, bpf_map__name(map));
		err = shared ? bpf_map__reuse_fd(map, bpf_map__fd(shared)) : -ENOENT;
		if (err)
			return grt_fail(-err, NULL, "cannot share the BPF map '%s'", bpf_map__name(map));
	}
	return 0;
}

static void set_choice(struct capture_bpf *part, const struct grt_capture_choice *choice,
		       bool is_summary)
{
	part->rodata->sums_up = is_summary;
	part->rodata->least_ns = choice->slower_ns;
	if (is_summary || grt_capture_chooses(choice))
		part->rodata->types |= GRT_BPF_NARROW;
	part->rodata->chooses_process = choice->has_process;
	part->rodata->chooses_children = choice->has_children;
	part->rodata->chosen_cgroup = choice->cgroup;
	part->rodata->chooses_cpus = choice->cpus;
	if (choice->cpus)
		memcpy((void *)part->rodata->wanted_cpus, choice->cpus,
		       sizeof(part->rodata->wanted_cpus));
	part->rodata->chooses_rings = choice->rings || choice->engines;
	grt_bpf_patterns_rings((void *)&part->rodata->wanted_rings, choice->rings);
	grt_bpf_patterns_engines((void *)&part->rodata->wanted_engines, choice->engines);
	if (!is_summary)
		bpf_map__set_max_entries(part->maps.sums, 1);
	if (!is_summary && !choice->slower_ns)
		bpf_map__set_max_entries(part->maps.open_jobs, 1);
	if (!grt_capture_chooses_owner(choice))
		bpf_map__set_max_entries(part->maps.chosen_jobs, 1);
}

/* Stacks may be shorter than the maps have room for: a lower limit of the kernel refuses such maps. */
static void size_stacks(struct capture_bpf *part, uint32_t kinds)
{
	const unsigned int depth = grt_capture_stacks_depth();
	const struct {
		struct bpf_map *map;
		uint32_t kind, bytes;
	} tables[] = {
		{ part->maps.kernel_stacks, GRT_BPF_STACK_KERNEL, sizeof(uint64_t) },
		{ part->maps.kernel_stacks_more, GRT_BPF_STACK_KERNEL, sizeof(uint64_t) },
		{ part->maps.user_stacks, GRT_BPF_STACK_USER, sizeof(struct bpf_stack_build_id) },
		{ part->maps.user_stacks_more, GRT_BPF_STACK_USER, sizeof(struct bpf_stack_build_id) },
	};

	part->rodata->stack_kinds = kinds;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		bpf_map__set_value_size(tables[i].map, depth * tables[i].bytes);
		bpf_map__set_autocreate(tables[i].map, kinds >> tables[i].kind & 1);
	}
}

static int load_part(struct grt_bpf *b)
{
	struct capture_bpf *part = capture_bpf__open();
	struct bpf_program *prog;
	unsigned int i = 0;
	int err;

	if (!part)
		return grt_bpf_fail_load(-errno, COMMAND);
	b->parts[b->nr_parts++] = part;
	b->modules = grt_types_modules();
	part->rodata->types = b->options.types & ~GRT_BPF_NARROW;
	part->rodata->marker_ops = b->marker_ops;
	set_choice(part, b->options.choice, b->options.sums_up);
	size_stacks(part, b->options.stacks);
	part->rodata->has_twins = grt_bpf_has_preemption();
	part->rodata->errors_pipeline = !grt_types_has(&b->types, "drm_sched_entity_error", BTF_KIND_FUNC);
	memcpy((void *)part->rodata->object_secret, b->object_secret, sizeof(b->object_secret));
	part->rodata->has_virtio_seqno = grt_types_arguments(&b->types, "virtio_gpu_cmd_queue") > 2;
	bpf_object__for_each_program(prog, part->obj) {
		bpf_program__set_autoload(prog, !b->is_loaded[i] && is_wanted(b, prog));
		b->is_loaded[i++] |= bpf_program__autoload(prog);
	}
	part->rodata->buffer_mask = b->buffers.bytes - 8;
	part->rodata->wake_bytes = grt_bpf_wake_bytes(&b->buffers);
	if (b->nr_parts > 1)
		err = share_maps(part, b->parts[0]);
	else
		err = grt_bpf_buffers_size(part->maps.buffers, part->bss->cpus, b->buffers.bytes);
	if (err)
		return err;
	find_nouveau(b);
	err = capture_bpf__load(part);
	return err ? grt_bpf_fail_load(err, COMMAND) : 0;
}

/*
 * Kprobes are not everywhere: without them timeouts and resets are unknown.  A scheduler that is
 * not there yet can be probed later if other functions can: streams promise it when they begin.
 */
static int attach_part(struct grt_bpf *b, struct capture_bpf *part)
{
	struct bpf_program *prog;
	bool can_probe = false, is_refused = false, has_promised = b->has_recovery;
	struct bpf_link **link;
	size_t i = 0;

	/* The skeleton has one link per program, in the same order. */
	bpf_object__for_each_program(prog, part->obj) {
		link = (struct bpf_link **)&part->links + i++;
		if (!bpf_program__autoload(prog))
			continue;
		*link = bpf_program__attach(prog);
		can_probe |= *link && is_kprobe(prog);
		if (*link)
			continue;
		if (!is_kprobe(prog))
			return grt_fail(errno, NULL, "cannot attach to %s: %s",
					bpf_program__section_name(prog), grt_bpf_last_warning());
		is_refused |= !is_mark(prog);
	}
	if (has_promised && !is_refused)
		return 0;
	b->has_recovery = can_probe && !is_refused;
	if (has_promised)
		grt_warn(NULL, "the kernel refuses probes of the scheduler: timeouts and resets are not recorded");
	return 0;
}

static uint64_t features_of(const struct grt_bpf *b)
{
	uint64_t bits = 1ull << GRTRACE_FEATURE_DEPENDENCIES;
	if (b->has_recovery)
		bits |= 1ull << GRTRACE_FEATURE_RECOVERY;
	if (grt_types_offset(&b->types, "drm_sched_fence.drm_client_id") >= 0)
		bits |= 1ull << GRTRACE_FEATURE_CLIENT_ID;
	return bits;
}

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
	const struct capture_bpf *part = b->parts[0];
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
	struct grt_bpf_cpu *counters = b->parts[0]->bss->cpus;
	unsigned int cpus = libbpf_num_possible_cpus();
	int err = grt_bpf_buffers_open(&b->buffers, b->parts[0]->maps.buffers,
				       b->parts[0]->maps.doorbell);

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

static void detach_twins(struct capture_bpf *part)
{
	struct bpf_program *prog;
	struct bpf_link **link = (struct bpf_link **)&part->links;

	bpf_object__for_each_program(prog, part->obj) {
		if (grt_bpf_is_twin(prog)) {
			bpf_link__destroy(*link);
			*link = NULL;
		}
		link++;
	}
}

/* The twins go first: without its program a twin would take each event for one that was missed. */
static void detach(struct grt_bpf *b)
{
	for (unsigned int i = 0; i < b->nr_parts; i++) {
		detach_twins(b->parts[i]);
		capture_bpf__detach(b->parts[i]);
	}
}

/* Counts the events that a program missed, because it was running on that CPU already.  Its twin may have them. */
static uint64_t count_misses(const struct grt_bpf *b)
{
	struct bpf_program *prog;
	uint64_t missed = 0;

	for (unsigned int i = 0; i < b->nr_parts; i++) {
		bpf_object__for_each_program(prog, b->parts[i]->obj) {
			if (!grt_bpf_is_twin(prog) && !is_follower(prog))
				missed += grt_bpf_misses(prog);
		}
	}
	return missed;
}

/*
 * Sets how many events neither a program nor its twin has, of all CPUs together.  @misses was counted before a
 * grace period, so the twins have looked at these events.
 */
static void set_missed(struct grt_bpf *b, uint64_t misses)
{
	const uint64_t saved = b->parts[0]->bss->saved;

	if (misses > saved && misses - saved > b->lanes[0].missed)
		b->lanes[0].missed = misses - saved;
}

/* The scheduler's module, and those of drivers, may be loaded while we record. */
static int follow_modules(struct grt_bpf *b)
{
	uint64_t now = grt_capture_now_ns();
	int err;

	if (b->is_stopped || b->nr_parts == MOST_PARTS || now - b->looked_ns < LOOK_NS)
		return 0;
	b->looked_ns = now;
	if (!(grt_types_modules() & ~b->modules))
		return 0;
	err = grt_types_load(&b->types);
	if (!err)
		err = load_part(b);
	if (!err)
		err = attach_part(b, b->parts[b->nr_parts - 1]);
	grt_types_free(&b->types);
	return err;
}

static ssize_t bpf_read(void *source, unsigned int lane, void *to, size_t room)
{
	struct grt_bpf *b = source;
	int err = lane ? 0 : follow_modules(b);

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
	misses = count_misses(b);
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
	for (unsigned int i = b->nr_parts; i--; )
		capture_bpf__destroy(b->parts[i]);
	grt_types_free(&b->types);
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
	int doorbell = bpf_map__fd(b->parts[0]->maps.doorbell);
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
	if (!err)
		err = grt_types_load(&b->types);
	if (!err && b->options.has_cpu)
		b->has_entry = grt_bpf_permits_ioctl(b->types.kernel);
	if (!err && b->options.stacks)
		err = grt_capture_stacks_open(&b->stacks, b->options.stacks);
	return err ? err : load_part(b);
}

int grt_bpf_open(struct grt_bpf **bpf, const struct grt_bpf_options *options)
{
	struct grt_bpf *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return grt_fail_memory();
	b->options = *options;
	b->buffers.bytes = grt_bpf_buffer_bytes(options->buffer_bytes);
	b->marker_ops = grt_capture_symbol("tracing_mark_fops", NULL);
	if (getrandom(b->object_secret, sizeof(b->object_secret), 0) != sizeof(b->object_secret))
		err = grt_fail_errno(NULL, "cannot get random numbers");
	else
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

	b->parts[0]->bss->chosen_tgid = b->options.choice->tgid;
	if (!err)
		err = attach_part(b, b->parts[0]);
	if (!err)
		err = grt_capture_defs_begin(&b->defs, "bpf", features_of(b),
					     b->nr_lanes, b->buffers.bytes);
	if (!err)
		err = grt_capture_choice_tell(b->options.choice, b->options.types, &b->defs);
	if (!err && b->options.stacks)
		err = grt_capture_defs_line(&b->defs, "stacks", grt_capture_stacks_names(b->options.stacks));
	grt_types_free(&b->types);
	return err ? err : create_live(b);
}

struct grt_live *grt_bpf_live(struct grt_bpf *b)
{
	return b->live;
}

/* Of both kinds together. */
static struct grt_bpf_stack_counts unknown_stacks(const struct grt_bpf *b)
{
	const struct grt_bpf_stack_counts *kinds = b->parts[0]->bss->stack_counts;

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
	detach(b);
	grt_capture_grace();
	b->is_stopped = true;
	tell_lanes(b, grt_capture_now_ns());
	set_missed(b, count_misses(b));
	warn_of_stacks(b);
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].is_stopped = true;
	return 0;
}

int grt_bpf_sums(struct grt_bpf *b, struct grt_vec *totals, uint64_t *lost)
{
	*lost = b->parts[0]->bss->sums_lost;
	return grt_bpf_sums_read(bpf_map__fd(b->parts[0]->maps.sums), &b->defs, totals);
}

size_t grt_bpf_stats(struct grt_bpf *b, char *to, size_t room)
{
	const struct capture_bpf__bss *bss = b->parts[0]->bss;
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
		       "\nfiltered_type=%" PRIu64 "\nrefused=%" PRIu64 "\nrings_lost=%" PRIu64 "\nrecursion_misses=%" PRIu64
		       "\nkernel_stacks_no_room=%" PRIu64 "\nuser_stacks_no_room=%" PRIu64
		       "\nkernel_stacks_not_read=%" PRIu64 "\nuser_stacks_not_read=%" PRIu64 "\nstacks_raced=%" PRIu64 "\n",
		       seen, written, lost, filtered, refused, (uint64_t)bss->rings_lost, b->lanes[0].missed,
		       (uint64_t)stacks[GRT_BPF_STACK_KERNEL].no_room, (uint64_t)stacks[GRT_BPF_STACK_USER].no_room,
		       (uint64_t)stacks[GRT_BPF_STACK_KERNEL].no_stack, (uint64_t)stacks[GRT_BPF_STACK_USER].no_stack,
		       b->stacks.raced);
	return len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}
