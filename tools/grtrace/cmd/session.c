// SPDX-License-Identifier: GPL-2.0
#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "control.h"
#include "describe.h"
#include "error.h"

static const struct filter {
	const char *key, *option;
} filters[GRT_NR_FILTERS] = {
	{ "filter_type_mask", "--type" },
	{ "filter_engine_mask", "--engine" },
	{ "filter_ring_id", "--ring" },
};

/* What people and drivers call the engine classes. */
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

/* A list of names as a mask of their numbers. */
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
			      "names like SUBMIT,COMMIT,END,COMPLETE", &s->filters[0].value);

	if (!err)
		err = parse_names(s->engines, find_engine, "engine class",
				  "names like GRAPHICS,COMPUTE,COPY", &s->filters[1].value);
	s->filters[2].value = s->ring;
	return err;
}

static int write_key(const char *key, uint64_t value)
{
	char text[64];

	snprintf(text, sizeof(text), "%s=%" PRIu64, key, value);
	return grt_control_write("config", text);
}

static int set_filters(struct grt_session *s)
{
	char config[16384], before[32];
	ssize_t n = grt_control_read("config", config, sizeof(config));
	int err;

	if (n < 0)
		return n;
	for (int i = 0; i < GRT_NR_FILTERS; i++) {
		if (!s->filters[i].value)
			continue;
		if (!grt_control_value(config, filters[i].key, before, sizeof(before)))
			return grt_fail(EOPNOTSUPP, "leave the option out, or load a newer module",
					"this module cannot filter: it has no key '%s' for %s",
					filters[i].key, filters[i].option);
		err = write_key(filters[i].key, s->filters[i].value);
		if (err)
			return err;
		memcpy(s->filters[i].before, before, sizeof(before));
	}
	return 0;
}

static bool has_filters(const struct grt_session *s)
{
	for (int i = 0; i < GRT_NR_FILTERS; i++)
		if (s->filters[i].value)
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
		return 0;
	err = s->buffer_bytes ? write_key("buffer_size", s->buffer_bytes) : 0;
	if (!err && has_filters(s))
		err = set_filters(s);
	if (err)
		return err;
	s->hold = grt_control_hold();
	/* A module that does not know it: kill -9 then leaves the session running. */
	if (s->hold == -EINVAL)
		err = grt_control_write("control", "start");
	else if (s->hold < 0)
		err = s->hold;
	s->is_ours = !err;
	return err;
}

int grt_session_stop(struct grt_session *s)
{
	int err = s->is_ours ? grt_control_write("control", "stop") : 0;

	/* Stopped by somebody else: the streams have ended as well. */
	if (err && err != -EINVAL)
		return err;
	s->is_ours = false;
	return 0;
}

void grt_session_release(struct grt_session *s)
{
	char text[96];

	grt_session_stop(s);
	if (s->hold >= 0)
		close(s->hold);
	s->hold = -1;
	for (int i = 0; i < GRT_NR_FILTERS; i++) {
		if (!*s->filters[i].before)
			continue;
		snprintf(text, sizeof(text), "%s=%s", filters[i].key, s->filters[i].before);
		if (grt_control_write("config", text))
			grt_warn(NULL, "%s", grt_cause());
		*s->filters[i].before = '\0';
	}
}
