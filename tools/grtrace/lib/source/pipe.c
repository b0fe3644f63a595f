// SPDX-License-Identifier: LGPL-2.1
/*
 * A recording that comes through a pipe while it is made.  The CPUs take turns in it, and a STREAM_INFO
 * at the begin of each turn names the CPU.
 *
 * Definitions get a lane of their own: a CPU's next events may need one that came in the turn of another
 * CPU, behind later events of that one.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cursor.h"
#include "error.h"
#include "file.h"
#include "input.h"
#include "run.h"
#include "source.h"
#include "vec.h"

#define WINDOW_BYTES	(1u << 20)
#define MOST_LANES	65537		/* a number for each CPU, and one that is none */
#define LATE_NS		2000000000ull	/* without a CLOCK: no event comes so late */
#define MOST_PAUSE_MS	100

/* Bytes of a lane that came and were not given yet, and those that were given last. */
struct lane {
	struct grt_vec next, given;
};

struct pipe_input {
	struct grt_input in;	/* first member, because functions cast back from it */
	int fd;			/* owned */
	size_t room;		/* of the pipe; 0: it is none */
	int pause_ms;		/* see set_pause() */
	bool has_ended;
	int err;		/* of a stream that cannot be read on; its cause is recorded */
	struct lane *lanes;	/* owned, by CPU; the last one has the definitions */
	uint32_t turn;		/* lane of the records that come */
	uint64_t session_id;
	uint64_t latest_ns, safe_ns;
	uint8_t *window;	/* owned */
	size_t bytes;		/* in it */
};

static int fail_broken(struct pipe_input *p, const char *what)
{
	return p->err = grt_fail(EBADMSG, "record again", "'%s': %s", p->in.info.name, what);
}

/* The next records are of the CPU that a STREAM_INFO names. */
static int take_turn(struct pipe_input *p, const struct grtrace_stream_info *info)
{
	if (info->session_id != p->session_id)
		return fail_broken(p, "another session begins in it");
	if (info->hdr.cpu >= p->in.lanes - 1)
		return fail_broken(p, "it has a CPU that it does not announce");
	p->turn = info->hdr.cpu;
	return 0;
}

static int append(struct pipe_input *p, uint32_t lane, const void *data, size_t bytes)
{
	if (!grt_vec_append(&p->lanes[lane].next, data, bytes))
		return 0;
	return p->err = grt_fail_memory();
}

/*
 * record --live writes a CLOCK when all earlier events are written.  It is not passed on, because the
 * stream would keep each of them.
 */
static int keep_definitions(struct pipe_input *p, const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_CLOCK) {
			if (hdr->ts > p->safe_ns)
				p->safe_ns = hdr->ts;
			continue;
		}
		if (hdr->type == GRTRACE_STREAM_INFO)
			err = take_turn(p, (const struct grtrace_stream_info *)hdr);
		if (!err)
			err = append(p, p->in.lanes - 1, hdr, hdr->size);
	}
	return err;
}

static int keep_run(struct pipe_input *p, const struct grt_run *run)
{
	if (run->is_defs)
		return keep_definitions(p, run);
	if (run->last_ts > p->latest_ns)
		p->latest_ns = run->last_ts;
	return append(p, p->turn, run->data, run->bytes);
}

/* Cuts what has come into runs, and keeps a record that is not complete. */
static int cut_window(struct pipe_input *p)
{
	struct grt_cursor c = grt_cursor(p->window, p->bytes);
	struct grt_run run;
	int err = 0;

	while (!err && grt_next_run(&c, GRT_CHUNK_GOAL_BYTES, &run))
		err = keep_run(p, &run);
	if (err)
		return err;
	if (c.failed && !grt_cursor_is_cut(&c))
		return fail_broken(p, "it has bytes that are no record");
	p->bytes = c.end - c.pos;
	memmove(p->window, c.pos, p->bytes);
	return 0;
}

/*
 * A wakeup costs as much as hundreds of events.  So a pause before the next read lets more of them come, but does
 * not let the pipe get full, because its writer would have to wait.  @got: bytes of the last read.
 */
static void set_pause(struct pipe_input *p, size_t got)
{
	if (got > p->room / 2)
		p->pause_ms /= 2;
	else if (got < p->room / 4)
		p->pause_ms = 2 * p->pause_ms + 1;
	if (p->pause_ms > MOST_PAUSE_MS)
		p->pause_ms = MOST_PAUSE_MS;
}

/* Reads once.  0 or -errno; also sets ->has_ended. */
static int read_more(struct pipe_input *p)
{
	ssize_t n = read(p->fd, p->window + p->bytes, WINDOW_BYTES - p->bytes);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n < 0)
		return p->err = grt_fail_errno(NULL, "cannot read '%s'", p->in.info.name);
	set_pause(p, n);
	p->bytes += n;
	p->has_ended = !n;
	if (p->has_ended && p->bytes)
		grt_warn(NULL, "'%s' ends within a record", p->in.info.name);
	return cut_window(p);
}

static int pipe_fill(struct grt_input *in, unsigned int nr, const void **data, size_t *bytes)
{
	struct pipe_input *p = (struct pipe_input *)in;
	struct lane *lane = &p->lanes[nr];
	struct grt_vec given = lane->given;

	if (!lane->next.bytes)
		return p->err ? p->err : p->has_ended ? 0 : -EAGAIN;
	lane->given = lane->next;
	lane->next = given;
	lane->next.bytes = 0;
	*data = lane->given.data;
	*bytes = lane->given.bytes;
	return 1;
}

static int pipe_wait(struct grt_input *in, int timeout_ms, uint64_t *safe_ns)
{
	struct pipe_input *p = (struct pipe_input *)in;
	struct pollfd fd = { .fd = p->fd, .events = POLLIN };
	int n = 0, err = 0;

	if (p->pause_ms && !p->has_ended)
		poll(NULL, 0, p->pause_ms);
	if (!p->has_ended)
		n = poll(&fd, 1, timeout_ms);
	if (n < 0)
		return errno == EINTR ? -EINTR : grt_fail_errno(NULL, "cannot wait for events");
	if (n > 0)
		err = read_more(p);
	else
		p->pause_ms = 0;
	if (p->latest_ns > LATE_NS && p->latest_ns - LATE_NS > p->safe_ns)
		p->safe_ns = p->latest_ns - LATE_NS;
	*safe_ns = p->safe_ns;
	return err;
}

static void pipe_close(struct grt_input *in)
{
	struct pipe_input *p = (struct pipe_input *)in;

	for (unsigned int i = 0; p->lanes && i < in->lanes; i++) {
		grt_vec_free(&p->lanes[i].next);
		grt_vec_free(&p->lanes[i].given);
	}
	free(p->lanes);
	free(p->window);
	close(p->fd);
	free(p);
}

static const struct grt_input_ops pipe_ops = {
	.fill	= pipe_fill,
	.wait	= pipe_wait,
	.close	= pipe_close,
};

/* Reads the begin: it says how many CPUs there are. */
static int begin(struct pipe_input *p)
{
	struct grtrace_stream_info info;

	while (p->bytes < sizeof(info)) {
		ssize_t n = read(p->fd, p->window + p->bytes, sizeof(info) - p->bytes);

		if (n < 0 && errno != EINTR)
			return grt_fail_errno(NULL, "cannot read '%s'", p->in.info.name);
		if (!n)
			break;
		p->bytes += n > 0 ? n : 0;
	}
	if (!p->bytes)
		return grt_fail(EBADMSG, "look at what the recorder says", "'%s' is empty", p->in.info.name);
	if (!grt_is_stream(p->window, p->bytes))
		return grt_fail(EBADMSG, "sudo grtrace record --live | grtrace top -",
				"'%s' is no stream", p->in.info.name);
	memcpy(&info, p->window, sizeof(info));
	if (info.cpus >= MOST_LANES)
		return fail_broken(p, "it has more CPUs than any machine");
	p->session_id = p->in.info.session_id = info.session_id;
	p->in.info.start_ns = info.start_ns;
	p->in.info.start_real_ns = info.start_real_ns;
	p->in.lanes = info.cpus + 2;	/* one is of no CPU, see record --gauges */
	p->lanes = calloc(p->in.lanes, sizeof(*p->lanes));
	return p->lanes ? 0 : grt_fail_memory();
}

int grt_source_open_pipe(struct grt_input **in, const char *name)
{
	struct pipe_input *p = calloc(1, sizeof(*p));
	int room, err;

	if (!p)
		return grt_fail_memory();
	p->in.ops = &pipe_ops;
	p->in.info.is_live = true;
	snprintf(p->in.info.name, sizeof(p->in.info.name), "%s", name);
	p->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	p->window = malloc(WINDOW_BYTES);
	/* A failure does no harm: a smaller pipe only wakes us up more often. */
	fcntl(p->fd, F_SETPIPE_SZ, WINDOW_BYTES);
	room = fcntl(p->fd, F_GETPIPE_SZ);
	p->room = room > 0 ? room : 0;
	err = p->fd < 0 ? grt_fail_errno(NULL, "cannot read standard input") :
	      p->window ? begin(p) : grt_fail_memory();
	if (err) {
		p->in.lanes = 0;
		pipe_close(&p->in);
		return err;
	}
	*in = &p->in;
	return 0;
}
