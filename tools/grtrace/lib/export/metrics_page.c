// SPDX-License-Identifier: LGPL-2.1
#include "metrics_page.h"

#include "describe.h"
#include "error.h"
#include "model.h"

struct page {
	struct grt_om *om;
	struct grt_metrics *m;
	const struct grt_names *names;
	const struct grt_metrics_own *own;
};

/* --- labels --- */

/* The names of the three labels of an owner; the owner who was waited for has others. */
struct owner_labels {
	const char *owner, *namespace, *pod;
};

static const struct owner_labels own_labels = { "owner", "namespace", "pod" };
static const struct owner_labels by_labels = { "by_owner", "by_namespace", "by_pod" };

static void label_other(const struct page *p, const struct owner_labels *l)
{
	grt_om_label(p->om, l->owner, "other");
}

static void label_owner(const struct page *p, const struct owner_labels *l, uint32_t owner)
{
	if (owner == GRT_METRIC_NOBODY)
		return;
	if (owner == GRT_NONE) {
		grt_om_label(p->om, l->owner, "unknown");
		return;
	}
	grt_om_label(p->om, l->owner, grt_label_text(&p->m->owners, owner, 0));
	grt_om_label(p->om, l->namespace, grt_label_text(&p->m->owners, owner, 1));
	grt_om_label(p->om, l->pod, grt_label_text(&p->m->owners, owner, 2));
}

static void label_device(const struct page *p, uint32_t place)
{
	if (place != GRT_NONE)
		grt_om_label(p->om, "device", grt_label_text(&p->m->places, place, 0));
}

static void label_ring(const struct page *p, uint32_t place)
{
	label_device(p, place);
	if (place != GRT_NONE)
		grt_om_label(p->om, "ring", grt_label_text(&p->m->places, place, 1));
}

/* Writes the labels of a row: its device or ring, and its owner.  Its values follow. */
static void begin_place(const struct page *p, const struct grt_label_sets *sets, uint32_t row,
			void (*label_place)(const struct page *p, uint32_t place))
{
	const struct grt_label_key *key = grt_label_sets_at(sets, row);

	grt_om_labels(p->om);
	if (row == GRT_OTHER_ROW) {
		label_other(p, &own_labels);
		return;
	}
	label_place(p, grt_metric_place(key));
	label_owner(p, &own_labels, grt_metric_owner(key));
}

/* Row 0 is left out as long as there is nothing in it. */
static uint32_t first_row(const struct grt_label_sets *sets)
{
	return sets->folded ? GRT_OTHER_ROW : GRT_OTHER_ROW + 1;
}

#define FOR_EACH_ROW(row, sets)	\
	for (uint32_t row = first_row(sets); row < grt_label_sets_count(sets); row++)

/* --- jobs --- */

static void put_hist(const struct page *p, const struct grt_metric_hist *h, const struct grt_exemplar *exemplars)
{
	uint64_t count = 0;

	for (unsigned int i = 0; i <= GRT_METRIC_BOUNDS; i++) {
		const struct grt_exemplar *e = exemplars ? &exemplars[i] : NULL;
		struct grt_om_exemplar shown;

		if (e)
			shown = (struct grt_om_exemplar){ e->ctx, e->seqno, e->ns, e->real_ns };
		count += h->counts[i];
		grt_om_bucket(p->om, i == GRT_METRIC_BOUNDS ? UINT64_MAX : grt_metric_bound_ns(i), count,
			      e && h->counts[i] ? &shown : NULL);
	}
	grt_om_sum(p->om, h->sum_ns, count);
}

static void put_job_times(const struct page *p)
{
	grt_om_family(p->om, "grtrace_job_seconds", GRT_OM_HISTOGRAM, "seconds",
		      "Time of jobs from SUBMIT to COMPLETE.");
	FOR_EACH_ROW(row, &p->m->job_sets) {
		const struct grt_metric_jobs *jobs = grt_vec_at(&p->m->jobs, struct grt_metric_jobs, row);

		begin_place(p, &p->m->job_sets, row, label_device);
		put_hist(p, &jobs->total, jobs->exemplars);
	}
}

static void put_stage_times(const struct page *p)
{
	grt_om_family(p->om, "grtrace_stage_seconds", GRT_OM_HISTOGRAM, "seconds",
		      "Time of jobs in a stage, of those of which it is known.");
	FOR_EACH_ROW(row, &p->m->stage_sets) {
		const struct grt_metric_stages *s = grt_vec_at(&p->m->stages, struct grt_metric_stages, row);

		for (unsigned int i = 0; i < GRT_NR_METRIC_STAGES; i++) {
			begin_place(p, &p->m->stage_sets, row, label_device);
			grt_om_label(p->om, "stage", grt_metric_stage_name(i));
			put_hist(p, &s->stages[i], NULL);
		}
	}
}

static const struct grt_metric_use *use_at(const struct page *p, uint32_t row)
{
	return grt_vec_at(&p->m->uses, struct grt_metric_use, row);
}

static void put_uses(const struct page *p)
{
	const struct grt_label_sets *sets = &p->m->use_sets;

	grt_om_family(p->om, "grtrace_jobs", GRT_OM_COUNTER, NULL, "Jobs that are over.");
	FOR_EACH_ROW(row, sets)
		for (int i = 0; i < GRT_NR_JOB_RESULTS; i++) {
			begin_place(p, sets, row, label_ring);
			grt_om_label(p->om, "result", grt_job_result_name(i));
			grt_om_u64(p->om, GRT_OM_COUNTER, use_at(p, row)->jobs[i]);
		}
	grt_om_family(p->om, "grtrace_exec_seconds", GRT_OM_COUNTER, "seconds",
		      "Time that jobs ran, START to END.");
	FOR_EACH_ROW(row, sets) {
		begin_place(p, sets, row, label_ring);
		grt_om_ns(p->om, GRT_OM_COUNTER, use_at(p, row)->exec_ns);
	}
	grt_om_family(p->om, "grtrace_exec_unknown_jobs", GRT_OM_COUNTER, NULL,
		      "Jobs that ran, but how long is not known, or only how long at most: they are not in grtrace_exec_seconds.");
	FOR_EACH_ROW(row, sets) {
		begin_place(p, sets, row, label_ring);
		grt_om_u64(p->om, GRT_OM_COUNTER, use_at(p, row)->unknown_exec);
	}
	grt_om_family(p->om, "grtrace_hangs", GRT_OM_COUNTER, NULL,
		      "Jobs that hung: each ran into its timeout, or its ring was reset because of it.");
	FOR_EACH_ROW(row, sets) {
		begin_place(p, sets, row, label_ring);
		grt_om_u64(p->om, GRT_OM_COUNTER, use_at(p, row)->hangs);
	}
}

/* --- waits --- */

static void put_waits(const struct page *p)
{
	const struct grt_label_sets *sets = &p->m->wait_sets;

	grt_om_family(p->om, "grtrace_blocked_seconds", GRT_OM_COUNTER, "seconds",
		      "Time that jobs of an owner waited to begin, by whose job they waited for and why.");
	FOR_EACH_ROW(row, sets) {
		const struct grt_label_key *key = grt_label_sets_at(sets, row);

		grt_om_labels(p->om);
		if (row == GRT_OTHER_ROW) {
			label_other(p, &own_labels);
		} else {
			label_owner(p, &own_labels, grt_metric_owner(key));
			label_owner(p, &by_labels, grt_metric_by(key));
			grt_om_label(p->om, "reason", grt_blame_reason_name(key->b));
		}
		grt_om_ns(p->om, GRT_OM_COUNTER, *grt_vec_at(&p->m->waits, uint64_t, row));
	}
}

/* --- rings --- */

static const char *state_name(unsigned int state)
{
	return state == GRT_RING_BUSY ? "busy" : state == GRT_METRIC_UNEXPLAINED ? "unexplained" : grt_idle_name(state);
}

/* Writes the labels of a row: its device and the name of its rings.  Its values follow. */
static const struct grt_metric_rings *begin_rings(const struct page *p, uint32_t row)
{
	grt_om_labels(p->om);
	if (row == GRT_OTHER_ROW)
		label_other(p, &own_labels);
	else
		label_ring(p, grt_metric_place(grt_label_sets_at(&p->m->ring_sets, row)));
	return grt_vec_at(&p->m->rings, struct grt_metric_rings, row);
}

static void put_states(const struct page *p)
{
	grt_om_family(p->om, "grtrace_ring_state_seconds", GRT_OM_COUNTER, "seconds",
		      "Time of a ring: busy, idle for a cause, idle without a known cause (unexplained), or unknown.");
	FOR_EACH_ROW(row, &p->m->ring_sets)
		for (unsigned int state = 0; state < GRT_METRIC_STATES; state++) {
			const struct grt_metric_rings *r = begin_rings(p, row);

			grt_om_label(p->om, "state", state_name(state));
			grt_om_ns(p->om, GRT_OM_COUNTER, r->ns[state]);
		}
}

static void put_load(const struct page *p, uint32_t row, const char *place, uint64_t jobs)
{
	/* What is not known is left out. */
	if (!begin_rings(p, row)->has_load)
		return;
	grt_om_label(p->om, "place", place);
	grt_om_u64(p->om, GRT_OM_GAUGE, jobs);
}

static void put_loads(const struct page *p)
{
	grt_om_family(p->om, "grtrace_ring_jobs", GRT_OM_GAUGE, NULL,
		      "Jobs at a ring now: those that wait to be handed over, and those on the ring.");
	FOR_EACH_ROW(row, &p->m->ring_sets) {
		const struct grt_metric_rings *r = grt_vec_at(&p->m->rings, struct grt_metric_rings, row);

		put_load(p, row, "waiting", r->waiting);
		put_load(p, row, "on_ring", r->on_ring);
	}
}

/* --- events --- */

#define FATE_BIT(fate)	(1u << (fate))

/* Each of these fates has a series from the start: its number is known, even if it is 0. */
static void put_fates(const struct page *p, uint32_t fates)
{
	static const char *const names[] = {
#define GRT_X(NAME, member, nr, CLASS, text) [nr] = nr == GRTRACE_FATE_WRITTEN ? "not_in_trace" : #member,
		GRTRACE_FATES(GRT_X)
#undef GRT_X
	};
	const struct grt_model_totals *t = grt_model_totals(p->m->model);

	for (int i = 0; i < GRTRACE_NR_FATES; i++) {
		if (!(fates >> i & 1))
			continue;
		grt_om_labels(p->om);
		grt_om_label(p->om, "reason", names[i]);
		grt_om_u64(p->om, GRT_OM_COUNTER, t->lost[i]);
	}
}

static void put_events(const struct page *p)
{
	const uint32_t lost = GRT_LOST_REASONS;
	const uint32_t all = FATE_BIT(GRTRACE_NR_FATES) - 1;
	const struct grt_model_totals *t = grt_model_totals(p->m->model);
	uint64_t events = 0, ns;

	for (int i = 0; i < GRTRACE_NR_EVENTS; i++)
		events += t->events[i];
	grt_om_family(p->om, "grtrace_events", GRT_OM_COUNTER, NULL, "Events that were read.");
	grt_om_u64(p->om, GRT_OM_COUNTER, events);
	grt_om_family(p->om, "grtrace_lost_events", GRT_OM_COUNTER, NULL, "Events that were lost.");
	put_fates(p, lost);
	grt_om_family(p->om, "grtrace_left_out_events", GRT_OM_COUNTER, NULL,
		      "Events that filters, sampling and limits left out.");
	put_fates(p, all & ~lost & ~FATE_BIT(GRTRACE_FATE_DUPLICATE));
	grt_om_family(p->om, "grtrace_uncounted_losses", GRT_OM_COUNTER, NULL,
		      "Losses of an unknown number of events.");
	grt_om_u64(p->om, GRT_OM_COUNTER, grt_losses_uncounted(t));
	if (!p->m->last_ns || !grt_metrics_realtime(p->m, p->m->last_ns, &ns))
		return;
	grt_om_family(p->om, "grtrace_last_event_timestamp_seconds", GRT_OM_GAUGE, "seconds",
		      "When the latest event was, in seconds since 1970.");
	grt_om_ns(p->om, GRT_OM_GAUGE, ns);
}

/* --- grtrace itself --- */

static void put_folded(const struct page *p)
{
	const struct {
		const char *family;
		const struct grt_label_sets *sets;
	} families[] = {
		{ "grtrace_job_seconds", &p->m->job_sets },
		{ "grtrace_stage_seconds", &p->m->stage_sets },
		{ "grtrace_exec_seconds", &p->m->use_sets },
		{ "grtrace_blocked_seconds", &p->m->wait_sets },
		{ "grtrace_ring_state_seconds", &p->m->ring_sets },
	};

	grt_om_family(p->om, "grtrace_series_folded", GRT_OM_COUNTER, NULL,
		      "Label sets that share the owner other, because of --cap.");
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		grt_om_labels(p->om);
		grt_om_label(p->om, "family", families[i].family);
		grt_om_u64(p->om, GRT_OM_COUNTER, families[i].sets->folded);
	}
}

static void put_own(const struct page *p)
{
	const struct grt_machine *machine = grt_machine_names_of(&p->names->machines, 0);

	grt_om_family(p->om, "grtrace_build", GRT_OM_INFO, NULL, "Version of grtrace, and what it reads.");
	grt_om_label(p->om, "version", GRT_VERSION);
	grt_om_label(p->om, "source", p->own->source);
	grt_om_label(p->om, "host", machine->host);
	grt_om_label(p->om, "boot_id", machine->boot_id);
	grt_om_u64(p->om, GRT_OM_INFO, 1);
	grt_om_family(p->om, "process_cpu_seconds", GRT_OM_COUNTER, "seconds", "CPU time of this process.");
	grt_om_ns(p->om, GRT_OM_COUNTER, p->own->cpu_ns);
	grt_om_family(p->om, "process_resident_memory_bytes", GRT_OM_GAUGE, "bytes", "Memory of this process.");
	grt_om_u64(p->om, GRT_OM_GAUGE, p->own->memory_bytes);
	grt_om_family(p->om, "process_start_time_seconds", GRT_OM_GAUGE, "seconds",
		      "When this process began, in seconds since 1970.");
	grt_om_ns(p->om, GRT_OM_GAUGE, p->own->start_real_ns);
}

int grt_metrics_page(struct grt_om *o, struct grt_metrics *m, const struct grt_metrics_own *own)
{
	struct page p = { .om = o, .m = m, .names = grt_model_names(m->model), .own = own };
	int err = grt_metrics_look(m);

	if (err)
		return err;
	put_job_times(&p);
	put_stage_times(&p);
	put_uses(&p);
	put_waits(&p);
	put_states(&p);
	put_loads(&p);
	put_events(&p);
	put_folded(&p);
	put_own(&p);
	grt_om_end(o);
	return o->has_failed ? grt_fail_memory() : 0;
}
