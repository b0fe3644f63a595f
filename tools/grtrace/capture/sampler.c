// SPDX-License-Identifier: GPL-2.0
#include "sampler.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "definitions.h"
#include "error.h"
#include "gauges.h"
#include "lane.h"
#include "live.h"
#include "machine.h"

#define SYSFS		"/sys"
#define SECOND_NS	1000000000ull

/* What was written last of a gauge. */
struct written {
	int64_t value;
	uint64_t ns;		/* 0: nothing */
};

struct grt_sampler {
	struct grt_gauges gauges;
	uint32_t hz;
	struct grt_capture_defs defs;	/* only the STREAM_INFO */
	struct written *written;	/* owned; by the number of a reading; of the thread */

	pthread_t thread;
	bool is_running;
	pthread_mutex_t lock;		/* of what follows */
	pthread_cond_t changed;
	bool is_stopped;
	struct grt_capture_lane lane;
	uint64_t told;			/* events in the last account */
	int err;
};

/* --- the stream --- */

/* Nothing is lost or refused here. */
static struct grtrace_fates fates_of(const struct grt_sampler *s)
{
	return (struct grtrace_fates){ .written = s->lane.cseq, .seen = s->lane.cseq };
}

/* Begins another sub-buffer, with an account of all events so far. */
static int put_account(struct grt_sampler *s, uint64_t ns)
{
	const struct grtrace_fates fates = fates_of(s);

	if (ns > s->lane.last_ns)
		s->lane.last_ns = ns;
	s->told = s->lane.cseq;
	return grt_capture_lane_subbuf(&s->lane, s->lane.last_ns, &fates);
}

static bool is_full(const struct grt_sampler *s, size_t bytes)
{
	size_t used = sizeof(struct grtrace_subbuf) + (s->lane.cseq - s->told) * bytes;

	return s->defs.info.subbuf_bytes && used + bytes > s->defs.info.subbuf_bytes;
}

/*
 * The stamp is taken with the lock held, so that who takes the lock later than a moment finds all
 * records of before it.
 */
static int put(struct grt_sampler *s, struct grtrace_frequency *rec)
{
	int err = 0;

	if (is_full(s, sizeof(*rec)))
		err = put_account(s, rec->hdr.ts);
	if (err)
		return err;
	grt_capture_lane_stamp(&s->lane, &rec->hdr);
	return grt_vec_append(&s->lane.out, rec, sizeof(*rec)) ? grt_fail_memory() : 0;
}

static void add(void *arg, const struct grt_gauge_reading *reading)
{
	struct grt_sampler *s = arg;
	struct written *last = &s->written[reading->nr];
	/* The sample that is nearest to a second later. */
	uint64_t again_ns = SECOND_NS - SECOND_NS / s->hz / 2;
	bool is_clock = reading->gauge == GRTRACE_GAUGE_CORE || reading->gauge == GRTRACE_GAUGE_MEMORY;
	struct grtrace_frequency rec = {
		.hdr = {
			.type = GRTRACE_FREQUENCY, .size = sizeof(rec), .cpu = s->lane.cpu,
			/* It changed at some time since the sample before. */
			.flags = GRTRACE_F_UPPER_BOUND,
		},
		.freq_hz = is_clock ? reading->value : 0,
		.gauge = reading->gauge,
		.power_uw = reading->gauge == GRTRACE_GAUGE_POWER ? reading->value : 0,
		.temperature_mc = reading->gauge == GRTRACE_GAUGE_TEMPERATURE ? reading->value : 0,
		.pci_address = reading->pci_address,
	};

	pthread_mutex_lock(&s->lock);
	rec.hdr.ts = grt_capture_now_ns();
	if (!s->err && !s->is_stopped &&
	    (!last->ns || reading->value != last->value || rec.hdr.ts - last->ns >= again_ns)) {
		s->err = put(s, &rec);
		*last = (struct written){ .value = reading->value, .ns = rec.hdr.ts };
	}
	pthread_mutex_unlock(&s->lock);
}

/* --- the thread --- */

static void *sample(void *arg)
{
	struct grt_sampler *s = arg;
	uint64_t next_ns = grt_capture_now_ns(), now_ns;
	bool is_over = false;

	while (!is_over) {
		struct timespec until;

		grt_gauges_read(&s->gauges, add, s);
		/* Does not catch up with what it missed: the reads may be slow. */
		now_ns = grt_capture_now_ns();
		next_ns += SECOND_NS / s->hz;
		if (next_ns < now_ns)
			next_ns = now_ns;
		until.tv_sec = next_ns / SECOND_NS;
		until.tv_nsec = next_ns % SECOND_NS;
		pthread_mutex_lock(&s->lock);
		while (!s->is_stopped &&
		       pthread_cond_timedwait(&s->changed, &s->lock, &until) != ETIMEDOUT)
			;
		is_over = s->is_stopped || s->err;
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

/* --- as a source of a stream --- */

static ssize_t sampler_read(void *source, unsigned int lane, void *to, size_t room)
{
	struct grt_sampler *s = source;
	ssize_t got;

	(void)lane;
	pthread_mutex_lock(&s->lock);
	got = s->err ? grt_fail_memory() : grt_capture_lane_take(&s->lane, to, room);
	grt_capture_lane_is_empty(&s->lane);
	pthread_mutex_unlock(&s->lock);
	return got;
}

static uint64_t sampler_flush(void *source)
{
	struct grt_sampler *s = source;
	uint64_t now_ns;

	pthread_mutex_lock(&s->lock);
	now_ns = grt_capture_now_ns();
	if (!s->err && !s->lane.has_ended && s->told < s->lane.cseq)
		s->err = put_account(s, now_ns);
	pthread_mutex_unlock(&s->lock);
	return now_ns;
}

static void sampler_close(void *source)
{
	grt_sampler_close(source);
}

static const struct grt_live_ops sampler_ops = {
	.read	= sampler_read,
	.flush	= sampler_flush,
	.close	= sampler_close,
	.file	= "gauges",
	.broken	= "report this as a bug",
};

static void init_lock(struct grt_sampler *s)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->changed, &attr);
	pthread_condattr_destroy(&attr);
}

int grt_sampler_open(struct grt_sampler **sampler, uint32_t hz)
{
	/* secure_getenv: a caller must not lead a privileged program away from /sys. */
	const char *sysfs = secure_getenv("GRTRACE_SYSFS");
	struct grt_sampler *s = calloc(1, sizeof(*s));
	int err;

	*sampler = NULL;
	if (!s)
		return grt_fail_memory();
	s->hz = hz;
	init_lock(s);
	err = grt_gauges_find(&s->gauges, sysfs && *sysfs ? sysfs : SYSFS);
	if (!err && grt_gauges_most(&s->gauges)) {
		s->written = calloc(grt_gauges_most(&s->gauges), sizeof(*s->written));
		err = s->written ? 0 : grt_fail_memory();
	}
	if (err || !s->written)
		grt_sampler_close(s);
	else
		*sampler = s;
	return err;
}

/* The session's METADATA is in the streams of the CPUs. */
static int begin(struct grt_sampler *s, const struct grtrace_stream_info *info)
{
	s->defs.info = *info;
	s->defs.info.hdr.size = sizeof(*info);
	s->defs.info.hdr.cpu = info->cpus;
	s->lane = (struct grt_capture_lane){ .cpu = info->cpus, .defs = &s->defs, .has_begun = true };
	if (grt_vec_append(&s->lane.out, &s->defs.info, sizeof(s->defs.info)))
		return grt_fail_memory();
	return put_account(s, grt_capture_now_ns());
}

int grt_sampler_start(struct grt_sampler *s, const struct grtrace_stream_info *info,
		      struct grt_live *live)
{
	int err = begin(s, info);

	if (!err && pthread_create(&s->thread, NULL, sample, s))
		err = grt_fail(EAGAIN, "record without them: --gauges=off", "cannot start a thread that samples gauges");
	if (err)
		return err;
	s->is_running = true;
	return grt_live_add(live, &sampler_ops, s, s->lane.cpu);
}

/* The thread may wait for a GPU. */
static void end_thread(struct grt_sampler *s)
{
	pthread_mutex_lock(&s->lock);
	s->is_stopped = true;
	pthread_cond_signal(&s->changed);
	pthread_mutex_unlock(&s->lock);
	if (s->is_running)
		pthread_join(s->thread, NULL);
	s->is_running = false;
}

void grt_sampler_stop(struct grt_sampler *s)
{
	struct grtrace_fates fates;

	end_thread(s);
	fates = fates_of(s);
	if (!s->err && !s->lane.has_ended)
		s->err = grt_capture_lane_end(&s->lane, &fates);
}

void grt_sampler_close(struct grt_sampler *s)
{
	end_thread(s);
	pthread_cond_destroy(&s->changed);
	pthread_mutex_destroy(&s->lock);
	grt_gauges_free(&s->gauges);
	grt_capture_lane_free(&s->lane);
	free(s->written);
	free(s);
}
