// SPDX-License-Identifier: LGPL-2.1
/* Raw streams: finds the records of each CPU. */
#include <inttypes.h>

#include "error.h"
#include "extent.h"
#include "scan.h"

struct raw {
	struct grt_scan scan;	/* first member, because the callbacks cast back from it */
	struct grt_collection *to;
	uint32_t file;
	bool is_other;		/* in a session that was not asked for */
};

static int add_run(struct grt_scan *scan, uint64_t offset, const struct grt_run *run)
{
	struct raw *r = (struct raw *)scan;
	const struct grtrace_hdr *first = run->data;
	struct grt_extent extent = {
		.offset = offset,
		.bytes = run->bytes,
		.first_ts = run->first_ts,
		.last_ts = run->last_ts,
		.events = run->events,
		.is_plain = run->is_plain,
		.cpu = scan->cpu,
		.file = r->file,
		.nth = grt_vec_count(&r->to->extents, struct grt_extent),
	};
	int err;

	if (first->type == GRTRACE_STREAM_INFO)
		r->is_other = r->to->session && r->to->session !=
			((const struct grtrace_stream_info *)first)->session_id;
	if (r->is_other)
		return 0;
	if (run->is_defs) {
		err = grt_vec_append(&r->to->defs, run->data, run->bytes);
		/* An empty stream counts too, because it may lack its end. */
		if (err || first->type != GRTRACE_STREAM_INFO)
			return err;
		extent.bytes = 0;
	}
	return grt_vec_append(&r->to->extents, &extent, sizeof(extent));
}

static void say_gap(struct grt_scan *s, uint64_t offset, uint64_t bytes, bool is_cut)
{
	struct raw *r = (struct raw *)s;

	(void)bytes;
	r->to->has_warned = true;
	r->to->bad_sizes++;
	if (is_cut)
		grt_warn(NULL, "'%s' ends within a record: read up to byte %" PRIu64,
			 s->name, offset);
	else
		grt_warn("the events before it are good; record again if you can",
			 "'%s' is corrupt at byte %" PRIu64 ": left out up to the next stream",
			 s->name, offset);
}

int grt_collect_raw(struct grt_collection *to, uint32_t file, int fd, const char *name)
{
	static const struct grt_scan_ops ops = { add_run, say_gap };
	struct raw r = {
		.scan = { .ops = &ops, .name = name, .fd = fd },
		.to = to, .file = file,
	};

	return grt_scan_file(&r.scan);
}
