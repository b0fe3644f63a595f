// SPDX-License-Identifier: LGPL-2.1
#include "repair.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cursor.h"
#include "error.h"
#include "index.h"
#include "io.h"
#include "meaning.h"
#include "path.h"
#include "repair_private.h"

const char *grt_finding_words(enum grt_finding_kind kind)
{
	static const char *const words[] = {
#define GRT_X(NAME, words) words,
		GRT_FINDINGS(GRT_X)
#undef GRT_X
	};

	return words[kind];
}

static int open_file(struct repair_job *j, const char *path)
{
	struct stat st;

	j->name = path;
	j->fd = grt_path_open(path, NULL);
	if (j->fd < 0)
		return j->fd;
	if (fstat(j->fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", path);
	j->size = st.st_size;
	if (j->size)
		return 0;
	return grt_fail(EBADMSG, "nothing was recorded in it; record again", "'%s' is empty", path);
}

/* Whether this is a .grt: by its header or, if that is damaged, by its chunks. */
static bool is_chunked(const struct repair_job *j)
{
	uint64_t probe[sizeof(struct grtrace_stream_info) / 8] = { 0 };
	struct grt_chunks chunks = { j->fd, j->name, j->size };
	ssize_t n = grt_pread(j->fd, probe, sizeof(probe), 0);
	struct grt_file_chunk chunk;
	uint64_t offset = 0;

	if (n > 0 && grt_is_stream(probe, n))
		return false;
	return (n > 0 && grt_is_grt(probe, n)) || grt_chunks_find(&chunks, &offset, &chunk);
}

static int repair_file(struct repair_job *j, const char *path, int count)
{
	int err = open_file(j, path);

	if (err)
		return err;
	if (!is_chunked(j))
		return repair_raw(j);
	if (count == 1)
		return repair_grt(j);
	return grt_fail(EBADMSG, "name it alone",
			"'%s' is a whole trace and cannot be joined with others", path);
}

/* Sums up events that were left out at the end, where no account counts them. */
static void sum_up(struct repair_job *j)
{
	struct grt_repair *r = j->result;

	for (size_t i = 0; i < grt_vec_count(&j->cpus, struct repair_cpu); i++) {
		const struct repair_cpu *state = grt_vec_at(&j->cpus, struct repair_cpu, i);

		r->cpus += !j->has_info || grt_is_cpu(&j->info, state->cpu);
		r->endless += !state->has_ended;
		if (!r->is_lost_exact)
			r->lost_events += state->gone;
	}
	if (!r->endless)
		r->is_lost_exact = true;
}

/* Whether events at the end are missing: a CPU has no end, or a CPU has no stream. */
static bool is_cut(const struct repair_job *j)
{
	if (j->result->endless)
		return j->is_cut || j->is_raw || j->result->nr_findings;
	return (j->is_cut || j->has_gap) && j->result->cpus < j->info.cpus;
}

int grt_repair_files(struct grt_repair *r, int count, char *const *paths, struct grt_target *to)
{
	struct repair_job j = { .result = r, .to = to, .fd = -1 };
	int err = grt_target_check(to->path, count, paths);

	*r = (struct grt_repair){ 0 };
	for (j.file = 0; j.file < count && !err; j.file++) {
		err = repair_file(&j, paths[j.file], count);
		if (j.fd >= 0)
			close(j.fd);
		j.fd = -1;
	}
	if (!err && !to->writer)
		err = grt_fail(EBADMSG, "grtrace reads .grt files and what was read from events0, events1, ...",
			       "there is nothing of a trace in '%s'", paths[0]);
	sum_up(&j);
	if (!err && is_cut(&j))
		grt_writer_mark_cut(to->writer);
	if (!err)
		err = grt_target_commit(to);
	if (err)
		grt_target_abandon(to);
	grt_vec_free(&j.cpus);
	return err;
}
