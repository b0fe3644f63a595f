// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "control.h"
#include "describe.h"
#include "error.h"
#include "number.h"

static const struct filter {
	const char *key, *option;
	bool has_file;		/* of its own; the others are lines of config */
} filters[GRT_NR_FILTERS] = {
	[GRT_FILTER_TYPES] = { "filter_type_mask", "--type" },
	[GRT_FILTER_ENGINES] = { "filter_engine_mask", "--engine" },
	[GRT_FILTER_RING] = { "filter_ring_id", "--ring" },
	[GRT_FILTER_PID] = { "filter_pid", "-p and -F", true },
	[GRT_FILTER_CHILDREN] = { "filter_children", "--children", true },
	[GRT_FILTER_CGROUP] = { "filter_cgroup", "--cgroup", true },
	[GRT_FILTER_LATENCY] = { "filter_latency", "--slower-than", true },
};

/* Other names of the engine classes that people and drivers use. */
static const struct alias {
	const char *name;
	int engine;
} aliases[] = {
	{ "gfx", GRTRACE_ENGINE_GRAPHICS }, { "render", GRTRACE_ENGINE_GRAPHICS },
	{ "comp", GRTRACE_ENGINE_COMPUTE }, { "sdma", GRTRACE_ENGINE_COPY },
	{ "dma", GRTRACE_ENGINE_COPY }, { "blit", GRTRACE_ENGINE_COPY },
	{ "decode", GRTRACE_ENGINE_VIDEO_DECODE }, { "encode", GRTRACE_ENGINE_VIDEO_ENCODE },
	{ NULL, 0 }
};

static int find_type(const char *name)
{
	const struct grt_type *type = grt_type_by_name(name);

	return type && type->number < GRTRACE_NR_EVENTS ? type->number : -1;
}

static int find_engine(const char *name)
{
	const struct grt_table *engines = &grt_enums[GRT_KIND_ENGINE - GRT_KIND_ENGINE];

	for (size_t i = 0; i < engines->count; i++)
		if (!strcasecmp(engines->values[i].name, name))
			return engines->values[i].number;
	for (const struct alias *a = aliases; a->name; a++)
		if (!strcasecmp(a->name, name))
			return a->engine;
	return -1;
}

/* Converts a list of names to a mask of their numbers. */
static int parse_names(const char *text, int (*find)(const char *), const char *what,
		       const char *hint, uint64_t *mask)
{
	char name[32];
	size_t len;
	int number;

	for (; text; text = text[len] ? text + len + 1 : NULL) {
		len = strcspn(text, ",");
		snprintf(name, sizeof(name), "%.*s", (int)len, text);
		number = len < sizeof(name) ? find(name) : -1;
		if (number < 0)
			return grt_fail(EINVAL, hint, "no %s '%.*s'", what, (int)len, text);
		*mask |= 1ull << number;
	}
	return 0;
}

int grt_session_parse(struct grt_session *s)
{
	int err = parse_names(s->types, find_type, "type",
			      "names like SUBMIT,COMMIT,END,COMPLETE", &s->filters[GRT_FILTER_TYPES].value);

	if (!err)
		err = parse_names(s->engines, find_engine, "engine class",
				  "names like GRAPHICS,COMPUTE,COPY", &s->filters[GRT_FILTER_ENGINES].value);
	s->filters[GRT_FILTER_RING].text = s->rings;
	return err;
}

static int write_filter(const struct filter *f, const char *value)
{
	char text[GRT_FILTER_TEXT + 64];

	if (f->has_file)
		return grt_control_write(f->key, *value ? value : "\n");
	snprintf(text, sizeof(text), "%s=%s", f->key, value);
	return grt_control_write("config", text);
}

/* Reads a filter's value.  False if this module does not have it. */
static bool read_filter(const struct filter *f, const char *config, char *value, size_t room)
{
	return f->has_file ? grt_control_read(f->key, value, room) >= 0 :
			     grt_control_value(config, f->key, value, room);
}

static bool is_set(const struct grt_session *s, int filter)
{
	return s->filters[filter].value || s->filters[filter].text;
}

/* Saves the current filters, and as lines for restore.h. */
static int note_filters(struct grt_session *s, char *lines, size_t room)
{
	char config[16384], before[GRT_FILTER_TEXT];
	ssize_t n = grt_control_read("config", config, sizeof(config));
	size_t at = 0;

	if (n < 0)
		return n;
	for (int i = 0; i < GRT_NR_FILTERS; i++) {
		if (!is_set(s, i))
			continue;
		if (!read_filter(&filters[i], config, before, sizeof(before)))
			return grt_fail(EOPNOTSUPP, "leave the option out, or load a newer module",
					"this module cannot filter: it has no key '%s' for %s",
					filters[i].key, filters[i].option);
		s->filters[i].before = strdup(before);
		if (!s->filters[i].before)
			return grt_fail_memory();
		at += filters[i].has_file ?
		      snprintf(lines + at, room - at, "%s\t%s\n", filters[i].key, before) :
		      snprintf(lines + at, room - at, "config\t%s=%s\n", filters[i].key, before);
	}
	return 0;
}

/* Somebody may have switched grtrace_filter off, and may want that. */
static int check_filter(const struct grt_session *s)
{
	char text[8];

	if (!s->filters[GRT_FILTER_PID].value && !s->filters[GRT_FILTER_CGROUP].value &&
	    !s->filters[GRT_FILTER_LATENCY].value)
		return 0;
	if (grt_control_read("filter_enabled", text, sizeof(text)) > 0 && !strcmp(text, "1"))
		return 0;
	return grt_fail(EBUSY, "echo 1 | sudo tee /sys/kernel/debug/grtrace/filter_enabled",
			"grtrace_filter is switched off");
}

/* Sets the filters now, for the time of the session: see restore.h. */
static int set_filters(struct grt_session *s)
{
	char lines[GRT_NR_FILTERS * (GRT_FILTER_TEXT + 64)] = "", value[32];
	int err = note_filters(s, lines, sizeof(lines));

	if (!err)
		err = grt_restore_begin(&s->restore, lines);
	for (int i = 0; i < GRT_NR_FILTERS && !err; i++)
		if (is_set(s, i)) {
			snprintf(value, sizeof(value), "%" PRIu64, s->filters[i].value);
			err = write_filter(&filters[i], s->filters[i].text ? s->filters[i].text : value);
		}
	return err ? err : check_filter(s);
}

/* Reads a number of the file stats; 0 if the module does not have it; or -errno. */
static int64_t read_stat(const char *name)
{
	char value[32];
	uint64_t number;
	int got = grt_control_stat(name, value, sizeof(value));

	if (got < 0)
		return got;
	return got && !grt_parse_u64(value, &number) ? (int64_t)number : 0;
}

int64_t grt_session_unread(void)
{
	char text[64];
	ssize_t n = grt_control_read("control", text, sizeof(text));

	if (n < 0)
		return n;
	return strncmp(text, "stopped", 7) ? 0 : read_stat("unread_bytes");
}

int64_t grt_session_held(void)
{
	return read_stat("unread_bytes");
}

bool grt_session_is_partly_read(void)
{
	return read_stat("subbufs_consumed") != 0;
}

int grt_session_check_unread(bool may_discard)
{
	char bytes[GRT_NUMBER_MAX];
	int64_t unread = may_discard ? 0 : grt_session_unread();

	if (unread <= 0)
		return unread;
	return grt_fail(EBUSY, grt_control_overwrites() ? "sudo grtrace snapshot" : "sudo grtrace extract",
			"the session that was stopped holds %s that nobody has read; --discard drops them",
			grt_format_bytes(bytes, unread));
}

/* The old value is restored at once, so a kill leaves nothing to undo. */
int grt_session_start_with(const char *key, const char *value, int (*start)(void *arg), void *arg)
{
	char config[16384], before[32], text[96];
	ssize_t n = value ? grt_control_read("config", config, sizeof(config)) : 0;
	int err = n < 0 ? n : 0, back;

	if (err || !value)
		return err ? err : start(arg);
	if (!grt_control_value(config, key, before, sizeof(before)))
		return grt_fail(EOPNOTSUPP, "load a newer module",
				"this module is too old: it has no key '%s'", key);
	if (!strcmp(before, value))
		return start(arg);
	snprintf(text, sizeof(text), "%s=%s", key, value);
	err = grt_control_write("config", text);
	if (err)
		return err;
	err = start(arg);
	snprintf(text, sizeof(text), "%s=%s", key, before);
	back = grt_control_write("config", text);
	return err ? err : back;
}

static int hold(void *arg)
{
	struct grt_session *s = arg;
	int err = 0;

	s->hold = grt_control_hold();
	/* An old module: after kill -9 the session would go on. */
	if (s->hold == -EINVAL)
		err = grt_control_write("control", "start");
	else if (s->hold < 0)
		err = s->hold;
	s->is_ours = !err;
	return err;
}

/* A module without the key mode has no flight recorder. */
static const char *mode_of(const struct grt_session *s)
{
	char config[16384], before[32];

	if (s->is_flight)
		return "overwrite";
	return grt_control_read("config", config, sizeof(config)) > 0 &&
	       grt_control_value(config, "mode", before, sizeof(before)) ? "discard" : NULL;
}

static int hold_in_mode(void *arg)
{
	struct grt_session *s = arg;

	return grt_session_start_with("mode", mode_of(s), hold, s);
}

static int hold_with_buffer(struct grt_session *s)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "%" PRIu64, s->buffer_bytes);
	return grt_session_start_with("buffer_size", s->buffer_bytes ? bytes : NULL, hold_in_mode, s);
}

/* Whether the session that runs already is of the kind that was asked for. */
static int check_running(const struct grt_session *s)
{
	bool overwrites = grt_control_overwrites();

	if (s->is_flight && !overwrites)
		return grt_fail(EBUSY, "sudo grtrace stop",
				"a session runs already, which is no flight recorder");
	if (!s->is_flight && overwrites)
		return grt_fail(EBUSY, "sudo grtrace snapshot",
				"a flight recorder runs: its events can be read as snapshots only");
	return 0;
}

static bool has_filters(const struct grt_session *s)
{
	for (int i = 0; i < GRT_NR_FILTERS; i++)
		if (is_set(s, i))
			return true;
	return false;
}

int grt_session_start(struct grt_session *s)
{
	int err = grt_control_is_running();

	if (err < 0)
		return err;
	if (err && s->buffer_bytes)
		return grt_fail(EBUSY, "sudo grtrace stop",
				"a session runs already, its buffer cannot be changed");
	if (err && has_filters(s))
		return grt_fail(EBUSY, "sudo grtrace stop",
				"a session runs already, its filters cannot be changed");
	if (err)
		return check_running(s);
	err = grt_session_check_unread(s->may_discard);
	if (!err && has_filters(s))
		err = set_filters(s);
	return err ? err : hold_with_buffer(s);
}

int grt_session_stop(struct grt_session *s)
{
	int err = s->is_ours ? grt_control_write("control", "stop") : 0;

	/* Another process stopped it; the streams have ended, too. */
	if (err && err != -EINVAL)
		return err;
	s->is_ours = false;
	return 0;
}

void grt_session_release(struct grt_session *s)
{
	grt_session_stop(s);
	if (s->hold >= 0)
		close(s->hold);
	s->hold = -1;
	for (int i = 0; i < GRT_NR_FILTERS; i++) {
		if (!s->filters[i].before)
			continue;
		if (write_filter(&filters[i], s->filters[i].before))
			grt_warn(NULL, "%s", grt_cause());
		free(s->filters[i].before);
		s->filters[i].before = NULL;
	}
	grt_guard_end(&s->restore);
}
