// SPDX-License-Identifier: GPL-2.0
#include "pipe_out.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock_snapshot.h"
#include "cursor.h"
#include "error.h"
#include "hello.h"
#include "number.h"
#include "quote.h"
#include "ready_fd.h"
#include "vec.h"

#define ROOM_BYTES	(8u << 20)	/* for events that the reader has still to read */
#define DEFS_BYTES	(8u << 20)	/* the same for definitions behind them, which are few */
#define END_MS		2000		/* until a reader that reads nothing is given up */
#define ANSWER_MS	10000		/* until a listener that has all of it must have closed its file */

/* Where the stream of a CPU is. */
struct lane {
	struct grtrace_subbuf account;	/* what a SUBBUF would say here, as its source numbers events */
	bool has_account, has_ended;
	bool lacks_account;		/* events were dropped since the last one */
	uint64_t dropped, index;
	uint32_t cpu;
};

struct grt_pipe_out {
	struct grt_ready_fd out;
	const char *name;		/* for messages */
	bool is_gone;
	bool must_confirm;		/* its reader says at the end whether it kept all of it */
	bool is_full;			/* events are dropped until half of the room is free */
	bool may_wait;
	struct grt_vec bytes;		/* still to be written ... */
	size_t at;			/* ... from here on */
	struct grtrace_stream_info info;
	struct lane *lanes;		/* owned */
	unsigned int nr_lanes;
	struct lane *turn;		/* whose records come; NULL: nobody's yet */
	struct grt_pipe_out_counts counts;
};

int grt_pipe_out_open(struct grt_pipe_out **out)
{
	struct grt_pipe_out *o;

	if (isatty(STDOUT_FILENO))
		return grt_fail(ENOTTY, "sudo grtrace record --live | grtrace top -",
				"a terminal cannot show a stream");
	o = calloc(1, sizeof(*o));
	if (!o)
		return grt_fail_memory();
	o->name = "standard output";
	if (grt_ready_fd_open(&o->out, STDOUT_FILENO)) {
		free(o);
		return grt_fail_errno(NULL, "cannot write to standard output");
	}
	*out = o;
	return 0;
}

int grt_pipe_out_open_socket(struct grt_pipe_out **out, int socket, const char *name)
{
	struct grt_pipe_out *o = calloc(1, sizeof(*o));

	if (!o) {
		close(socket);
		return grt_fail_memory();
	}
	*o = (struct grt_pipe_out){ .out = { socket, true }, .name = name, .must_confirm = true };
	*out = o;
	return 0;
}

void grt_pipe_out_close(struct grt_pipe_out *o)
{
	if (!o)
		return;
	close(o->out.fd);
	grt_vec_free(&o->bytes);
	free(o->lanes);
	free(o);
}

int grt_pipe_out_begin(struct grt_pipe_out *o, unsigned int lanes,
		       const struct grtrace_stream_info *info)
{
	o->info = *info;
	o->info.hdr.size = sizeof(o->info);
	o->nr_lanes = lanes;
	o->lanes = calloc(lanes, sizeof(*o->lanes));
	return o->lanes ? 0 : grt_fail_memory();
}

static size_t unwritten(const struct grt_pipe_out *o)
{
	return o->bytes.bytes - o->at;
}

/* Writes once: 1, 0 if the reader takes nothing now or is gone, -errno with a cause. */
static int write_some(struct grt_pipe_out *o)
{
	const char *from = (char *)o->bytes.data + o->at;
	ssize_t n;

	n = grt_ready_fd_write(&o->out, from, unwritten(o));
	if (n < 0 && errno == EINTR)
		return 1;
	if (n < 0 && (errno == EPIPE || errno == ECONNRESET)) {
		o->is_gone = true;
		return 0;
	}
	if (n < 0 && errno == EAGAIN)
		return 0;
	if (n < 0)
		return grt_fail_errno(NULL, "cannot write to %s", o->name);
	o->counts.bytes += n;
	o->at += n;
	return 1;
}

int grt_pipe_out_write(struct grt_pipe_out *o)
{
	int got = 1;

	while (unwritten(o) && !o->is_gone && got == 1)
		got = write_some(o);
	if (o->at == o->bytes.bytes || o->is_gone) {
		o->at = o->bytes.bytes = 0;
	} else if (o->at > o->bytes.bytes / 2) {
		memmove(o->bytes.data, (char *)o->bytes.data + o->at, unwritten(o));
		o->bytes.bytes -= o->at;
		o->at = 0;
	}
	if (unwritten(o) < ROOM_BYTES / 2)
		o->is_full = false;
	return got < 0 ? got : 0;
}

/* Waits until @left bytes are unwritten at most, or the reader stops.  0 or -errno. */
static int wait_for_room(struct grt_pipe_out *o, size_t left)
{
	int err = grt_pipe_out_write(o);

	while (!err && unwritten(o) > left) {
		struct pollfd fd = { .fd = o->out.fd, .events = POLLOUT };

		if (poll(&fd, 1, END_MS) <= 0) {
			o->may_wait = false;
			return 0;
		}
		err = grt_pipe_out_write(o);
	}
	return err;
}

void grt_pipe_out_end(struct grt_pipe_out *o)
{
	o->may_wait = true;
}

static int fail_unkept(const struct grt_pipe_out *o, const char *why)
{
	uint64_t events = o->counts.events;
	char count[GRT_NUMBER_MAX];

	return grt_fail(EPIPE, "see what grtrace listen says there",
			"'%s' %s: at most %s %s sent, and it is not known how many of them were kept", o->name, why,
			grt_format_count(count, events), grt_plural(events, "event was", "events were"));
}

/* A listener says that its file has all of the stream.  Bytes that it took from us prove nothing. */
static int wait_for_answer(struct grt_pipe_out *o)
{
	bool is_all = !o->is_gone && !unwritten(o);
	char line[GRT_HELLO_MAX], why[GRT_HELLO_MAX + 32] = "went away";
	struct grt_hello answer = { .kind = GRT_HELLO_STREAM };
	int err;

	if (is_all)
		shutdown(o->out.fd, SHUT_WR);
	err = grt_hello_read(o->out.fd, line, is_all ? ANSWER_MS : 0);
	if (!err)
		err = grt_hello_parse(&answer, line);
	o->counts.is_kept = is_all && !err && answer.kind == GRT_HELLO_KEPT;
	if (o->counts.is_kept)
		return 0;
	if (!err && answer.kind == GRT_HELLO_REFUSED)
		snprintf(why, sizeof(why), "ended the stream (%s)", grt_shown(answer.why));
	else if (err == -ETIMEDOUT)
		snprintf(why, sizeof(why), "does not answer");
	return fail_unkept(o, why);
}

int grt_pipe_out_finish(struct grt_pipe_out *o)
{
	int err = o->may_wait ? wait_for_room(o, 0) : grt_pipe_out_write(o);

	o->counts.unread_bytes = unwritten(o);
	return !err && o->must_confirm ? wait_for_answer(o) : err;
}

int grt_pipe_out_fd(const struct grt_pipe_out *o, bool *wants_room)
{
	*wants_room = unwritten(o);
	return o->out.fd;
}

const char *grt_pipe_out_name(const struct grt_pipe_out *o)
{
	return o->name;
}

void grt_pipe_out_reader_left(struct grt_pipe_out *o)
{
	o->is_gone = true;
}

bool grt_pipe_out_is_gone(const struct grt_pipe_out *o)
{
	return o->is_gone;
}

const struct grt_pipe_out_counts *grt_pipe_out_counts(const struct grt_pipe_out *o)
{
	return &o->counts;
}

static int append(struct grt_pipe_out *o, const void *record, size_t bytes)
{
	return o->is_gone ? 0 : grt_vec_append(&o->bytes, record, bytes) ? grt_fail_memory() : 0;
}

/* Says whose records follow, unless those of @lane come already. */
static int take_turn(struct grt_pipe_out *o, struct lane *lane)
{
	if (o->turn == lane)
		return 0;
	o->turn = lane;
	o->info.hdr.cpu = lane->cpu;
	return append(o, &o->info, sizeof(o->info));
}

/* The fates of @fates, with those events dropped that had been written. */
static void move_dropped(struct grtrace_fates *fates, uint64_t dropped)
{
	fates->written -= dropped;
	fates->buffer_full += dropped;
}

static int put_account(struct grt_pipe_out *o, struct lane *lane)
{
	struct grtrace_subbuf account = lane->account;
	int err = take_turn(o, lane);

	lane->lacks_account = false;
	account.hdr.type = GRTRACE_SUBBUF;
	account.hdr.size = sizeof(account);
	account.hdr.cpu = lane->cpu;
	account.hdr.cseq -= lane->dropped;
	account.index = lane->index++;
	move_dropped(&account.fates, lane->dropped);
	return err ? err : append(o, &account, sizeof(account));
}

/* Updates the account to what a SUBBUF behind @hdr would say. */
static void keep_account(struct lane *lane, const struct grtrace_hdr *hdr)
{
	if (hdr->type == GRTRACE_SUBBUF) {
		if (!lane->has_account)
			lane->index = ((const struct grtrace_subbuf *)hdr)->index;
		memcpy(&lane->account, hdr, sizeof(lane->account));
		lane->has_account = true;
	} else if (hdr->type < GRTRACE_STREAM_BASE) {
		lane->account.hdr.ts = hdr->ts;
		lane->account.hdr.cseq = hdr->cseq;
		lane->account.fates.written++;
		lane->account.fates.seen++;
	}
}

/* The end of the stream always fits: it has the account of all that was dropped. */
static int put_end(struct grt_pipe_out *o, struct lane *lane, const struct grtrace_hdr *hdr)
{
	struct grtrace_stream_end end;
	int err = take_turn(o, lane);

	memcpy(&end, hdr, sizeof(end));
	end.hdr.size = sizeof(end);
	end.hdr.cseq -= lane->dropped;
	end.last_cseq -= lane->dropped;
	move_dropped(&end.fates, lane->dropped);
	lane->has_ended = true;
	return err ? err : append(o, &end, sizeof(end));
}

static int put_event(struct grt_pipe_out *o, struct lane *lane, const struct grtrace_hdr *hdr)
{
	struct grtrace_hdr *copy;
	int err = lane->lacks_account ? put_account(o, lane) : take_turn(o, lane);

	if (err || o->is_gone)
		return err;
	copy = grt_vec_grow(&o->bytes, hdr->size);
	if (!copy)
		return grt_fail_memory();
	memcpy(copy, hdr, hdr->size);
	if (copy->cseq)		/* a session may not count its events */
		copy->cseq -= lane->dropped;
	keep_account(lane, hdr);
	o->counts.events += hdr->type < GRTRACE_STREAM_BASE;
	return 0;
}

static void drop(struct grt_pipe_out *o, struct lane *lane, const struct grtrace_hdr *hdr)
{
	keep_account(lane, hdr);
	lane->lacks_account = true;
	if (hdr->type >= GRTRACE_STREAM_BASE)
		return;
	lane->dropped++;
	o->counts.dropped++;
}

static int put_record(struct grt_pipe_out *o, struct lane *lane, const struct grtrace_hdr *hdr)
{
	if (hdr->type == GRTRACE_STREAM_END)
		return put_end(o, lane, hdr);
	if (o->is_full) {
		drop(o, lane, hdr);
		return 0;
	}
	if (hdr->type != GRTRACE_SUBBUF)
		return put_event(o, lane, hdr);
	keep_account(lane, hdr);
	return put_account(o, lane);
}

static bool has_room_for(const struct grt_pipe_out *o, const struct grtrace_hdr *def)
{
	return unwritten(o) + def->size < ROOM_BYTES + DEFS_BYTES;
}

static int put_definition(struct grt_pipe_out *o, struct lane *lane, const struct grtrace_hdr *def)
{
	int err;

	if (def->type == GRTRACE_STREAM_INFO)
		return take_turn(o, lane);
	if (!has_room_for(o, def)) {
		o->counts.definitions++;
		return 0;
	}
	err = take_turn(o, lane);
	return err ? err : append(o, def, def->size);
}

int grt_pipe_out_run(struct grt_pipe_out *o, unsigned int nr, uint32_t cpu,
		     const struct grt_run *run)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	struct lane *lane = &o->lanes[nr];
	const struct grtrace_hdr *hdr;
	int err = 0;

	lane->cpu = cpu;
	if (unwritten(o) > ROOM_BYTES)
		err = o->may_wait ? wait_for_room(o, ROOM_BYTES / 2) : grt_pipe_out_write(o);
	o->is_full |= unwritten(o) > ROOM_BYTES;
	while (!err && (hdr = grt_take_record(&c)))
		err = run->is_defs ? put_definition(o, lane, hdr) : put_record(o, lane, hdr);
	return err;
}

int grt_pipe_out_definition(struct grt_pipe_out *o, const struct grtrace_hdr *def)
{
	if (!o->turn || !has_room_for(o, def))
		return 0;
	return append(o, def, def->size);
}

/* What this machine's clocks said at @ns. */
static struct grtrace_clock clock_at(uint64_t ns)
{
	struct grtrace_clock clock = { .mono_ns = 0 };
	uint64_t back_ns;

	grt_snapshot_clock(&clock);
	back_ns = clock.mono_ns - ns;
	clock.hdr.ts = ns;
	clock.mono_ns -= back_ns;
	clock.boot_ns -= back_ns;
	clock.real_ns -= back_ns;
	clock.tai_ns -= back_ns;
	return clock;
}

int grt_pipe_out_round(struct grt_pipe_out *o, uint64_t safe_ns)
{
	const struct grtrace_clock clock = clock_at(safe_ns);
	int err = 0;

	/* Accounts that are still to come are in front of it, too. */
	if (o->is_full || !safe_ns)
		return 0;
	for (unsigned int i = 0; i < o->nr_lanes && !err; i++)
		if (o->lanes[i].lacks_account && !o->lanes[i].has_ended)
			err = put_account(o, &o->lanes[i]);
	return err ? err : grt_pipe_out_definition(o, &clock.hdr);
}
