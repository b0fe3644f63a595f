// SPDX-License-Identifier: GPL-2.0
#include "slice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"
#include "quote.h"
#include "user.h"

/* The options as they were typed. */
struct typed {
	const char *since, *until;
};

static void add(char *line, size_t room, const char *option, const char *value)
{
	size_t at = strlen(line);

	if (value)
		snprintf(line + at, room - at, " %s %s", option, value);
}

/* "slice=trace.grt --since 5ms", as one line even if the file name has line ends. */
static void make_line(char *line, size_t room, const struct grt_slice *s, const struct typed *t,
		      const char *path)
{
	const char *slash = strrchr(path, '/');
	char pid[GRT_NUMBER_MAX];

	snprintf(line, room, "slice=%s", slash ? slash + 1 : path);
	snprintf(pid, sizeof(pid), "%" PRIu64, s->pid);
	add(line, room, "--since", t->since);
	add(line, room, "--until", t->until);
	add(line, room, "--ring", s->rings);
	add(line, room, "--pid", s->pid ? pid : NULL);
	for (; *line; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			*line = '?';
}

static int parse(struct grt_slice *s, const struct typed *t)
{
	int err = t->since ? grt_parse_ns(t->since, &s->part.since_ns) : 0;

	if (!err && t->until)
		err = grt_parse_ns(t->until, &s->part.until_ns);
	return err;
}

static int slice(struct grt_slice *s, char *path, struct grt_target *to)
{
	int err = grt_target_check(to->path, 1, &path);

	return err ? err : grt_slice_write(s, path, to);
}

static void print_result(const struct grt_slice *s, const char *path, const char *from)
{
	char events[GRT_NUMBER_MAX], all[GRT_NUMBER_MAX];
	struct grt_shell hint = { .at = 0 };
	FILE *out = grt_result_file(path);

	fprintf(out, "%s: %s of %s %s of %s\n", grt_shown(path),
		grt_format_count(events, s->events), grt_format_count(all, s->of_events),
		grt_plural(s->of_events, "event", "events"), grt_shown(from));
	if (s->events)
		return;
	grt_shell_plain(&hint, "grtrace report");
	grt_shell_file(&hint, from);
	grt_shell_plain(&hint, "    # its length and rings");
	hint.is_cut |= !strcmp(from, "-");
	grt_print_warning(grt_shell_text(&hint), "the slice is empty");
}

int cmd_slice(int argc, char **argv)
{
	static char default_file[] = "trace.grt";
	struct grt_user user = grt_user();
	struct grt_target to = { .path = "slice.grt", .uid = user.uid, .gid = user.gid };
	struct grt_slice s = { .part.until_ns = UINT64_MAX };
	struct typed t = { 0 };
	char line[1024], *path;
	const struct grt_option options[] = {
		OPT_STRING(0, "since", &t.since, "TIME", "events from TIME on, counted from the first event"),
		OPT_STRING(0, "until", &t.until, "TIME", "events before TIME"),
		OPT_STRING('r', "ring", &s.rings, "RINGS",
			   "these rings, and events without a ring: names or numbers, with commas"),
		OPT_U64('p', "pid", &s.pid, "PID",
			"the rings that this process used; reports select this process"),
		OPT_STRING('o', "output", &to.path, "FILE", "write to FILE; slice.grt by default"),
		OPT_END()
	};
	int err;

	argc = grt_parse_options(argc, argv, options, "slice [options] [FILE]");
	path = argc ? argv[0] : default_file;
	if (argc > 1)
		return grt_usage(options, "one file at a time");
	if (parse(&s, &t))
		return grt_usage(options, "%s; %s", grt_cause(), grt_hint());
	if (!t.since && !t.until && !grt_slice_has_rings(&s))
		return grt_usage(options, "say which part: --since, --until, --ring or --pid");
	if (s.rings && s.pid)
		return grt_usage(options, "either --ring or --pid, not both");
	if (s.pid > INT32_MAX)
		return grt_usage(options, "no process has the number %" PRIu64, s.pid);
	make_line(line, sizeof(line), &s, &t, path);
	s.line = line;
	err = slice(&s, path, &to);
	if (grt_reader_has_enough(err, to.path))
		return GRT_EXIT_OK;
	if (err) {
		grt_print_failure(err);
		return err == -EINVAL ? GRT_EXIT_USAGE : err == -EBADMSG ? GRT_EXIT_TRACE :
		       GRT_EXIT_SETUP;
	}
	print_result(&s, to.path, path);
	return GRT_EXIT_OK;
}
