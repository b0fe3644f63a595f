// SPDX-License-Identifier: LGPL-2.1
#include "verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cursor.h"
#include "error.h"
#include "file.h"
#include "import.h"
#include "index.h"
#include "io.h"
#include "meaning.h"
#include "path.h"
#include "shell.h"
#include "verify_private.h"

/* A trace of another tool may follow the rules of its own format. */
static int fail_foreign(const char *name)
{
	struct grt_shell hint = { .is_cut = !strcmp(name, "-") };

	grt_shell_plain(&hint, "grtrace import");
	grt_shell_file(&hint, name);
	grt_shell_plain(&hint, " && grtrace verify imported.grt");
	return grt_fail(EBADMSG, grt_shell_text(&hint), "'%s' is a trace of another tool", name);
}

static int open_file(struct verify_file *f)
{
	uint64_t probe[sizeof(struct grtrace_stream_info) / 8];
	struct grt_file_header header;
	struct grt_chunks chunks;
	struct stat st;
	ssize_t n;
	int err;

	f->fd = grt_path_open(f->name, NULL);
	if (f->fd < 0)
		return f->fd;
	n = grt_pread(f->fd, probe, sizeof(probe), 0);
	if (n < 0 || fstat(f->fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", f->name);
	f->size = st.st_size;
	if (!n)
		return grt_fail(EBADMSG, "nothing was recorded in it; record again",
				"'%s' is empty", f->name);
	if (grt_is_stream(probe, n))
		return 0;
	if (!grt_is_grt(probe, n) && grt_is_foreign(f->fd, probe, n))
		return fail_foreign(f->name);
	if (!grt_is_grt(probe, n))
		return grt_fail(EBADMSG, "grtrace reads .grt files and what was read from events0, events1, ...",
				"'%s' is no trace", f->name);
	f->is_grt = true;
	chunks = (struct grt_chunks){ f->fd, f->name, f->size };
	err = grt_chunks_header(&chunks, &header);
	f->start_ns = err ? 0 : header.start_ns;
	return err;
}

/* Sorts the files of one recording, because the shell may have named them in another order. */
static int compare_files(const void *a, const void *b)
{
	const struct verify_file *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->nth - y->nth;
}

static int check_files(struct grt_verify *v)
{
	int err = 0;

	for (uint32_t i = 0; i < v->nr_files && !err; i++)
		err = open_file(&v->files[i]);
	if (err)
		return err;
	qsort(v->files, v->nr_files, sizeof(*v->files), compare_files);
	for (v->file = 0; v->file < v->nr_files && !err; v->file++)
		err = v->files[v->file].is_grt ? grt_verify_grt(v) : grt_verify_raw(v);
	v->file = 0;
	if (!err && !v->has_info)
		err = grt_fail(EBADMSG, "record again; the recording ended before it began",
			       "'%s' has no stream in it", v->files[0].name);
	return err;
}

static void skip(struct grt_verify *v, enum grt_check_id id, const char *why)
{
	if (!v->checks[id].violations)
		v->checks[id].skipped = why;
}

/* Reports the lowest number that is used without a definition, and how many there are. */
static void compare_maps(struct grt_verify *v, enum grt_check_id id, const char *what,
			 const struct grt_map *used, const struct grt_map *defined)
{
	uint64_t lowest = UINT64_MAX, count = 0;

	for (size_t i = 0; i < grt_map_count(used); i++) {
		uint64_t key = grt_map_at(used, i)->key;

		if (grt_map_get(defined, key))
			continue;
		count++;
		if (key < lowest)
			lowest = key;
	}
	if (!count)
		return;
	v->checks[id].violations = count;
	snprintf(v->checks[id].first, sizeof(v->checks[id].first),
		 "%s %" PRIu64 " is used but not defined", what, lowest);
}

/* Says of streams without an end whether their accounts still report all losses. */
static void look_at_ends(struct grt_verify *v)
{
	unsigned int endless = 0, uncounted = 0;

	for (size_t i = 0; i < grt_vec_count(&v->cpus, struct cpu_state *); i++) {
		const struct cpu_state *state = *grt_vec_at(&v->cpus, struct cpu_state *, i);

		if (!state->has_cseq || state->has_ended)
			continue;
		endless++;
		uncounted += !state->has_account || state->events_since;
	}
	if (uncounted)
		skip(v, GRT_CHECK_END, "streams have no end: losses after their last "
		     "account are not known");
	else if (endless)
		skip(v, GRT_CHECK_END, "streams have no end: the session went on");
}

static void skip_gseq(struct grt_verify *v)
{
	const char *why = v->is_edited ? "slices and merged traces have gaps in gseq" :
			  "recorded without global_seq, which is off by default";

	skip(v, GRT_CHECK_GSEQ, why);
	skip(v, GRT_CHECK_ORDER, why);
}

static int finish(struct grt_verify *v)
{
	static const enum grt_check_id of_grt[] = {
		GRT_CHECK_CLOSED, GRT_CHECK_CHECKSUMS, GRT_CHECK_CHUNKS, GRT_CHECK_INDEX,
		GRT_CHECK_WATERMARKS,
	};
	bool has_grt = false;
	int err = 0;

	for (uint32_t i = 0; i < v->nr_files; i++)
		has_grt |= v->files[i].is_grt;
	for (size_t i = 0; !has_grt && i < sizeof(of_grt) / sizeof(of_grt[0]); i++)
		skip(v, of_grt[i], "raw streams have no chunks");
	if (v->info.features >> GRTRACE_FEATURE_GLOBAL_SEQ & 1)
		err = grt_verify_gseq(v);
	else
		skip_gseq(v);
	look_at_ends(v);
	compare_maps(v, GRT_CHECK_RINGS, "ring", &v->used_rings, &v->rings);
	if (v->has_unnamed)
		skip(v, GRT_CHECK_PROCESSES, "the module had no room for all names");
	else
		compare_maps(v, GRT_CHECK_PROCESSES, "process", &v->used_processes, &v->processes);
	compare_maps(v, GRT_CHECK_STACKS, "stack", &v->used_stacks, &v->stacks);
	return err;
}

int grt_verify_files(struct grt_verify **out, int count, char *const *paths, uint64_t slack_ns)
{
	static const struct grt_check checks[GRT_NR_CHECKS] = {
#define ROW(NAME, name, text) { #name, text, 0, "", NULL },
		GRT_CHECKS(ROW)
#undef ROW
	};
	struct grt_verify *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return grt_fail_memory();
	for (int i = 0; i < GRT_NR_CHECKS; i++)
		v->checks[i] = checks[i];
	v->slack_ns = slack_ns;
	v->files = calloc(count, sizeof(*v->files));
	if (!v->files) {
		err = grt_fail_memory();
		goto free;
	}
	v->nr_files = count;
	for (int i = 0; i < count; i++)
		v->files[i] = (struct verify_file){ .name = paths[i], .fd = -1, .nth = i };
	err = check_files(v);
	if (!err)
		err = finish(v);
	if (err)
		goto free;
	*out = v;
	return 0;

free:
	grt_verify_free(v);
	return err;
}

void grt_verify_free(struct grt_verify *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < grt_vec_count(&v->cpus, struct cpu_state *); i++) {
		struct cpu_state *state = *grt_vec_at(&v->cpus, struct cpu_state *, i);

		grt_vec_free(&state->pieces);
		free(state);
	}
	grt_vec_free(&v->cpus);
	for (uint32_t i = 0; i < v->nr_files; i++)
		if (v->files[i].fd >= 0)
			close(v->files[i].fd);
	free(v->files);
	grt_map_free(&v->rings);
	grt_map_free(&v->used_rings);
	grt_map_free(&v->processes);
	grt_map_free(&v->used_processes);
	grt_map_free(&v->stacks);
	grt_map_free(&v->used_stacks);
	grt_map_free(&v->cgroups);
	free(v);
}

const struct grt_check *grt_verify_check(const struct grt_verify *v, enum grt_check_id id)
{
	return &v->checks[id];
}

struct grt_verdict_sums grt_verify_sums(const struct grt_verify *v)
{
	struct grt_verdict_sums sums = {
		.events = v->events,
		.unknown_events = v->unknown_events,
	};

	for (size_t i = 0; i < grt_vec_count(&v->cpus, struct cpu_state *); i++) {
		const struct cpu_state *state = *grt_vec_at(&v->cpus, struct cpu_state *, i);

		sums.cpus += state->has_cseq && state->cpu < GRT_CHUNK_FIRST_LATE &&
			     (!v->has_info || grt_is_cpu(&v->info, state->cpu));
	}
	for (int i = 0; i < GRT_NR_CHECKS; i++)
		sums.failed += v->checks[i].violations != 0;
	return sums;
}
