// SPDX-License-Identifier: GPL-2.0
#include "save.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "input.h"
#include "live.h"
#include "quote.h"
#include "record.h"
#include "source.h"
#include "stream.h"
#include "user.h"

struct grt_save {
	struct record rec;
	bool is_along;		/* true: the session is read by the caller's stream */
	char name[32];		/* a new name */
};

int grt_save_open(struct grt_save **out, const char *path)
{
	struct grt_save *t = malloc(sizeof(*t));
	struct grt_user user = grt_user();
	int err = grt_control_is_running();

	/* A session that cannot be told to flush keeps its latest events: a report would lack them. */
	if (err == -EPERM && !geteuid()) {
		free(t);
		return err;
	}
	if (!t)
		return grt_fail_memory();
	*t = (struct grt_save){ .rec = GRT_RECORD_INIT(path) };
	snprintf(t->name, sizeof(t->name), "live.grt");
	for (int i = 2; !path && !access(t->name, F_OK); i++)
		snprintf(t->name, sizeof(t->name), "live-%d.grt", i);
	if (!path)
		t->rec.output.path = t->name;
	err = grt_output_open(&t->rec.output, user.uid, user.gid);
	if (err) {
		free(t);
		return err;
	}
	fprintf(stderr, "note: the session's events are taken out of its buffers and kept in %s\n",
		grt_shown(grt_save_path(t)));
	*out = t;
	return 0;
}

const char *grt_save_path(const struct grt_save *t)
{
	return t->rec.output.path;
}

int grt_save_now(struct grt_save *t)
{
	struct record *rec = &t->rec;
	int err;

	rec->is_extract = grt_control_is_running() != 1;
	rec->is_partial = grt_session_is_partly_read();
	err = grt_live_check();
	if (!err)
		err = grt_record_begin(rec);
	if (err)
		return err;
	err = rec->is_extract ? grt_record_drain_all(rec) : grt_record_drain_now(rec);
	if (!err)
		err = grt_record_clock(rec);
	return err ? err : grt_record_stats(rec);
}

static int keep(void *arg, unsigned int lane, struct grt_run run)
{
	struct record *rec = arg;
	int err = grt_record_write(rec, lane, &run);

	/* Events that could not be saved are not shown either. */
	return err ? err : rec->output.full;
}

static volatile sig_atomic_t is_over;

static void end_it(int signal)
{
	(void)signal;
	is_over = 1;
}

bool grt_save_is_over(void)
{
	return is_over;
}

static int begin_along(struct grt_save *t, struct grt_input *in)
{
	const struct sigaction end = { .sa_handler = end_it }; /* no SA_RESTART */

	t->is_along = true;
	t->rec.live = grt_live_of(in);
	grt_live_keep(t->rec.live, keep, &t->rec);
	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	return grt_tally_create(&t->rec.tally, grt_live_lanes(t->rec.live));
}

int grt_save_along(struct grt_save **save, const char *path, struct grt_stream **stream)
{
	struct grt_input *in;
	int err = grt_source_open_live(&in);

	if (err)
		return err;
	err = grt_save_open(save, path);
	if (err) {
		grt_input_close(in);
		return err;
	}
	err = begin_along(*save, in);
	if (err)
		grt_input_close(in);
	else
		err = grt_stream_open(stream, in);
	if (!err)
		return 0;
	grt_save_close(*save, false);
	return err;
}

int grt_save_close(struct grt_save *t, bool is_whole)
{
	int err = grt_output_close(&t->rec.output, is_whole);

	if (t->is_along)
		t->rec.live = NULL;	/* it was closed with its input */
	grt_record_close(&t->rec);
	free(t);
	return err;
}
