// SPDX-License-Identifier: GPL-2.0
/* Everything that reports do with a trace. */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "event.h"
#include "fuzz.h"
#include "input.h"
#include "job_sink.h"
#include "source.h"
#include "stream.h"
#include "verify.h"

#define NR_FORMATS	3
#define MOST_PASSES	3	/* of --why */

static const char *const formats[NR_FORMATS] = { "text", "csv", "json" };

struct pass {
	struct grt_model *model;
	struct grt_summary *summary;	/* NULL: jobs are only looked at */
	struct grt_job_out out[NR_FORMATS];
	struct grt_event_sink *events[NR_FORMATS];	/* NULL: not printed */
	struct grt_why *why;
	uint64_t jobs;
	struct grt_trace_info info;
};

/* Laws 3 and 4 of the overview: parts sum to the whole, to the nanosecond. */
static void check_job(const struct grt_job *job)
{
	/* A START that contradicts COMMIT ends no wait. */
	enum grt_stamp to = grt_job_knows(job, GRT_STAGE_QUEUE) ? GRT_AT_START : GRT_AT_COMMIT;
	uint64_t charged_ns = 0;

	FUZZ_EXPECT(grt_job_adds_up(job));
	FUZZ_EXPECT(job->stamps);
	for (uint32_t i = 0; i < job->nr_charges; i++)
		charged_ns += job->charges[i].ns;
	if (job->nr_charges)
		FUZZ_EXPECT(charged_ns == job->at_ns[to] - job->at_ns[GRT_AT_SUBMIT]);
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

static void take_job(void *arg, const struct grt_job *job)
{
	struct pass *p = arg;
	bool is_wanted;

	check_job(job);
	p->jobs++;
	if (p->why)
		FUZZ_EXPECT(!grt_why_add(p->why, job));
	if (!p->summary)
		return;
	FUZZ_EXPECT(!grt_summary_add(p->summary, job, &is_wanted));
	for (int i = 0; i < NR_FORMATS; i++)
		grt_job_sink_find(formats[i])->job(&p->out[i], job);
}

static void take_record(struct pass *p, const struct grtrace_hdr *rec)
{
	for (int i = 0; i < NR_FORMATS && p->events[i]; i++) {
		FUZZ_EXPECT(!grt_event_sink_learn(p->events[i], rec));
		grt_event_sink_print(p->events[i], rec);
	}
	if (p->summary)
		grt_summary_record(p->summary, rec);
	FUZZ_EXPECT(!grt_model_feed(p->model, rec));
}

/* What ends in the middle of a pass was damaged, which is said. */
static int read_all(struct pass *p, const char *path)
{
	char *paths[] = { (char *)path };
	const struct grtrace_hdr *rec;
	struct grt_stream *stream;
	struct grt_input *in;
	int err = grt_source_open(&in, 1, paths, 0);

	if (!err)
		err = grt_stream_open(&stream, in);
	if (err)
		return err;
	p->info = *grt_stream_info(stream);
	while ((err = grt_stream_next(stream, &rec)) == 1)
		take_record(p, rec);
	grt_stream_close(stream);
	if (!err) {
		FUZZ_EXPECT(!grt_model_finish(p->model));
		check_rings(p->model);
	}
	return err;
}

/* Begins a model, which knows what the @earlier one found. */
static int read_pass(struct pass *p, const char *path, const struct grt_model *earlier)
{
	int err;

	p->model = grt_model_create(take_job, p);
	FUZZ_EXPECT(p->model);
	if (p->why)
		grt_model_keep_pieces(p->model);
	if (p->summary) {
		struct grt_summary_wants wants = p->summary->wants;

		FUZZ_EXPECT(!grt_summary_init(p->summary, p->model, &wants));
	}
	if (earlier)
		FUZZ_EXPECT(!grt_model_learn(p->model, earlier));
	err = read_all(p, path);
	/* Damage is told; all else would be a fault of the reader. */
	FUZZ_EXPECT(!err || (err == -EBADMSG && *grt_cause()));
	return err;
}

static void print_summary(struct pass *p)
{
	/* All tables in all formats would take most of the time: one, as the trace has it. */
	struct grt_job_out *all = &p->out[p->jobs % NR_FORMATS];

	FUZZ_EXPECT(!grt_summary_close(p->summary));
	FUZZ_EXPECT(p->summary->all.jobs <= p->jobs);
	for (int i = 0; i < NR_FORMATS; i++) {
		grt_job_sink_find(formats[i])->end(&p->out[i]);
		grt_job_sink_find(formats[i])->summary(&p->out[i]);
	}
	all->tables = (1u << GRT_NR_TABLES) - 1;
	all->groups = (1u << GRT_NR_GROUPS) - 1;
	grt_job_sink_find(formats[p->jobs % NR_FORMATS])->summary(all);
}

/* The chain of the longest job. */
static void ask_why(const struct grt_summary *s, const char *path, const struct grt_model *earlier)
{
	struct pass p = { .why = NULL };
	int passes = 0;

	if (!s->nr_worst)
		return;
	p.why = grt_why_create(s->worst[0].job.ctx, s->worst[0].job.seqno);
	FUZZ_EXPECT(p.why);
	do {
		grt_model_destroy(p.model);
		FUZZ_EXPECT(!read_pass(&p, path, earlier));
	} while (grt_why_wants_more(p.why) && ++passes < MOST_PASSES);
	if (!grt_why_finish(p.why)) {
		struct grt_summary names = { .model = p.model, .wants = s->wants };

		for (int i = 0; i < NR_FORMATS; i++) {
			struct grt_job_out out = {
				.file = fuzz_nowhere(), .summary = &names, .info = &p.info,
			};

			grt_job_sink_find(formats[i])->why(&out, p.why);
		}
	}
	grt_why_destroy(p.why);
	grt_model_destroy(p.model);
}

static void report(const char *path, const struct grt_model *earlier)
{
	static struct grt_rules rules;
	struct grt_summary summary = { .wants = {
		.query = { .with_synthetic = true }, .rules = &rules,
		.groups = (1u << GRT_NR_GROUPS) - 1, .max_worst = 3, .has_quantiles = true,
		.has_blame = true, .has_labels = true, .has_sizes = true,
	} };
	struct pass p = { .summary = &summary };

	if (!rules.count)
		FUZZ_EXPECT(!grt_rules_read(&rules, grt_default_rules, "built-in rules"));
	for (int i = 0; i < NR_FORMATS; i++)
		p.out[i] = (struct grt_job_out){
			.file = fuzz_nowhere(), .summary = &summary, .info = &p.info,
		};
	FUZZ_EXPECT(!read_pass(&p, path, earlier));
	print_summary(&p);
	ask_why(&summary, path, earlier);
	grt_summary_free(&summary);
	grt_model_destroy(p.model);
}

static void ignore_warning(const char *hint, const char *text)
{
	(void)hint;
	FUZZ_EXPECT(*text);
}

/* What looks below the merge. */
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
	int err;

	grt_warn_to(ignore_warning);
	for (int i = 0; i < NR_FORMATS; i++)
		FUZZ_EXPECT(!grt_event_sink_open(&first.events[i], formats[i], fuzz_nowhere()));
	err = read_pass(&first, path, NULL);
	for (int i = 0; i < NR_FORMATS; i++)
		grt_event_sink_close(first.events[i]);
	if (!err)
		report(path, first.model);
	grt_model_destroy(first.model);
	verify(path);
}
