// SPDX-License-Identifier: GPL-2.0
/* The control files: what they show, and what a write may change. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "scribble.h"

#define TEXT_MAX	262144

/* Pairs of names for the same file. */
static const char * const aliases[][2] = {
	{ "sampling", "sample" },
	{ "max_events_per_sec", "rate_limit" },
	{ "rate_limiter_mode", "rate_limit_mode" },
	{ "trace_ctx", "watch_ctx" },
	{ "enable", "enabled" },
};

/*
 * Which other files a write changes, according to the manual, with blanks around each name.  A
 * start or a reset clears what was counted, also the hits in rules.
 */
static const struct { const char *name, *others; } couples[] = {
	{ "control", " enabled events_by_type rings rules " },
	{ "enabled", " control events_by_type rings rules " },
	{ "emit", " events_by_type rings rules " },
	{ "reset_stats", " events_by_type rules " },
	{ "watchlist", " watch_allow_mode watch_ring_count " },
	{ "watch_ring_add", " watchlist watch_ring_count " },
	{ "watch_ring_clear", " watchlist watch_ring_count watch_allow_mode " },
	{ "watch_allow_mode", " watchlist " },
	{ "watch_ctx", " watch_count watch_allow_mode watchlist " },
	{ "watch_ctx_add", " watch_ctx watch_count " },
	{ "watch_ctx_clear", " watch_ctx watch_count watch_allow_mode watchlist " },
	/*
	 * A write to one of these also changes filter_enabled, until that file is written itself.
	 */
	{ "filter_pid", " filter_enabled " },
	{ "filter_uid", " filter_enabled " },
	{ "filter_cgroup", " filter_enabled " },
	{ "filter_latency", " filter_enabled " },
	{ "filter_events", " filter_enabled " },
	{ "profile", " buffer_size global_seq level sample rate_limit rate_limit_mode"
	  " rate_limit_burst backpressure_threshold adaptive_sampling track_jobs"
	  " filter_type_mask filter_engine_mask filter_ring_id watch_ctx watchlist"
	  " watch_allow_mode watch_combine watch_count watch_ring_count " },
};

/* All keys in the file config. */
static char *all_keys;

static const char *plain_name(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(name, aliases[i][0]))
			return aliases[i][1];
	return name;
}

/* They count on their own: a window may end at any time. */
static bool is_timed_line(const char *line, size_t len)
{
	return memmem(line, len, ",WINDOW,", 8) || memmem(line, len, ",JOB,", 5);
}

static size_t drop_timed_lines(char *text, size_t len)
{
	size_t to = 0;

	for (char *line = text, *next; line < text + len; line = next) {
		next = memchr(line, '\n', text + len - line);
		next = next ? next + 1 : text + len;
		if (is_timed_line(line, next - line))
			continue;
		memmove(text + to, line, next - line);
		to += next - line;
	}
	return to;
}

const char *view_text(const struct view *view, size_t *len)
{
	static char text[TEXT_MAX];
	ssize_t got;

	*len = 0;
	do {
		got = pread(view->in, text + *len, sizeof(text) - 1 - *len, (off_t)*len);
		if (got < 0) {
			fprintf(stderr, "scribble: cannot read '%s': %s\n", view->name, strerror(errno));
			exit(3);
		}
		*len += (size_t)got;
	} while (got);
	if (!strcmp(view->name, "events_by_type"))
		*len = drop_timed_lines(text, *len);
	text[*len] = '\0';
	return text;
}

static bool is_as_it_was(const struct view *view)
{
	size_t len;
	const char *text = view_text(view, &len);

	return view->was && len == view->len && !memcmp(text, view->was, len);
}

bool view_refresh(struct view *view)
{
	size_t len;
	const char *text = view_text(view, &len);
	bool is_other = !view->was || len != view->len || memcmp(text, view->was, len);

	if (!is_other)
		return false;
	free(view->was);
	view->was = malloc(len + 1);
	if (!view->was)
		exit(3);
	memcpy(view->was, text, len + 1);
	view->len = len;
	return true;
}

struct view *views_changed(struct views *v, bool (*pick)(const struct view *view, void *arg), void *arg)
{
	for (unsigned int i = 0; i < v->cnt; i++)
		if (pick(&v->view[i], arg) && !is_as_it_was(&v->view[i]))
			return &v->view[i];
	return NULL;
}

/* The key of a line of config, cut to @room; "" if it has none. */
static void key_of(const char *line, size_t len, char *to, size_t room)
{
	const char *equals = memchr(line, '=', len);
	size_t at = 0;

	while (at < len && strchr(" \t", line[at]))
		at++;
	len = equals ? (size_t)(equals - line) : 0;
	while (len > at && strchr(" \t", line[len - 1]))
		len--;
	len = len > at ? len - at : 0;
	if (len >= room)
		len = 0;
	memcpy(to, line + at, len);
	to[len] = '\0';
}

static bool key_may_change(const char *name, const char *other)
{
	char word[48];

	name = plain_name(name);
	other = plain_name(other);
	if (!strcmp(name, other))
		return true;
	snprintf(word, sizeof(word), " %s ", other);
	for (size_t i = 0; i < sizeof(couples) / sizeof(couples[0]); i++)
		if (!strcmp(couples[i].name, name))
			return strstr(couples[i].others, word);
	return false;
}

/* Whether this is a key of config, shown or not; other files belong to modules. */
static bool is_key(const char *name)
{
	char line[48];

	name = plain_name(name);
	if (!strncmp(name, "watch_", 6) || !strcmp(name, "config"))
		return true;
	snprintf(line, sizeof(line), "\n%s=", name);
	return strstr(all_keys, line);
}

bool view_may_change(const char *name, const char *text, size_t len, const char *other)
{
	const char *end = text + len;
	char key[40];

	/* These show all keys, or whether the keys match a profile. */
	if (!strcmp(other, "config") || !strcmp(other, "profile"))
		return is_key(name);
	if (strcmp(name, "config"))
		return key_may_change(name, other);
	for (const char *line = text, *next; line < end; line = next + 1) {
		next = memchr(line, '\n', end - line);
		if (!next)
			next = end;
		key_of(line, next - line, key, sizeof(key));
		if (key_may_change(key, other))
			return true;
	}
	return false;
}

static bool add_view(struct views *v, const char *name, bool is_target)
{
	struct view *view = &v->view[v->cnt];
	bool is_ok = true;
	char path[512];

	if (v->cnt == VIEWS_MAX || strlen(name) >= sizeof(view->name)) {
		fprintf(stderr, "scribble: too many files, or a long name: '%s'\n", name);
		return false;
	}
	snprintf(view->name, sizeof(view->name), "%s", name);
	snprintf(path, sizeof(path), "%s/%s", v->dir, name);
	view->in = open(path, O_RDONLY | O_CLOEXEC);
	view->out = is_target ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	if (view->in < 0 || (is_target && view->out < 0)) {
		fprintf(stderr, "scribble: cannot open '%s': %s\n", path, strerror(errno));
		return false;
	}
	v->cnt++;
	view_refresh(view);
	if (!strcmp(name, "config"))
		is_ok = asprintf(&all_keys, "\n%s", view->was) > 0;
	return is_ok;
}

static bool is_writable(const char *dir, const char *name)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return !stat(path, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0200);
}

/*
 * Opens all files that can be written, sorted so that a seed gives the same run, and the files
 * that show events.
 */
bool views_open(struct views *v, const char *dir)
{
	struct dirent **names;
	bool is_ok = true;
	int cnt = scandir(dir, &names, NULL, alphasort);

	v->dir = dir;
	if (cnt < 0) {
		fprintf(stderr, "scribble: cannot look into '%s': %s\nhint: modprobe grtrace, as root\n",
			dir, strerror(errno));
		return false;
	}
	for (int i = 0; i < cnt; i++) {
		if (is_ok && is_writable(dir, names[i]->d_name))
			is_ok = add_view(v, names[i]->d_name, true);
		free(names[i]);
	}
	free(names);
	return is_ok && add_view(v, "events_by_type", false) && add_view(v, "rings", false);
}
