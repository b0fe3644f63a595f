// SPDX-License-Identifier: LGPL-2.1
/*
 * What policies leave out of a trace, and what is unknown because of that.  Jobs are whole if
 * only dependencies, events of threads, or rings of other hardware are missing.
 */
#include "model_private.h"

/* Events of @g's kind are missing between these times, as a LOSS record says only now. */
static int add_to_gap(struct grt_model *m, struct grt_gap *g, uint64_t from_ns, uint64_t to_ns)
{
	const struct grt_span *span = grt_losses_from(&g->spans, from_ns);

	if (g->since_ns <= from_ns ||
	    (span && span->from_ns <= from_ns && span->to_ns >= to_ns))
		return 0;
	m->wants_hindsight = true;
	if (g == &m->no_deps)
		grt_queue_doubt_all(m, m->now_ns);
	return grt_losses_add(&g->spans, from_ns, to_ns);
}

/* Events of @g's kind are left out from @ns on, or no longer are. */
static int switch_gap(struct grt_gap *g, bool is_left_out, uint64_t ns)
{
	uint64_t since_ns = g->since_ns;

	if (is_left_out == (since_ns != UINT64_MAX))
		return 0;
	g->since_ns = is_left_out ? ns : UINT64_MAX;
	return is_left_out ? 0 : grt_losses_add(&g->spans, since_ns, ns);
}

static void find_next_gap(struct grt_model *m)
{
	m->next_no_deps_ns = grt_gap_next(&m->no_deps, m->now_ns);
}

/*
 * A level or a type mask left out events.  1: none of them were of jobs, and it is noted what is
 * unknown without them; 0: some may be of jobs; or -errno.
 */
static int add_omitted(struct grt_model *m, const struct grtrace_loss *rec, uint64_t *from_ns)
{
	const struct grt_omitted *o = &m->omitted;
	uint64_t from = rec->from_ns, to = rec->to_ns, since_ns;
	int err = 0;

	if (!grt_omitted_in(o, rec->reason, GRT_KIND_ANY, from, to, &since_ns))
		return 0;
	if (grt_omitted_in(o, rec->reason, GRT_KIND_DEP, from, to, &since_ns))
		err = add_to_gap(m, &m->no_deps, since_ns, to);
	if (!err && grt_omitted_in(o, rec->reason, GRT_KIND_THREAD, from, to, &since_ns)) {
		grt_cpu_feed(&m->cpu, &rec->hdr);
		err = add_to_gap(m, &m->no_threads, since_ns, to);
	}
	find_next_gap(m);
	if (err)
		return err;
	if (!grt_omitted_in(o, rec->reason, GRT_KIND_JOB, from, to, &since_ns))
		return 1;
	*from_ns = since_ns;
	return 0;
}

/* Whether the kept rings are whole although others are left out. */
static bool has_whole_rings(struct grt_model *m)
{
	if (!m->knows_rings)
		m->has_whole_rings = grt_ringfilter_is_clean(&m->ringfilter, &m->names);
	m->knows_rings = true;
	return m->has_whole_rings && !m->has_odd_rings && m->omitted.lost_ns == UINT64_MAX;
}

/*
 * A filter left out events of rings.  1: the kept rings are whole, except for dependencies on jobs
 * of the others; 0: they may not be; or -errno.
 */
static int add_other_rings(struct grt_model *m, const struct grtrace_loss *rec)
{
	int err;

	if (!has_whole_rings(m))
		return 0;
	m->wants_hindsight |= !m->lacks_rings;
	m->lacks_rings = true;
	err = add_to_gap(m, &m->no_deps, rec->from_ns, rec->to_ns);
	find_next_gap(m);
	return err ? err : 1;
}

int grt_gaps_add_policy(struct grt_model *m, const struct grtrace_policy *rec)
{
	static const struct grtrace_hdr unseen = { .type = GRTRACE_LOSS };
	const char *text = (const char *)(rec + 1);
	size_t bytes = rec->hdr.size - sizeof(*rec);
	struct grt_policy row;
	unsigned int kinds;
	int err = grt_policy_log_add(&m->policies, rec, m->has_begun, m->start_ns);

	grt_policy_split(&row, text, bytes);
	if (!err)
		err = grt_omitted_policy(&m->omitted, row.key, row.value, rec->hdr.ts);
	grt_ringfilter_policy(&m->ringfilter, row.key, row.value, rec->hdr.ts <= m->start_ns);
	m->knows_rings = false;
	/* A merged trace does not show whose policy this is; its LOSS records say enough. */
	kinds = m->boots.bytes ? 0 : grt_omitted_now(&m->omitted);
	if (!err)
		err = switch_gap(&m->no_deps, kinds & GRT_KIND_DEP, rec->hdr.ts);
	/* What threads did meanwhile was not seen. */
	if (m->no_threads.since_ns != UINT64_MAX && !(kinds & GRT_KIND_THREAD))
		grt_cpu_feed(&m->cpu, &unseen);
	if (!err)
		err = switch_gap(&m->no_threads, kinds & GRT_KIND_THREAD, rec->hdr.ts);
	find_next_gap(m);
	if (m->no_deps.since_ns <= m->now_ns)
		grt_queue_doubt_all(m, m->now_ns);
	return err;
}

/* Where a gap of dependencies begins, it is unknown what the waiting jobs depend on. */
void grt_gaps_enter(struct grt_model *m, uint64_t ts_ns)
{
	while (m->next_no_deps_ns <= ts_ns && m->next_no_deps_ns != UINT64_MAX) {
		grt_queue_doubt_all(m, m->next_no_deps_ns);
		m->next_no_deps_ns = grt_gap_next(&m->no_deps, m->next_no_deps_ns);
	}
}

int grt_gaps_add_loss(struct grt_model *m, const struct grtrace_loss *rec, uint64_t *from_ns)
{
	switch (rec->reason) {
	case GRTRACE_FATE_FILTERED_RING:
	case GRTRACE_FATE_FILTERED_ENGINE:
		return add_other_rings(m, rec);
	case GRTRACE_FATE_FILTERED_TYPE:
	case GRTRACE_FATE_FILTERED_LEVEL:
		return add_omitted(m, rec, from_ns);
	default:
		return 0;
	}
}

int grt_gaps_learn(struct grt_model *m, const struct grt_model *earlier)
{
	int err = grt_losses_copy(&m->no_deps.spans, &earlier->no_deps.spans);

	if (!err)
		err = grt_losses_copy(&m->no_threads.spans, &earlier->no_threads.spans);
	find_next_gap(m);
	m->lacks_rings = earlier->lacks_rings;
	m->has_odd_rings = earlier->has_odd_rings;
	return err;
}

void grt_gaps_finish(struct grt_model *m)
{
	/* The filter changed, or rings that share their hardware became known. */
	if (m->lacks_rings && !has_whole_rings(m))
		m->has_odd_rings = m->wants_hindsight = true;
}
