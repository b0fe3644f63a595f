// SPDX-License-Identifier: GPL-2.0
#include "bpf_programs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/grtrace.h>

#include "bpf.h"
#include "bpf_load.h"
#include "bpf_patterns.h"
#include "capture.h"
#include "choice.h"
#include "error.h"
#include "machine.h"
#include "stacks.h"
#include "symbols.h"

#include "capture.skel.h"

#define LOOK_NS		100000000ull	/* between two looks for modules */
#define COMMAND		"grtrace record --source=bpf"
#define NR_PROGRAMS	(sizeof(((struct capture_bpf *)NULL)->progs) / sizeof(struct bpf_program *))

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

/* Whether this kernel has the tracepoint or function that @prog attaches to. */
static bool has_target(const struct grt_bpf_programs *p, const struct bpf_program *prog)
{
	const struct grt_types *t = &p->types;
	const char *event = strchr(bpf_program__section_name(prog), '/');
	char type[128];

	if (!event || (grt_bpf_is_twin(prog) && !grt_bpf_has_preemption()) ||
	    (is_unschedulable(prog) && !grt_capture_unschedulable_is_safe()))
		return false;
	if (is_mark(prog))
		return p->marker_ops && p->options->types >> GRTRACE_MARK & 1;
	snprintf(type, sizeof(type), "btf_trace_%s", is_emit(prog) ? "virtio_gpu_cmd_queue" : event + 1);
	return is_kprobe(prog) ? has_sched(t) : grt_types_has(t, type, BTF_KIND_TYPEDEF);
}

/* It attaches to a tracepoint of all fences, but reads structures of nouveau, which must be loaded. */
static bool is_for_nouveau(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "nouveau_init");
}

static bool has_nouveau(const struct grt_bpf_programs *p)
{
	return grt_types_has(&p->types, "nouveau_fence_chan", BTF_KIND_STRUCT);
}

/* nouveau has no tracepoints: its fences are known by the addresses of their functions. */
static void find_nouveau(struct grt_bpf_programs *p)
{
	static const char *const names[] = { "nouveau_fence_ops_legacy", "nouveau_fence_ops_uevent" };
	uint64_t ops;

	for (int i = 0; has_nouveau(p) && i < 2; i++) {
		ops = grt_capture_module_symbol("nouveau", names[i]);
		if (ops)
			p->parts[0]->data->nouveau_ops[i] = ops;
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
static bool is_other_submit(const struct grt_bpf_programs *p, const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog);

	return p->options->stacks ? !strncmp(name, "submit_", 7) : !strncmp(name, "stack_submit_", 13);
}

static bool is_wanted(const struct grt_bpf_programs *p, const struct bpf_program *prog)
{
	const char *target = strchr(bpf_program__section_name(prog), '/');

	if (is_other_submit(p, prog) || (is_for_nouveau(prog) && !has_nouveau(p)) || (is_for_cpu(prog) && !p->options->has_cpu))
		return false;
	if (grt_bpf_is_entry(prog))
		return (!grt_bpf_is_twin(prog) || grt_bpf_has_preemption()) && p->has_entry &&
		       grt_types_has(&p->types, target + 1, BTF_KIND_FUNC);
	if (!strcmp(bpf_program__name(prog), "cpu_ioctl_any") && p->has_entry)
		return false;
	return has_target(p, prog);
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
			return grt_fail(-err, NULL, "the BPF programs of a module cannot use the map '%s' of the others", bpf_map__name(map));
	}
	return 0;
}

static int set_choice(struct capture_bpf *part, const struct grt_capture_choice *choice,
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
	grt_bpf_patterns_engines((void *)&part->rodata->wanted_engines, choice->engines);
	if (!is_summary)
		bpf_map__set_max_entries(part->maps.sums, 1);
	if (!is_summary && !choice->slower_ns)
		bpf_map__set_max_entries(part->maps.open_jobs, 1);
	if (!grt_capture_chooses_owner(choice))
		bpf_map__set_max_entries(part->maps.chosen_jobs, 1);
	return grt_bpf_patterns_rings((void *)&part->rodata->wanted_rings, choice->rings);
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

static int load_part(struct grt_bpf_programs *p)
{
	struct capture_bpf *part = capture_bpf__open();
	struct bpf_program *prog;
	unsigned int i = 0;
	int err;

	if (!part)
		return grt_bpf_fail_load(-errno, COMMAND);
	p->parts[p->nr_parts++] = part;
	p->modules = grt_types_modules();
	part->rodata->types = p->options->types & ~GRT_BPF_NARROW;
	part->rodata->marker_ops = p->marker_ops;
	err = set_choice(part, p->options->choice, p->options->sums_up);
	if (err)
		return err;
	size_stacks(part, p->options->stacks);
	part->rodata->has_twins = grt_bpf_has_preemption();
	part->rodata->errors_pipeline = !grt_types_has(&p->types, "drm_sched_entity_error", BTF_KIND_FUNC);
	memcpy((void *)part->rodata->object_secret, p->object_secret, sizeof(p->object_secret));
	part->rodata->has_virtio_seqno = grt_types_arguments(&p->types, "virtio_gpu_cmd_queue") > 2;
	bpf_object__for_each_program(prog, part->obj) {
		bpf_program__set_autoload(prog, !p->is_loaded[i] && is_wanted(p, prog));
		p->is_loaded[i++] |= bpf_program__autoload(prog);
	}
	part->rodata->buffer_mask = p->buffer_bytes - 8;
	part->rodata->wake_bytes = grt_bpf_wake_bytes(p->buffer_bytes);
	if (p->nr_parts > 1)
		err = share_maps(part, p->parts[0]);
	else
		err = grt_bpf_buffers_size(part->maps.buffers, part->bss->cpus, p->buffer_bytes);
	if (err)
		return err;
	find_nouveau(p);
	err = capture_bpf__load(part);
	return err ? grt_bpf_fail_load(err, COMMAND) : 0;
}

/*
 * Kprobes are not everywhere: without them timeouts and resets are unknown.  A scheduler that is
 * not there yet can be probed later if other functions can: streams promise it when they begin.
 */
static int attach(struct grt_bpf_programs *p)
{
	struct capture_bpf *part = p->parts[p->nr_parts - 1];
	struct bpf_program *prog;
	bool can_probe = false, is_refused = false, has_promised = p->has_recovery;
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
	p->has_recovery = can_probe && !is_refused;
	if (has_promised)
		grt_warn(NULL, "the kernel refused to probe the scheduler, so timeouts and resets are not recorded");
	return 0;
}

static uint64_t features_of(const struct grt_bpf_programs *p)
{
	uint64_t bits = 1ull << GRTRACE_FEATURE_DEPENDENCIES;
	if (p->has_recovery)
		bits |= 1ull << GRTRACE_FEATURE_RECOVERY;
	if (grt_types_offset(&p->types, "drm_sched_fence.drm_client_id") >= 0)
		bits |= 1ull << GRTRACE_FEATURE_CLIENT_ID;
	return bits;
}

static int load_first(struct grt_bpf_programs *p)
{
	int err = grt_types_load(&p->types);
	if (!err && p->options->has_cpu)
		p->has_entry = grt_bpf_permits_ioctl(p->types.kernel);
	return err ? err : load_part(p);
}

int grt_bpf_programs_open(struct grt_bpf_programs *p, const struct grt_bpf_options *options, size_t buffer_bytes)
{
	p->options = options;
	p->buffer_bytes = buffer_bytes;
	p->marker_ops = grt_capture_symbol("tracing_mark_fops", NULL);
	p->is_loaded = calloc(NR_PROGRAMS, sizeof(*p->is_loaded));
	if (!p->is_loaded)
		return grt_fail_memory();
	if (getrandom(p->object_secret, sizeof(p->object_secret), 0) != sizeof(p->object_secret))
		return grt_fail_errno(NULL, "cannot get random numbers");
	return load_first(p);
}

int grt_bpf_programs_attach(struct grt_bpf_programs *p)
{
	int err = attach(p);
	p->features = err ? 0 : features_of(p);
	grt_types_free(&p->types);
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
void grt_bpf_programs_detach(struct grt_bpf_programs *p)
{
	for (unsigned int i = 0; i < p->nr_parts; i++) {
		detach_twins(p->parts[i]);
		capture_bpf__detach(p->parts[i]);
	}
}

uint64_t grt_bpf_programs_misses(const struct grt_bpf_programs *p)
{
	struct bpf_program *prog;
	uint64_t missed = 0;

	for (unsigned int i = 0; i < p->nr_parts; i++) {
		bpf_object__for_each_program(prog, p->parts[i]->obj) {
			if (!grt_bpf_is_twin(prog) && !is_follower(prog))
				missed += grt_bpf_misses(prog);
		}
	}
	return missed;
}

/* The scheduler's module, and those of drivers, may be loaded while we record. */
int grt_bpf_programs_follow(struct grt_bpf_programs *p)
{
	uint64_t now = grt_capture_now_ns();
	int err;

	if (p->nr_parts == GRT_BPF_PARTS || now - p->looked_ns < LOOK_NS)
		return 0;
	p->looked_ns = now;
	if (!(grt_types_modules() & ~p->modules))
		return 0;
	err = grt_types_load(&p->types);
	if (!err)
		err = load_part(p);
	if (!err)
		err = attach(p);
	grt_types_free(&p->types);
	return err;
}

void grt_bpf_programs_close(struct grt_bpf_programs *p)
{
	for (unsigned int i = p->nr_parts; i--; )
		capture_bpf__destroy(p->parts[i]);
	grt_types_free(&p->types);
	free(p->is_loaded);
}
