// SPDX-License-Identifier: GPL-2.0
#include "bpf.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/grtrace.h>

#include "bpf_lane.h"
#include "bpf_patterns.h"
#include "capture.h"
#include "choice.h"
#include "definitions.h"
#include "error.h"
#include "grace.h"
#include "live.h"
#include "lockdown.h"
#include "machine.h"
#include "symbols.h"
#include "types.h"

#include "capture.skel.h"

#define MIN_BYTES	(64ull << 10)
#define LOOK_NS		100000000ull	/* between two looks for the scheduler's module */
#define WAKE_BYTES	(256ull << 10)	/* the reader is woken after so many; it looks by itself, too */
#define NO_SLOT		UINT16_MAX
#define SCHED		"gpu_sched"
#define MOST_PARTS	2		/* with the scheduler, or without it and then with it */

struct grt_bpf {
	struct capture_bpf *parts[MOST_PARTS];	/* the first one owns the maps */
	unsigned int nr_parts;
	struct grt_bpf_options options;
	struct grt_types types;
	uint64_t marker_ops;			/* of trace_marker; 0: not known */
	bool has_sched, has_recovery, is_stopped;
	uint64_t looked_ns;
	struct grt_capture_defs defs;
	struct grt_bpf_lane *lanes;		/* owned */
	unsigned int nr_lanes;
	size_t bytes;				/* of a CPU's buffer */
	uint8_t *buffers;			/* of all CPUs, mapped */
	size_t mapped;
	struct ring_buffer *doorbell;
	struct grt_live *live;
};

/* What libbpf said last. */
static char complaint[512];

static int keep_complaint(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char text[sizeof(complaint)];

	if (level != LIBBPF_WARN)
		return 0;
	if (getenv("GRTRACE_DEBUG")) {
		va_list again;

		va_copy(again, args);
		vfprintf(stderr, fmt, again);
		va_end(again);
	}
	vsnprintf(text, sizeof(text), fmt, args);
	text[strcspn(text, "\n")] = '\0';
	snprintf(complaint, sizeof(complaint), "%s", text);
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static bool has_sched(const struct grt_types *t)
{
	return grt_types_has(t, "drm_sched_job", BTF_KIND_STRUCT);
}

/* From 7.0 on programs may be preempted; see twin.bpf.h. */
static bool has_preemption(void)
{
	struct utsname name;

	return !uname(&name) && strtoul(name.release, NULL, 10) >= 7;
}

/* The tracepoint must have its twin behind the program: programs run in the order of attaching. */
static bool is_twin(const struct bpf_program *prog)
{
	const char *name = bpf_program__name(prog), *last = strrchr(name, '_');

	return last && !strcmp(last, "_twin");
}

static bool is_unschedulable(const struct bpf_program *prog)
{
	return !strncmp(bpf_program__name(prog), "unschedulable", 13);
}

static bool is_mark(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "mark");
}

/* Those that do not need the scheduler: the first part has them. */
static bool is_general(const struct bpf_program *prog)
{
	return !strcmp(bpf_program__name(prog), "fence_end") || is_mark(prog);
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

	if (!event || (is_twin(prog) && !has_preemption()) ||
	    (is_unschedulable(prog) && !grt_capture_unschedulable_is_safe()))
		return false;
	if (is_mark(prog))
		return b->marker_ops && b->options.types >> GRTRACE_MARK & 1;
	snprintf(type, sizeof(type), "btf_trace_%s", event + 1);
	return is_kprobe(prog) ? has_sched(t) : grt_types_has(t, type, BTF_KIND_TYPEDEF);
}

/* A later part uses the maps of the first one, and leaves out what is attached already. */
static int share_maps(struct capture_bpf *part, const struct capture_bpf *first)
{
	const struct bpf_map *shared;
	struct bpf_map *map;
	int err;

	bpf_object__for_each_map(map, part->obj) {
		shared = bpf_object__find_map_by_name(first->obj, bpf_map__name(map));
		err = shared ? bpf_map__reuse_fd(map, bpf_map__fd(shared)) : -ENOENT;
		if (err)
			return grt_fail(-err, NULL, "cannot share the BPF map '%s'", bpf_map__name(map));
	}
	return 0;
}

/* The capabilities of this process, as bits. */
static uint64_t capabilities(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	uint64_t bits = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %" SCNx64, &bits) == 1)
			break;
	if (f)
		fclose(f);
	return bits;
}

/*
 * CAP_BPF and CAP_PERFMON are not enough: the kernel gives the types of its modules, and the
 * scheduler is one, only to CAP_SYS_ADMIN (6.1 to 7.2 kernel/bpf/syscall.c, bpf_btf_get_fd_by_id()).
 */
static int check_rights(void)
{
	if (grt_capture_is_confidential())
		return grt_fail(EPERM, GRT_CAPTURE_UNLOCK_HINT,
				"the kernel is locked down (confidentiality) and lets no BPF program read its memory");
	if (!(capabilities() >> CAP_SYS_ADMIN & 1))
		return grt_fail(EPERM, "sudo grtrace record", "only root may load the programs: CAP_SYS_ADMIN is missing");
	return 0;
}

static int fail_load(int err)
{
	if (err == -EPERM)
		return grt_fail(EPERM, "sudo grtrace record --source=bpf",
				"the kernel refuses BPF programs: %s", complaint);
	return grt_fail(-err, "report this as a bug, with the output of GRTRACE_DEBUG=1 grtrace record --source=bpf",
			"cannot load the BPF programs: %s", complaint);
}

/* Gives a buffer to each CPU that is online.  Returns how many there are. */
static unsigned int give_slots(uint16_t *slots, unsigned int cpus)
{
	unsigned int count = 0;

	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		slots[cpu] = grt_capture_cpu_is_online(cpu) ? count++ : NO_SLOT;
	return count;
}

static void set_choice(struct capture_bpf *part, const struct grt_capture_choice *choice,
		       bool is_summary)
{
	part->rodata->sums_up = is_summary;
	part->rodata->least_ns = choice->slower_ns;
	part->rodata->is_choosy = grt_capture_chooses(choice);
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

static int load_part(struct grt_bpf *b)
{
	unsigned int cpus = libbpf_num_possible_cpus();
	struct capture_bpf *part = capture_bpf__open();
	struct bpf_program *prog;
	int err;

	if (!part)
		return fail_load(-errno);
	b->parts[b->nr_parts++] = part;
	part->rodata->types = b->options.types;
	part->rodata->marker_ops = b->marker_ops;
	set_choice(part, b->options.choice, b->options.sums_up);
	part->rodata->has_twins = has_preemption();
	part->rodata->errors_pipeline = !grt_types_has(&b->types, "drm_sched_entity_error", BTF_KIND_FUNC);
	bpf_object__for_each_program(prog, part->obj)
		bpf_program__set_autoload(prog, has_target(b, prog) &&
					  (b->nr_parts == 1 || !is_general(prog)));
	part->rodata->buffer_mask = b->bytes - 8;
	part->rodata->wake_bytes = b->bytes / 4 < WAKE_BYTES ? b->bytes / 4 : WAKE_BYTES;
	err = bpf_map__set_max_entries(part->maps.buffers,
				       give_slots((uint16_t *)part->rodata->slots, cpus));
	if (!err)
		err = bpf_map__set_value_size(part->maps.buffers, b->bytes + GRT_BPF_MAX_RECORD);
	if (!err && b->nr_parts > 1)
		err = share_maps(part, b->parts[0]);
	if (err)
		return err;
	err = capture_bpf__load(part);
	b->has_sched |= has_sched(&b->types);
	return err ? fail_load(err) : 0;
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
					bpf_program__section_name(prog), complaint);
		is_refused |= !is_mark(prog);
	}
	b->has_recovery = can_probe && !is_refused;
	if (has_promised && !b->has_recovery)
		grt_warn(NULL, "the kernel refuses probes of the scheduler: timeouts and resets are not recorded");
	return 0;
}

static uint64_t features_of(const struct grt_bpf *b)
{
	uint64_t bits = 1ull << GRTRACE_FEATURE_DEPENDENCIES;
	const struct btf *btf = b->types.sched ? b->types.sched : b->types.kernel;
	int id = btf__find_by_name_kind(btf, "drm_sched_fence", BTF_KIND_STRUCT);
	const struct btf_type *fence = id > 0 ? btf__type_by_id(btf, id) : NULL;

	if (b->has_recovery)
		bits |= 1ull << GRTRACE_FEATURE_RECOVERY;
	for (int i = 0; fence && i < btf_vlen(fence); i++)
		if (!strcmp(btf__name_by_offset(btf, btf_members(fence)[i].name_off),
			    "drm_client_id"))
			bits |= 1ull << GRTRACE_FEATURE_CLIENT_ID;
	return bits;
}

/* A power of two. */
static size_t buffer_bytes(uint64_t asked)
{
	uint64_t most = grt_capture_buffer_bytes(asked), bytes = MIN_BYTES;

	while (2 * bytes <= most && bytes < 1ull << 30)
		bytes *= 2;
	return bytes;
}

static int hear_doorbell(void *arg, void *data, size_t bytes)
{
	(void)arg, (void)data, (void)bytes;
	return 0;
}

static int open_buffers(struct grt_bpf *b)
{
	unsigned int cpus = bpf_map__max_entries(b->parts[0]->maps.buffers);
	size_t page = sysconf(_SC_PAGESIZE);

	b->mapped = (cpus * (b->bytes + GRT_BPF_MAX_RECORD) + page - 1) / page * page;
	b->buffers = mmap(NULL, b->mapped, PROT_READ | PROT_WRITE, MAP_SHARED,
			  bpf_map__fd(b->parts[0]->maps.buffers), 0);
	if (b->buffers == MAP_FAILED) {
		b->buffers = NULL;
		return grt_fail_errno(NULL, "cannot map the buffers of the BPF programs");
	}
	b->doorbell = ring_buffer__new(bpf_map__fd(b->parts[0]->maps.doorbell), hear_doorbell, NULL,
				       NULL);
	return b->doorbell ? 0 : grt_fail_errno(NULL, "cannot wait for BPF programs");
}

/* A CPU that comes online later has a stream, too, which says how many of its events are lost. */
static enum grtrace_fate refused_fate(const struct grt_bpf *b)
{
	if (b->options.sums_up)
		return GRTRACE_FATE_AGGREGATED;
	return grt_capture_chooses(b->options.choice) ? grt_capture_choice_fate(b->options.choice) :
							GRTRACE_FATE_WRITTEN;
}

static int open_lanes(struct grt_bpf *b)
{
	const uint16_t *slots = (const uint16_t *)b->parts[0]->rodata->slots;
	unsigned int cpus = libbpf_num_possible_cpus();
	int err = open_buffers(b);

	b->lanes = calloc(cpus, sizeof(*b->lanes));
	if (!b->lanes)
		return grt_fail_memory();
	for (uint32_t cpu = 0; !err && cpu < cpus; cpu++)
		grt_bpf_lane_open(&b->lanes[b->nr_lanes++], cpu, slots[cpu] == NO_SLOT ? NULL :
				  b->buffers + slots[cpu] * (b->bytes + GRT_BPF_MAX_RECORD),
				  b->bytes, &b->parts[0]->bss->cpus[cpu],
				  refused_fate(b), &b->defs);
	return err;
}

static void detach(struct grt_bpf *b)
{
	for (unsigned int i = 0; i < b->nr_parts; i++)
		capture_bpf__detach(b->parts[i]);
}

/*
 * Counts the events that were missed by the program and by its twin: both were running on that CPU
 * already.
 */
static uint64_t count_missed(const struct grt_bpf *b)
{
	const uint64_t saved = b->parts[0]->bss->saved;
	uint64_t missed = 0;
	struct bpf_program *prog;

	for (unsigned int i = 0; i < b->nr_parts; i++) {
		bpf_object__for_each_program(prog, b->parts[i]->obj) {
			struct bpf_prog_info info = { .type = 0 };
			uint32_t bytes = sizeof(info);

			if (!is_twin(prog) && bpf_program__fd(prog) >= 0 &&
			    !bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &bytes))
				missed += info.recursion_misses;
		}
	}
	return missed > saved ? missed - saved : 0;
}

/* The scheduler's module may be loaded while we record. */
static int follow_sched(struct grt_bpf *b)
{
	uint64_t now = now_ns();
	int err;

	if (b->has_sched || b->is_stopped || now - b->looked_ns < LOOK_NS)
		return 0;
	b->looked_ns = now;
	if (access("/sys/kernel/btf/" SCHED, F_OK))
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
	int err = lane ? 0 : follow_sched(b);

	if (!lane)
		ring_buffer__consume(b->doorbell);
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
	uint64_t now = now_ns();

	if (b->is_stopped)
		return 0;
	tell_lanes(b, now);
	grt_capture_grace();
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].safe_ns = now;
	return now;
}

void grt_bpf_close(struct grt_bpf *b)
{
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		grt_bpf_lane_close(&b->lanes[i]);
	ring_buffer__free(b->doorbell);
	if (b->buffers)
		munmap(b->buffers, b->mapped);
	for (unsigned int i = b->nr_parts; i--; )
		capture_bpf__destroy(b->parts[i]);
	grt_types_free(&b->types);
	grt_capture_defs_free(&b->defs);
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
	int cpus = libbpf_num_possible_cpus(), err;

	if (cpus < 1 || cpus > GRT_BPF_MAX_CPUS)
		return grt_fail(E2BIG, NULL, "%d CPUs; at most %d are possible", cpus,
				GRT_BPF_MAX_CPUS);
	err = check_rights();
	if (!err)
		err = grt_types_load(&b->types);
	return err ? err : load_part(b);
}

int grt_bpf_open(struct grt_bpf **bpf, const struct grt_bpf_options *options)
{
	struct grt_bpf *b = calloc(1, sizeof(*b));
	int err;

	if (!b)
		return grt_fail_memory();
	b->options = *options;
	b->bytes = buffer_bytes(options->buffer_bytes);
	b->marker_ops = grt_capture_symbol("tracing_mark_fops", NULL);
	libbpf_set_print(keep_complaint);
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
					     b->nr_lanes, b->bytes);
	if (!err)
		err = grt_capture_choice_tell(b->options.choice, b->options.types, &b->defs);
	grt_types_free(&b->types);
	return err ? err : create_live(b);
}

struct grt_live *grt_bpf_live(struct grt_bpf *b)
{
	return b->live;
}

int grt_bpf_stop(struct grt_bpf *b)
{
	if (b->is_stopped)
		return 0;
	detach(b);
	grt_capture_grace();
	b->is_stopped = true;
	tell_lanes(b, now_ns());
	b->lanes[0].missed = count_missed(b);	/* of all CPUs together */
	for (unsigned int i = 0; i < b->nr_lanes; i++)
		b->lanes[i].is_stopped = true;
	return 0;
}

static int by_ring(const void *left, const void *right)
{
	const struct grt_bpf_total *a = left, *b = right;
	uint32_t one = a->ring ? a->ring->ring : 0, other = b->ring ? b->ring->ring : 0;

	if (a->ring && b->ring && strcmp(a->ring->name, b->ring->name))
		return strcmp(a->ring->name, b->ring->name);
	if (one != other)
		return one < other ? -1 : 1;
	return a->tgid < b->tgid ? -1 : a->tgid > b->tgid;
}

int grt_bpf_sums(struct grt_bpf *b, struct grt_vec *totals, uint64_t *lost)
{
	int map = bpf_map__fd(b->parts[0]->maps.sums);
	struct grt_bpf_sum_key key, *last = NULL;
	struct grt_bpf_total *total;

	*lost = b->parts[0]->bss->sums_lost;
	for (; !bpf_map_get_next_key(map, last, &key); last = &key) {
		total = grt_vec_grow(totals, sizeof(*total));
		if (!total)
			return grt_fail_memory();
		*total = (struct grt_bpf_total){
			.ring = grt_capture_defs_find_ring(&b->defs, key.ring), .tgid = key.tgid,
		};
		if (bpf_map_lookup_elem(map, &key, &total->sum))
			totals->bytes -= sizeof(*total);
	}
	if (totals->bytes)
		qsort(totals->data, grt_vec_count(totals, struct grt_bpf_total),
		      sizeof(struct grt_bpf_total), by_ring);
	return 0;
}

size_t grt_bpf_stats(struct grt_bpf *b, char *to, size_t room)
{
	const struct capture_bpf__bss *bss = b->parts[0]->bss;
	uint64_t seen = 0, lost = 0, filtered = 0, refused = 0, written = 0;
	int len;

	for (unsigned int i = 0; i < b->nr_lanes; i++) {
		const struct grt_bpf_lane *l = &b->lanes[i];

		seen += l->counters->seen + l->missed;
		lost += l->counters->lost + l->missed;
		filtered += l->counters->filtered;
		refused += l->counters->refused;
		written += l->stream.cseq;
	}
	len = snprintf(to, room, "source=bpf\nseen=%" PRIu64 "\nwritten=%" PRIu64 "\nbuffer_full=%" PRIu64
		       "\nfiltered_type=%" PRIu64 "\nrefused=%" PRIu64 "\nrings_lost=%" PRIu64 "\nrecursion_misses=%" PRIu64 "\n",
		       seen, written, lost, filtered, refused, (uint64_t)bss->rings_lost, b->lanes[0].missed);
	return len < 0 ? 0 : (size_t)len < room ? (size_t)len : room - 1;
}
