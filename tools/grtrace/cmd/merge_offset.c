// SPDX-License-Identifier: GPL-2.0
#include "merge_offset.h"

#include "cpu_threads.h"
#include "stream.h"

struct finding {
	struct grt_clock_pairs pairs;
	struct grt_cpu_threads threads;
	bool is_drm_only;
	int err;
};

static int read_submits(struct finding *f, struct grt_stream *stream)
{
	const struct grtrace_hdr *rec;
	int got, enough = 0;

	while (!enough && (got = grt_stream_next(stream, &rec)) == 1) {
		const struct grtrace_submit *submit = (const void *)rec;

		/* The kernel's own jobs are submitted by any thread. */
		if (rec->type == GRTRACE_SUBMIT && !(rec->flags & GRTRACE_F_KERNEL_JOB))
			enough = grt_clock_pairs_submit(&f->pairs, submit->tid, rec->ts);
	}
	return enough ? enough < 0 ? enough : 0 : got;
}

static bool on_event(void *arg, const struct grt_cpu_event *given)
{
	struct finding *f = arg;
	struct grt_cpu_event ev = *given;
	struct grt_cpu_thread thread;

	f->err = grt_cpu_threads_take(&f->threads, &ev, &thread);
	if (f->err || ev.type != GRT_IOCTL_EXIT || !(ev.has & GRT_CPU_HAS_DURATION) ||
	    ev.duration_ns > ev.ts || (f->is_drm_only && !thread.is_drm))
		return !f->err;
	/* A stamp was cut, so the ioctl lasted up to so much longer. */
	f->err = grt_clock_pairs_ioctl(&f->pairs, ev.tid, ev.ts - ev.duration_ns,
				       ev.ts + ev.res_ns - 1);
	return !f->err;
}

static void ignore_lines(void *arg, const struct grt_bad_lines *lines)
{
	(void)arg;
	(void)lines;
}

static void ignore_count(void *arg, uint64_t count)
{
	(void)arg;
	(void)count;
}

static void ignore_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	(void)done;
	(void)all;
}

int merge_offset_find(struct grt_stream *stream, int cpu_fd, const char *cpu_name,
		      enum grt_cpu_format format, struct grt_clock_offset *found)
{
	struct finding f = { .is_drm_only = format != GRT_CPU_LINES };
	const struct grt_cpu_visitor visitor = {
		.arg = &f, .event = on_event, .unreadable = ignore_lines, .lost = ignore_count,
		.progress = ignore_progress,
	};
	int err = read_submits(&f, stream);

	if (!err)
		err = grt_cpu_read(cpu_fd, cpu_name, format, &visitor);
	if (!err && f.err < 0)
		err = f.err;
	if (!err)
		err = grt_clock_pairs_find(&f.pairs, found);
	grt_clock_pairs_free(&f.pairs);
	grt_cpu_threads_free(&f.threads);
	return err ? err : grt_stream_rewind(stream);
}
