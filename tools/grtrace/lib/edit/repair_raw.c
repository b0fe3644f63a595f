// SPDX-License-Identifier: LGPL-2.1
/* Raw streams: whole records up to damage, and from the next stream on. */
#include "cursor.h"
#include "error.h"
#include "repair_inside.h"
#include "scan.h"

struct raw {
	struct grt_scan scan;	/* first: the callbacks get back from it */
	struct repair_job *j;
	bool is_other;		/* a stream of another session */
};

static int begin(struct repair_job *j, const struct grtrace_stream_info *info)
{
	struct grt_file_header header = {
		.session_id = info->session_id,
		.start_ns = info->start_ns,
		.start_real_ns = info->start_real_ns,
	};

	j->info = *info;
	j->has_info = true;
	return grt_target_open(j->to, &header);
}

/* A session is told by both: its number begins again with the module. */
static bool is_same(const struct repair_job *j, const struct grtrace_stream_info *info)
{
	return info->session_id == j->info.session_id && info->start_ns == j->info.start_ns;
}

static int take_run(struct grt_scan *s, uint64_t offset, const struct grt_run *run)
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
	err = grt_writer_run(j->to->writer, s->cpu, run);
	j->result->chunks++;
	j->result->bytes += run->bytes;
	j->result->events += run->events;
	return err || run->is_defs ? err : repair_count(j, s->cpu, run->data, run->bytes);
}

static void take_gap(struct grt_scan *s, uint64_t offset, uint64_t bytes, bool is_cut)
{
	repair_find(((struct raw *)s)->j, is_cut ? GRT_FINDING_CUT : GRT_FINDING_RECORD,
		    offset, bytes, 0);
}

int repair_raw(struct repair_job *j)
{
	static const struct grt_scan_ops ops = { take_run, take_gap };
	struct raw raw = {
		/* Should its beginning be damaged, a stream may still come. */
		.scan = { .ops = &ops, .name = j->name, .fd = j->fd, .is_lost = true },
		.j = j,
	};

	j->is_raw = true;
	return grt_scan_file(&raw.scan);
}
