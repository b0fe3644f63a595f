// SPDX-License-Identifier: GPL-2.0
/* Small traces for dat.h, and the same as text. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dat.h"

#define BEGIN_NS	50000000000ull
#define PAINTER		4102
#define WORKER		88
#define LONG_MARK	300

#define DEVICE		"0000:2d:00.0"
#define RING		"gfx_0.0.0"

static const struct thread {
	uint32_t tid;
	const char *comm;
} painter = { PAINTER, "painter" }, worker = { WORKER, "kworker/1:3" }, idle = { 0, "<idle>" };

static struct dat_event *add(struct dat *d, enum dat_kind_nr kind, uint32_t cpu, uint64_t ns,
			     const struct thread *thread)
{
	struct dat_event *ev = grt_vec_grow(&d->events, sizeof(*ev));

	if (!ev)
		abort();
	*ev = (struct dat_event){
		.kind = kind, .cpu = cpu, .ns = BEGIN_NS + ns, .tid = thread->tid,
		.comm = thread->comm,
	};
	d->last_cpu = cpu > d->last_cpu ? cpu : d->last_cpu;
	return ev;
}

static void set_job(struct dat_event *ev, uint64_t seqno)
{
	ev->values[0].text = DEVICE;
	ev->values[1].number = 611;
	ev->values[2].number = seqno;
	ev->values[3].text = RING;
	ev->values[6].number = 7;
}

/* SUBMIT on CPU 0, COMMIT on 1, the rest on 2. */
static void add_job(struct dat *d, uint64_t seqno, uint64_t ns)
{
	struct dat_event *ev;

	set_job(add(d, DAT_QUEUE, 0, ns, &painter), seqno);
	set_job(add(d, DAT_RUN, 1, ns + 20000, &worker), seqno);
	ev = add(d, DAT_DONE, 2, ns + 300000, &idle);
	ev->values[0].number = 611;
	ev->values[1].number = seqno;
	ev = add(d, DAT_SIGNALED, 2, ns + 301000, &idle);
	ev->values[0].text = "drm_sched";
	ev->values[1].text = RING;
	ev->values[2].number = 611;
	ev->values[3].number = seqno;
}

static void add_switch(struct dat *d, uint32_t cpu, uint64_t ns, const struct thread *from,
		       const struct thread *to, bool waits)
{
	struct dat_event *ev = add(d, DAT_SWITCH, cpu, ns, from);

	ev->values[0].text = from->comm;
	ev->values[1].number = from->tid;
	ev->values[2].number = ev->values[6].number = 120;
	ev->values[3].number = waits;
	ev->values[4].text = to->comm;
	ev->values[5].number = to->tid;
}

static void add_wakeup(struct dat *d, uint32_t cpu, uint64_t ns, const struct thread *thread)
{
	struct dat_event *ev = add(d, DAT_WAKEUP, cpu, ns, &idle);

	ev->values[0].text = thread->comm;
	ev->values[1].number = thread->tid;
	ev->values[2].number = 120;
	ev->values[3].number = cpu;
}

static void add_mark(struct dat *d, uint64_t ns, const char *text)
{
	struct dat_event *ev = add(d, DAT_PRINT, 0, ns, &painter);

	ev->values[0].number = 0xffffffff81000000;
	ev->values[1].text = text;
}

/* Adds jobs, some of them with events of CPUs around them. */
static void fill(struct dat *d, unsigned int jobs)
{
	static char long_mark[LONG_MARK + 1];

	memset(long_mark, 'x', LONG_MARK);
	for (unsigned int i = 0; i < jobs; i++) {
		/* A pause that does not fit 27 bits of ns. */
		uint64_t ns = i * 1000000ull + (i >= jobs / 2 ? 3000000000ull : 0);

		add_job(d, 40 + i, ns);
		if (i % 8)
			continue;
		add_switch(d, 0, ns + 302000, &painter, &idle, true);
		add_wakeup(d, 0, ns + 303000, &painter);
		add_switch(d, 0, ns + 304000, &idle, &painter, false);
		add_mark(d, ns + 310000, i ? "frame" : long_mark);
	}
	d->clock = "[mono]";
	d->uname = "Linux box 6.17.0-test #1 SMP x86_64";
}

/* The times are ticks. */
static void make_ticks(struct dat *d)
{
	fill(d, 2);
	d->clock = "local global counter uptime perf mono mono_raw boot tai [x86-tsc]";
}

/* The times are ns, which trace-cmd makes of ticks. */
static void make_converted(struct dat *d)
{
	make_ticks(d);
	d->is_converted = true;
}

static void make_plain(struct dat *d)
{
	fill(d, 100);
}

static void make_small(struct dat *d)
{
	fill(d, 2);
}

/* A known number of events on CPU 1, an unknown one on CPU 2. */
static void make_lossy(struct dat *d)
{
	bool has_one = false, has_two = false;

	fill(d, 40);
	for (size_t i = 0; i < grt_vec_count(&d->events, struct dat_event); i++) {
		struct dat_event *ev = grt_vec_at(&d->events, struct dat_event, i);

		if (ev->cpu == 1 && i > 60 && !has_one) {
			ev->missed = 21;
			has_one = true;
		}
		if (ev->cpu == 2 && i > 120 && !has_two) {
			ev->missed = -1;
			has_two = true;
		}
	}
}

/* The buffer of CPU 1 begins 10 ms after those of the others. */
static void make_overwritten(struct dat *d)
{
	size_t kept = 0;

	fill(d, 40);
	for (size_t i = 0; i < grt_vec_count(&d->events, struct dat_event); i++) {
		struct dat_event *ev = grt_vec_at(&d->events, struct dat_event, i);

		if (ev->cpu != 1 || ev->ns >= BEGIN_NS + 10000000)
			*grt_vec_at(&d->events, struct dat_event, kept++) = *ev;
	}
	d->events.bytes = kept * sizeof(struct dat_event);
	d->overruns[1] = 500;
}

static void make_stray(struct dat *d)
{
	fill(d, 4);
	d->tgids = "4102 4100\n88 88\n";
}

/* Threads that take turns, with names of different lengths. */
static void make_threads(struct dat *d)
{
	static const struct thread threads[] = {
		{ 4201, "a-name-of-15-by" }, { 4202, "b" }, { 4203, "another" },
	};

	static const unsigned int turns[] = { 0, 1, 2, 2, 1, 0, 2, 0, 1 };

	for (unsigned int i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
		set_job(add(d, DAT_QUEUE, 0, i * 1000, &threads[turns[i]]), 40 + i);
}

/* Two ioctls of DRM, and one of a terminal; the second one of DRM is on another CPU. */
static void make_ioctls(struct dat *d)
{
	static const struct {
		uint64_t ns, cmd, ret;
	} calls[] = {
		{ 1000, 0xc0106444, 0 }, { 200000, 0x5401, -25 }, { 300000, 0xc0186440, -22 },
	};
	struct dat_event *ev;

	for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		ev = add(d, DAT_ENTER, i == 2, calls[i].ns, &painter);
		ev->values[0].number = 3;
		ev->values[1].number = calls[i].cmd;
		ev->values[2].number = 0x7ffc12345678;
		ev = add(d, DAT_EXIT, i == 2, calls[i].ns + 60000 + i, &painter);
		ev->values[0].number = calls[i].ret;
	}
	d->clock = "[mono]";
}

static void add_request(struct dat *d, enum dat_kind_nr kind, uint64_t ns, uint64_t seqno, uint64_t global)
{
	struct dat_event *ev = add(d, kind, 0, ns, &painter);

	ev->values[2].number = 1;
	ev->values[3].number = 3;
	ev->values[4].number = 20;
	ev->values[5].number = seqno;
	ev->values[6].number = global;
}

/* Three requests of i915, of which an interrupt tells that two are over. */
static void make_notify(struct dat *d)
{
	struct dat_event *ev;

	for (unsigned int i = 0; i < 3; i++)
		add_request(d, DAT_I915_ADD, i * 1000, 10 + i, 0);
	ev = add(d, DAT_I915_NOTIFY, 0, 900000, &idle);
	ev->values[2].number = 1;
	ev->values[3].number = 501;
	ev->values[4].number = 1;
	for (unsigned int i = 0; i < 3; i++)
		add_request(d, DAT_I915_RETIRE, 600000000 + i * 1000, 10 + i, 500 + i);
	d->clock = "[mono]";
}

/* All on one CPU, for fuzzers: as small as possible. */
static void make_tiny(struct dat *d)
{
	make_stray(d);
	d->events.bytes = 12 * sizeof(struct dat_event);
	for (size_t i = 0; i < grt_vec_count(&d->events, struct dat_event); i++)
		grt_vec_at(&d->events, struct dat_event, i)->cpu = 0;
	d->last_cpu = 0;
}

static const struct {
	const char *name;
	void (*make)(struct dat *d);
} scenes[] = {
	{ "plain", make_plain }, { "small", make_small }, { "lossy", make_lossy },
	{ "overwritten", make_overwritten }, { "stray", make_stray }, { "tiny", make_tiny },
	{ "threads", make_threads }, { "ticks", make_ticks }, { "converted", make_converted }, { "ioctls", make_ioctls },
	{ "notify", make_notify },
};

struct dat *dat_scene(const char *name)
{
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (!strcmp(scenes[i].name, name)) {
			struct dat *d = calloc(1, sizeof(*d));

			if (!d)
				abort();
			scenes[i].make(d);
			return d;
		}
	return NULL;
}

void dat_free(struct dat *d)
{
	grt_vec_free(&d->events);
	free(d);
}

/* --- as text --- */

/* @conversion: "03d" is padded with zeros to three digits, "llx" is hexadecimal. */
static void print_value(const struct dat_field *f, const struct dat_value *v,
			const char *conversion, FILE *to)
{
	if (dat_is_text(f))
		fputs(v->text, to);
	else if (!strcmp(f->name, "prev_state"))
		fputs(v->number ? "S" : "R", to);
	else if (!strcmp(f->name, "ip"))
		fputs("tracing_mark_write", to);
	else if (!strncmp(conversion, "llx", 3))
		fprintf(to, "%llx", (unsigned long long)v->number);
	else
		fprintf(to, *conversion == '0' ? "%03llu" : "%llu", (unsigned long long)v->number);
}

static void print_event(const struct dat_event *ev, FILE *to)
{
	const struct dat_kind *kind = &dat_kinds[ev->kind];
	const char *at = kind->print;

	if (ev->missed > 0)
		fprintf(to, "CPU:%u [LOST %lld EVENTS]\n", ev->cpu, (long long)ev->missed);
	else if (ev->missed)
		fprintf(to, "CPU:%u [EVENTS DROPPED]\n", ev->cpu);
	fprintf(to, "%16s-%-5u [%03u] %5llu.%09llu: %s: ", ev->comm, ev->tid, ev->cpu,
		(unsigned long long)ev->ns / 1000000000, (unsigned long long)ev->ns % 1000000000,
		kind->name);
	for (unsigned int i = 0; *at; at++) {
		size_t len = *at == '%' ? strspn(at + 1, "03l") + 1 : 0;

		if (!len) {
			fputc(*at, to);
			continue;
		}
		print_value(&kind->fields[i], &ev->values[i], at + 1, to);
		i++;
		at += len + (at[len] == 'p');
	}
	fputc('\n', to);
}

void dat_print(const struct dat *d, FILE *to)
{
	for (size_t i = 0; i < grt_vec_count(&d->events, struct dat_event); i++)
		print_event(grt_vec_at(&d->events, struct dat_event, i), to);
}
