// SPDX-License-Identifier: LGPL-2.1
/*
 * A job is written as work of the GPU (GpuRenderStageEvent, which Perfetto counts as busy time), as
 * slices with its stages on a track of its ring, and as an instant on the thread that submitted it.
 */
#include <inttypes.h>
#include <stdarg.h>

#include "job_words.h"
#include "key_names.h"
#include "perfetto_private.h"
#include "piece.h"

#define MAX_EXTRA	(GRT_NR_STAGES + 9)

/* What is said of the work: pairs of names and values. */
struct extra {
	Grtpf__GpuRenderStageEvent__ExtraData data[MAX_EXTRA], *list[MAX_EXTRA];
	char text[MAX_EXTRA][96];
	size_t count;
};

static void add_extra(struct extra *e, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add_extra(struct extra *e, const char *name, const char *format, ...)
{
	Grtpf__GpuRenderStageEvent__ExtraData *data = &e->data[e->count];
	va_list args;

	if (e->count == MAX_EXTRA)
		return;
	va_start(args, format);
	vsnprintf(e->text[e->count], sizeof(e->text[0]), format, args);
	va_end(args);
	grtpf__gpu_render_stage_event__extra_data__init(data);
	data->name = (char *)name;
	data->value = e->text[e->count];
	e->list[e->count++] = data;
}

static void fill_extra(struct extra *e, const struct grt_pf *p, const struct grt_job *job)
{
	char word[GRT_WORD_MAX], flags[GRT_JOB_FLAGS_LEN];

	e->count = 0;
	add_extra(e, "fence", "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	add_extra(e, "process", "%s", grt_word_process(word, p->names, job->process));
	if (grt_word_command(p->names, job))
		add_extra(e, "command", "%s", grt_word_command(p->names, job));
	if (job->client_id)
		add_extra(e, "client", "%" PRIu64, job->client_id);
	if (job->has_status)
		add_extra(e, "status", "%s", grt_word_status(word, job));
	if (job->flags)
		add_extra(e, "flags", "%.95s", grt_job_flags(job->flags, flags));
	if (job->dep_ctx || job->dep_seqno)
		add_extra(e, "waited for", "%" PRIu64 ":%" PRIu64, job->dep_ctx, job->dep_seqno);
	for (int i = 0; i < GRT_NR_STAGES; i++)
		if (grt_job_knows(job, i))
			add_extra(e, grt_stage_name(i), "%" PRIu64 " ns", job->stage_ns[i]);
}

/* Perfetto's category of work: 1 graphics, 2 compute, 0 other. */
static uint32_t category_of(const struct grt_pf *p, const struct grt_pf_ring *ring)
{
	uint32_t engine = ring->row == GRT_NONE ? GRTRACE_ENGINE_OTHER :
			  grt_names_ring_at(p->names, ring->row)->engine;

	return engine == GRTRACE_ENGINE_GRAPHICS ? 1 : engine == GRTRACE_ENGINE_COMPUTE ? 2 : 0;
}

/* When it was on the GPU.  False: that is not known. */
static bool work_of(const struct grt_pf *p, const struct grt_job *job, uint64_t *from_ns,
		    uint64_t *to_ns, uint32_t *spec)
{
	bool has_start = grt_job_has(job, GRT_AT_START);

	if (job->ring == GRT_NONE || (!has_start && !grt_job_has(job, GRT_AT_COMMIT)))
		return false;
	/* A FIFO ring runs other jobs meanwhile; other rings count as occupied. */
	if (job->flags & GRT_JOB_NO_HW &&
	    grt_names_ring_at(p->names, job->ring)->order == GRTRACE_ORDER_FIFO)
		return false;
	*spec = has_start ? GRT_PF_SPEC_EXEC : GRT_PF_SPEC_ON_RING;
	*from_ns = job->at_ns[has_start ? GRT_AT_START : GRT_AT_COMMIT];
	if (grt_job_has(job, GRT_AT_END))
		*to_ns = job->at_ns[GRT_AT_END];
	else if (job->flags & GRT_JOB_CUT && !grt_job_has(job, GRT_AT_COMPLETE))
		*to_ns = p->x->window.last_ns;
	else
		return false;
	return *from_ns <= *to_ns;
}

/* Writes the work of the GPU.  Returns its number, or 0: there is none. */
static uint64_t put_work(struct grt_pf *p, const struct grt_job *job,
			 const struct grt_pf_ring *ring)
{
	Grtpf__GpuRenderStageEvent event = GRTPF__GPU_RENDER_STAGE_EVENT__INIT;
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;
	const struct grt_pf_done *dep = grt_pf_done(p, job->dep_ctx, job->dep_seqno);
	uint64_t from_ns, to_ns, wait_id;
	struct extra extra;
	uint32_t spec;

	if (!work_of(p, job, &from_ns, &to_ns, &spec))
		return 0;
	fill_extra(&extra, p, job);
	if (!grt_job_has(job, GRT_AT_END))
		add_extra(&extra, "END", "not seen: drawn until the end of the trace");
	event.has_event_id = event.has_duration = event.has_submission_id = 1;
	event.event_id = ++p->event_id;
	event.duration = grt_pf_ns(to_ns) - grt_pf_ns(from_ns);
	event.submission_id = job->seqno;
	event.has_gpu_id = event.has_hw_queue_iid = event.has_stage_iid = event.has_name_iid = 1;
	event.gpu_id = ring->gpu;
	event.hw_queue_iid = grt_pf_ring_spec(ring, &p->out, p->names);
	event.stage_iid = spec + category_of(p, ring);
	event.name_iid = grt_pf_process_name(&p->out, p->names, job->process);
	event.context = grt_pf_context(&p->out, p->names, job->process);
	event.has_context = event.context != 0;
	event.extra_data = extra.list;
	event.n_extra_data = extra.count;
	if (dep && dep->event_id) {
		wait_id = dep->event_id;
		event.event_wait_ids = &wait_id;
		event.n_event_wait_ids = 1;
	}
	packet.has_timestamp = 1;
	packet.timestamp = grt_pf_ns(from_ns);
	packet.gpu_render_stage_event = &event;
	grt_pf_put(&p->out, &packet);
	return event.event_id;
}

/* Arrows have a number each: two for a job. */
static uint64_t submit_flow(const struct grt_pf *p)
{
	return 2 * p->jobs;
}

static uint64_t dep_flow(const struct grt_pf *p)
{
	return 2 * p->jobs + 1;
}

static void put_submit(struct grt_pf *p, const struct grt_job *job, uint64_t event_id,
		       bool has_flow)
{
	uint32_t tgid = 0, process = job->process;
	struct grt_pf_event e;
	uint64_t track;

	if (!grt_job_has(job, GRT_AT_SUBMIT) || process == GRT_NONE)
		return;
	tgid = grt_names_process_at(p->names, process)->tgid;
	track = grt_pf_process_track(&p->out, p->names, tgid, process);
	if (tgid && job->tid)
		track = grt_pf_thread_of(p, tgid, job->tid);
	grt_pf_event_init(&e, GRT_PF_CATEGORY_SUBMIT, GRT_PF_WORD_SUBMIT);
	grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (event_id)
		grt_pf_event_submitted(&e, event_id);
	if (has_flow)
		grt_pf_event_flow(&e, submit_flow(p));
	grt_pf_instant(&p->out, &e, track, job->at_ns[GRT_AT_SUBMIT]);
}

/* The stages of a job on a track: they follow each other. */
struct stages {
	struct grt_pf *p;
	const struct grt_job *job;
	uint64_t track, at_ns;	/* the end of the one before */
	const struct grt_pf_done *dep;	/* an arrow from it is still to be drawn; NULL: none */
	uint64_t dep_ns;		/* the wait for it was over then */
};

/* An arrow begins at the job that this one waited for; the stage behind the wait ends it. */
static void put_signal(struct stages *s)
{
	const struct grt_pf_done *dep = s->dep;
	struct grt_pf_event e;

	grt_pf_event_init(&e, GRT_PF_CATEGORY_FENCE, GRT_PF_WORD_SIGNALS);
	grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%" PRIu64 ":%" PRIu64, dep->ctx, dep->seqno);
	grt_pf_note_text(&e, GRT_PF_NOTE_WAITER, "%" PRIu64 ":%" PRIu64, s->job->ctx, s->job->seqno);
	grt_pf_event_flow(&e, dep_flow(s->p));
	grt_pf_instant(&s->p->out, &e, dep->track,
		       s->dep_ns < dep->last_ns ? s->dep_ns : dep->last_ns);
}

static void put_stage(struct stages *s, uint64_t name, uint64_t from_ns, uint64_t to_ns,
		      const struct grt_charge *charge)
{
	char culprit[GRT_CULPRIT_MAX];
	struct grt_pf_event e;

	if (from_ns < s->at_ns)
		from_ns = s->at_ns;
	if (to_ns <= from_ns)
		return;
	grt_pf_event_init(&e, GRT_PF_CATEGORY_STAGE, name);
	if (name < GRT_PF_IDLE)
		grt_pf_note_meaning(&e, name);
	if (charge)
		grt_pf_note_text(&e, GRT_PF_NOTE_BECAUSE, "%s",
				 grt_word_culprit(culprit, s->p->x->model, charge));
	if (s->dep && from_ns >= s->dep_ns) {
		put_signal(s);
		grt_pf_event_ends_flow(&e, dep_flow(s->p));
		s->dep = NULL;
	}
	grt_pf_slice(&s->p->out, &e, s->track, from_ns, to_ns);
	s->at_ns = to_ns;
}

static void put_between(struct stages *s, uint64_t name, enum grt_stamp from, enum grt_stamp to)
{
	if (grt_job_has(s->job, from) && grt_job_has(s->job, to))
		put_stage(s, name, s->job->at_ns[from], s->job->at_ns[to], NULL);
}

/* Pieces of one stage, one behind the other. */
struct run {
	struct stages *s;
	struct grt_charge longest;
	uint64_t from_ns, to_ns;	/* the same: there are none */
};

static void put_run(const struct run *r)
{
	put_stage(r->s, GRT_PF_STAGE + r->longest.stage, r->from_ns, r->to_ns, &r->longest);
}

static int add_piece(void *arg, const struct grt_charge *c)
{
	struct run *r = arg;

	if (r->from_ns == r->to_ns || r->longest.stage != c->stage) {
		put_run(r);
		r->longest = *c;
		r->from_ns = c->from_ns;
	} else if (c->ns > r->longest.ns) {
		r->longest = *c;
	}
	r->to_ns = c->from_ns + c->ns;
	return 0;
}

/* Pieces of one stage are one slice, which names the longest of them. */
static void put_pieces(struct stages *s)
{
	struct run run = { .s = s };

	grt_pieces_walk(s->job, 0, grt_pieces_end_ns(s->job), add_piece, &run);
	put_run(&run);
}

/* What it waited for, or the whole wait if its stages are not known. */
static void put_waits(struct stages *s)
{
	put_pieces(s);
	put_between(s, GRT_PF_STAGE + GRT_STAGE_SUBMIT_HOST, GRT_AT_SUBMIT, GRT_AT_COMMIT);
	put_between(s, GRT_PF_STAGE + GRT_STAGE_QUEUE, GRT_AT_COMMIT, GRT_AT_START);
}

static void put_stages(struct stages *s)
{
	put_waits(s);
	if (grt_job_has(s->job, GRT_AT_START))
		put_between(s, GRT_PF_STAGE + GRT_STAGE_EXEC, GRT_AT_START, GRT_AT_END);
	else
		put_between(s, GRT_PF_STAGE + GRT_STAGE_HW, GRT_AT_COMMIT, GRT_AT_END);
	put_between(s, GRT_PF_STAGE + GRT_STAGE_COMPLETE, GRT_AT_END, GRT_AT_COMPLETE);
}

/* When it had waited for its latest dependency; 0: it did not wait, or that is not known. */
static uint64_t dep_end_ns(const struct grt_job *job)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < job->nr_pieces; i++)
		if (job->pieces[i].charge.stage == GRT_STAGE_DEP)
			ns = job->pieces[i].charge.from_ns + job->pieces[i].charge.ns;
	return ns;
}

static void put_slices(struct grt_pf *p, const struct grt_job *job, uint64_t track, bool has_flow)
{
	struct stages s = { .p = p, .job = job, .track = track, .at_ns = grt_job_first_ns(job) };
	uint64_t last_ns = grt_job_last_ns(job);
	char word[GRT_WORD_MAX], flags[GRT_JOB_FLAGS_LEN];
	struct grt_pf_event e;

	s.dep_ns = dep_end_ns(job);
	s.dep = s.dep_ns ? grt_pf_done(p, job->dep_ctx, job->dep_seqno) : NULL;
	if (s.dep && !s.dep->track)
		s.dep = NULL;
	grt_pf_event_init(&e, GRT_PF_CATEGORY_JOB,
			  grt_pf_process_name(&p->out, p->names, job->process));
	grt_pf_note_text(&e, GRT_PF_NOTE_FENCE, "%" PRIu64 ":%" PRIu64, job->ctx, job->seqno);
	if (job->has_status)
		grt_pf_note_text(&e, GRT_PF_NOTE_STATUS, "%s", grt_word_status(word, job));
	if (job->flags)
		grt_pf_note_text(&e, GRT_PF_NOTE_FLAGS, "%s", grt_job_flags(job->flags, flags));
	if (has_flow)
		grt_pf_event_ends_flow(&e, submit_flow(p));
	if (last_ns <= s.at_ns) {
		grt_pf_instant(&p->out, &e, track, last_ns);
		return;
	}
	grt_pf_begin(&p->out, &e, track, s.at_ns);
	put_stages(&s);
	grt_pf_end(&p->out, track, last_ns);
}

void grt_pf_job(struct grt_pf *p, const struct grt_job *job)
{
	struct grt_pf_done done = { .ctx = job->ctx, .seqno = job->seqno };
	uint64_t first_ns = grt_job_first_ns(job);
	struct grt_pf_ring *ring;
	bool has_flow;
	uint32_t lane;

	done.last_ns = grt_job_last_ns(job);
	ring = grt_pf_ring(&p->rings, &p->out, p->names, job->ring == GRT_NONE ? 0 :
			   grt_names_ring_at(p->names, job->ring)->id);
	if (!ring)
		return;
	p->jobs++;
	done.event_id = put_work(p, job, ring);
	lane = grt_pf_lane(&ring->lanes, first_ns, done.last_ns);
	ring->hidden += lane == GRT_NONE;
	/* An event of another CPU may come before SUBMIT: the arrow would point back. */
	has_flow = lane != GRT_NONE && job->process != GRT_NONE &&
		   grt_job_has(job, GRT_AT_SUBMIT) && job->at_ns[GRT_AT_SUBMIT] == first_ns;
	put_submit(p, job, done.event_id, has_flow);
	if (lane != GRT_NONE) {
		done.track = grt_pf_ring_track(ring, &p->out, GRT_PF_JOBS, lane);
		put_slices(p, job, done.track, has_flow);
	}
	grt_pf_put_waits(p, job->ctx, job->seqno, done.event_id);
	if (!p->out.err)
		grt_pf_remember(p, &done);
}
