// SPDX-License-Identifier: LGPL-2.1
/* Repairs raw streams: keeps whole records up to damage, then goes on with the next stream. */
#include <errno.h>

#include "cursor.h"
#include "error.h"
#include "repair_private.h"
#include "scan.h"

struct raw {
	struct grt_scan scan;	/* first member, because the callbacks cast back from it */
	struct repair_job *j;
	bool is_other;		/* in a stream of another session */
};

static int begin(struct repair_job *j, const struct grtrace_stream_info *info)
{
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = info->start_ns,
		.start_real_ns = info->start_real_ns,
	};

	if (info->version > GRTRACE_FORMAT_VERSION)
		return grt_fail(EBADMSG, "repair it with the grtrace that recorded it, or a newer one",
				"the trace has format version %u, this grtrace knows up to %u",
				info->version, GRTRACE_FORMAT_VERSION);
	j->info = *info;
	j->has_info = true;
	return grt_target_open(j->to, &header);
}

/* The number and the start identify a session, because numbers start again with the module. */
static bool is_same(const struct repair_job *j, const struct grtrace_stream_info *info)
{
	return info->session_id == j->info.session_id && info->start_ns == j->info.start_ns;
}

/* Whether the values agree that are the same in all streams of a session. */
static bool is_sound(const struct repair_job *j, const struct grtrace_stream_info *info)
{
	return info->magic == j->info.magic && info->version == j->info.version &&
	       info->clock == j->info.clock && info->cpus == j->info.cpus;
}

/* Keeps a run with a damaged STREAM_INFO: replaces it by that of the first stream. */
static int mend_run(struct raw *raw, uint64_t offset, const struct grt_run *run)
{
	const struct grtrace_stream_info *bad = run->data;
	struct grtrace_stream_info info = raw->j->info;
	struct grt_run first = *run, rest = *run;
	int err;

	info.hdr = bad->hdr;
	info.hdr.size = sizeof(info);
	first.data = &info;
	first.bytes = sizeof(info);
	rest.data = (const char *)run->data + bad->hdr.size;
	rest.bytes -= bad->hdr.size;
	repair_find(raw->j, GRT_FINDING_HEADER, offset, 0, 0);
	err = grt_writer_run(raw->j->to->writer, raw->scan.cpu, &first);
	return err || !rest.bytes ? err : grt_writer_run(raw->j->to->writer, raw->scan.cpu, &rest);
}

static int copy_run(struct grt_scan *s, uint64_t offset, const struct grt_run *run)
{
	struct raw *raw = (struct raw *)s;
	struct repair_job *j = raw->j;
	const struct grtrace_hdr *first = run->data;
	int err = 0;

	if (first->type == GRTRACE_STREAM_INFO) {
		if (!j->has_info)
			err = begin(j, run->data);
		raw->is_other = !is_same(j, run->data);
	}
	if (err)
		return err;
	if (raw->is_other) {
		repair_find(j, GRT_FINDING_SESSION, offset, run->bytes, run->events);
		j->result->lost_events += run->events;
		return 0;
	}
	if (first->type == GRTRACE_STREAM_INFO && !is_sound(j, run->data))
		err = mend_run(raw, offset, run);
	else
		err = grt_writer_run(j->to->writer, s->cpu, run);
	j->result->chunks++;
	j->result->bytes += run->bytes;
	j->result->events += run->events;
	return err || run->is_defs ? err : repair_count(j, s->cpu, run->data, run->bytes);
}

static void note_gap(struct grt_scan *s, uint64_t offset, uint64_t bytes, bool is_cut)
{
	repair_find(((struct raw *)s)->j, is_cut ? GRT_FINDING_CUT : GRT_FINDING_RECORD,
		    offset, bytes, 0);
}

int repair_raw(struct repair_job *j)
{
	static const struct grt_scan_ops ops = { copy_run, note_gap };
	struct raw raw = {
		/* The start of the file may be damaged: look for the first stream. */
		.scan = { .ops = &ops, .name = j->name, .fd = j->fd, .is_lost = true },
		.j = j,
	};

	j->is_raw = true;
	return grt_scan_file(&raw.scan);
}
