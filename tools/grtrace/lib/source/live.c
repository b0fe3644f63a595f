// SPDX-License-Identifier: LGPL-2.1
#include "live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cursor.h"
#include "error.h"
#include "file.h"
#include "input.h"
#include "number.h"
#include "vec.h"

#define READ_BYTES	(1u << 20)
#define MANY_CPUS	32	/* with more CPUs, smaller buffers keep the total below 64 MiB */
#define ROUND_MS	100	/* least time between two flushes of the whole machine */

struct live_lane {
	struct grt_live_lane of;
	const struct grt_live_ops *ops;	/* of the source that makes its stream */
	void *source;			/* not owned */
	unsigned int nr;		/* of the source's lanes */
	bool has_ended;
	uint8_t *buffer;	/* owned */
	size_t begin, end;	/* the bytes that fill() did not give yet */
	size_t kept;		/* with grt_live_keep(): the bytes before it were kept */
	struct grt_run last;	/* the definitions that were given last, still in @buffer; NULL data: none */
	struct grt_vec more;	/* definitions behind the last run of them */
	size_t more_begin;	/* those that were not given yet */
};

struct grt_live {
	struct grt_input in;	/* first member */
	const struct grt_live_ops *ops;
	void *source;		/* owned, but by the caller of grt_live_create() if that fails */
	struct live_lane *lanes;	/* owned, by CPU */
	struct pollfd *polls;	/* owned, with room for all lanes and MAX_OTHERS */
	unsigned int count;
	size_t capacity;
	/* A stream beside those of the CPUs: the last lane.  NULL: there is none. */
	const struct grt_live_ops *beside_ops;
	void *beside;			/* owned */
	uint64_t flushed_ns;
	int (*describe)(void *arg, const struct grt_run *run, struct grt_vec *to);
	void *describe_arg;
	int (*keep)(void *arg, unsigned int lane, struct grt_run run);
	void *keep_arg;
};

#define MAX_OTHERS	8

static int make_buffers(struct grt_live *l)
{
	l->capacity = l->count > MANY_CPUS ? READ_BYTES / 4 : READ_BYTES;
	l->polls = calloc(l->count + 1 + MAX_OTHERS, sizeof(*l->polls));
	if (!l->polls)
		return grt_fail_memory();
	for (unsigned int i = 0; i < l->count; i++) {
		l->lanes[i].buffer = malloc(l->capacity);
		if (!l->lanes[i].buffer)
			return grt_fail_memory();
	}
	return 0;
}

static void free_lane(struct live_lane *lane)
{
	free(lane->buffer);
	grt_vec_free(&lane->more);
}

static void free_live(struct grt_live *l)
{
	for (unsigned int i = 0; l->lanes && i < l->count; i++)
		free_lane(&l->lanes[i]);
	free(l->lanes);
	free(l->polls);
	free(l);
}

int grt_live_create(struct grt_live **live, const struct grt_live_ops *ops, void *source,
		    const struct grt_live_lane *lanes, unsigned int count)
{
	struct grt_live *l = calloc(1, sizeof(*l));
	int err;

	if (!l)
		return grt_fail_memory();
	*l = (struct grt_live){ .ops = ops, .source = source, .count = count };
	l->lanes = calloc(count + 1, sizeof(*l->lanes));
	err = l->lanes ? make_buffers(l) : grt_fail_memory();
	if (err) {
		free_live(l);
		return err;
	}
	for (unsigned int i = 0; i < count; i++) {
		l->lanes[i].of = lanes[i];
		l->lanes[i].ops = ops;
		l->lanes[i].source = source;
		l->lanes[i].nr = i;
	}
	*live = l;
	return 0;
}

int grt_live_add(struct grt_live *l, const struct grt_live_ops *ops, void *source, uint32_t cpu)
{
	struct live_lane *lane = &l->lanes[l->count];

	lane->buffer = malloc(l->capacity);
	if (!lane->buffer)
		return grt_fail_memory();
	lane->of = (struct grt_live_lane){ .fd = -1, .cpu = cpu };
	lane->ops = l->beside_ops = ops;
	lane->source = l->beside = source;
	l->count++;
	return 0;
}

void grt_live_close(struct grt_live *l)
{
	l->ops->close(l->source);
	if (l->beside)
		l->beside_ops->close(l->beside);
	free_live(l);
}

unsigned int grt_live_lanes(const struct grt_live *l)
{
	return l->count;
}

uint32_t grt_live_cpu(const struct grt_live *l, unsigned int lane)
{
	return l->lanes[lane].of.cpu;
}

/* The name of a lane. */
static const char *name_of(const struct live_lane *lane, char *to, size_t room)
{
	snprintf(to, room, "%s%u", lane->ops->file, lane->of.cpu);
	return to;
}

/* Keeps what was just read: whoever reads it, perhaps later, may be killed before that.  0 or -errno. */
static int keep_new(struct grt_live *l, unsigned int nr)
{
	struct live_lane *lane = &l->lanes[nr];
	struct grt_cursor c = grt_cursor(lane->buffer + lane->kept, lane->end - lane->kept);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run)) {
		err = l->keep(l->keep_arg, nr, run);
		lane->kept += run.bytes;
	}
	return err;
}

/* Reads more bytes behind those in the buffer: 1, 0 at the end, -EAGAIN, -errno. */
static int read_more(struct grt_live *l, struct live_lane *lane)
{
	char name[32];
	ssize_t n;
	int err;

	if (lane->has_ended)
		return 0;
	lane->end -= lane->begin;
	lane->kept -= lane->kept < lane->begin ? lane->kept : lane->begin;
	memmove(lane->buffer, lane->buffer + lane->begin, lane->end);
	lane->begin = 0;
	n = lane->ops->read(lane->source, lane->nr, lane->buffer + lane->end,
			    l->capacity - lane->end);
	if (n > 0) {
		lane->end += n;
		err = l->keep ? keep_new(l, lane - l->lanes) : 0;
		return err ? err : 1;
	}
	if (n == -EAGAIN)
		return -EAGAIN;
	lane->has_ended = true;
	if (n < 0)
		return n;
	if (lane->end)
		grt_warn(NULL, "%s ended within a record: %zu %s left out",
			 name_of(lane, name, sizeof(name)), lane->end,
			 grt_plural(lane->end, "byte", "bytes"));
	return 0;
}

/*
 * Asks for the definitions that follow from those that were given last.  It does that only now, when those are
 * in a file, because events of other CPUs may need them.  0 or -errno with a cause.
 */
static int ask_for_more(const struct grt_live *l, struct live_lane *lane)
{
	struct grt_run run = lane->last;

	lane->last.data = NULL;
	if (!run.data || !l->describe)
		return 0;
	lane->more.bytes = lane->more_begin = 0;
	return l->describe(l->describe_arg, &run, &lane->more);
}

/* The next run of these definitions; false: there are no more. */
static bool give_more(struct live_lane *lane, struct grt_run *run)
{
	struct grt_cursor c;

	if (lane->more_begin == lane->more.bytes)
		return false;
	c = grt_cursor((uint8_t *)lane->more.data + lane->more_begin, lane->more.bytes - lane->more_begin);
	if (!grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, run))
		return false;
	lane->more_begin += run->bytes;
	return true;
}

int grt_live_next(struct grt_live *l, unsigned int nr, struct grt_run *run)
{
	struct live_lane *lane = &l->lanes[nr];
	struct grt_cursor c;
	char name[32];
	int got = ask_for_more(l, lane);

	if (got < 0)
		return got;
	if (give_more(lane, run))
		return 1;
	for (;;) {
		c = grt_cursor(lane->buffer + lane->begin, lane->end - lane->begin);
		if (grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, run)) {
			lane->begin += run->bytes;
			if (run->is_defs)
				lane->last = *run;
			return 1;
		}
		if (c.failed && !grt_cursor_is_cut(&c)) {
			lane->has_ended = true;
			return grt_fail(EBADMSG, lane->ops->broken, "%s returned bytes that are no record",
					name_of(lane, name, sizeof(name)));
		}
		got = read_more(l, lane);
		if (got <= 0)
			return got;
	}
}

bool grt_live_has_ended(const struct grt_live *l)
{
	for (unsigned int i = 0; i < l->count; i++)
		if (!l->lanes[i].has_ended && l->lanes[i].ops != l->beside_ops)
			return false;
	return true;
}

bool grt_live_holds(const struct grt_live *l)
{
	for (unsigned int i = 0; i < l->count; i++) {
		const struct live_lane *lane = &l->lanes[i];
		struct grt_cursor c = grt_cursor(lane->buffer + lane->begin, lane->end - lane->begin);

		if (grt_take_record(&c) || lane->more_begin < lane->more.bytes || (l->describe && lane->last.data))
			return true;
	}
	return false;
}

int grt_live_poll(struct grt_live *l, struct pollfd *others, unsigned int count, int timeout_ms)
{
	unsigned int ready = 0;
	int n;

	for (unsigned int i = 0; i < l->count; i++)
		l->polls[i] = (struct pollfd){
			/*
			 * The file of an ended stream is always readable: -1 makes poll() skip it.
			 */
			.fd = l->lanes[i].has_ended ? -1 : l->lanes[i].of.fd,
			.events = POLLIN,
		};
	if (count)
		memcpy(l->polls + l->count, others, count * sizeof(*others));
	n = poll(l->polls, l->count + count, timeout_ms);
	if (n < 0)
		return errno == EINTR ? -EINTR : grt_fail_errno(NULL, "cannot wait for events");
	for (unsigned int i = 0; i < l->count; i++)
		ready += l->polls[i].revents != 0;
	if (count)
		memcpy(others, l->polls + l->count, count * sizeof(*others));
	return ready;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

uint64_t grt_live_flush(struct grt_live *l)
{
	uint64_t safe_ns;

	l->flushed_ns = now_ns();
	/* First: what it returns is earlier than what the stream beside the CPUs has by then. */
	safe_ns = l->ops->flush(l->source);
	if (l->beside)
		l->beside_ops->flush(l->beside);
	return safe_ns;
}

struct grt_live *grt_live_of(struct grt_input *in)
{
	return (struct grt_live *)in;
}

void grt_live_keep(struct grt_live *l,
		   int (*keep)(void *arg, unsigned int lane, struct grt_run run), void *arg)
{
	l->keep = keep;
	l->keep_arg = arg;
}

void grt_live_describe(struct grt_live *l,
		       int (*describe)(void *arg, const struct grt_run *run, struct grt_vec *to), void *arg)
{
	l->describe = describe;
	l->describe_arg = arg;
}

static int live_fill(struct grt_input *in, unsigned int lane, const void **data, size_t *bytes)
{
	struct grt_run run;
	int got = grt_live_next(grt_live_of(in), lane, &run);

	if (got == 1) {
		*data = run.data;
		*bytes = run.bytes;
	}
	return got;
}

static int live_wait(struct grt_input *in, int timeout_ms, uint64_t *safe_ns)
{
	struct grt_live *l = grt_live_of(in);
	int64_t pause_ms = ROUND_MS - (int64_t)(now_ns() - l->flushed_ns) / 1000000;
	uint64_t ns;

	if (pause_ms > 0 && poll(NULL, 0, pause_ms) < 0)
		return -EINTR;
	if (timeout_ms < 0 || timeout_ms > ROUND_MS)
		timeout_ms = ROUND_MS;
	if (grt_live_poll(l, NULL, 0, timeout_ms) == -EINTR)
		return -EINTR;
	ns = grt_live_flush(l);
	if (ns)
		*safe_ns = ns;
	return 0;
}

static void live_close(struct grt_input *in)
{
	grt_live_close(grt_live_of(in));
}

static const struct grt_input_ops live_ops = {
	.fill	= live_fill,
	.wait	= live_wait,
	.close	= live_close,
};

struct grt_input *grt_live_input(struct grt_live *l, const char *name)
{
	l->in.ops = &live_ops;
	l->in.lanes = l->count;
	l->in.info.is_live = true;
	snprintf(l->in.info.name, sizeof(l->in.info.name), "%s", name);
	return &l->in;
}
