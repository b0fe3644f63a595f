// SPDX-License-Identifier: GPL-2.0
/* grtrace doctor: what a recording on this machine would know, and what is wrong with it. */
#include "doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "control.h"
#include "error.h"
#include "io.h"
#include "options.h"
#include "outfile.h"
#include "print.h"
#include "user.h"

/* How many rings of a device the module has seen, with and without jobs; -1: nobody knows. */
static int count_rings(const char *device)
{
	static char text[1 << 18];
	size_t len = strlen(device);
	int rings = 0;

	if (grt_control_read("rings", text, sizeof(text)) < 0)
		return -1;
	/* ring,device,driver... */
	for (const char *row = strchr(text, '\n'); row; row = strchr(row + 1, '\n')) {
		const char *comma = strchr(row, ',');

		rings += comma && !strncmp(comma + 1, device, len) && comma[1 + len] == ',';
	}
	return rings;
}

/* Without a source that works, facts are about tracefs, which needs no more than root. */
static int choose_source(struct doctor *d, const char *name)
{
	d->about = d->best < 0 ? GRT_OF_TRACEFS : d->best;
	if (!name || !strcmp(name, "auto"))
		return 0;
	for (d->about = 0; d->about < GRT_NR_SOURCES; d->about++)
		if (!strcmp(d->sources[d->about].name, name))
			return 0;
	return grt_fail(EINVAL, "one of: auto module bpf tracefs", "there is no source '%s'", name);
}

static int add_gpu(struct doctor *d, const struct grt_gpu *gpu)
{
	struct doctor_gpu *g = grt_vec_grow(&d->gpus, sizeof(*g));

	if (!g)
		return grt_fail_memory();
	*g = (struct doctor_gpu){
		.gpu = *gpu, .driver = grt_driver_find(gpu), .queue = grt_gpu_queue(&d->look, gpu),
		.rings = count_rings(gpu->device),
	};
	for (int topic = 0; topic < GRT_NR_TOPICS; topic++)
		grt_gpu_fact(&d->look, gpu, d->about, topic, &g->facts[topic]);
	return 0;
}

int doctor_look(struct doctor *d, const char *source)
{
	struct grt_vec gpus = { 0 };
	int err;

	*d = (struct doctor){ .best = -1 };
	/* First: with a source that loads the driver's types, more is there to look at. */
	grt_sources_try(d->sources);
	for (int i = GRT_NR_SOURCES; i--; )
		if (d->sources[i].works)
			d->best = i;
	err = choose_source(d, source);
	if (err)
		return err;
	grt_kernel_look_init(&d->look, "");
	err = grt_gpus_find(&gpus, "");
	for (size_t i = 0; !err && i < grt_vec_count(&gpus, struct grt_gpu); i++)
		err = add_gpu(d, grt_vec_at(&gpus, struct grt_gpu, i));
	grt_vec_free(&gpus);
	return err;
}

void doctor_free(struct doctor *d)
{
	grt_vec_free(&d->gpus);
	grt_vec_free(&d->checks);
}

static int write_text(const struct grt_outfile *file, const char *text)
{
	size_t done = 0, bytes = strlen(text);
	ssize_t n;

	while (done < bytes) {
		n = write(file->fd, text + done, bytes - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return grt_fail_errno(grt_outfile_hint(errno), "cannot write '%s'", file->path);
		done += n;
	}
	return 0;
}

/* A file for its owner only, as all files of grtrace. */
static int write_file(const char *path, const char *text)
{
	struct grt_user user = grt_user();
	struct grt_outfile file = { .path = path, .uid = user.uid, .gid = user.gid };
	int err = grt_outfile_open(&file);

	if (err)
		return err;
	err = write_text(&file, text);
	if (err)
		grt_outfile_abandon(&file);
	else
		err = grt_outfile_commit(&file);
	grt_outfile_free(&file);
	return err;
}

static int report_bug(const struct doctor *d, const char *path)
{
	char *text;
	int err = doctor_bug_report(d, &text);

	if (err)
		return err;
	if (!path || grt_outfile_is_stdout(path)) {
		fputs(text, stdout);
	} else {
		err = write_file(path, text);
		if (!err)
			printf("wrote %s: read it before you send it\n", path);
	}
	free(text);
	return err;
}

int cmd_doctor(int argc, char **argv)
{
	const char *format = "text", *output = NULL, *source = NULL;
	bool is_report = false;
	const struct grt_option options[] = {
		OPT_STRING('f', "format", &format, "NAME", "text, csv or json; text by default"),
		OPT_STRING(0, "source", &source, "NAME",
			   "say what recordings with NAME know: module, bpf or tracefs; the best by default"),
		OPT_BOOL(0, "bug-report", &is_report, "print all that a bug report needs, as one text"),
		OPT_STRING('o', "output", &output, "FILE", "write the bug report to FILE"),
		OPT_END()
	};
	struct doctor d;
	int err, code;

	if (grt_parse_options(argc, argv, options, "doctor [options]"))
		return grt_usage(options, "doctor takes no operands");
	if (strcmp(format, "text") && strcmp(format, "csv") && strcmp(format, "json"))
		return grt_usage(options, "no format '%s': text, csv or json", format);
	if (is_report && strcmp(format, "text"))
		return grt_usage(options, "a bug report is text");
	if (output && !is_report)
		return grt_usage(options, "--output is for --bug-report");
	err = doctor_look(&d, source);
	if (err == -EINVAL) {
		doctor_free(&d);
		return grt_print_usage("doctor");
	}
	if (!err)
		err = doctor_check(&d);
	if (!err && is_report)
		err = report_bug(&d, output);
	else if (!err)
		doctor_print(&d, format, stdout);
	code = err ? grt_print_failure(err) : GRT_EXIT_OK;
	/* A bug report that was written is a success. */
	if (!err && !is_report && doctor_has_problems(&d))
		code = GRT_EXIT_FOUND;
	doctor_free(&d);
	return code;
}
