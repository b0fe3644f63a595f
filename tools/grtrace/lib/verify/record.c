// SPDX-License-Identifier: LGPL-2.1
/* What one record must be like, behind those of its CPU that came before it. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "file.h"
#include "inside.h"

static int take_info(struct grt_verify *v, const struct grtrace_stream_info *info)
{
	if (info->magic != GRTRACE_STREAM_MAGIC) {
		grt_problem(v, GRT_CHECK_SESSION, "STREAM_INFO has a wrong magic");
		return 0;
	}
	if (info->version > GRTRACE_FORMAT_VERSION)
		return grt_fail(EBADMSG, "verify it with the grtrace that recorded it, or a newer one",
				"the trace has format version %u, this grtrace (%s) knows up to %u",
				info->version, GRT_VERSION, GRTRACE_FORMAT_VERSION);
	if (!v->has_info) {
		v->info = *info;
		v->has_info = true;
		return 0;
	}
	if (info->session_id != v->info.session_id || info->start_ns != v->info.start_ns)
		grt_problem(v, GRT_CHECK_SESSION,
			    "session %" PRIu64 " that began at %" PRIu64 " ns, before it %" PRIu64
			    " at %" PRIu64 " ns", (uint64_t)info->session_id,
			    (uint64_t)info->start_ns, (uint64_t)v->info.session_id,
			    (uint64_t)v->info.start_ns);
	return 0;
}

static void take_session(struct grt_verify *v, const struct grtrace_hdr *hdr, uint64_t id)
{
	if (v->has_info && id != v->info.session_id)
		grt_problem(v, GRT_CHECK_SESSION, "%s of session %" PRIu64 ", not %" PRIu64,
			    grt_type_by_number(hdr->type)->name, id,
			    (uint64_t)v->info.session_id);
}

/* The module names a limited number of processes, and says when it did not. */
static void look_for_unnamed(struct grt_verify *v, const struct grtrace_hdr *hdr)
{
	static const char name[] = "processes_unnamed=";
	size_t bytes, len = sizeof(name) - 1;
	const char *text = grt_field_text(grt_type_by_number(hdr->type), NULL, hdr, &bytes);
	const char *at = memmem(text, bytes, name, len);

	if (at && at + len < text + bytes && at[len] >= '1' && at[len] <= '9')
		v->has_unnamed = true;
}

static int take_definition(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr)
{
	switch (hdr->type) {
	case GRTRACE_STREAM_INFO:
		/* The same CPU read once more: again up to its STREAM_END. */
		lane->has_ended = false;
		return take_info(v, (const void *)hdr);
	case GRTRACE_METADATA:
	case GRTRACE_STATS:
		take_session(v, hdr, ((const struct grtrace_metadata *)hdr)->session_id);
		look_for_unnamed(v, hdr);
		break;
	case GRTRACE_RING:
		if (!grt_map_put(&v->rings, ((const struct grtrace_ring *)hdr)->ring))
			return grt_fail_memory();
		break;
	case GRTRACE_PROCESS:
		if (!grt_map_put(&v->processes, ((const struct grtrace_process *)hdr)->tgid))
			return grt_fail_memory();
		break;
	}
	return 0;
}

static void take_fates(struct grt_verify *v, struct lane *lane, const struct grtrace_fates *f,
		       uint64_t cseq)
{
	const __u64 *now = &f->written, *before = &lane->fates.written;
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		sum += now[i];
		if (lane->has_account && now[i] < before[i])
			grt_problem(v, GRT_CHECK_GROWTH, "%s falls from %" PRIu64 " to %" PRIu64,
				    grt_enums[GRT_KIND_FATE - GRT_KIND_ENGINE].values[i].name,
				    (uint64_t)before[i], (uint64_t)now[i]);
	}
	if (sum != f->seen)
		grt_problem(v, GRT_CHECK_FATES, "seen is %" PRIu64 ", the fates sum to %" PRIu64,
			    (uint64_t)f->seen, sum);
	if (f->written != cseq)
		grt_problem(v, GRT_CHECK_WRITTEN, "written is %" PRIu64 ", the last cseq %" PRIu64,
			    (uint64_t)f->written, cseq);
	else if (lane->has_account && f->written - lane->fates.written != lane->events_since)
		grt_problem(v, GRT_CHECK_WRITTEN, "%" PRIu64 " events written since the account before, "
			    "%" PRIu64 " are here", (uint64_t)(f->written - lane->fates.written),
			    lane->events_since);
	lane->fates = *f;
	lane->has_account = true;
	lane->events_since = 0;
}

static void take_subbuf(struct grt_verify *v, struct lane *lane, const struct grtrace_subbuf *sub)
{
	/* The next file of a recording begins with a copy of the account so far. */
	bool is_copy = lane->has_account && lane->file != v->file &&
		       sub->index == lane->index && sub->hdr.cseq == lane->last_cseq;

	take_session(v, &sub->hdr, sub->session_id);
	if (lane->has_account && !is_copy && sub->index != lane->index + 1)
		grt_problem(v, GRT_CHECK_SUBBUFS, "sub-buffer %" PRIu64 " comes after %" PRIu64,
			    (uint64_t)sub->index, lane->index);
	if (lane->has_cseq && sub->hdr.cseq != lane->last_cseq)
		grt_problem(v, GRT_CHECK_CSEQ, "SUBBUF says that the event before it was %" PRIu64
			    ", it was %" PRIu64, (uint64_t)sub->hdr.cseq, lane->last_cseq);
	if (!lane->has_account && !lane->has_cseq)
		lane->is_from_start = !sub->index && !sub->hdr.cseq;
	lane->index = sub->index;
	lane->subbuf_bytes = 0;
	take_fates(v, lane, &sub->fates, sub->hdr.cseq);
	lane->last_cseq = sub->hdr.cseq;
	lane->has_cseq = true;
}

static void take_end(struct grt_verify *v, struct lane *lane, const struct grtrace_stream_end *end)
{
	take_session(v, &end->hdr, end->session_id);
	if (lane->has_cseq && end->last_cseq != lane->last_cseq)
		grt_problem(v, GRT_CHECK_END, "STREAM_END names event %" PRIu64
			    " as the last, it is %" PRIu64, (uint64_t)end->last_cseq,
			    lane->last_cseq);
	if (!lane->has_account && !lane->has_cseq)
		lane->is_from_start = !end->last_cseq;
	take_fates(v, lane, &end->fates, end->last_cseq);
	lane->last_cseq = end->last_cseq;
	lane->has_cseq = lane->has_ended = true;
}

/* The fields that point to definitions, whatever the type. */
static int take_uses(struct grt_verify *v, const struct grtrace_hdr *hdr)
{
	const struct grt_type *type = grt_type_by_number(hdr->type);
	const struct grtrace_submit *submit = (const void *)hdr;
	const struct grt_field *f;
	uint64_t ring = 0;

	if (type->class == GRT_CLASS_JOB)
		ring = ((const struct grtrace_job_key *)hdr)->ring;
	else if (type->class == GRT_CLASS_EVENT && (f = grt_field_by_name(type, "ring")))
		ring = grt_field_u64(f, hdr);
	if (ring && !grt_map_put(&v->used_rings, ring))
		return grt_fail_memory();
	if (hdr->type == GRTRACE_SUBMIT && submit->tgid && !(hdr->flags & GRTRACE_F_SYNTHETIC) &&
	    !grt_map_put(&v->used_processes, submit->tgid))
		return grt_fail_memory();
	return 0;
}

static void take_gseq(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *ev)
{
	if (v->has_info && !(v->info.features >> GRTRACE_FEATURE_GLOBAL_SEQ & 1))
		return;
	if (!ev->gseq)
		grt_problem(v, GRT_CHECK_GSEQ, "an event of CPU %u has no gseq", lane->cpu);
	else if (lane->has_gseq && ev->gseq <= lane->last_gseq)
		grt_problem(v, GRT_CHECK_GSEQ, "gseq %" PRIu64 " comes after %" PRIu64
			    " on CPU %u", (uint64_t)ev->gseq, lane->last_gseq, lane->cpu);
	if (!lane->has_gseq)
		lane->first_gseq = ev->gseq;
	lane->last_gseq = ev->gseq;
	lane->has_gseq = true;
}

static int take_event(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *ev)
{
	v->events++;
	lane->events_since++;
	if (!lane->has_account)
		grt_problem(v, GRT_CHECK_SUBBUFS, "an event of CPU %u before any SUBBUF",
			    lane->cpu);
	if (lane->has_cseq && ev->cseq != lane->last_cseq + 1)
		grt_problem(v, GRT_CHECK_CSEQ, "event %" PRIu64 " of CPU %u comes after %" PRIu64,
			    (uint64_t)ev->cseq, lane->cpu, lane->last_cseq);
	lane->last_cseq = ev->cseq;
	lane->has_cseq = true;
	if (ev->ts < v->watermark_ns)
		grt_problem(v, GRT_CHECK_WATERMARKS, "an event of %" PRIu64
			    " ns below the watermark of %" PRIu64 " ns", (uint64_t)ev->ts,
			    v->watermark_ns);
	take_gseq(v, lane, ev);
	if (ev->type < GRTRACE_NR_EVENTS)
		return take_uses(v, ev);
	v->unknown_events++;
	return 0;
}

static void take_time(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr)
{
	if (hdr->ts < lane->last_ns)
		grt_problem(v, GRT_CHECK_TIME, "%" PRIu64 " ns comes after %" PRIu64
			    " ns on CPU %u", (uint64_t)hdr->ts, lane->last_ns, lane->cpu);
	lane->last_ns = hdr->ts;
}

static void take_place(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr)
{
	if (hdr->cpu != lane->cpu && lane->cpu < GRT_CHUNK_FIRST_LATE)
		grt_problem(v, GRT_CHECK_CPU, "a record of CPU %u in the stream of CPU %u",
			    hdr->cpu, lane->cpu);
	if (lane->has_ended)
		grt_problem(v, GRT_CHECK_END, "a record of CPU %u comes after its STREAM_END",
			    lane->cpu);
	take_time(v, lane, hdr);
}

static void take_size(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr)
{
	uint64_t before = lane->subbuf_bytes, most = v->info.subbuf_bytes;

	lane->subbuf_bytes += hdr->size;
	if (v->has_info && most && before <= most && lane->subbuf_bytes > most)
		grt_problem(v, GRT_CHECK_SUBBUFS, "sub-buffer %" PRIu64 " of CPU %u holds %" PRIu64
			    " bytes, allowed are %" PRIu64, lane->index, lane->cpu,
			    lane->subbuf_bytes, most);
}

int grt_verify_record(struct grt_verify *v, struct lane *lane, const struct grtrace_hdr *hdr)
{
	int err = 0;

	switch (hdr->type) {
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_RING:
	case GRTRACE_PROCESS:
	case GRTRACE_POLICY:
	case GRTRACE_CLOCK:
	case GRTRACE_STATS:
		/* Their time and CPU are those of what they tell of. */
		return take_definition(v, lane, hdr);
	case GRTRACE_SUBBUF:
		take_place(v, lane, hdr);
		take_subbuf(v, lane, (const void *)hdr);
		take_size(v, lane, hdr);
		break;
	case GRTRACE_STREAM_END:
		take_place(v, lane, hdr);
		take_end(v, lane, (const void *)hdr);
		break;
	case GRTRACE_LOSS:
		/* An importer's: of a time before. */
		break;
	default:
		take_place(v, lane, hdr);
		take_size(v, lane, hdr);
		if (hdr->type < GRTRACE_STREAM_BASE)
			err = take_event(v, lane, hdr);
		else
			v->unknown_events += !grt_type_by_number(hdr->type);
	}
	lane->file = v->file;
	return err;
}
