// SPDX-License-Identifier: GPL-2.0
/* The lines to write: valid lines, valid lines with a fault, noise. */
#include <stdio.h>
#include <string.h>
#include "scribble.h"

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))
#define LINE_MAX_	512	/* longest line that a control file accepts */

static const char * const values[] = {
	"0", "1", "2", "3", "4", "25", "50", "100", "101", "500", "1000", "100000", "-1", "+1",
	"64K", "1M", "65535", "2G", "0x3", "0x420", "010", "1e3", "1.5", "16777215", "16777216",
	"18446744073709551615", "18446744073709551616", "99999999999999999G", "-9223372036854775808",
	"all", "0xFFFFFFFF", "0xFF000001",
	"discard", "overwrite", "error", "status",
	"off", "minimal", "normal", "verbose", "window", "bucket", "token_bucket", "and", "or", "mono", "boottime",
	"default", "production", "development", "analysis", "custom", "static", "adaptive",
	"threshold", "5ms", "200us", "2s", "1ns", "gfx", "!gfx", "0,1", "!copy,3", "emit/ring900",
	"33,35", "7", "7,8,9,10", "1,,2", ",", "!", "none", "submit,complete", "MARK", "", " ",
};

static const char * const keys[] = {
	"buffer_size", "mode", "snapshot_on", "global_seq", "clock", "level", "filter_type_mask", "filter_engine_mask",
	"filter_ring_id", "watch_ctx", "watchlist", "watch_allow_mode", "watch_combine",
	"watch_ctx_add", "watch_ctx_clear", "watch_ring_add", "watch_ring_clear", "watch_count",
	"watch_ring_count", "sample", "sampling", "rate_limit", "max_events_per_sec",
	"rate_limit_mode", "rate_limiter_mode", "rate_limit_burst", "trace_ctx", "backpressure_threshold",
	"adaptive_sampling", "track_jobs", "cost_sample", "reset_stats", "profile", "no_such_key",
	"level ", "Level", "",
};

static const char * const words[] = {
	"start", "stop", "reset", "flush", "snapshot", "release", "reset_stats", "start hold", "begin", "start now",
	"STOP", "0", "1", "on", "",
};

static const char * const events[] = {
	"submit 7 gfx 900 %u", "commit 7 gfx 900 %u", "end 7 gfx 900 %u status=-5",
	"complete 7 gfx 900 %u", "emit error 7 gfx 900 %u code=1",
	"dependency 7 gfx 900 %u dep_ctx=8 dep_seqno=1 flags=popped|blocked",
	"mark 0 OTHER 0 0 text=number %u", "job 7 copy 901 %u submit_ns=1", "irq 7 2 901 %u",
	"submit 7 gfx 900 %u count=3", "submit 7 gfx 900 %u credits=4294967296",
	"submit 7 gfx 900 %u colour=red", "submit 7 warp 900 %u", "submit 7 gfx 9000 %u",
	"submit 7 copy 900 %u", "jump 7 gfx 900 %u", "submit %u", "submit -%u gfx 1 1",
};

static const char * const rules[] = {
	"total > 5ms label=slow", "t_submit_host >= 2ms ring=gfx label=late", "t_hw < 20us label=short",
	"t_complete <= 1s label=quick", "status == -62 label=hung", "status != 0 label=failed",
	"total >= 0ns action=mark label=marked", "status < 0 action=snapshot label=kept",
	"total > 5ms action=panic label=x", "total > 5ms label=x action=stop",
	"off slow", "off late", "off nobody", "clear", "total > 5 label=x", "total => 5ms label=x",
	"t_queue > 1ms label=x", "total > 5ms", "total > 5ms label=a b", "total > 5ms ring= label=x",
	"status != 4096 label=x", "off", "clear all",
};

/* splitmix64: a seed gives the same run on every machine. */
uint64_t random_below(uint64_t *state, uint64_t limit)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (z ^ (z >> 31)) % limit;
}

#define PICK(list)	((list)[random_below(random, COUNT(list))])

/* A line with words of this file, which may be valid. */
static size_t sensible(uint64_t *random, const char *name, const char *shown, char *to, size_t room)
{
	if (!strcmp(name, "control") || !strcmp(name, "enabled") || !strcmp(name, "enable"))
		return snprintf(to, room, "%s", PICK(words));
	if (!strcmp(name, "rules"))
		return snprintf(to, room, "%s", PICK(rules));
	if (!strcmp(name, "emit"))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		return snprintf(to, room, PICK(events), (unsigned int)random_below(random, 1000));
#pragma GCC diagnostic pop
	if (!strcmp(name, "config"))
		return snprintf(to, room, "%s=%s", PICK(keys), PICK(values));
	/* A file's output may be written back. */
	if (!random_below(random, 8))
		return snprintf(to, room, "%.*s", (int)strcspn(shown, "\n"), shown);
	return snprintf(to, room, "%s", PICK(values));
}

/* Adds, removes or changes one byte, or repeats or removes a part. */
static size_t mutate(uint64_t *random, char *line, size_t len)
{
	size_t at = len ? random_below(random, len) : 0, n = len - at;

	switch (random_below(random, 6)) {
	case 0:
		memmove(line + at + 1, line + at, n);
		line[at] = (char)random_below(random, 256);
		return len + 1;
	case 1:
		memmove(line + at, line + at + 1, n ? n - 1 : 0);
		return n ? len - 1 : len;
	case 2:
		if (len)
			line[at] ^= (char)(1 << random_below(random, 8));
		return len;
	case 3:
		memcpy(line + len, line + at, n);
		return len + n;
	case 4:
		return at;
	default:
		line[len] = " =,!|-\t\n\0%"[random_below(random, 10)];
		return len + 1;
	}
}

static size_t noise(uint64_t *random, char *to)
{
	size_t len = random_below(random, 8) ? random_below(random, 64) : random_below(random, LINES_MAX);

	for (size_t i = 0; i < len; i++)
		to[i] = (char)random_below(random, 256);
	return len;
}

static size_t long_line(uint64_t *random, char *to)
{
	size_t len = LINE_MAX_ - 2 + random_below(random, 4);

	if (random_below(random, 2))
		len = 4000 + random_below(random, LINES_MAX - 4000);
	memset(to, "x0 =,\0"[random_below(random, 6)], len);
	return len;
}

/* No valid line ends like this, except the text of a mark. */
static size_t spoil(char *line, size_t len)
{
	for (char *end; (end = memchr(line, '\n', len)); )
		*end = 'n';
	memcpy(line + len, "==", 2);
	return len + 2;
}

/* No valid line begins like this either, so nothing after it is accepted. */
static size_t spoil_all(char *text, size_t len)
{
	memcpy(text, "==", 2);
	return len > 2 ? len : 2;
}

static size_t one_line(uint64_t *random, const char *name, const char *shown, bool must_fail, char *to)
{
	size_t len = sensible(random, name, shown, to, LINE_MAX_);
	bool is_fit;

	if (len >= LINE_MAX_)
		len = LINE_MAX_ - 1;
	/* A changed byte may turn a count into a million, which would use all of the run's time. */
	is_fit = !strstr(to, "count") && !(must_fail && strstr(to, "mark"));
	if (is_fit && random_below(random, 3))
		len = mutate(random, to, len);
	if (!is_fit && must_fail)
		len = snprintf(to, LINE_MAX_, "no event");
	return must_fail ? spoil(to, len) : len;
}

size_t line_make(uint64_t *random, const char *name, const char *shown, bool must_fail, char *to)
{
	size_t len = 0, lines = 1;

	switch (random_below(random, 16)) {
	case 0:
		len = noise(random, to);
		return must_fail ? spoil_all(to, len) : len;
	case 1:
		len = long_line(random, to);
		return must_fail ? spoil_all(to, len) : len;
	case 2:
		lines = 1 + random_below(random, 4);
		break;
	}
	while (lines--) {
		len += one_line(random, name, shown, must_fail, to + len);
		to[len++] = '\n';
	}
	return len - random_below(random, 2);
}
