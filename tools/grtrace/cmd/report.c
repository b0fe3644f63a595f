// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "colour.h"
#include "commands.h"
#include "control.h"
#include "error.h"
#include "job_sink.h"
#include "loss.h"
#include "options.h"
#include "print.h"
#include "source.h"
#include "stream.h"

#define DEFAULT_FILE	"trace.grt"
#define DEFAULT_WORST	3

struct report {
	struct grt_query query;
	bool has_jobs, is_all;
	uint64_t limit, session;
	const struct grt_job_sink *sink;

	int nr_files;		/* 0: the live session */
	char **files;
	struct grt_trace_info info;

	/*
	 * A LOSS record comes after the events it is about, too late for jobs that
	 * were finished by then.  So losses are learned in a pass of their own; what
	 * cannot be read twice is kept on a tape meanwhile.
	 */
	struct grt_losses losses;
	bool knows_losses;
	FILE *tape;

	struct grt_model *model;
	struct grt_summary summary;
	struct grt_job_out out;
	uint64_t shown;
	int err;		/* of the model's callback */
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* Whether the input is gone once it was read. */
static bool is_once(const struct report *r)
{
	if (!r->nr_files)
		return true;
	for (int i = 0; i < r->nr_files; i++)
		if (!strcmp(r->files[i], "-"))
			return true;
	return false;
}

static int take_record(struct report *r, const struct grtrace_hdr *rec)
{
	const struct grtrace_loss *loss = (const struct grtrace_loss *)rec;
	int err = 0;

	if (!r->knows_losses && rec->type == GRTRACE_LOSS)
		err = grt_losses_add(&r->losses, loss->from_ns, loss->to_ns);
	if (!err && r->model)
		err = grt_model_feed(r->model, rec);
	else if (!err && r->tape && fwrite(rec, rec->size, 1, r->tape) != 1)
		err = grt_fail_errno("set TMPDIR to a folder with room",
				     "cannot keep the events in a temporary file");
	return err ? err : r->err;
}

static int read_stream(struct report *r, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	uint64_t until_ns = UINT64_MAX;
	int got, err;

	if (!r->nr_files) {
		/* A session that goes on has no end: what is in it now is reported. */
		until_ns = now_ns();
		grt_stream_set_timeout(stream, 300);
	}
	while ((got = grt_stream_next(stream, &rec)) == 1) {
		if (rec->type < GRTRACE_NR_EVENTS && rec->ts > until_ns)
			return 0;
		err = take_record(r, rec);
		if (err)
			return err;
		if (ferror(stdout))
			return 0;
	}
	return got == -EAGAIN || got == -EINTR ? 0 : got;
}

static int read_tape(struct report *r)
{
	_Alignas(8) static unsigned char buf[UINT16_MAX + 1];
	const struct grtrace_hdr *rec = (const void *)buf;
	int err = 0;

	rewind(r->tape);
	while (!err && fread(buf, sizeof(*rec), 1, r->tape) == 1) {
		if (fread(buf + sizeof(*rec), 1, rec->size - sizeof(*rec), r->tape) !=
		    rec->size - sizeof(*rec))
			break;
		err = take_record(r, rec);
	}
	if (!err && ferror(r->tape))
		err = grt_fail_errno(NULL, "cannot read the events back");
	return err;
}

static int open_stream(struct report *r, struct grt_stream **stream)
{
	struct grt_input *in;
	int err = r->nr_files ? grt_source_open(&in, r->nr_files, r->files, r->session) :
				grt_source_open_live(&in);

	if (!err)
		err = grt_stream_open(stream, in);
	if (!err)
		r->info = *grt_stream_info(*stream);
	return err;
}

static void take_job(void *arg, const struct grt_job *job)
{
	struct report *r = arg;
	bool is_wanted;

	if (!r->err)
		r->err = grt_summary_add(&r->summary, job, &is_wanted);
	if (!r->err && is_wanted && r->has_jobs && r->shown < r->limit) {
		r->sink->job(&r->out, job);
		r->shown++;
	}
}

static int begin_model(struct report *r)
{
	uint64_t worst = r->has_jobs ? 0 : r->limit == UINT64_MAX ? DEFAULT_WORST : r->limit;
	int err;

	r->model = grt_model_create(take_job, r);
	if (!r->model)
		return -ENOMEM;
	if (!r->query.pid && !r->is_all && r->info.focus_pid) {
		r->query.pid = r->info.focus_pid;
		r->out.is_focus = true;
	}
	err = grt_summary_init(&r->summary, r->model, &r->query,
			       worst < UINT32_MAX ? worst : UINT32_MAX);
	for (size_t i = 0; i < grt_losses_count(&r->losses) && !err; i++)
		err = grt_model_add_loss(r->model, grt_losses_at(&r->losses, i)->from_ns,
					 grt_losses_at(&r->losses, i)->to_ns);
	return err;
}

static void end_model(struct report *r)
{
	grt_summary_free(&r->summary);
	grt_model_destroy(r->model);
	r->model = NULL;
}

/* A file without a name. tmpfile() would not look at TMPDIR. */
static int open_tape(struct report *r)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd, err = 0;

	snprintf(path, sizeof(path), "%s/grtrace-XXXXXX", dir && *dir ? dir : P_tmpdir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		r->tape = fdopen(fd, "w+");
	if (!r->tape)
		err = grt_fail_errno("set TMPDIR to a folder with room", "cannot make '%s'", path);
	if (fd >= 0)
		unlink(path);
	if (fd >= 0 && !r->tape)
		close(fd);
	return err;
}

/* The pass that learns of the losses, and fills the tape. */
static int scout(struct report *r)
{
	struct grt_stream *stream;
	int err = is_once(r) ? open_tape(r) : 0;

	if (!err)
		err = open_stream(r, &stream);
	if (err)
		return err;
	err = read_stream(r, stream);
	grt_stream_close(stream);
	r->knows_losses = true;
	return err;
}

/* The pass that counts. */
static int analyse(struct report *r)
{
	struct grt_stream *stream = NULL;
	int err = r->tape ? 0 : open_stream(r, &stream);

	if (!err)
		err = begin_model(r);
	if (!err)
		err = r->tape ? read_tape(r) : read_stream(r, stream);
	if (!err)
		err = grt_model_finish(r->model);
	if (!err)
		err = r->err;
	if (!err)
		err = grt_summary_close(&r->summary);
	grt_stream_close(stream);
	return err;
}

static int read_and_analyse(struct report *r)
{
	int err = 0;

	/* Where jobs are printed as they come, losses must be known before. */
	if (r->has_jobs || is_once(r)) {
		err = scout(r);
		grt_warn_to(NULL);	/* the first pass said it all */
	}
	if (!err)
		err = analyse(r);
	/* A trace without losses, the usual one, is read once. */
	if (!err && !r->knows_losses && grt_losses_count(&r->losses)) {
		end_model(r);
		r->knows_losses = true;
		grt_warn_to(NULL);
		err = analyse(r);
	}
	grt_warn_to(grt_print_warning);
	return err;
}

/* Rows for programs have no room for it. */
static void warn_of_losses(const struct report *r)
{
	const uint64_t *lost = grt_model_totals(r->model)->lost;
	uint64_t sum = 0;

	for (int i = 0; i < GRTRACE_NR_FATES; i++)
		sum += lost[i];
	if (sum)
		grt_warn(NULL, "%" PRIu64 " events are not in this trace; what that makes "
			 "unknown is empty", sum);
}

static int check_ring(const struct report *r)
{
	const struct grt_names *names = grt_model_names(r->model);
	size_t rings = grt_vec_count(&names->rings, struct grt_ring);
	char list[512] = "";
	size_t at = 0;

	if (!r->query.ring)
		return 0;
	for (uint32_t i = 0; i < rings; i++) {
		const struct grt_job job = { .ring = i, .process = GRT_NONE };
		const struct grt_query query = { .ring = r->query.ring };
		const struct grt_ring *ring = grt_names_ring_at(names, i);

		if (grt_query_wants(&query, names, &job))
			return 0;
		if (at + sizeof(ring->name) + 16 < sizeof(list))
			at += snprintf(list + at, sizeof(list) - at, "%s%s (%u)",
				       at ? ", " : "its rings: ", ring->name, ring->id);
	}
	return grt_fail(EINVAL, *list ? list : NULL, "no ring '%s' in this trace", r->query.ring);
}

/* Without the bars where the locale says that the terminal cannot show them. */
static bool is_ascii(void)
{
	const char *locale = getenv("LC_ALL");

	if (!locale || !*locale)
		locale = getenv("LC_CTYPE");
	if (!locale || !*locale)
		locale = getenv("LANG");
	return locale && *locale && !strcasestr(locale, "utf-8") && !strcasestr(locale, "utf8");
}

static int print_report(struct report *r)
{
	if (check_ring(r)) {
		grt_print_failure(-EINVAL);
		return GRT_EXIT_USAGE;
	}
	if (!*r->info.kernel && grt_model_names(r->model)->metadata)
		grt_control_value(grt_model_names(r->model)->metadata, "kernel", r->info.kernel,
				  sizeof(r->info.kernel));
	if (r->sink != &grt_job_text && (r->has_jobs || r->sink != &grt_job_json))
		warn_of_losses(r);
	if (r->has_jobs)
		r->sink->end(&r->out);
	else
		r->sink->summary(&r->out);
	return GRT_EXIT_OK;
}

/* Nothing was named: the file that `record` makes, or what is still in the kernel. */
static int choose_default(struct report *r)
{
	static char *default_file[] = { DEFAULT_FILE };

	if (!access(DEFAULT_FILE, F_OK)) {
		r->nr_files = 1;
		r->files = default_file;
		return 0;
	}
	if (!access(grt_control_dir(), X_OK))
		return 0;
	return grt_fail(ENOENT, "sudo grtrace record",
			"no file named, no '%s' here and no session to read", DEFAULT_FILE);
}

static int report(struct report *r)
{
	int err, code;

	r->out = (struct grt_job_out){
		.file = stdout, .summary = &r->summary, .info = &r->info,
		.has_colour = grt_may_colour(STDOUT_FILENO), .is_ascii = is_ascii(),
		.is_per_ring = r->out.is_per_ring,
	};
	err = r->nr_files ? 0 : choose_default(r);
	if (!err)
		err = read_and_analyse(r);
	code = err ? grt_print_failure(err) : print_report(r);
	end_model(r);
	grt_losses_free(&r->losses);
	if (r->tape)
		fclose(r->tape);
	return code;
}

int cmd_report(int argc, char **argv)
{
	struct report r = { .limit = UINT64_MAX };
	const char *format = "text", *input = NULL;
	const struct grt_option options[] = {
		OPT_STRING('i', "input", &input, "FILE", "the trace; " DEFAULT_FILE " by default"),
		OPT_STRING('f', "format", &format, "NAME", "text, csv or json; text by default"),
		OPT_BOOL('j', "jobs", &r.has_jobs, "a row per job instead of sums"),
		OPT_BOOL(0, "per-ring", &r.out.is_per_ring,
			 "a row per ring, all its processes together"),
		OPT_U64('p', "pid", &r.query.pid, "PID", "only jobs of this process"),
		OPT_STRING('r', "ring", &r.query.ring, "RING",
			   "only jobs of this ring: name or number"),
		OPT_U64('n', "limit", &r.limit, "N",
			"N jobs with --jobs, else the N worst; 3 by default"),
		OPT_BOOL('a', "all", &r.is_all,
			 "jobs of all processes, though one alone was to be recorded"),
		OPT_BOOL('s', "synthetic", &r.query.with_synthetic,
			 "also jobs that were written by hand through the file emit"),
		OPT_U64(0, "session", &r.session, "ID",
			"of raw streams of several sessions only this one"),
		OPT_END()
	};
	char **files;
	int code;

	argc = grt_parse_options(argc, argv, options, "report [options] [FILE...]");
	r.sink = grt_job_sink_find(format);
	if (!r.sink)
		return grt_usage(options, "%s", grt_cause());
	files = calloc(argc + 1, sizeof(*files));
	if (!files)
		return grt_print_failure(grt_fail_memory());
	r.files = files;
	if (input)
		files[r.nr_files++] = (char *)input;
	for (int i = 0; i < argc; i++)
		files[r.nr_files++] = argv[i];
	code = report(&r);
	free(files);
	return code;
}
