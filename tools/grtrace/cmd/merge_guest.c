// SPDX-License-Identifier: GPL-2.0
#include "merge_guest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "guest_tables.h"
#include "model.h"
#include "number.h"
#include "open_trace.h"
#include "outfile.h"
#include "print.h"
#include "replay.h"
#include "stream.h"
#include "user.h"

/* From Linux 6.2 on virtgpu_vq.c numbers all commands, and their trace events tell that number. */
#define NUMBERED_MAJOR	6
#define NUMBERED_MINOR	2

struct matching {
	struct grt_guest_jobs *jobs;
	const struct grt_model *model;
	int guest;
};

bool merge_guest_is_meant(const struct merge_guest *g)
{
	return g->guest || g->host || g->pairs;
}

int merge_guest_check(const struct merge_guest *g)
{
	if (g->guest && g->host)
		return 0;
	return grt_fail(EINVAL, NULL, "--guest FILE and --host FILE go together");
}

/* The value of a line of METADATA of trace number @nr, see put_metadata() of lib/edit/merge_defs.c. */
static bool metadata_of(const struct grt_model *model, int nr, const char *name, char *value, size_t room)
{
	const char *metadata = grt_model_names(model)->metadata;
	char key[64];

	if (nr > 1)
		snprintf(key, sizeof(key), "%d:%s", nr, name);
	else
		snprintf(key, sizeof(key), "%s", name);
	return metadata && grt_control_value(metadata, key, value, room);
}

/* Whether the jobs of trace number @nr have the numbers of their fences. */
static bool has_fence_numbers(const struct grt_model *model, int nr)
{
	unsigned int major, minor;
	char kernel[64];

	return metadata_of(model, nr, "kernel", kernel, sizeof(kernel)) &&
	       sscanf(kernel, "%u.%u", &major, &minor) == 2 &&
	       (major < NUMBERED_MAJOR || (major == NUMBERED_MAJOR && minor < NUMBERED_MINOR));
}

static int begin(void *arg, struct grt_model *model)
{
	struct matching *m = arg;

	m->model = model;
	return 0;
}

/* All definitions are known now. */
static int end(void *arg)
{
	struct matching *m = arg;

	m->jobs->has_numbers = has_fence_numbers(m->model, m->guest);
	return 0;
}

static int add_job(void *arg, const struct grt_job *job)
{
	struct matching *m = arg;

	return grt_guest_jobs_add(m->jobs, job, m->model);
}

/* Pairs the jobs of the merged trace @path. */
static int match(struct merge_guest *g, const struct grt_merge *merge, int guest, const char *path)
{
	static const struct grt_replay_ops ops = { .begin = begin, .job = add_job, .end = end };
	struct matching m = { .jobs = &g->jobs, .guest = guest };
	struct grt_replay replay = { .ops = &ops, .arg = &m, .is_final = true };
	const struct grt_merge_input *input = &merge->inputs[guest - 1];
	struct grt_stream *stream = NULL;
	int err = grt_open_trace(&stream, 1, (char *const *)&path, 0);

	g->jobs = (struct grt_guest_jobs){
		.guest = input->boot, .within_ns = input->within_ns, .has_clock = input->is_by_peer,
	};
	if (!err)
		err = grt_replay_run(&replay, stream);
	if (!err)
		err = grt_guest_jobs_match(m.jobs);
	grt_replay_free(&replay);
	grt_stream_close(stream);
	return err;
}

/* Whether the times of the guest can be moved so that each cause comes before its effect. */
static bool can_be_moved(const struct grt_guest_jobs *g, const struct grt_merge_input *input)
{
	return g->has_numbers && g->impossible && g->least_ns <= g->most_ns && !input->is_by_peer && !input->has_offset;
}

static int merge_anew(struct grt_merge *m, struct grt_target *to)
{
	for (int i = 0; i < m->count; i++) {
		struct grt_merge_input *in = &m->inputs[i];

		*in = (struct grt_merge_input){
			.path = in->path, .offset_ns = in->offset_ns, .has_offset = in->has_offset,
		};
	}
	m->boots = 0;
	return grt_merge_files(m, to);
}

int merge_guest(struct merge_guest *g, struct grt_merge *m, int guest, struct grt_target *to)
{
	struct grt_merge_input *input = &m->inputs[guest - 1];
	uint64_t within_ns;
	int err = grt_merge_files(m, to);

	if (!err)
		err = match(g, m, guest, to->path);
	if (err || !can_be_moved(&g->jobs, input))
		return err;
	within_ns = ((uint64_t)g->jobs.most_ns - g->jobs.least_ns + 1) / 2;
	input->offset_ns = g->jobs.least_ns + (int64_t)within_ns;
	grt_guest_jobs_free(&g->jobs);
	err = merge_anew(m, to);
	input->is_by_fences = true;
	input->within_ns = within_ns;
	return err ? err : match(g, m, guest, to->path);
}

static const char *format_signed(char *text, int64_t ns)
{
	text[0] = ns < 0 ? '-' : '+';
	grt_format_ns(text + 1, ns < 0 ? -(uint64_t)ns : (uint64_t)ns);
	return text;
}

/* Tells of pairs whose times are impossible, and what would mend them. */
static void print_clocks(const struct grt_guest_jobs *g)
{
	char least[GRT_NUMBER_MAX + 1], most[GRT_NUMBER_MAX + 1];

	if (!g->impossible)
		return;
	printf("%" PRIu64 " %s not counted above: an effect comes before its cause\n", g->impossible,
	       grt_plural(g->impossible, "pair is", "pairs are"));
	if (g->least_ns > g->most_ns)
		printf("the clocks of guest and host drifted: no single shift of the guest's times mends that\n");
	else
		printf("all would fit if the guest's times were later by %s to %s\n", format_signed(least, g->least_ns),
		       format_signed(most, g->most_ns));
}

static void print(const struct grt_guest_jobs *g)
{
	uint64_t pairs = grt_vec_count(&g->pairs, struct grt_guest_pair);
	char count[GRT_NUMBER_MAX], fences[GRT_NUMBER_MAX], jobs[GRT_NUMBER_MAX];
	struct grt_report_table table;

	printf("\n");
	if (pairs > g->impossible) {
		grt_guest_parts(&table, g);
		grt_report_print_text(&table, stdout, NULL, "", "");
		grt_report_free(&table);
	}
	printf("%s of %s %s of the host %s jobs of the guest, which has %s with a fence%s\n",
	       grt_format_count(count, pairs), grt_format_count(fences, g->fences),
	       grt_plural(g->fences, "fence", "fences"), grt_plural(pairs, "is of", "are of"),
	       grt_format_count(jobs, g->jobs), g->has_numbers || !pairs ? "" : ": inferred from their order");
	if (!pairs && !g->has_numbers && !g->has_clock)
		printf("jobs of this kernel do not have the numbers of their fences: record the guest with --clock-from\n");
	print_clocks(g);
}

/* Writes the rows to @fd and closes it. */
static int print_pairs(const struct grt_guest_jobs *g, int fd, const char *path)
{
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	struct grt_report_table table;
	int err;

	if (!file) {
		err = grt_fail_errno(NULL, "cannot write '%s'", path);
		if (fd >= 0)
			close(fd);
		return err;
	}
	grt_guest_pairs(&table, g);
	grt_report_print_csv(&table, file, NULL);
	err = table.failed ? grt_fail_memory() : 0;
	grt_report_free(&table);
	if (fclose(file) && !err)
		err = grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", path);
	return err;
}

/* The file gets its name when it is complete. */
static int write_pairs(const struct grt_guest_jobs *g, const char *path)
{
	struct grt_user user = grt_user();
	struct grt_outfile file = { .path = path, .uid = user.uid, .gid = user.gid };
	int err = grt_outfile_open(&file);

	if (err) {
		errno = -err;
		return grt_fail_errno("name another file with --pairs", "cannot write '%s'", path);
	}
	err = print_pairs(g, dup(file.fd), path);
	if (err)
		grt_outfile_abandon(&file);
	else
		err = grt_outfile_commit(&file);
	grt_outfile_free(&file);
	return err;
}

int merge_guest_report(const struct merge_guest *g)
{
	print(&g->jobs);
	return g->pairs ? write_pairs(&g->jobs, g->pairs) : 0;
}

void merge_guest_free(struct merge_guest *g)
{
	grt_guest_jobs_free(&g->jobs);
}
