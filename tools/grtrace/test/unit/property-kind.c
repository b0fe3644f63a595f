// SPDX-License-Identifier: GPL-2.0
#include "property-kind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "merge.h"
#include "property-trace.h"
#include "reading.h"
#include "repair.h"
#include "sim-file.h"
#include "sim-random.h"
#include "slice.h"

/* Random numbers of a trial, apart from those of its schedule. */
static struct sim sim;
static struct property_trial *trial;

static uint32_t below(uint32_t n)
{
	return sim_random(&sim, n);
}

static void __attribute__((format(printf, 1, 2))) say(const char *text, ...)
{
	size_t len = strlen(trial->what);
	va_list args;

	va_start(args, text);
	vsnprintf(trial->what + len, sizeof(trial->what) - len, text, args);
	va_end(args);
}

/* In a temporary folder, or in the folder GRT_KEEP, which stays. */
static char *path_of(const char *name)
{
	const char *folder = getenv("GRT_KEEP");
	char *path;

	if (asprintf(&path, "%s/%s", folder ? folder : reading_path(""), name) < 0)
		abort();
	return path;
}

/* --- the traces ---------------------------------------------------------------------------- */

/* A trace of a random schedule, with all its events. */
static void simulate(struct property_trace *t, uint64_t seed)
{
	const struct sim_class *class;
	struct grt_vec bytes = { 0 };
	char *path = path_of("simulated");

	sim.rng = seed;
	do {
		class = &sim_classes[sim_random(&sim, sim_nr_classes)];
	} while (class->missing != SIM_NOTHING);
	sim_play(&sim, class, seed, SIM_MAX_JOBS);
	say("schedule of '%s', dependencies %s", class->name, sim.is_popped ? "popped" : "declared");
	sim_write(&sim, &bytes);
	reading_write(path, bytes.data, bytes.bytes);
	grt_vec_free(&bytes);
	if (property_trace_read(t, path))
		abort();
	free(path);
}

/* The trace under test, and its report while it is whole. */
struct subject {
	struct property_trace trace;
	struct property_view whole;
	struct property_shape shapes[2];	/* for whoever writes it */
};

static struct property_shape random_shape(void)
{
	return (struct property_shape){
		.subbuf_events = 1 + below(below(2) ? 8 : 100),
		.round_events = 1 + below(below(2) ? 16 : 200),
	};
}

/* Writes a raw stream or a .grt: both have the same records. */
static void write_any(const struct property_trace *t, const struct property_shape *shape,
		      const char *path)
{
	if (below(2))
		property_write_grt(t, shape, path);
	else
		property_write_raw(t, shape, path);
}

/* --- taking events out ------------------------------------------------------------------------ */

static uint64_t first_ns(const struct property_trace *t)
{
	return property_record(t, 0)->ts;
}

static uint64_t span_ns(const struct property_trace *t)
{
	return property_record(t, property_trace_count(t) - 1)->ts - first_ns(t);
}

/* @pct of the events of a CPU, or of all, in a span meet @fate. */
static void lose(struct property_trace *t, uint8_t fate, unsigned int pct)
{
	uint64_t from_ns = first_ns(t) + sim_random(&sim, span_ns(t) + 1);
	uint64_t to_ns = from_ns + sim_random(&sim, span_ns(t) / 8 + 1);
	uint32_t cpu = below(2 * t->nr_cpus), lost = 0;

	for (uint32_t i = 0; i < property_trace_count(t); i++) {
		struct property_event *e = property_event_at(t, i);
		const struct grtrace_hdr *rec = property_record(t, i);

		if (rec->ts < from_ns || rec->ts > to_ns || (cpu < t->nr_cpus && rec->cpu != cpu) ||
		    below(100) >= pct)
			continue;
		e->fate = fate;
		lost++;
	}
	say("; %u events of %s%.0u lost (fate %u) from %" PRIu64 " to %" PRIu64, lost,
	    cpu < t->nr_cpus ? "CPU " : "all CPUs", cpu < t->nr_cpus ? cpu : 0, fate,
	    from_ns - first_ns(t), to_ns - first_ns(t));
}

/* A reader must report the right counts. */
static void check_counts(struct property_trial *t, const struct property_view *v,
			 const struct property_trace *trace)
{
	uint64_t fates[GRTRACE_NR_FATES] = { 0 };

	for (uint32_t i = 0; i < property_trace_count(trace); i++)
		if (property_event_at(trace, i)->fate < GRTRACE_NR_FATES)
			fates[property_event_at(trace, i)->fate]++;
	if (v->events != fates[GRTRACE_FATE_WRITTEN])
		property_object(&t->faults, PROPERTY_TOLD, "%" PRIu64 " events read, %" PRIu64 " were written",
				v->events, fates[GRTRACE_FATE_WRITTEN]);
	fates[GRTRACE_FATE_WRITTEN] = 0;
	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		if (v->lost[i] != fates[i])
			property_object(&t->faults, PROPERTY_TOLD, "%" PRIu64 " events told as lost by fate %d, %" PRIu64
					" were", v->lost[i], i, fates[i]);
}

/* Events are missing: a report that does not say so is wrong. */
static void check_told(struct property_trial *t, const struct property_view *v,
		       const struct property_view *whole)
{
	uint64_t told = v->uncounted + v->is_cut + v->warnings;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		told += v->lost[i];
	if (v->events < whole->events && !told)
		property_object(&t->faults, PROPERTY_TOLD, "%" PRIu64 " events of %" PRIu64 " are there, and nothing tells so",
				v->events, whole->events);
}

/* --- kinds -------------------------------------------------------------------------------------- */

static void begin(struct property_trial *t, struct subject *s, uint64_t seed)
{
	const struct property_shape shape = { .subbuf_events = 1000 };
	char *path = path_of("whole"), *recorded = getenv("GRT_TRACE");

	sim.rng = seed;
	s->shapes[0] = random_shape();
	s->shapes[1] = random_shape();
	if (recorded && property_trace_read(&s->trace, recorded))
		abort();
	if (!recorded)
		simulate(&s->trace, seed);
	property_write_raw(&s->trace, &shape, path);
	if (property_view_read(&s->whole, path, NULL))
		property_object(&t->faults, PROPERTY_READ, "the whole trace cannot be read: %s",
				grt_cause());
	property_check_laws(&t->faults, &s->whole);
	free(path);
}

static void end(struct subject *s)
{
	property_view_free(&s->whole);
	property_trace_free(&s->trace);
}

static void check_part(struct property_trial *t, enum property_rule rule, char *path,
		       const struct property_view *whole, const struct property_lens *lens)
{
	struct property_view part;
	int err = property_view_read(&part, path, lens);

	if (err) {
		t->was_refused = true;
		if (err != -EBADMSG || !*grt_cause())
			property_object(&t->faults, PROPERTY_READ, "reading ends with %d: %s", err, grt_cause());
	} else {
		property_check_laws(&t->faults, &part);
		property_compare(&t->faults, rule, &part, whole, &t->share);
		if (rule == PROPERTY_SAME)
			property_compare(&t->faults, rule, whole, &part, &t->share);
		if (!lens)
			check_told(t, &part, whole);
	}
	property_view_free(&part);
}

/* Compares the trace, from which events were taken, with the whole one. */
static void check_loss(struct property_trial *t, const struct property_trace *trace,
		       const struct property_view *whole)
{
	struct property_shape shape = random_shape();
	struct property_view part;
	char *path = path_of("part");

	say("; %u events a sub-buffer", shape.subbuf_events);
	write_any(trace, &shape, path);
	check_part(t, PROPERTY_LESS, path, whole, NULL);
	if (!property_view_read(&part, path, NULL))
		check_counts(t, &part, trace);
	property_view_free(&part);
	free(path);
}

static void run_same(struct property_trial *t, struct subject *s)
{
	struct property_shape shape = s->shapes[0];
	char *path = path_of("part");

	write_any(&s->trace, &shape, path);
	check_part(t, PROPERTY_SAME, path, &s->whole, NULL);
	free(path);
}

static void run_full(struct property_trial *t, struct subject *s)
{
	for (uint32_t n = 1 + below(3); n; n--)
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	check_loss(t, &s->trace, &s->whole);
}

static void run_limited(struct property_trial *t, struct subject *s)
{
	static const uint8_t fates[] = { GRTRACE_FATE_RATE_LIMITED, GRTRACE_FATE_BACKPRESSURE };

	for (uint32_t n = 1 + below(3); n; n--)
		lose(&s->trace, fates[below(2)], 10 + below(90));
	check_loss(t, &s->trace, &s->whole);
}

/* A single event is gone: values that depend on it must not be made up. */
static void run_one(struct property_trial *t, struct subject *s)
{
	uint32_t i = below(property_trace_count(&s->trace));

	property_event_at(&s->trace, i)->fate = below(2) ? GRTRACE_FATE_BUFFER_FULL :
							GRTRACE_FATE_RATE_LIMITED;
	say("; event %u is lost (fate %u), of type %u at %" PRIu64, i,
	    property_event_at(&s->trace, i)->fate, property_record(&s->trace, i)->type,
	    (uint64_t)property_record(&s->trace, i)->ts - first_ns(&s->trace));
	check_loss(t, &s->trace, &s->whole);
}

/* The first sub-buffers of each CPU were overwritten. */
static void run_overwritten(struct property_trial *t, struct subject *s)
{
	struct property_shape shape = s->shapes[0];
	char *path = path_of("part");

	if (below(3) == 0)
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	shape.subbuf_events = 1 + below(20);
	say("; %u events a sub-buffer; begins with sub-buffers", shape.subbuf_events);
	for (uint16_t cpu = 0; cpu < s->trace.nr_cpus; cpu++) {
		shape.skip[cpu] = below(property_trace_count(&s->trace) / s->trace.nr_cpus / 2 /
					shape.subbuf_events + 2);
		say(" %u", shape.skip[cpu]);
	}
	property_write_raw(&s->trace, &shape, path);
	check_part(t, PROPERTY_LESS, path, &s->whole, NULL);
	free(path);
}

static void run_cut_raw(struct property_trial *t, struct subject *s)
{
	struct property_shape shape = s->shapes[0];
	char *path = path_of("part");

	if (below(3) == 0)
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	shape.subbuf_events = 1 + below(20);
	shape.keep_pct = 30 + below(70);
	say("; %u events a sub-buffer, cut after %u %% of each CPU's", shape.subbuf_events,
	    shape.keep_pct);
	property_write_raw(&s->trace, &shape, path);
	check_part(t, PROPERTY_LESS, path, &s->whole, NULL);
	free(path);
}

static struct grt_vec read_file(const char *path)
{
	struct grt_vec bytes = { 0 };
	FILE *f = fopen(path, "r");
	char buf[4096];
	size_t got;

	while (f && (got = fread(buf, 1, sizeof(buf), f)))
		if (grt_vec_append(&bytes, buf, got))
			abort();
	if (!f || fclose(f))
		abort();
	return bytes;
}

/* A .grt that a crash cut anywhere. */
static void cut_grt(const char *path)
{
	struct grt_vec bytes = read_file(path);
	size_t cut = bytes.bytes / 4 + sim_random(&sim, bytes.bytes * 3 / 4);

	say("; cut at %zu of %zu", cut, bytes.bytes);
	reading_write(path, bytes.data, cut);
	grt_vec_free(&bytes);
}

static void damage_grt(const char *path)
{
	struct grt_vec bytes = read_file(path);

	for (uint32_t n = 1 + below(below(2) ? 1 : 4); n; n--) {
		size_t at = sim_random(&sim, bytes.bytes);

		say("; byte %zu of %zu flipped", at, bytes.bytes);
		((uint8_t *)bytes.data)[at] ^= 1 + below(255);
	}
	reading_write(path, bytes.data, bytes.bytes);
	grt_vec_free(&bytes);
}

static void repair(struct property_trial *t, char *path, char *to)
{
	struct grt_target target = { .path = to, .uid = geteuid(), .gid = getegid() };
	struct grt_repair r = { .chunks = 0 };
	int err;

	unlink(to);
	err = grt_repair_files(&r, 1, &path, &target);
	say("; repaired");
	if (err && err != -EBADMSG)
		property_object(&t->faults, PROPERTY_READ, "repair fails: %s", grt_cause());
	/* A trace that cannot be repaired cannot be read either. */
	t->was_refused |= err == -EBADMSG;
	if (err)
		reading_write(to, "", 0);
}

/* A .grt that @hurt damaged, before and after repair. */
static void run_hurt(struct property_trial *t, struct subject *s, void (*hurt)(const char *path))
{
	struct property_shape shape = s->shapes[0];
	char *path = path_of("part.grt"), *to = path_of("repaired.grt");

	if (below(3) == 0)
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	say("; %u events a sub-buffer, %u a round", shape.subbuf_events, shape.round_events);
	property_write_grt(&s->trace, &shape, path);
	hurt(path);
	if (below(2)) {
		repair(t, path, to);
		check_part(t, PROPERTY_LESS, to, &s->whole, NULL);
	} else {
		check_part(t, PROPERTY_LESS, path, &s->whole, NULL);
	}
	free(path);
	free(to);
}

static void run_cut_grt(struct property_trial *t, struct subject *s)
{
	run_hurt(t, s, cut_grt);
}

static void run_damaged(struct property_trial *t, struct subject *s)
{
	run_hurt(t, s, damage_grt);
}

static void slice(struct property_trial *t, struct grt_slice *s, char *path, char *to)
{
	struct grt_target target = { .path = to, .uid = geteuid(), .gid = getegid() };

	s->line = "slice=x";
	unlink(to);
	if (grt_slice_write(s, path, &target))
		property_object(&t->faults, PROPERTY_READ, "slice fails: %s", grt_cause());
}

/* The times of a slice count from the first event. */
static void choose_span(const struct property_trace *t, struct grt_slice *s)
{
	s->part.since_ns = sim_random(&sim, span_ns(t) * 2 / 3 + 1);
	s->part.until_ns = s->part.since_ns + 1 + span_ns(t) / 20 + sim_random(&sim, span_ns(t) + 1);
	say("; slice from %" PRIu64 " to %" PRIu64, s->part.since_ns, s->part.until_ns);
}

static void run_slice(struct property_trial *t, struct subject *s)
{
	struct property_shape shape = s->shapes[0];
	const struct property_lens all = { .prefix = "" };
	struct grt_slice part = { .part.until_ns = UINT64_MAX };
	char *path = path_of("part"), *to = path_of("slice.grt"), ring[16];

	if (below(2))
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	write_any(&s->trace, &shape, path);
	if (below(3))
		choose_span(&s->trace, &part);
	if (below(2)) {
		snprintf(ring, sizeof(ring), "%u", 1 + below(s->trace.nr_rings));
		part.rings = ring;
		say("; slice of ring %s", ring);
	}
	slice(t, &part, path, to);
	/* The file says only that it is a slice. */
	if (!t->faults.count)
		check_part(t, PROPERTY_LESS, to, &s->whole, &all);
	free(path);
	free(to);
}

#define BOOT_APART_NS	20000000000ull

static void merge(struct property_trial *t, char *a, char *b, char *to)
{
	struct grt_target target = { .path = to, .uid = geteuid(), .gid = getegid() };
	struct grt_merge_input inputs[2] = { { .path = a }, { .path = b } };
	struct grt_merge m = { .inputs = inputs, .count = 2, .line = "merge=x" };

	unlink(to);
	if (grt_merge_files(&m, &target))
		property_object(&t->faults, PROPERTY_READ, "merge fails: %s", grt_cause());
}

/* Two machines at the same time. */
static void run_merge_boots(struct property_trial *t, struct subject *s)
{
	const struct property_lens first = { .prefix = "", .others = "other:" };
	struct property_lens second = { .boot = 1, .prefix = "other:" };
	struct property_shape a = s->shapes[0], b = s->shapes[1];
	char *path[2] = { path_of("a.grt"), path_of("b.grt") }, *to = path_of("merged.grt");
	struct subject other;

	say("; and another machine, ");
	begin(t, &other, ~t->seed);
	a.host = "host";
	b.host = "other";
	b.session_id = s->trace.info.session_id + 1;
	b.later_ns = BOOT_APART_NS;
	b.real_later_ns = sim_random(&sim, span_ns(&s->trace) + 1);
	second.shift_ns = b.real_later_ns;
	say("; merged %" PRIu64 " ns later", b.real_later_ns);
	property_write_grt(&s->trace, &a, path[0]);
	property_write_grt(&other.trace, &b, path[1]);
	merge(t, path[0], path[1], to);
	if (!t->faults.count) {
		check_part(t, PROPERTY_SAME_JOBS, to, &s->whole, &first);
		check_part(t, PROPERTY_SAME_JOBS, to, &other.whole, &second);
	}
	end(&other);
	free(path[0]);
	free(path[1]);
	free(to);
}

/* Cuts a trace into two pieces and merges them again. */
static void run_halves(struct property_trial *t, struct subject *s)
{
	struct grt_slice part[2] = { { .line = NULL }, { .part.until_ns = UINT64_MAX } };
	struct property_shape shape = s->shapes[0];
	char *path = path_of("part"), *to = path_of("merged.grt");
	char *half[2] = { path_of("a.grt"), path_of("b.grt") };

	write_any(&s->trace, &shape, path);
	part[0].part.until_ns = 1 + sim_random(&sim, span_ns(&s->trace));
	part[1].part.since_ns = part[0].part.until_ns;
	say("; sliced at %" PRIu64 " and merged", part[0].part.until_ns);
	for (int i = 0; i < 2; i++)
		slice(t, &part[i], path, half[i]);
	if (!t->faults.count)
		merge(t, half[0], half[1], to);
	if (!t->faults.count)
		check_part(t, PROPERTY_LESS, to, &s->whole, NULL);
	free(path);
	free(to);
	free(half[0]);
	free(half[1]);
}

static void edit_span(struct property_trial *t, struct subject *s, char *path, char *to)
{
	struct grt_slice part = { .part.until_ns = UINT64_MAX };

	choose_span(&s->trace, &part);
	slice(t, &part, path, to);
}

static void edit_ring(struct property_trial *t, struct subject *s, char *path, char *to)
{
	struct grt_slice part = { .part.until_ns = UINT64_MAX };
	char ring[16];

	snprintf(ring, sizeof(ring), "%u", 1 + below(s->trace.nr_rings));
	part.rings = ring;
	say("; slice of ring %s", ring);
	slice(t, &part, path, to);
}

static void edit_cut(struct property_trial *t, struct subject *s, char *path, char *to)
{
	(void)s;
	cut_grt(path);
	repair(t, path, to);
}

static void edit_damage(struct property_trial *t, struct subject *s, char *path, char *to)
{
	(void)s;
	damage_grt(path);
	repair(t, path, to);
}

/* Several edits, each of the result of the one before. */
static void run_edits(struct property_trial *t, struct subject *s)
{
	static void (*const edits[])(struct property_trial *t, struct subject *s, char *path,
				     char *to) = { edit_span, edit_ring, edit_cut, edit_damage };
	const struct property_lens all = { .prefix = "" };
	struct property_shape shape = s->shapes[0];
	char *path[2] = { path_of("a.grt"), path_of("b.grt") };
	uint32_t count = 2 + below(2);

	if (below(3) == 0)
		lose(&s->trace, GRTRACE_FATE_BUFFER_FULL, 100);
	property_write_grt(&s->trace, &shape, path[0]);
	for (uint32_t n = 0; n < count && !t->faults.count && !t->was_refused; n++)
		edits[below(4)](t, s, path[n % 2], path[(n + 1) % 2]);
	if (!t->faults.count && !t->was_refused)
		check_part(t, PROPERTY_LESS, path[count % 2], &s->whole, &all);
	free(path[0]);
	free(path[1]);
}

/* Keeps the events of @t in [from_ns, to_ns): as a session that began at from_ns. */
static void keep(struct property_trace *t, uint64_t from_ns, uint64_t to_ns)
{
	for (uint32_t i = 0; i < property_trace_count(t); i++) {
		uint64_t ns = property_record(t, i)->ts;

		property_event_at(t, i)->fate = ns >= from_ns && ns < to_ns ?
						GRTRACE_FATE_WRITTEN : PROPERTY_ABSENT;
	}
}

/* One boot, recorded in two sessions, with or without a gap between them. */
static void run_sessions(struct property_trial *t, struct subject *s)
{
	struct property_shape a = s->shapes[0], b = s->shapes[1];
	char *path[2] = { path_of("a.grt"), path_of("b.grt") }, *to = path_of("merged.grt");
	uint64_t stop_ns = first_ns(&s->trace) + 1 + sim_random(&sim, span_ns(&s->trace));
	uint64_t start_ns = stop_ns + (below(2) ? sim_random(&sim, span_ns(&s->trace) / 4 + 1) : 0);
	uint64_t later_ns;

	if (start_ns > first_ns(&s->trace) + span_ns(&s->trace))
		start_ns = first_ns(&s->trace) + span_ns(&s->trace);
	later_ns = start_ns - s->trace.info.start_ns;
	say("; a session up to %" PRIu64 ", another from %" PRIu64 " on", stop_ns - first_ns(&s->trace),
	    start_ns - first_ns(&s->trace));
	a.host = b.host = "host";
	keep(&s->trace, 0, stop_ns);
	property_write_grt(&s->trace, &a, path[0]);
	keep(&s->trace, start_ns, UINT64_MAX);
	b.session_id = s->trace.info.session_id + 1;
	s->trace.info.start_ns += later_ns;
	s->trace.info.start_real_ns += later_ns;
	property_write_grt(&s->trace, &b, path[1]);
	merge(t, path[0], path[1], to);
	if (!t->faults.count)
		check_part(t, PROPERTY_LESS, to, &s->whole, NULL);
	free(path[0]);
	free(path[1]);
	free(to);
}

const struct property_kind property_kinds[] = {
	{ "nothing is lost", run_same, 100 },
	{ "a buffer was full", run_full, 60 },
	{ "a limit was reached", run_limited, 50 },
	{ "one event is lost", run_one, 65 },
	{ "the first sub-buffers are gone", run_overwritten, 35 },
	{ "raw streams are cut", run_cut_raw, 30 },
	{ "a file is cut", run_cut_grt, 50 },
	{ "a file is damaged", run_damaged, 50 },
	{ "a slice", run_slice, 55 },
	{ "two machines are merged", run_merge_boots, 100 },
	{ "slices are merged", run_halves, 70 },
	{ "two sessions are merged", run_sessions, 40 },
	{ "several edits", run_edits, 15 },
};

const uint32_t property_nr_kinds = sizeof(property_kinds) / sizeof(property_kinds[0]);

void property_try(struct property_trial *t, uint64_t seed)
{
	const struct property_kind *kind = &property_kinds[seed / PROPERTY_SEEDS % property_nr_kinds];
	struct subject s;

	*t = (struct property_trial){ .seed = seed };
	trial = t;
	property_forget_names();
	begin(t, &s, seed);
	kind->run(t, &s);
	end(&s);
}
