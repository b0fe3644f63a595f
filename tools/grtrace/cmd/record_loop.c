// SPDX-License-Identifier: GPL-2.0
/*
 * One thread waits for the streams of all CPUs, for signals and for the end of a process, and
 * appends what it reads to the file.
 */
#include "record.h"

#include <time.h>

#include "clock_snapshot.h"
#include "live.h"
#include "sampler.h"
#include "sources.h"

#define ROUND_NS	1000000000ull	/* between watermarks */
#define LIVE_ROUND_NS	200000000ull	/* the same where somebody looks */
#define CLOCK_NS	10000000000ull	/* between CLOCK records */

static uint64_t now(void)
{
	return grt_snapshot_now(CLOCK_MONOTONIC);
}

/* Flushes all CPUs, then writes a watermark. */
static int do_round(struct record *r)
{
	uint64_t safe_ns;
	bool progress;
	int err;

	r->round_ns = now();
	safe_ns = grt_live_flush(r->live);
	if (!safe_ns)
		return 0;
	err = grt_record_drain(r, &progress);
	if (!err && r->is_live)
		err = grt_pipe_out_round(r->pipe, safe_ns);
	return err ? err : grt_output_watermark(&r->output, safe_ns);
}

static uint64_t events_lost(const struct record *r)
{
	return r->tally.lost + (r->is_live ? grt_pipe_out_counts(r->pipe)->dropped : 0);
}

/* Once a second: a watermark; every ten seconds: a CLOCK; and the next file if it is time. */
static int end_round(struct record *r)
{
	uint64_t ns = now();
	bool is_due = grt_output_is_due(&r->output, ns);
	int err = 0;

	if (is_due || ns - r->round_ns >= (r->is_live ? LIVE_ROUND_NS : ROUND_NS))
		err = do_round(r);
	if (!err && is_due && grt_output_is_due(&r->output, ns)) {
		/* A CPU that was idle has no new account: the counts of STATS tell whether it lost events since its last one. */
		err = grt_record_stats(r);
		if (!err)
			err = grt_output_rotate(&r->output);
	}
	if (!err && ns - r->clock_ns >= CLOCK_NS)
		err = grt_record_moment(r);
	grt_alert_look(&r->alert, events_lost(r));
	return err;
}

/* Writes what the reader takes now.  A reader that went away ends the recording. */
static int serve_reader(struct record *r)
{
	int err = grt_pipe_out_write(r->pipe);

	r->is_over |= grt_pipe_out_is_gone(r->pipe);
	return err;
}

static int read_all(struct record *r)
{
	struct grt_record_waits own, *waits = &own;
	bool progress;
	int err = 0;

	if (r->beside)
		waits = grt_flight_begin(r->beside);
	else
		grt_record_begin_waits(r, waits);
	while (!err && !r->is_over && !grt_live_has_ended(r->live)) {
		err = grt_record_wait(r, waits);
		if (err < 0)
			return err;
		err = grt_record_drain(r, &progress);
		if (!err)
			err = end_round(r);
		if (!err && r->is_live)
			err = serve_reader(r);
		if (!err && r->beside)
			err = grt_flight_look(r->beside);
		if (!err && r->queue)
			err = grt_export_queue_look(r->queue, &r->output);
		r->is_over |= (!r->queue && grt_output_is_over(&r->output)) ||
			      grt_output_is_near_max(&r->output);
		grt_progress_line(r);
		grt_progress_show(r);
	}
	return err;
}

/* Reads the rest: all of our session; of another's session, what is there now. */
static int finish(struct record *r)
{
	bool is_ours = r->session.is_ours;
	int err;

	if (r->sampler)
		grt_sampler_stop(r->sampler);
	err = r->source->stop(r);
	if (err)
		return err;
	if (r->is_live)
		grt_pipe_out_end(r->pipe);
	err = is_ours ? grt_record_drain_all(r) : grt_record_drain_now(r);
	if (!err)
		err = grt_record_clock(r);
	return err ? err : grt_record_stats(r);
}

static int open_all(struct record *r)
{
	int err = r->export.dir ? grt_export_queue_open(&r->queue, &r->export, &r->output) : 0;

	if (!err && r->flight.is_on)
		err = grt_flight_open(r);
	if (!err)
		err = grt_record_open(r);
	if (!err)
		err = grt_record_prepare(r);
	return err ? err : grt_record_begin(r);
}

/* Keeps nothing if the command could not even start. */
static int end_file(struct record *r, bool has_command, int err)
{
	int end = has_command ? grt_output_close(&r->output, !err) : 0;

	if (!end && has_command && r->is_live)
		end = grt_pipe_out_finish(r->pipe);
	return err ? err : end;
}

int grt_record_all(struct record *r)
{
	int err = open_all(r), end;
	bool has_command = !err;

	if (err)
		return err;
	err = grt_record_go(r);
	has_command = !err;
	if (!err)
		err = read_all(r);
	/* Complete what was recorded so far, whatever failed. */
	end = finish(r);
	if (!err)
		err = end;
	grt_alert_look(&r->alert, events_lost(r));
	if (!err && !grt_output_is_over(&r->output))
		grt_alert_end(&r->alert, grt_tally_uncounted(&r->tally));
	if (r->beside && has_command)
		grt_flight_end(r->beside);
	if (has_command)
		grt_record_end_command(r);
	err = end_file(r, has_command, err);
	if (r->queue) {
		end = has_command ? grt_export_queue_finish(r->queue, r->signals, r->is_quiet) : 0;
		return err ? err : end;
	}
	if (!err || (r->output.full && r->output.has_stream) || (r->to && has_command))
		grt_progress_result(r);
	if (!err && r->is_summary)
		err = grt_record_summary(r);
	return err;
}
