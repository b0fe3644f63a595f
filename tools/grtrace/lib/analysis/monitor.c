// SPDX-License-Identifier: LGPL-2.1
#include "monitor.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "meaning.h"
#include "number.h"
#include "ring_name.h"

#define PATIENCE_NS	(GRT_HELD_NS + 4 * GRT_SKEW_NS)	/* the model hands out a job so long after its end, at most */

const struct grt_monitor_about grt_monitor_abouts[GRT_NR_MONITOR_KINDS] = {
#define GRT_X(NAME, name, title, driver, parts, text) { #name, title, driver, parts, text },
	GRT_MONITOR_KINDS(GRT_X)
#undef GRT_X
};

/* The types of each part that become rows. */
static const struct {
	unsigned int part;
	uint32_t types;
} shown[] = {
	{ GRT_MONITOR_OF_JOBS, 1u << GRTRACE_SUBMIT | 1u << GRTRACE_DEPENDENCY | 1u << GRTRACE_COMMIT |
			       1u << GRTRACE_COMPLETE | 1u << GRTRACE_ERROR | 1u << GRTRACE_JOB },
	{ GRT_MONITOR_OF_SWITCHES, 1u << GRTRACE_CTX_SWITCH },
	{ GRT_MONITOR_OF_MEMORY, 1u << GRTRACE_MEMORY },
	{ GRT_MONITOR_OF_IRQS, 1u << GRTRACE_IRQ },
	{ GRT_MONITOR_OF_BLANKS, 1u << GRTRACE_VBLANK },
};

/* A job that is not over. */
struct pending {
	uint64_t submit_ns;	/* 0: not known */
	struct grt_job_counts counts;
	uint32_t next;		/* of free ones */
};

static const struct grt_monitor_about *about(const struct grt_monitor *m)
{
	return &grt_monitor_abouts[m->kind];
}

/* How many sums each event is added to. */
static unsigned int nr_sums(const struct grt_monitor *m)
{
	return m->has_laps ? 2 : 1;
}

static struct grt_monitor_sums *sums_at(struct grt_monitor *m, unsigned int i)
{
	return i ? &m->lap : &m->all;
}

/* --- jobs in flight --- */

static struct pending *pending_at(const struct grt_monitor *m, uint32_t i)
{
	return grt_vec_at(&m->jobs, struct pending, i);
}

/* No machine has so many jobs in flight.  What these waited for is not known any more. */
static void forget_pending(struct grt_monitor *m)
{
	grt_keymap_free(&m->job_at);
	m->jobs.bytes = 0;
	m->free_job = GRT_NONE;
	for (unsigned int i = 0; i < nr_sums(m); i++)
		sums_at(m, i)->lacks_waits = true;
}

/* NULL without memory. */
static struct pending *put_pending(struct grt_monitor *m, uint64_t ctx, uint64_t seqno)
{
	uint32_t i = grt_keymap_get(&m->job_at, ctx, seqno);

	if (i != GRT_NONE)
		return pending_at(m, i);
	i = m->free_job;
	if (i == GRT_NONE && grt_vec_count(&m->jobs, struct pending) >= GRT_MONITOR_JOBS)
		forget_pending(m);
	if (i != GRT_NONE)
		m->free_job = pending_at(m, i)->next;
	else if (grt_vec_grow(&m->jobs, sizeof(struct pending)))
		i = grt_vec_count(&m->jobs, struct pending) - 1;
	if (i == GRT_NONE || grt_keymap_put(&m->job_at, ctx, seqno, i))
		return NULL;
	*pending_at(m, i) = (struct pending){ .next = GRT_NONE };
	return pending_at(m, i);
}

static struct pending take_pending(struct grt_monitor *m, uint64_t ctx, uint64_t seqno)
{
	uint32_t i = grt_keymap_get(&m->job_at, ctx, seqno);
	struct pending own = { .submit_ns = 0 };

	if (i == GRT_NONE)
		return own;
	own = *pending_at(m, i);
	grt_keymap_del(&m->job_at, ctx, seqno);
	pending_at(m, i)->next = m->free_job;
	m->free_job = i;
	return own;
}

static int add_dependency(struct grt_monitor *m, const struct grtrace_dependency *rec)
{
	struct pending *p = put_pending(m, rec->ctx, rec->seqno);

	if (!p)
		return grt_fail_memory();
	p->counts.deps += !!(rec->hdr.flags & (GRTRACE_F_DECLARED | GRTRACE_F_POPPED));
	p->counts.waits += !!(rec->hdr.flags & GRTRACE_F_BLOCKED);
	for (unsigned int i = 0; i < nr_sums(m); i++) {
		sums_at(m, i)->has_declared |= rec->hdr.flags & GRTRACE_F_DECLARED;
		sums_at(m, i)->has_blocked |= rec->hdr.flags & GRTRACE_F_BLOCKED;
	}
	return 0;
}

/* --- whose event it is --- */

/*
 * Whether an event of @driver is wanted.  An event whose driver is not known is wanted as long as all rings
 * with a known driver belong to the wanted one.
 */
static bool is_wanted(struct grt_monitor *m, const char *driver)
{
	if (!about(m)->driver)
		return true;
	if (grt_ring_is_named(driver))
		return !strcmp(driver, about(m)->driver);
	if (!m->has_other_drivers)
		return true;
	m->unplaced++;
	return false;
}

static void learn_driver(struct grt_monitor *m, const struct grtrace_ring *rec)
{
	const char *own = about(m)->driver;

	if (!own || !grt_ring_is_named(rec->driver))
		return;
	if (strncmp(rec->driver, own, sizeof(rec->driver)))
		m->has_other_drivers = true;
}

static uint32_t pci_address_of(const struct grtrace_hdr *rec)
{
	if (rec->type == GRTRACE_MEMORY)
		return grt_memory_of(rec).pci_address;
	return rec->type == GRTRACE_IRQ ? grt_member((const struct grtrace_irq *)rec, pci_address) : 0;
}

static bool is_own(struct grt_monitor *m, const struct grt_event_view *view)
{
	char device[GRT_PCI_NAME_MAX];
	const char *driver = "";

	if (!about(m)->driver)
		return true;
	if (view->ring)
		driver = view->ring->driver;
	else if (pci_address_of(view->rec))
		driver = grt_names_driver(&m->names.names, grt_pci_name(device, pci_address_of(view->rec)));
	return is_wanted(m, driver);
}

static bool is_shown(const struct grt_monitor *m, const struct grtrace_hdr *rec)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (about(m)->parts & shown[i].part && rec->type < 32 && shown[i].types >> rec->type & 1)
			return true;
	return false;
}

/* --- rows --- */

static struct grt_monitor_row *row_at(const struct grt_monitor *m, size_t i)
{
	return &m->rows[(m->first_row + i) % GRT_MONITOR_ROWS];
}

static int show_first(struct grt_monitor *m)
{
	const struct grt_monitor_row *row = row_at(m, 0);

	m->first_row = (m->first_row + 1) % GRT_MONITOR_ROWS;
	m->nr_rows--;
	return m->show(m->arg, row);
}

/* Shows rows until one waits for what may still come. */
static int show_known(struct grt_monitor *m, bool is_over)
{
	int err = 0;

	while (m->nr_rows && !err) {
		const struct grt_monitor_row *row = row_at(m, 0);

		if (row->is_waiting && !is_over && m->fed_ns < grt_time_after(row->rec.ts, PATIENCE_NS))
			break;
		err = show_first(m);
	}
	return err;
}

static bool waits(const struct grtrace_hdr *rec)
{
	return rec->type == GRTRACE_COMPLETE || rec->type == GRTRACE_JOB ||
	       (rec->type == GRTRACE_VBLANK && rec->flags & GRTRACE_F_DELIVERED);
}

static int add_row(struct grt_monitor *m, const struct grt_event_view *view)
{
	const struct grtrace_hdr *rec = view->rec;
	size_t bytes = rec->size < GRT_MONITOR_REC_BYTES ? rec->size : GRT_MONITOR_REC_BYTES;
	struct grt_monitor_row *row;
	uint32_t i;
	int err = 0;

	if (!m->has_rows)
		return 0;
	if (m->nr_rows == GRT_MONITOR_ROWS)
		err = show_first(m);
	row = row_at(m, m->nr_rows++);
	*row = (struct grt_monitor_row){ .ring = GRT_NONE, .process = GRT_NONE };
	memcpy(row->bytes, rec, bytes);
	row->rec.size = bytes;
	if (view->ring)
		row->ring = view->ring - grt_names_ring_at(&m->names.names, 0);
	if (view->process)
		row->process = view->process - grt_names_process_at(&m->names.names, 0);
	row->pid = view->pid;
	row->has_pid = view->has_pid;
	row->is_waiting = waits(rec);
	if (rec->type == GRTRACE_COMMIT) {
		const struct grtrace_commit *commit = (const void *)rec;

		i = grt_keymap_get(&m->job_at, commit->ctx, commit->seqno);
		row->has_latency = i != GRT_NONE && pending_at(m, i)->submit_ns &&
				   pending_at(m, i)->submit_ns <= rec->ts;
		row->latency_ns = row->has_latency ? rec->ts - pending_at(m, i)->submit_ns : 0;
	}
	return err;
}

/* The row of the job's COMPLETE, which waits for the job's times; NULL: it is already shown. */
static struct grt_monitor_row *row_of(const struct grt_monitor *m, const struct grt_job *job)
{
	for (size_t i = 0; i < m->nr_rows; i++) {
		struct grt_monitor_row *row = row_at(m, i);
		const struct grtrace_job_key *key = (const void *)row->bytes;

		if (row->is_waiting && row->rec.type != GRTRACE_VBLANK && key->ctx == job->ctx &&
		    key->seqno == job->seqno)
			return row;
	}
	return NULL;
}

static int fill_row(struct grt_monitor *m, const struct grt_job *job)
{
	struct grt_monitor_row *row = row_of(m, job);

	if (!row)
		return 0;
	row->is_waiting = false;
	row->has_life = true;
	row->life.has_status = job->has_status;
	row->life.status = job->status;
	row->life.flags = job->flags;
	for (int i = 0; i < GRT_NR_JOB_SPANS && !(job->flags & GRT_JOB_CUT); i++)
		row->life.has_span[i] = grt_job_span_ns(job, i, &row->life.span_ns[i]);
	for (int i = 0; i < GRT_NR_JOB_SPANS; i++)
		row->life.is_bound[i] = grt_job_span_is_bound(job, i);
	return show_known(m, false);
}

/* Sets the times of an answer in its row: by now it is known whether the blank was seen. */
static void fill_answer(void *arg, const struct grt_crtc_answer *answer)
{
	struct grt_monitor *m = arg;

	for (size_t i = 0; i < m->nr_rows; i++) {
		struct grt_monitor_row *row = row_at(m, i);

		if (!row->is_waiting || row->rec.type != GRTRACE_VBLANK || row->rec.ts != answer->ns ||
		    row->vblank.crtc != answer->crtc || row->vblank.frame != answer->frame ||
		    grt_member(&row->vblank, client_id) != answer->client_id)
			continue;
		row->is_waiting = false;
		row->has_answer = true;
		row->answer = *answer;
		return;
	}
}

/* --- records --- */

static int add_to_sums(struct grt_monitor_sums *s, const struct grtrace_hdr *rec)
{
	if (!s->rows++)
		s->from_ns = rec->ts;
	if (rec->ts > s->to_ns)
		s->to_ns = rec->ts;
	switch (rec->type) {
	case GRTRACE_ERROR:
		s->errors++;
		return 0;
	case GRTRACE_IRQ:
		return grt_irq_sums_add(&s->irqs, (const struct grtrace_irq *)rec);
	case GRTRACE_VBLANK:
		return grt_crtcs_record(&s->crtcs, rec);
	default:
		return 0;
	}
}

static int add_event(struct grt_monitor *m, const struct grtrace_hdr *rec)
{
	struct grt_event_view view;
	int err = 0;

	if (!is_shown(m, rec))
		return 0;
	if (rec->flags & GRTRACE_F_SYNTHETIC && !m->with_synthetic) {
		m->synthetic++;
		return 0;
	}
	if (!grt_event_view(&view, &m->names, rec) || !is_own(m, &view))
		return 0;
	if (rec->type == GRTRACE_DEPENDENCY)
		err = add_dependency(m, (const struct grtrace_dependency *)rec);
	if (rec->type == GRTRACE_SUBMIT) {
		const struct grtrace_submit *submit = (const void *)rec;
		struct pending *p = put_pending(m, submit->ctx, submit->seqno);

		if (!p)
			return grt_fail_memory();
		p->submit_ns = rec->ts;
	}
	if (!err)
		err = add_row(m, &view);
	if (!err && rec->type == GRTRACE_MEMORY)
		err = grt_memory_record(&m->memory, rec);
	for (unsigned int i = 0; i < nr_sums(m) && !err; i++)
		err = add_to_sums(sums_at(m, i), rec);
	return err;
}

static int add_loss(struct grt_monitor *m, const struct grtrace_hdr *rec)
{
	const struct grt_event_view view = { .rec = rec };
	int err = add_row(m, &view);

	if (!err)
		err = grt_memory_record(&m->memory, rec);
	for (unsigned int i = 0; i < nr_sums(m) && !err; i++)
		err = grt_crtcs_record(&sums_at(m, i)->crtcs, rec);
	return err;
}

int grt_monitor_record(struct grt_monitor *m, const struct grtrace_hdr *rec)
{
	int err;

	/* The records before this one are in the model, so their jobs have left by now. */
	m->fed_ns = m->now_ns;
	err = show_known(m, false);
	if (err)
		return err;
	if (rec->ts > m->now_ns && rec->type < GRTRACE_NR_EVENTS)
		m->now_ns = rec->ts;
	grt_event_names_forget_contexts(&m->names, GRT_MONITOR_CONTEXTS);
	err = grt_event_names_learn(&m->names, rec);
	if (err)
		return err;
	switch (rec->type) {
	case GRTRACE_STREAM_INFO:
		for (unsigned int i = 0; i < nr_sums(m); i++)
			grt_blank_clock_record(&sums_at(m, i)->crtcs.clock, rec);
		return 0;
	case GRTRACE_RING:
		learn_driver(m, (const struct grtrace_ring *)rec);
		return 0;
	case GRTRACE_POLICY:
		return grt_memory_record(&m->memory, rec);
	case GRTRACE_LOSS:
		return add_loss(m, rec);
	default:
		return rec->type < GRTRACE_NR_EVENTS ? add_event(m, rec) : 0;
	}
}

int grt_monitor_job(struct grt_monitor *m, const struct grt_job *job)
{
	const struct grt_names *names = grt_model_names(m->model);
	struct pending p = take_pending(m, job->ctx, job->seqno);
	int err;

	if (!(about(m)->parts & GRT_MONITOR_OF_JOBS) || (job->flags & GRT_JOB_SYNTHETIC && !m->with_synthetic))
		return 0;
	if (!is_wanted(m, job->ring == GRT_NONE ? "" : grt_names_ring_at(names, job->ring)->driver))
		return 0;
	err = fill_row(m, job);
	for (unsigned int i = 0; i < nr_sums(m) && !err; i++)
		err = grt_job_sums_add(&sums_at(m, i)->jobs, job, &p.counts);
	return err;
}

int grt_monitor_pass(struct grt_monitor *m, uint64_t now_ns)
{
	if (now_ns > m->fed_ns)
		m->fed_ns = now_ns;
	return show_known(m, false);
}

/* --- laps --- */

/*
 * The sums when the lap began.  The first row is that of all processes; the others may stand elsewhere now, as
 * processes are sorted.  NULL: the process is new.
 */
static const struct grt_monitor_ops *ops_before(const struct grt_monitor *m, uint32_t i, uint32_t tgid)
{
	const struct grt_monitor_ops *rows = m->memory_before.data;
	size_t count = grt_vec_count(&m->memory_before, struct grt_monitor_ops);

	if (i == GRT_NONE)
		return count ? rows : NULL;
	if (i + 1 < count && rows[i + 1].tgid == tgid)
		return &rows[i + 1];
	for (size_t k = 1; k < count; k++)
		if (rows[k].tgid == tgid)
			return &rows[k];
	return NULL;
}

struct grt_monitor_ops grt_monitor_ops(const struct grt_monitor *m, uint32_t i, bool is_lap)
{
	const struct grt_memory_process *p = i == GRT_NONE ? &m->memory.all : grt_memory_process_at(&m->memory, i);
	const struct grt_monitor_ops *before = is_lap ? ops_before(m, i, p->tgid) : NULL;
	struct grt_monitor_ops now = { .tgid = p->tgid };

	memcpy(now.ops, p->ops, sizeof(p->ops));
	now.ops[GRT_MONITOR_PLACE].events = now.ops[GRTRACE_MEMORY_MOVE].events - p->moved.events;
	now.ops[GRT_MONITOR_PLACE].bytes = now.ops[GRTRACE_MEMORY_MOVE].bytes - p->moved.bytes;
	now.ops[GRTRACE_MEMORY_MOVE] = p->moved;
	for (int op = 0; op < GRT_MONITOR_NR_OPS && before; op++) {
		now.ops[op].events -= before->ops[op].events;
		now.ops[op].bytes -= before->ops[op].bytes;
	}
	return now;
}

static int note_memory(struct grt_monitor *m)
{
	size_t count = grt_memory_processes(&m->memory) + 1;

	m->memory_before.bytes = 0;
	for (size_t i = 0; i < count; i++) {
		struct grt_monitor_ops now = grt_monitor_ops(m, i ? i - 1 : GRT_NONE, false);

		if (grt_vec_append(&m->memory_before, &now, sizeof(now)))
			return grt_fail_memory();
	}
	return 0;
}

int grt_monitor_end_lap(struct grt_monitor *m)
{
	grt_irq_sums_sort(&m->lap.irqs);
	return grt_crtcs_end_lap(&m->lap.crtcs);
}

int grt_monitor_begin_lap(struct grt_monitor *m)
{
	struct grt_monitor_sums *s = &m->lap;

	grt_job_sums_free(&s->jobs);
	grt_irq_sums_free(&s->irqs);
	grt_crtcs_begin_lap(&s->crtcs);
	s->from_ns = s->to_ns = s->rows = s->errors = 0;
	s->lacks_waits = s->has_declared = s->has_blocked = false;
	return note_memory(m);
}

/* --- the whole --- */

static void free_sums(struct grt_monitor_sums *s)
{
	grt_job_sums_free(&s->jobs);
	grt_irq_sums_free(&s->irqs);
	grt_crtcs_free(&s->crtcs);
}

void grt_monitor_free(struct grt_monitor *m)
{
	free_sums(&m->all);
	free_sums(&m->lap);
	grt_memory_free(&m->memory);
	grt_vec_free(&m->memory_before);
	grt_event_names_free(&m->names);
	grt_vec_free(&m->jobs);
	grt_keymap_free(&m->job_at);
	free(m->rows);
	m->rows = NULL;
	m->nr_rows = m->first_row = 0;
}

int grt_monitor_begin(struct grt_monitor *m, const struct grt_model *model)
{
	grt_monitor_free(m);
	*m = (struct grt_monitor){
		.kind = m->kind, .has_rows = m->has_rows, .has_laps = m->has_laps,
		.with_synthetic = m->with_synthetic, .skips_bounds = m->skips_bounds, .show = m->show, .arg = m->arg,
		.model = model, .free_job = GRT_NONE, .whole.to_ns = UINT64_MAX, .whole.last_ns = UINT64_MAX,
	};
	m->memory.wants = (struct grt_memory_wants){
		.with_synthetic = m->with_synthetic, .window = &m->whole,
	};
	m->all.jobs.skips_bounds = m->lap.jobs.skips_bounds = m->skips_bounds;
	m->all.crtcs.answered = m->has_rows ? fill_answer : NULL;
	m->all.crtcs.arg = m;
	if (m->has_rows)
		m->rows = calloc(GRT_MONITOR_ROWS, sizeof(*m->rows));
	if (m->has_rows && !m->rows)
		return grt_fail_memory();
	return grt_memory_begin(&m->memory, model);
}

int grt_monitor_end(struct grt_monitor *m)
{
	int err = grt_crtcs_close(&m->all.crtcs);

	if (!err && m->has_laps)
		err = grt_crtcs_close(&m->lap.crtcs);
	if (!err)
		err = show_known(m, true);
	grt_irq_sums_sort(&m->all.irqs);
	grt_irq_sums_sort(&m->lap.irqs);
	return err ? err : grt_memory_end(&m->memory);
}
