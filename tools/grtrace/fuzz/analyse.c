// SPDX-License-Identifier: GPL-2.0
/* Does with a trace all that reports do. */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "event.h"
#include "fuzz.h"
#include "input.h"
#include "job_sink.h"
#include "replay.h"
#include "source.h"
#include "stream.h"
#include "verify.h"

#define NR_FORMATS	3
#define MOST_PASSES	3	/* of --why */

static const char *const formats[NR_FORMATS] = { "text", "csv", "json" };

struct pass {
	struct grt_model *model;	/* owned by the replay */
	struct grt_summary *summary;	/* NULL: jobs are only checked */
	struct grt_job_out out[NR_FORMATS];
	struct grt_event_sink *events[NR_FORMATS];	/* NULL: not printed */
	struct grt_event_names names;
	struct grt_why *why;	/* NULL: none; else the model keeps pieces */
	struct grt_roots roots;
	uint64_t jobs;
	int passes;		/* of the chain */
	struct grt_trace_info info;
};

/* Invariants 3 and 4 of the overview: parts sum to the whole, to the nanosecond. */
static void check_job(const struct grt_job *job)
{
	/* A START that contradicts COMMIT does not end the wait. */
	enum grt_stamp to = grt_job_knows(job, GRT_STAGE_QUEUE) ? GRT_AT_START : GRT_AT_COMMIT;
	uint64_t charged_ns = 0;

	FUZZ_EXPECT(grt_job_adds_up(job));
	FUZZ_EXPECT(job->stamps);
	for (uint32_t i = 0; i < job->nr_charges; i++)
		charged_ns += job->charges[i].ns;
	if (job->nr_charges)
		FUZZ_EXPECT(charged_ns == job->at_ns[to] - job->at_ns[GRT_AT_SUBMIT]);
}

/* Roots cover the wait without a gap. */
static void check_roots(struct grt_roots *r, const struct grt_job *job)
{
	const struct grt_root_total *totals;
	uint64_t charged_ns = 0, ns = 0, total_ns = 0;
	struct grt_root_list list;
	uint32_t count;

	FUZZ_EXPECT(!grt_roots_add(r, job));
	FUZZ_EXPECT(!grt_roots_list(r, &list));
	FUZZ_EXPECT(!grt_roots_totals(r, &totals, &count));
	for (uint32_t i = 0; i < job->nr_charges; i++)
		charged_ns += job->charges[i].ns;
	for (uint32_t i = 0; i < list.wait; i++) {
		const struct grt_root_span *span = &list.spans[i];

		FUZZ_EXPECT(span->from_ns < span->to_ns && span->kind < GRT_NR_ROOTS);
		FUZZ_EXPECT(!i || span->from_ns == span[-1].to_ns);
		ns += span->to_ns - span->from_ns;
	}
	for (uint32_t i = 0; i < count; i++)
		total_ns += totals[i].ns;
	FUZZ_EXPECT(ns == charged_ns && total_ns == ns);
}

static void check_use(const struct grt_ring_use *use, uint64_t wall_ns)
{
	uint64_t sum_ns = use->busy_ns;

	for (int i = 0; i < GRT_NR_IDLES; i++)
		sum_ns += use->idle_ns[i];
	FUZZ_EXPECT(sum_ns == wall_ns);
}

static void check_rings(const struct grt_model *m)
{
	size_t rings = grt_vec_count(&grt_model_names(m)->rings, struct grt_ring);
	uint64_t wall_ns = grt_model_wall_ns(m);
	const struct grt_ring_use *use;
	const char *name;

	for (size_t i = 0; i < rings; i++)
		check_use(grt_model_ring_use(m, i), wall_ns);
	for (uint32_t i = 0; (use = grt_model_device_use(m, i, &name)); i++)
		check_use(use, wall_ns);
}

static int begin_pass(void *arg, struct grt_model *model)
{
	struct pass *p = arg;
	struct grt_summary_wants wants;

	p->model = model;
	p->jobs = 0;
	grt_roots_free(&p->roots);
	if (!p->summary)
		return 0;
	wants = p->summary->wants;
	FUZZ_EXPECT(!grt_summary_init(p->summary, p->model, &wants));
	return 0;
}

static int add_record(void *arg, const struct grtrace_hdr *rec)
{
	struct pass *p = arg;
	struct grt_event_view view;

	if (p->events[0]) {
		FUZZ_EXPECT(!grt_event_names_learn(&p->names, rec));
		for (int i = 0; i < NR_FORMATS && grt_event_view(&view, &p->names, rec); i++)
			grt_event_sink_print(p->events[i], &view);
	}
	if (p->summary)
		(void)grt_summary_record(p->summary, rec);
	return 0;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;
	bool is_wanted;

	check_job(job);
	p->jobs++;
	if (p->why) {
		FUZZ_EXPECT(!grt_why_add(p->why, job));
		check_roots(&p->roots, job);
	}
	if (!p->summary)
		return 0;
	FUZZ_EXPECT(!grt_summary_add(p->summary, job, &is_wanted));
	for (int i = 0; i < NR_FORMATS; i++)
		grt_job_sink_find(formats[i])->job(&p->out[i], job);
	return 0;
}

static int early(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;

	if (!p->why)
		return 0;
	FUZZ_EXPECT(!grt_why_early(p->why, job));
	FUZZ_EXPECT(!grt_roots_add(&p->roots, job));
	return 0;
}

static int end_pass(void *arg)
{
	struct pass *p = arg;

	check_rings(p->model);
	return 0;
}

static bool wants_more(void *arg)
{
	struct pass *p = arg;

	return p->why && grt_why_wants_more(p->why) && ++p->passes < MOST_PASSES;
}

static const struct grt_replay_ops ops = {
	.begin = begin_pass, .record = add_record, .job = add_job, .early = early, .end = end_pass,
	.wants_more = wants_more,
};

/* If reading ends early, the file is damaged, and the cause must say so. */
static int read_all(struct pass *p, struct grt_replay *replay, const char *path)
{
	char *paths[] = { (char *)path };
	struct grt_stream *stream = NULL;
	struct grt_input *in;
	int err = grt_source_open(&in, 1, paths, 0);

	*replay = (struct grt_replay){
		.ops = &ops, .arg = p, .watches_events = true,
		.is_final = p->summary || p->why, .keeps_pieces = p->why,
	};
	if (!err)
		err = grt_stream_open(&stream, in);
	if (!err) {
		p->info = *grt_stream_info(stream);
		err = grt_replay_run(replay, stream);
	}
	grt_stream_close(stream);
	/* The only expected error is reported damage. */
	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	return err;
}

static void print_summary(struct pass *p)
{
	/* All tables in all formats would take too long: the trace selects one. */
	struct grt_job_out *all = &p->out[p->jobs % NR_FORMATS];

	FUZZ_EXPECT(!grt_summary_close(p->summary));
	FUZZ_EXPECT(p->summary->all.jobs <= p->jobs);
	for (int i = 0; i < NR_FORMATS; i++) {
		grt_job_sink_find(formats[i])->end(&p->out[i]);
		grt_job_sink_find(formats[i])->summary(&p->out[i]);
	}
	all->tables = 1u << GRT_TABLE_STACKS;
	grt_job_sink_find(formats[p->jobs % NR_FORMATS])->summary(all);
	all->tables = (1u << GRT_NR_TABLES) - 1;
	all->groups = (1u << GRT_NR_GROUPS) - 1;
	grt_job_sink_find(formats[p->jobs % NR_FORMATS])->summary(all);
}

/* Reads the chain of the longest job. */
static void ask_why(const struct grt_summary *s, const char *path)
{
	struct pass p = { .why = NULL };
	struct grt_replay replay;

	if (!s->nr_worst)
		return;
	p.why = grt_why_create(s->worst[0].job.ctx, s->worst[0].job.seqno);
	FUZZ_EXPECT(p.why);
	FUZZ_EXPECT(!read_all(&p, &replay, path));
	if (!grt_why_finish(p.why)) {
		struct grt_summary names = { .model = p.model, .wants = s->wants };

		for (int i = 0; i < NR_FORMATS; i++) {
			struct grt_job_out out = {
				.file = fuzz_nowhere(), .summary = &names, .info = &p.info,
			};

			grt_job_sink_find(formats[i])->why(&out, p.why);
			out.has_steps = true;
			grt_job_sink_find(formats[i])->why(&out, p.why);
		}
	}
	grt_why_destroy(p.why);
	grt_roots_free(&p.roots);
	grt_replay_free(&replay);
}

static void report(const char *path)
{
	static struct grt_rules rules;
	struct grt_summary summary = { .wants = {
		.query = { .with_synthetic = true }, .rules = &rules,
		.groups = (1u << GRT_NR_GROUPS) - 1, .max_worst = 3, .has_quantiles = true,
		.has_blame = true, .has_labels = true, .has_sizes = true,
		.has_stacks = true,
	} };
	struct pass p = { .summary = &summary };
	struct grt_replay replay;

	if (!rules.count)
		FUZZ_EXPECT(!grt_rules_read(&rules, grt_default_rules, "built-in rules"));
	for (int i = 0; i < NR_FORMATS; i++)
		p.out[i] = (struct grt_job_out){
			.file = fuzz_nowhere(), .summary = &summary, .info = &p.info,
		};
	FUZZ_EXPECT(!read_all(&p, &replay, path));
	print_summary(&p);
	ask_why(&summary, path);
	fuzz_frames(path, &p.info);
	fuzz_memory(path, &p.info);
	grt_summary_free(&summary);
	grt_replay_free(&replay);
}

static void ignore_warning(const char *hint, const char *text)
{
	(void)hint;
	FUZZ_EXPECT(*text);
}

/* Runs the checks that work below the merge. */
static void verify(const char *path)
{
	char *paths[] = { (char *)path };
	struct grt_verify *v = NULL;
	int err = grt_verify_files(&v, 1, paths, 0);

	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	for (int i = 0; !err && i < GRT_NR_CHECKS; i++)
		FUZZ_EXPECT(!grt_verify_check(v, i)->violations == !*grt_verify_check(v, i)->first);
	if (!err)
		grt_verify_free(v);
}

void fuzz_analyse(const char *path)
{
	struct pass first = { .jobs = 0 };
	struct grt_replay replay;
	int err;

	grt_warn_to(ignore_warning);
	for (int i = 0; i < NR_FORMATS; i++)
		FUZZ_EXPECT(!grt_event_sink_open(&first.events[i], formats[i], i, fuzz_nowhere()));
	err = read_all(&first, &replay, path);
	for (int i = 0; i < NR_FORMATS; i++)
		grt_event_sink_close(first.events[i]);
	grt_event_names_free(&first.names);
	grt_replay_free(&replay);
	if (!err)
		report(path);
	verify(path);
}
