// SPDX-License-Identifier: LGPL-2.1
/* Checks one record against the earlier records of its CPU. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "file.h"
#include "meaning.h"
#include "number.h"
#include "verify_private.h"

static int check_info(struct grt_verify *v, const struct grtrace_stream_info *info)
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

static void check_session(struct grt_verify *v, const struct grtrace_hdr *hdr, uint64_t id)
{
	if (v->has_info && id != v->info.session_id)
		grt_problem(v, GRT_CHECK_SESSION, "%s of session %" PRIu64 ", not %" PRIu64,
			    grt_type_by_number(hdr->type)->name, id,
			    (uint64_t)v->info.session_id);
}

/* The value of @name in the text of @hdr; NULL if there is none. */
static const char *value_of(const struct grtrace_hdr *hdr, const char *name, char *first)
{
	size_t bytes, len = strlen(name);
	const char *text = grt_field_text(grt_type_by_number(hdr->type), NULL, hdr, &bytes);
	const char *at = memmem(text, bytes, name, len);

	if (!at || at + len == text + bytes)
		return NULL;
	*first = at[len];
	return at;
}

static void look_at_text(struct grt_verify *v, const struct grtrace_hdr *hdr)
{
	char first;

	/* The module has room for a limited number of process names, and counts the others. */
	if (value_of(hdr, "processes_unnamed=", &first) && first >= '1' && first <= '9')
		v->has_unnamed = true;
	if (hdr->type == GRTRACE_METADATA &&
	    (value_of(hdr, "slice=", &first) || value_of(hdr, "merge=", &first)))
		v->is_edited = true;
}

static int check_definition(struct grt_verify *v, struct cpu_state *state,
			    const struct grtrace_hdr *hdr)
{
	switch (hdr->type) {
	case GRTRACE_STREAM_INFO:
		/* A second copy of this CPU's stream, which may have a STREAM_END again. */
		state->has_ended = false;
		return check_info(v, (const void *)hdr);
	case GRTRACE_METADATA:
	case GRTRACE_STATS:
		check_session(v, hdr, ((const struct grtrace_metadata *)hdr)->session_id);
		look_at_text(v, hdr);
		break;
	case GRTRACE_RING:
		if (!grt_map_put(&v->rings, ((const struct grtrace_ring *)hdr)->ring))
			return grt_fail_memory();
		break;
	case GRTRACE_PROCESS:
		if (!grt_map_put(&v->processes, ((const struct grtrace_process *)hdr)->tgid))
			return grt_fail_memory();
		break;
	case GRTRACE_CGROUP:
		return grt_verify_cgroup(v, (const void *)hdr);
	case GRTRACE_STACK_TEXT:
		if (!grt_map_put(&v->stacks, ((const struct grtrace_stack_text *)hdr)->stack))
			return grt_fail_memory();
		break;
	}
	return 0;
}

static void check_fates(struct grt_verify *v, struct cpu_state *state, const struct grtrace_fates *f,
			uint64_t cseq)
{
	const __u64 *now = &f->written, *before = &state->fates.written;
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		sum += now[i];
		if (state->has_account && now[i] < before[i])
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
	else if (state->has_account && f->written >= state->fates.written &&
		 f->written - state->fates.written != state->events_since)
		grt_problem(v, GRT_CHECK_WRITTEN, "%" PRIu64 " %s written since the account before, "
			    "here: %" PRIu64, (uint64_t)(f->written - state->fates.written),
			    grt_plural(f->written - state->fates.written, "event", "events"),
			    state->events_since);
	state->fates = *f;
	state->has_account = true;
	state->events_since = 0;
}

/* A file that has its session from the start must have the first sub-buffers. */
static void look_for_begin(struct grt_verify *v, const struct cpu_state *state, uint64_t cseq)
{
	const struct verify_file *f = &v->files[v->file];

	if (state->is_from_start || !f->is_grt || !v->has_info || f->start_ns != v->info.start_ns)
		return;
	grt_problem(v, GRT_CHECK_SUBBUFS, "the first sub-buffers of CPU %u are missing", state->cpu);
	if (cseq)
		grt_problem(v, GRT_CHECK_WRITTEN, "%" PRIu64 " %s written by CPU %u before this, but none "
			    "is here", cseq, grt_plural(cseq, "event", "events"), state->cpu);
}

static void check_subbuf(struct grt_verify *v, struct cpu_state *state,
			 const struct grtrace_subbuf *sub)
{
	/* Where a recording goes on in a new file, the file begins with a copy of the last account. */
	bool is_copy = state->has_account && state->file != v->file &&
		       sub->index == state->index && sub->hdr.cseq == state->last_cseq;

	check_session(v, &sub->hdr, sub->session_id);
	if (state->has_account && !is_copy && sub->index != state->index + 1)
		grt_problem(v, GRT_CHECK_SUBBUFS, "sub-buffer %" PRIu64 " comes after %" PRIu64,
			    (uint64_t)sub->index, state->index);
	if (state->has_cseq && sub->hdr.cseq != state->last_cseq)
		grt_problem(v, GRT_CHECK_CSEQ, "SUBBUF says that the event before it was %" PRIu64
			    ", but it was %" PRIu64, (uint64_t)sub->hdr.cseq, state->last_cseq);
	if (!state->has_account && !state->has_cseq) {
		state->is_from_start = !sub->index && !sub->hdr.cseq;
		look_for_begin(v, state, sub->hdr.cseq);
	}
	state->index = sub->index;
	state->subbuf_bytes = 0;
	check_fates(v, state, &sub->fates, sub->hdr.cseq);
	state->last_cseq = sub->hdr.cseq;
	state->has_cseq = true;
}

static void check_end(struct grt_verify *v, struct cpu_state *state,
		      const struct grtrace_stream_end *end)
{
	check_session(v, &end->hdr, end->session_id);
	if (state->has_cseq && end->last_cseq != state->last_cseq)
		grt_problem(v, GRT_CHECK_END, "STREAM_END names event %" PRIu64
			    " as the last, but it is %" PRIu64, (uint64_t)end->last_cseq,
			    state->last_cseq);
	if (!state->has_account && !state->has_cseq) {
		state->is_from_start = !end->last_cseq;
		look_for_begin(v, state, end->last_cseq);
	}
	check_fates(v, state, &end->fates, end->last_cseq);
	state->last_cseq = end->last_cseq;
	state->has_cseq = state->has_ended = true;
}

static int note_stacks(struct grt_verify *v, const struct grtrace_stack *rec)
{
	if ((rec->kernel_stack && !grt_map_put(&v->used_stacks, rec->kernel_stack)) ||
	    (rec->user_stack && !grt_map_put(&v->used_stacks, rec->user_stack)))
		return grt_fail_memory();
	return 0;
}

static void check_job(struct grt_verify *v, const struct grtrace_job *job)
{
	if (!(job->submit_ns | job->commit_ns | job->start_ns | job->end_ns | job->complete_ns))
		grt_problem(v, GRT_CHECK_JOBS, "job %" PRIu64 ":%" PRIu64 " has no time", (uint64_t)job->ctx,
			    (uint64_t)job->seqno);
}

/* Notes the rings, processes and stacks that the record names. */
static int note_uses(struct grt_verify *v, const struct grtrace_hdr *hdr)
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
	if (hdr->type == GRTRACE_STACK)
		return note_stacks(v, (const void *)hdr);
	return 0;
}

static void note_gseq(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *ev)
{
	/* The recorder cannot take numbers from the kernel's counter. */
	if (v->has_info && (!(v->info.features >> GRTRACE_FEATURE_GLOBAL_SEQ & 1) ||
			    !grt_is_cpu(&v->info, state->cpu)))
		return;
	if (!ev->gseq)
		grt_problem(v, GRT_CHECK_GSEQ, "an event of CPU %u has no gseq", state->cpu);
	else if (state->has_gseq && ev->gseq <= state->last_gseq)
		grt_problem(v, GRT_CHECK_GSEQ, "gseq %" PRIu64 " comes after %" PRIu64
			    " on CPU %u", (uint64_t)ev->gseq, state->last_gseq, state->cpu);
	if (!state->has_gseq)
		state->first_gseq = ev->gseq;
	state->last_gseq = ev->gseq;
	state->has_gseq = true;
}

static int check_event(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *ev)
{
	v->events++;
	state->events_since++;
	if (!state->has_account)
		grt_problem(v, GRT_CHECK_SUBBUFS, "an event of CPU %u before any SUBBUF",
			    state->cpu);
	if (state->has_cseq && ev->cseq != state->last_cseq + 1)
		grt_problem(v, GRT_CHECK_CSEQ, "event %" PRIu64 " of CPU %u comes after %" PRIu64,
			    (uint64_t)ev->cseq, state->cpu, state->last_cseq);
	state->last_cseq = ev->cseq;
	state->has_cseq = true;
	if (ev->ts < v->watermark_ns)
		grt_problem(v, GRT_CHECK_WATERMARKS, "an event of %" PRIu64
			    " ns below the watermark of %" PRIu64 " ns", (uint64_t)ev->ts,
			    v->watermark_ns);
	note_gseq(v, state, ev);
	if (ev->type == GRTRACE_JOB)
		check_job(v, (const void *)ev);
	if (ev->type < GRTRACE_NR_EVENTS)
		return note_uses(v, ev);
	v->unknown_events++;
	return 0;
}

static void check_time(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *hdr)
{
	if (hdr->ts < state->last_ns)
		grt_problem(v, GRT_CHECK_TIME, "%" PRIu64 " ns comes after %" PRIu64
			    " ns on CPU %u", (uint64_t)hdr->ts, state->last_ns, state->cpu);
	state->last_ns = hdr->ts;
}

static void check_is_before_end(struct grt_verify *v, const struct cpu_state *state)
{
	if (state->has_ended)
		grt_problem(v, GRT_CHECK_END, "a record of CPU %u comes after its STREAM_END",
			    state->cpu);
}

static void check_place(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *hdr)
{
	if (hdr->cpu != state->cpu && state->cpu < GRT_CHUNK_FIRST_LATE)
		grt_problem(v, GRT_CHECK_CPU, "a record of CPU %u in the stream of CPU %u",
			    hdr->cpu, state->cpu);
	check_is_before_end(v, state);
	check_time(v, state, hdr);
}

static void check_size(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *hdr)
{
	uint64_t before = state->subbuf_bytes, most = v->info.subbuf_bytes;

	state->subbuf_bytes += hdr->size;
	if (v->has_info && most && before <= most && state->subbuf_bytes > most)
		grt_problem(v, GRT_CHECK_SUBBUFS, "sub-buffer %" PRIu64 " of CPU %u holds %" PRIu64
			    " bytes, allowed are %" PRIu64, state->index, state->cpu,
			    state->subbuf_bytes, most);
}

int grt_verify_record(struct grt_verify *v, struct cpu_state *state, const struct grtrace_hdr *hdr)
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
	case GRTRACE_STACK_TEXT:
	case GRTRACE_SNAPSHOT:
	case GRTRACE_NOTE:
	case GRTRACE_MACHINE:
	case GRTRACE_CGROUP:
	case GRTRACE_PEER:
		/* Their time and CPU are not those of the stream: they describe other records. */
		return check_definition(v, state, hdr);
	case GRTRACE_SUBBUF:
		check_place(v, state, hdr);
		check_subbuf(v, state, (const void *)hdr);
		check_size(v, state, hdr);
		break;
	case GRTRACE_STREAM_END:
		check_place(v, state, hdr);
		check_end(v, state, (const void *)hdr);
		break;
	case GRTRACE_LOSS:
		/* From an importer, at a time before this one. */
		break;
	default:
		/* A definition of a later version has a time and a CPU of its own. */
		if (hdr->type >= GRTRACE_STREAM_BASE && !grt_type_by_number(hdr->type)) {
			check_is_before_end(v, state);
			v->unknown_events++;
			break;
		}
		check_place(v, state, hdr);
		check_size(v, state, hdr);
		if (hdr->type < GRTRACE_STREAM_BASE)
			err = check_event(v, state, hdr);
	}
	state->file = v->file;
	return err;
}
