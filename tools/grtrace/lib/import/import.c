// SPDX-License-Identifier: LGPL-2.1
#include "import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/grtrace.h>
#include <xxhash.h>

#include "child.h"
#include "cursor.h"
#include "describe.h"
#include "error.h"
#include "file.h"
#include "import_job.h"
#include "lines.h"
#include "number.h"
#include "reader.h"
#include "run.h"
#include "shell.h"
#include "writer.h"

/*
 * The buffer of a CPU was overwritten if the CPU was silent at the start for SILENT_TIMES the
 * longest silence later on; SILENT_EVENTS make that comparison reliable.
 */
#define SILENT_TIMES	4
#define SILENT_EVENTS	100

/* Whether the CPU was silent at the start for longer than could be normal. */
static bool began_late(const struct grt_import_job *j, const struct grt_import_cpu *cpu)
{
	return cpu->events > SILENT_EVENTS &&
	       (cpu->first_ns - j->begin_ns) / SILENT_TIMES > cpu->silent_ns;
}

/* Reports CPUs whose first events were overwritten, while other CPUs have events of that time. */
static void report_overwritten(struct grt_import_job *j, const char *name)
{
	struct grt_shell hint = { .is_cut = !strcmp(name, "-") };
	uint32_t late = 0, last = 0;
	uint64_t late_us;
	char since[32];

	/* It has LOSS records of its own. */
	if (j->native.hdr.size)
		return;

	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct grt_import_cpu); i++) {
		struct grt_import_cpu *cpu = grt_import_cpu_at(j, i);

		if (!cpu->events || cpu->first_ns == j->begin_ns ||
		    !(cpu->is_overwritten || j->is_overwritten || began_late(j, cpu)))
			continue;
		grt_import_put_loss(&j->im, i, GRTRACE_FATE_WRITTEN, cpu->overwritten, j->begin_ns,
			 cpu->first_ns);
		if (!late++ || cpu->first_ns > grt_import_cpu_at(j, last)->first_ns)
			last = i;
	}
	if (!late || grt_late_is_told)
		return;
	/* Rounded up: not before the CPU's first event. */
	late_us = (grt_import_cpu_at(j, last)->first_ns - j->begin_ns + 999) / 1000;
	snprintf(since, sizeof(since), "%" PRIu64 ".%06" PRIu64 "s", late_us / 1000000,
		 late_us % 1000000);
	grt_shell_plain(&hint, "grtrace report --since ");
	grt_shell_plain(&hint, since);
	grt_shell_file(&hint, name);
	grt_shell_plain(&hint, "    # the part with all events");
	grt_warn(grt_shell_text(&hint),
		 "the %s of %u %s late, the last (CPU %u) %.*s s after the first: earlier "
		 "events were overwritten", grt_plural(late, "buffer", "buffers"), late,
		 grt_plural(late, "CPU begins", "CPUs begin"), last,
		 (int)strlen(since) - 1, since);
}

static void between_passes(struct grt_import_job *j)
{
	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct grt_import_cpu); i++) {
		struct grt_import_cpu *cpu = grt_vec_at(&j->cpus, struct grt_import_cpu, i);

		cpu->is_missing = false;
		cpu->last_ns = 0;
	}
	j->im.is_learning = false;
	if (j->native.hdr.size)
		j->im.out.session_id = j->native.session_id;
	j->has_inferred_keys = j->im.inferred_keys && !(j->im.module_types >> GRTRACE_SUBMIT & 1);
	grt_ctxs_rewind(&j->im.ctxs);
	grt_join_rewind(&j->im.join);
	j->im.merged.count = 0;
	j->im.merged.had_more = false;
	grt_keyrows_free(&j->im.virtio.queues);
	memset(&j->im.virtio, 0, sizeof(j->im.virtio));
	memset(&j->im.qemu, 0, sizeof(j->im.qemu));
	grt_out_rings_rewind(&j->im.rings);
	grt_out_procs_rewind(&j->im.procs);
	j->im.out.events = j->im.late = 0;
	j->im.seen = j->im.kept = j->im.foreign = j->im.gpu = 0;
	j->im.unjoined = j->im.unused = j->im.unreadable = j->im.inferred_keys = 0;
	j->latest_ns = j->unread = j->no_events = 0;
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

/* Writes the definitions that describe the whole file. */
static int define_stream(struct grt_import_job *j, struct grt_vec *defs)
{
	struct grt_import *im = &j->im;
	struct grtrace_stream_info info = {
		.hdr = { .type = GRTRACE_STREAM_INFO, .size = sizeof(info),
			 .ts = j->native.hdr.size ? j->native.hdr.ts : j->begin_ns },
		.magic = GRTRACE_STREAM_MAGIC, .version = GRTRACE_FORMAT_VERSION,
		.clock = j->clock, .session_id = im->out.session_id, .start_ns = j->begin_ns,
		.features = 1u << GRTRACE_FEATURE_SIZE_SKIP,
		.cpus = grt_vec_count(&j->cpus, struct grt_import_cpu),
	};
	char text[512];
	int err;

	if (j->clock == GRTRACE_CLOCK_REALTIME)
		info.start_real_ns = j->begin_ns;
	if (im->facts[GRT_FACT_DEPENDENCY])
		info.features |= 1u << GRTRACE_FEATURE_DEPENDENCIES;
	if (j->native.hdr.size) {
		/* Events of all CPUs are counted anew. */
		info.features = j->native.features & ~(1ull << GRTRACE_FEATURE_GLOBAL_SEQ);
		info.cpus = j->native.cpus;
		info.start_ns = j->native.start_ns;
		info.start_real_ns = j->native.start_real_ns;
	}
	snprintf(text, sizeof(text), "imported=1\nclock_name=%s\nkeys=%s\n%s%s%s",
		 *j->clock_name ? j->clock_name : "unknown",
		 j->has_inferred_keys ? "inferred" : "exact",
		 *j->kernel ? "kernel=" : "", j->kernel, *j->kernel ? "\n" : "");
	err = grt_vec_append(defs, &info, sizeof(info));
	if (!err && j->native.hdr.size && j->metadata.bytes)
		return grt_vec_append(defs, j->metadata.data, j->metadata.bytes);
	return err ? err : append_text(defs, j->begin_ns, im->out.session_id, text);
}

static int define_names(struct grt_import_job *j, struct grt_vec *defs)
{
	int err;

	if (j->native.hdr.size)
		return grt_vec_append(defs, j->defs.data, j->defs.bytes);
	err = grt_out_rings_define(&j->im.rings, defs, j->begin_ns);

	return err ? err : grt_out_procs_define(&j->im.procs, defs, j->begin_ns);
}

static int write_defs(struct grt_import_job *j, int (*define)(struct grt_import_job *j, struct grt_vec *defs))
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

/* Reports losses with no event after them. */
static void report_missing(struct grt_import_job *j)
{
	for (uint32_t i = 0; i < grt_vec_count(&j->cpus, struct grt_import_cpu); i++)
		if (grt_import_cpu_at(j, i)->is_missing)
			grt_import_put_missing(j, i, grt_import_cpu_at(j, i), j->end_ns);
	if (j->unread)
		grt_import_put_unread(j, 0, j->end_ns);
}

static int write_file(struct grt_import_job *j, int fd, const char *name, int to)
{
	struct grt_file_header header = j->recording;
	int err, close_err;

	header.session_id = j->im.out.session_id;
	header.start_ns = j->begin_ns;
	if (j->clock == GRTRACE_CLOCK_REALTIME)
		header.start_real_ns = j->begin_ns;
	if (j->native.hdr.size) {
		header.start_ns = j->native.start_ns;
		header.start_real_ns = j->native.start_real_ns;
	} else {
		snprintf(header.kernel, sizeof(header.kernel), "%s", j->kernel);
	}
	err = grt_writer_begin(&j->im.out.writer, to, j->options->to_name, &header);
	if (err)
		return err;
	report_overwritten(j, name);
	err = write_defs(j, define_stream);
	err = err ? err : grt_import_read(j, fd, name);
	if (!err)
		report_missing(j);
	close_err = grt_out_close(&j->im.out);
	err = err ? err : close_err;
	err = err ? err : write_defs(j, define_names);
	close_err = grt_writer_close(j->im.out.writer);
	return err ? err : close_err;
}

/* Tells of the events whose fields are not known, once.  Fails if the file has no others. */
static int tell_unfit(const struct grt_import_job *j, const char *name)
{
	static const char hint[] = "report it as a bug, with some of these lines";
	const char *first = NULL;
	uint64_t events = 0;

	for (size_t i = 0; i < grt_nr_event_kinds; i++) {
		if (!j->im.unfit[i] || j->im.fits[i])
			continue;
		first = first ? first : grt_event_kinds[i].name;
		events += j->im.unfit[i];
	}
	if (!first)
		return 0;
	if (!j->im.gpu)
		return grt_fail(EBADMSG, hint, "the fields of %" PRIu64 " %s of '%s', such as %s, are not known, "
				"and it has no others of GPU jobs", events,
				grt_plural(events, "event", "events"), name, first);
	grt_warn(hint, "the fields of %" PRIu64 " %s of '%s', such as %s, are not known: left out", events,
		 grt_plural(events, "event", "events"), name, first);
	return 0;
}

/* Imports the file in this process, with two passes. */
static int import(struct grt_import_job *j, int fd, const char *name, int to)
{
	const char *hint;
	const uint64_t *facts = j->im.facts;
	unsigned int shared;
	int err;

	j->im.is_learning = true;
	err = grt_import_read(j, fd, name);
	grt_out_close(&j->im.out);
	if (err)
		return err;
	hint = grt_advice_hint(&j->im.advice);
	if (!j->all)
		return grt_fail(EBADMSG, hint, "there are no events in '%s'", name);
	err = tell_unfit(j, name);
	if (err)
		return err;
	if (!j->im.gpu)
		return grt_fail(EBADMSG, hint, "'%s' has %" PRIu64 " %s, none of a GPU job that is "
				"known here", name, j->all, grt_plural(j->all, "event", "events"));
	if (!facts[GRT_FACT_OVER])
		grt_warn("record dma_fence:dma_fence_signaled, too",
			 "no event in '%s' says when jobs end", name);
	shared = j->im.facts[GRT_FACT_SCHED] && !j->im.module_types ? grt_out_rings_shared(&j->im.rings) : 0;
	if (shared)
		grt_warn("their events have no names of devices before Linux 6.17",
			 "%u %s on several GPUs: rings with the same name are shown as one; when their jobs "
			 "began is not known", shared,
			 grt_plural(shared, "name of a ring is", "names of rings are"));
	between_passes(j);
	err = write_file(j, fd, name, to);
	if (!err && j->im.told_by_module)
		grt_warn("record them without grtrace:* to see jobs outside of grtrace's session",
			 "the jobs of '%s' are those of grtrace's own events: %" PRIu64 " other %s "
			 "of jobs %s left out", name, j->im.told_by_module,
			 grt_plural(j->im.told_by_module, "event", "events"),
			 grt_plural(j->im.told_by_module, "is", "are"));
	return err;
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

static void fill_sums(const struct grt_import_job *j, struct grt_import_sums *sums)
{
	*sums = (struct grt_import_sums){
		.events = j->im.seen, .records = j->im.out.events, .foreign = j->im.foreign,
		.unjoined = j->im.unjoined, .unused = j->im.unused, .kept = j->im.kept,
		.unreadable = j->im.unreadable, .unreadable_line = j->unreadable_line,
		.no_events = j->no_events, .no_event_line = j->no_event_line, .inferred_keys = j->im.inferred_keys,
		.late = j->im.late, .span_ns = j->end_ns - j->begin_ns,
	};
}

int grt_import_here(int fd, const char *name, int to,
		    const struct grt_import_options *options, struct grt_import_sums *sums)
{
	struct grt_import_job j = {
		.options = options, .clock = GRTRACE_CLOCK_OTHER,
		.im = {
			.keeps_marks = options->keeps_marks, .rings = { .driver = options->driver },
			.out = { .session_id = session_of(fd) },
		},
	};
	int err = import(&j, fd, name, to);

	fill_sums(&j, sums);
	grt_vec_free(&j.cpus);
	grt_vec_free(&j.defs);
	grt_vec_free(&j.metadata);
	grt_ctxs_free(&j.im.ctxs);
	grt_map_free(&j.im.objects);
	grt_join_free(&j.im.join);
	grt_import_free_tables(&j.im);
	grt_out_rings_free(&j.im.rings);
	grt_out_procs_free(&j.im.procs);
	return err;
}

bool grt_is_foreign(int fd, const void *probe, size_t bytes)
{
	return grt_is_dat(probe, bytes) || grt_is_event_text(fd);
}
