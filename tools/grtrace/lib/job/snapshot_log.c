// SPDX-License-Identifier: LGPL-2.1
#include "snapshot_log.h"

#include "error.h"
#include "keymap.h"

void grt_snapshot_log_free(struct grt_snapshot_log *s)
{
	grt_vec_free(&s->rows);
	grt_vec_free(&s->notes);
	*s = (struct grt_snapshot_log){ .more = 0 };
}

int grt_snapshot_log_add(struct grt_snapshot_log *s, const struct grtrace_snapshot *rec, uint32_t ring)
{
	struct grt_snapshot row = { .rec = *rec, .ring = ring, .process = GRT_NONE };

	if (grt_snapshot_log_count(s) == GRT_MAX_SNAPSHOTS) {
		s->more++;
		return 0;
	}
	return grt_vec_append(&s->rows, &row, sizeof(row)) ? grt_fail_memory() : 0;
}

int grt_snapshot_log_note(struct grt_snapshot_log *s, const struct grtrace_note *note)
{
	if (s->notes.bytes + note->hdr.size > GRT_MAX_NOTE_BYTES)
		return 0;
	return grt_vec_append(&s->notes, note, note->hdr.size) ? grt_fail_memory() : 0;
}

void grt_snapshot_log_job(struct grt_snapshot_log *s, const struct grt_job *job)
{
	for (size_t i = 0; i < grt_snapshot_log_count(s); i++) {
		struct grt_snapshot *row = grt_vec_at(&s->rows, struct grt_snapshot, i);

		if (row->rec.ctx != job->ctx || row->rec.seqno != job->seqno ||
		    job->flags & GRT_JOB_SYNTHETIC)
			continue;
		if (row->ring == GRT_NONE)
			row->ring = job->ring;
		row->process = job->process;
	}
}

const struct grt_snapshot *grt_snapshot_log_latest(const struct grt_snapshot_log *s)
{
	const struct grt_snapshot *latest = NULL;

	for (size_t i = 0; i < grt_snapshot_log_count(s); i++) {
		const struct grt_snapshot *row = grt_snapshot_log_at(s, i);

		if (!latest || row->rec.hdr.ts > latest->rec.hdr.ts)
			latest = row;
	}
	return latest;
}
