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
#include "path.h"
#include "repair_inside.h"

const char *grt_finding_words(enum grt_finding_kind kind)
{
	static const char *const words[] = {
#define GRT_X(NAME, words) words,
		GRT_FINDINGS(GRT_X)
#undef GRT_X
	};

	return words[kind];
}

void repair_find(struct repair_job *j, enum grt_finding_kind kind, uint64_t offset,
		 uint64_t bytes, uint64_t events)
{
	struct grt_repair *r = j->result;

	r->lost_bytes += bytes;
	if (r->nr_findings < GRT_MAX_FINDINGS)
		r->findings[r->nr_findings] =
			(struct grt_finding){ kind, j->file, offset, bytes, events };
	r->nr_findings++;
}

struct repair_lane *repair_lane(struct repair_job *j, uint32_t cpu)
{
	struct repair_lane blank = { .cpu = cpu };

	for (size_t i = 0; i < grt_vec_count(&j->lanes, struct repair_lane); i++)
		if (grt_vec_at(&j->lanes, struct repair_lane, i)->cpu == cpu)
			return grt_vec_at(&j->lanes, struct repair_lane, i);
	if (grt_vec_append(&j->lanes, &blank, sizeof(blank)))
		return NULL;
	return grt_vec_at(&j->lanes, struct repair_lane,
			  grt_vec_count(&j->lanes, struct repair_lane) - 1);
}

/* Of @count losses those that nobody but this file is to blame for. */
static uint64_t missing(const struct grtrace_loss *losses, unsigned int count)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < count; i++)
		if (losses[i].reason == GRTRACE_FATE_WRITTEN)
			sum += losses[i].count;
	return sum;
}

static uint64_t count_fates(struct repair_lane *lane, const struct grtrace_hdr *hdr)
{
	const struct grtrace_subbuf *sub = (const void *)hdr;
	const struct grtrace_stream_end *end = (const void *)hdr;
	bool is_end = hdr->type == GRTRACE_STREAM_END;
	struct grtrace_loss losses[GRT_MAX_LOSSES];

	lane->has_ended |= is_end;
	return missing(losses, grt_account_fates(&lane->account, hdr,
						 is_end ? &end->fates : &sub->fates,
						 is_end ? end->last_cseq : hdr->cseq,
						 false, losses));
}

int repair_count(struct repair_job *j, uint32_t cpu, const void *data, size_t bytes)
{
	struct repair_lane *lane = repair_lane(j, cpu);
	struct grt_cursor c = grt_cursor(data, bytes);
	const struct grtrace_hdr *hdr;
	struct grtrace_loss loss;

	if (!lane)
		return grt_fail_memory();
	while ((hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_SUBBUF || hdr->type == GRTRACE_STREAM_END) {
			j->result->lost_events += count_fates(lane, hdr);
			lane->gone = 0;
		} else if (hdr->type < GRTRACE_STREAM_BASE) {
			if (grt_account_event(&lane->account, hdr, &loss) == GRT_EVENT_AFTER_GAP)
				j->result->lost_events += loss.count;
			lane->gone = 0;
		}
	}
	return 0;
}

static int open_file(struct repair_job *j, const char *path)
{
	struct stat st;

	j->name = path;
	j->fd = grt_path_open(path);
	if (j->fd < 0)
		return j->fd;
	if (fstat(j->fd, &st))
		return grt_fail_errno(NULL, "cannot read '%s'", path);
	j->size = st.st_size;
	if (j->size)
		return 0;
	return grt_fail(EBADMSG, "nothing was recorded in it; record again", "'%s' is empty", path);
}

/* By content; where the beginning is damaged, by what else is in it. */
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

static int take_file(struct repair_job *j, const char *path, int count)
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

/* Events that were left out behind the last that was taken: no account tells of them. */
static void sum_up(struct repair_job *j)
{
	struct grt_repair *r = j->result;

	for (size_t i = 0; i < grt_vec_count(&j->lanes, struct repair_lane); i++) {
		const struct repair_lane *lane = grt_vec_at(&j->lanes, struct repair_lane, i);

		r->cpus++;
		r->endless += !lane->has_ended;
		if (!r->is_lost_exact)
			r->lost_events += lane->gone;
	}
	if (!r->endless)
		r->is_lost_exact = true;
}

int grt_repair_files(struct grt_repair *r, int count, char *const *paths, struct grt_target *to)
{
	struct repair_job j = { .result = r, .to = to, .fd = -1 };
	int err = grt_target_check(to->path, count, paths);

	*r = (struct grt_repair){ 0 };
	for (j.file = 0; j.file < count && !err; j.file++) {
		err = take_file(&j, paths[j.file], count);
		if (j.fd >= 0)
			close(j.fd);
		j.fd = -1;
	}
	if (!err && !to->writer)
		err = grt_fail(EBADMSG, "grtrace reads .grt files and what was read from events0, events1, ...",
			       "there is nothing of a trace in '%s'", paths[0]);
	sum_up(&j);
	if (!err && (r->endless ? j.is_cut || j.is_raw : j.is_cut && r->cpus < j.info.cpus))
		grt_writer_mark_cut(to->writer);
	if (!err)
		err = grt_target_commit(to);
	if (err)
		grt_target_abandon(to);
	grt_vec_free(&j.lanes);
	return err;
}
