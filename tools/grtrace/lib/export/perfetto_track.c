// SPDX-License-Identifier: LGPL-2.1
#include "perfetto_track.h"

#include "quote.h"

#define TRACK_TEXT	512

enum { BY_RANK = 3 };			/* child_ordering */
enum { NOT_MERGED = 2 };		/* sibling_merge_behavior */
enum { COUNTED = 2 };			/* unit of a counter */

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

uint64_t grt_pf_track_id(enum grt_pf_track kind, uint64_t a, uint64_t b)
{
	uint64_t id = mix(mix(mix(kind * 0x9e3779b97f4a7c15ull) + a) + b) >> 1;

	return id ? id : 1;
}

static void put_descriptor(struct grt_pf_out *o, Grtpf__TrackDescriptor *track, uint64_t uuid)
{
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;

	track->has_uuid = 1;
	track->uuid = uuid;
	packet.track_descriptor = track;
	grt_pf_put(o, &packet);
}

void grt_pf_track_describe(struct grt_pf_out *o, uint64_t track,
			   const struct grt_pf_track_info *info)
{
	Grtpf__TrackDescriptor d = GRTPF__TRACK_DESCRIPTOR__INIT;
	Grtpf__CounterDescriptor counter = GRTPF__COUNTER_DESCRIPTOR__INIT;
	char name[TRACK_TEXT], description[TRACK_TEXT];

	if (!grt_pf_is_new(o, GRT_PF_KIND_TRACK, track))
		return;
	d.has_parent_uuid = info->parent != 0;
	d.parent_uuid = info->parent;
	d.name = (char *)grt_quote_text(name, sizeof(name), info->name);
	if (info->description)
		d.description = (char *)grt_quote_text(description, sizeof(description),
						       info->description);
	if (info->unit) {
		d.counter = &counter;
		counter.has_unit = 1;
		counter.unit = COUNTED;
		counter.unit_name = (char *)info->unit;
	}
	d.has_child_ordering = d.has_sibling_order_rank = 1;
	d.child_ordering = BY_RANK;
	d.sibling_order_rank = info->rank;
	d.has_sibling_merge_behavior = info->is_one;
	d.sibling_merge_behavior = NOT_MERGED;
	put_descriptor(o, &d, track);
}

static uint64_t kernel_track(struct grt_pf_out *o)
{
	uint64_t track = grt_pf_track_id(GRT_PF_KERNEL, 0, 0);

	grt_pf_track_describe(o, track, &(struct grt_pf_track_info){
		.name = "Kernel", .description = "jobs of the kernel itself" });
	return track;
}

static const char *comm_of(const struct grt_names *names, uint32_t row)
{
	return row == GRT_NONE ? "" : grt_names_process_at(names, row)->comm;
}

uint64_t grt_pf_process_track(struct grt_pf_out *o, const struct grt_names *names, uint32_t tgid,
			      uint32_t process)
{
	Grtpf__TrackDescriptor d = GRTPF__TRACK_DESCRIPTOR__INIT;
	Grtpf__ProcessDescriptor p = GRTPF__PROCESS_DESCRIPTOR__INIT;
	uint64_t track = grt_pf_track_id(GRT_PF_PROCESSES, tgid, 0);
	const char *comm = comm_of(names, process);
	char name[TRACK_TEXT];

	if (!tgid)
		return kernel_track(o);
	/* The name counts that the latest definition has. */
	if (!grt_pf_is_new(o, GRT_PF_KIND_TRACK, *comm ? track + process + 1 : track))
		return track;
	p.has_pid = 1;
	p.pid = tgid;
	if (*comm)
		p.process_name = (char *)grt_quote_text(name, sizeof(name), comm);
	d.process = &p;
	put_descriptor(o, &d, track);
	return track;
}

uint64_t grt_pf_thread_track(struct grt_pf_out *o, const struct grt_names *names, uint32_t tgid,
			     uint32_t tid)
{
	Grtpf__TrackDescriptor d = GRTPF__TRACK_DESCRIPTOR__INIT;
	Grtpf__ThreadDescriptor t = GRTPF__THREAD_DESCRIPTOR__INIT;
	uint64_t track = grt_pf_track_id(GRT_PF_THREAD, tgid, tid), parent;
	char name[32];

	if (tgid) {
		if (!grt_pf_is_new(o, GRT_PF_KIND_TRACK, track))
			return track;
		grt_pf_process_track(o, names, tgid, GRT_NONE);
		t.has_pid = t.has_tid = 1;
		t.pid = tgid;
		t.tid = tid;
		d.thread = &t;
		put_descriptor(o, &d, track);
		return track;
	}
	parent = grt_pf_track_id(GRT_PF_THREADS, 0, 0);
	grt_pf_track_describe(o, parent, &(struct grt_pf_track_info){
		.name = "Threads", .description = "threads whose process is not known" });
	snprintf(name, sizeof(name), "thread %u", tid);
	grt_pf_track_describe(o, track, &(struct grt_pf_track_info){
		.parent = parent, .name = name });
	return track;
}

uint64_t grt_pf_process_name(struct grt_pf_out *o, const struct grt_names *names, uint32_t row)
{
	Grtpf__InternedName name = GRTPF__INTERNED_NAME__INIT, *list = &name;
	Grtpf__InternedData data = GRTPF__INTERNED_DATA__INIT;
	const struct grt_process *p;
	char comm[32], text[64];

	if (row == GRT_NONE)
		return GRT_PF_WORD_NOBODY;
	p = grt_names_process_at(names, row);
	if (!p->tgid)
		return GRT_PF_WORD_KERNEL;
	if (!grt_pf_is_new(o, GRT_PF_KIND_NAME, row))
		return GRT_PF_PROCESS + (uint64_t)row;
	snprintf(text, sizeof(text), "%s[%u]", grt_quote_text(comm, sizeof(comm), p->comm),
		 p->tgid);
	name.has_iid = 1;
	name.iid = GRT_PF_PROCESS + (uint64_t)row;
	name.name = text;
	data.n_event_names = 1;
	data.event_names = &list;
	grt_pf_put_interned(o, &data);
	return name.iid;
}

uint64_t grt_pf_context(struct grt_pf_out *o, const struct grt_names *names, uint32_t row)
{
	Grtpf__InternedGraphicsContext context = GRTPF__INTERNED_GRAPHICS_CONTEXT__INIT,
				       *list = &context;
	Grtpf__InternedData data = GRTPF__INTERNED_DATA__INIT;

	if (row == GRT_NONE)
		return 0;
	context.iid = row + 1ull;
	if (!grt_pf_is_new(o, GRT_PF_KIND_CONTEXT, row))
		return context.iid;
	context.has_iid = context.has_pid = 1;
	context.pid = grt_names_process_at(names, row)->tgid;
	data.n_graphics_contexts = 1;
	data.graphics_contexts = &list;
	grt_pf_put_interned(o, &data);
	return context.iid;
}

uint32_t grt_pf_lane(struct grt_pf_lanes *l, uint64_t from_ns, uint64_t to_ns)
{
	uint32_t best = GRT_NONE;

	for (uint32_t i = 0; i < l->count; i++)
		if (l->free_ns[i] <= from_ns &&
		    (best == GRT_NONE || l->free_ns[i] > l->free_ns[best]))
			best = i;
	if (best == GRT_NONE && l->count < GRT_PF_LANES)
		best = l->count++;
	if (best != GRT_NONE)
		l->free_ns[best] = to_ns;
	return best;
}
