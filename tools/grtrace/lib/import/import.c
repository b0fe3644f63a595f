// SPDX-License-Identifier: LGPL-2.1
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/grtrace.h>
#include <xxhash.h>

#include "child.h"
#include "cursor.h"
#include "error.h"
#include "inside.h"
#include "reader.h"
#include "run.h"
#include "writer.h"

#define MAX_CPUS	4096

/*
 * A CPU that is silent at first for so many times the longest that it is silent later,
 * with so many events to tell that from, wrote something that was overwritten.
 */
#define SILENT_TIMES	4
#define SILENT_EVENTS	100

struct cpu {
	uint64_t first_ns, end_ns, events;	/* of the first pass */
	uint64_t silent_ns;		/* likewise: the longest time without an event */
	uint64_t last_ns;		/* the latest so far */
	uint64_t overwritten;		/* events; meaningful with is_overwritten */
	bool is_overwritten, is_missing;
	uint64_t missing;		/* before its next event; 0: not known how many */
};

/* A file on its way. */
struct job {
	struct grt_import im;
	const struct grt_import_options *options;
	struct grt_vec cpus;		/* of struct cpu */
	uint32_t clock;			/* enum grtrace_clock_id */
	char clock_name[32], kernel[64];
	uint64_t begin_ns, end_ns;	/* first and last event of any CPU */
	uint64_t all;			/* events, of the first pass */
	bool has_inferred_keys;		/* likewise */
	bool is_overwritten;		/* some CPU's buffer, not known which */
};

static struct cpu *cpu_at(struct job *j, uint32_t cpu)
{
	static const struct cpu none;

	if (cpu >= MAX_CPUS || grt_vec_reach(&j->cpus, cpu, &none, sizeof(none)))
		return NULL;
	return grt_vec_at(&j->cpus, struct cpu, cpu);
}

static void put_loss(struct grt_import *im, uint32_t cpu, uint32_t reason, uint64_t count,
		     uint64_t from_ns, uint64_t to_ns)
{
	struct grtrace_loss *rec = grt_lanes_add(&im->out, cpu, to_ns, GRTRACE_LOSS, sizeof(*rec),
						 0);

	if (!rec)
		return;
	rec->reason = reason;
	rec->count = count;
	rec->from_ns = from_ns;
	rec->to_ns = to_ns;
}

/* What is missing on a CPU, between its latest event and @to_ns. */
static void put_missing(struct job *j, uint32_t nr, struct cpu *cpu, uint64_t to_ns)
{
	uint64_t from_ns = cpu->last_ns > j->begin_ns ? cpu->last_ns : j->begin_ns;

	put_loss(&j->im, nr, GRTRACE_FATE_BUFFER_FULL, cpu->missing,
		 from_ns < to_ns ? from_ns : to_ns, to_ns);
	cpu->is_missing = false;
}

static void take_event(struct job *j, const struct grt_foreign *ev)
{
	struct grt_import *im = &j->im;

	im->seen++;
	if (ev->kind) {
		im->gpu += ev->kind->is_gpu;
		ev->kind->take(im, ev);
		return;
	}
	im->foreign++;
	if (im->keeps_marks) {
		char text[4352];
		int len = snprintf(text, sizeof(text), "%.*s: %.*s",
				   (int)(ev->name.len < 128 ? ev->name.len : 128), ev->name.at,
				   (int)(ev->text.len < 4096 ? ev->text.len : 4096), ev->text.at);

		grt_put_mark(im, ev, (struct grt_piece){ text, len });
	}
}

static bool on_event(void *arg, const struct grt_foreign *ev)
{
	struct job *j = arg;
	struct cpu *cpu = cpu_at(j, ev->cpu);

	if (!cpu)
		return true;	/* no such CPU: damage */
	if (j->im.is_learning) {
		if (!cpu->events || ev->ts < cpu->first_ns)
			cpu->first_ns = ev->ts;
		if (!j->all || ev->ts < j->begin_ns)
			j->begin_ns = ev->ts;
		if (cpu->events++ && ev->ts > cpu->end_ns && ev->ts - cpu->end_ns > cpu->silent_ns)
			cpu->silent_ns = ev->ts - cpu->end_ns;
		if (ev->ts > cpu->end_ns)
			cpu->end_ns = ev->ts;
		if (ev->ts > j->end_ns)
			j->end_ns = ev->ts;
		j->all++;
	} else if (cpu->is_missing) {
		put_missing(j, ev->cpu, cpu, ev->ts);
	}
	cpu->is_missing = false;
	if (ev->ts < cpu->last_ns)
		j->im.late++;
	else
		cpu->last_ns = ev->ts;
	take_event(j, ev);
	return !j->im.out.err;
}

static bool on_missing(void *arg, const struct grt_missing *missing)
{
	struct job *j = arg;
	struct cpu *cpu = cpu_at(j, missing->cpu);

	if (!cpu)
		return true;
	/* Several before one event: together as many, and not known if one is not. */
	if (!cpu->is_missing)
		cpu->missing = missing->count;
	else
		cpu->missing = cpu->missing && missing->count ? cpu->missing + missing->count : 0;
	cpu->is_missing = true;
	return true;
}

static void on_tgid(void *arg, uint32_t tid, uint32_t tgid)
{
	grt_out_procs_tgid(&((struct job *)arg)->im.procs, tid, tgid);
}

static void on_clock(void *arg, const char *name)
{
	static const struct {
		const char *name;
		enum grtrace_clock_id id;
	} clocks[] = {
		{ "mono", GRTRACE_CLOCK_MONOTONIC }, { "boot", GRTRACE_CLOCK_BOOTTIME },
	};
	struct job *j = arg;

	snprintf(j->clock_name, sizeof(j->clock_name), "%s", name);
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (!strcmp(clocks[i].name, name))
			j->clock = clocks[i].id;
}

static void on_kernel(void *arg, const char *release)
{
	struct job *j = arg;

	snprintf(j->kernel, sizeof(j->kernel), "%s", release);
}

static void on_overwritten(void *arg, int nr, uint64_t count)
{
	struct job *j = arg;
	struct cpu *cpu = nr < 0 ? NULL : cpu_at(j, nr);

	if (nr < 0)
		j->is_overwritten = true;
	if (!cpu)
		return;
	cpu->is_overwritten = true;
	cpu->overwritten = count;
}

static void on_progress(void *arg, uint64_t done, uint64_t all)
{
	struct job *j = arg;
	bool is_first = j->im.is_learning;

	if (!j->options->progress)
		return;
	if (all)
		j->options->progress((is_first ? 0 : 500) + (done < all ? done : all) * 500 / all);
	else
		j->options->progress(is_first || !j->all ? 250 : 500 + j->im.seen * 500 / j->all);
}

/* It was silent for longer than it ever would be. */
static bool began_late(const struct job *j, const struct cpu *cpu)
{
	return cpu->events > SILENT_EVENTS &&
	       (cpu->first_ns - j->begin_ns) / SILENT_TIMES > cpu->silent_ns;
}

/* Events of a CPU before its buffer begins; those of others from then on are there. */
static void tell_overwritten(struct job *j)
{
	uint32_t late = 0, last = 0;

	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++) {
		struct cpu *cpu = cpu_at(j, i);

		if (!cpu->events || cpu->first_ns == j->begin_ns ||
		    !(cpu->is_overwritten || j->is_overwritten || began_late(j, cpu)))
			continue;
		put_loss(&j->im, i, GRTRACE_FATE_WRITTEN, cpu->overwritten, j->begin_ns,
			 cpu->first_ns);
		if (!late++ || cpu->first_ns > cpu_at(j, last)->first_ns)
			last = i;
	}
	if (late)
		grt_warn("what is known for sure begins there: --since",
			 "the buffers of %u CPU%s begin late, the last (CPU %u) %" PRIu64 ".%06u s after the "
			 "first: what they held before was overwritten",
			 late, late == 1 ? "" : "s", last,
			 (cpu_at(j, last)->first_ns - j->begin_ns) / 1000000000,
			 (unsigned int)((cpu_at(j, last)->first_ns - j->begin_ns) % 1000000000 / 1000));
}

static void between_passes(struct job *j)
{
	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++) {
		struct cpu *cpu = grt_vec_at(&j->cpus, struct cpu, i);

		cpu->is_missing = false;
		cpu->last_ns = 0;
	}
	j->im.is_learning = false;
	j->has_inferred_keys = j->im.inferred_keys;
	grt_ctxs_rewind(&j->im.ctxs);
	grt_join_rewind(&j->im.join);
	grt_out_rings_rewind(&j->im.rings);
	grt_out_procs_rewind(&j->im.procs);
	j->im.out.events = j->im.late = 0;
	j->im.seen = j->im.foreign = j->im.gpu = j->im.unjoined = j->im.inferred_keys = 0;
}

static int read_file(struct job *j, int fd, const char *name)
{
	const struct grt_visitor visitor = {
		.arg = j, .wants_text = !j->im.is_learning && j->im.keeps_marks,
		.event = on_event, .missing = on_missing, .tgid = on_tgid, .clock = on_clock,
		.kernel = on_kernel, .overwritten = on_overwritten, .progress = on_progress,
	};
	char probe[16];
	ssize_t got = pread(fd, probe, sizeof(probe), 0);

	if (got > 0 && grt_is_dat(probe, got))
		return grt_dat_read(fd, name, &visitor);
	return grt_text_read(fd, name, &visitor);
}

static int append_text(struct grt_vec *defs, uint64_t ts, uint64_t session, const char *text)
{
	size_t len = strlen(text), room = (len / 8 + 1) * 8;
	struct grtrace_metadata *rec = grt_vec_grow(defs, sizeof(*rec) + room);

	if (!rec)
		return grt_fail_memory();
	memset(rec, 0, sizeof(*rec) + room);
	rec->hdr.type = GRTRACE_METADATA;
	rec->hdr.size = sizeof(*rec) + room;
	rec->hdr.ts = ts;
	rec->session_id = session;
	memcpy(rec + 1, text, len);
	return 0;
}

/* What the file's readers are told of it as a whole. */
static int define_stream(struct job *j, struct grt_vec *defs)
{
	struct grt_import *im = &j->im;
	struct grtrace_stream_info info = {
		.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info), .ts = j->begin_ns },
		.magic = GRTRACE_STREAM_MAGIC, .version = GRTRACE_FORMAT_VERSION,
		.clock = j->clock, .session_id = im->out.session_id, .start_ns = j->begin_ns,
		.features = 1u << GRTRACE_FEATURE_SIZE_SKIP,
		.cpus = grt_vec_count(&j->cpus, struct cpu),
	};
	char text[512];
	int err;

	if (im->tells[GRT_TELL_DEPENDENCY])
		info.features |= 1u << GRTRACE_FEATURE_DEPENDENCIES;
	snprintf(text, sizeof(text), "imported=1\nclock_name=%s\nkeys=%s\n%s%s%s",
		 *j->clock_name ? j->clock_name : "unknown",
		 j->has_inferred_keys ? "inferred" : "exact",
		 *j->kernel ? "kernel=" : "", j->kernel, *j->kernel ? "\n" : "");
	err = grt_vec_append(defs, &info, sizeof(info));
	return err ? err : append_text(defs, j->begin_ns, im->out.session_id, text);
}

static int define_names(struct job *j, struct grt_vec *defs)
{
	int err = grt_out_rings_define(&j->im.rings, defs, j->begin_ns);

	return err ? err : grt_out_procs_define(&j->im.procs, defs, j->begin_ns);
}

static int write_defs(struct job *j, int (*define)(struct job *j, struct grt_vec *defs))
{
	struct grt_vec defs = { 0 };
	struct grt_cursor c;
	struct grt_run run;
	int err = define(j, &defs);

	c = grt_cursor(defs.data, defs.bytes);
	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		err = grt_writer_run(j->im.out.writer, 0, &run);
	grt_vec_free(&defs);
	return err;
}

/* Of CPUs that say no more after it. */
static void tell_missing(struct job *j)
{
	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct cpu); i++)
		if (cpu_at(j, i)->is_missing)
			put_missing(j, i, cpu_at(j, i), j->end_ns);
}

static int write_file(struct job *j, int fd, const char *name, const char *to)
{
	struct grt_file_header header = {
		.session_id = j->im.out.session_id, .start_ns = j->begin_ns,
	};
	int err, close_err;

	snprintf(header.kernel, sizeof(header.kernel), "%s", j->kernel);
	err = grt_writer_create(&j->im.out.writer, to, &header, geteuid(), getegid());
	if (err)
		return err;
	tell_overwritten(j);
	err = write_defs(j, define_stream);
	err = err ? err : read_file(j, fd, name);
	if (!err)
		tell_missing(j);
	close_err = grt_lanes_close(&j->im.out);
	err = err ? err : close_err;
	err = err ? err : write_defs(j, define_names);
	close_err = grt_writer_close(j->im.out.writer);
	if (err || close_err)
		unlink(to);
	return err ? err : close_err;
}

/* Two passes over the file, in this process. */
static int import(struct job *j, int fd, const char *name, const char *to)
{
	static const char hint[] =
		"record them: trace-cmd record -C mono -e gpu_scheduler -e dma_fence";
	const uint64_t *tells = j->im.tells;
	int err;

	j->im.is_learning = true;
	err = read_file(j, fd, name);
	grt_lanes_close(&j->im.out);
	if (err)
		return err;
	if (!j->all)
		return grt_fail(EBADMSG, hint, "there are no events in '%s'", name);
	if (!j->im.gpu)
		return grt_fail(EBADMSG, hint, "none of the %" PRIu64 " events in '%s' is one of a GPU "
				"job that is known here", j->all, name);
	if (!tells[GRT_TELL_OVER])
		grt_warn("record dma_fence:dma_fence_signaled, too",
			 "no event in '%s' tells when jobs are over", name);
	between_passes(j);
	return write_file(j, fd, name, to);
}

static uint64_t session_of(int fd)
{
	struct stat st;
	uint64_t key[3] = { 0 };

	if (!fstat(fd, &st)) {
		key[0] = st.st_size;
		key[1] = st.st_mtim.tv_sec;
		key[2] = st.st_mtim.tv_nsec;
	}
	return XXH64(key, sizeof(key), 0) | 1;
}

static void fill_sums(const struct job *j, struct grt_import_sums *sums)
{
	*sums = (struct grt_import_sums){
		.events = j->im.seen, .records = j->im.out.events, .foreign = j->im.foreign,
		.unjoined = j->im.unjoined, .inferred_keys = j->im.inferred_keys,
		.late = j->im.late, .span_ns = j->end_ns - j->begin_ns,
	};
}

int grt_import_here(int fd, const char *name, const char *to,
		    const struct grt_import_options *options, struct grt_import_sums *sums)
{
	struct job j = {
		.options = options, .clock = GRTRACE_CLOCK_OTHER,
		.im = {
			.keeps_marks = options->keeps_marks, .rings = { .driver = options->driver },
			.out = { .session_id = session_of(fd) },
		},
	};
	int err = import(&j, fd, name, to);

	fill_sums(&j, sums);
	grt_vec_free(&j.cpus);
	grt_ctxs_free(&j.im.ctxs);
	grt_join_free(&j.im.join);
	grt_out_rings_free(&j.im.rings);
	grt_out_procs_free(&j.im.procs);
	return err;
}

bool grt_is_foreign(int fd, const void *probe, size_t bytes)
{
	return grt_is_dat(probe, bytes) || grt_is_event_text(fd);
}
