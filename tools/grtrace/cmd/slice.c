// SPDX-License-Identifier: GPL-2.0
#include "slice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "child.h"
#include "commands.h"
#include "error.h"
#include "number.h"
#include "options.h"
#include "print.h"

/* Options as they were typed. */
struct typed {
	const char *since, *until;
};

static void add(char *line, size_t room, const char *option, const char *value)
{
	size_t at = strlen(line);

	if (value)
		snprintf(line + at, room - at, " %s %s", option, value);
}

/* slice=trace.grt --since 5ms; it is one line whatever the file is called. */
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
	int err = t->since ? grt_parse_ns(t->since, &s->since_ns) : 0;

	if (!err && t->until)
		err = grt_parse_ns(t->until, &s->until_ns);
	return err;
}

/* What can be read but once is not enough to cut rings out of. */
static int check_input(const struct grt_slice *s, const char *path)
{
	struct stat st;

	if (!grt_slice_is_picky(s) || (strcmp(path, "-") && (stat(path, &st) || S_ISREG(st.st_mode))))
		return 0;
	return grt_fail(EINVAL, "save it first: cat > trace.grt",
			"rings are cut out of a file, which is read twice; '%s' is none", path);
}

static int slice(struct grt_slice *s, char *path, struct grt_target *to)
{
	int err = grt_target_check(to->path, 1, &path);

	if (!err)
		err = check_input(s, path);
	if (!err && grt_slice_is_picky(s)) {
		err = grt_slice_scan(s, path);
		grt_warn_to(NULL);	/* it said it all */
	}
	if (!err)
		err = grt_slice_write(s, path, to);
	grt_warn_to(grt_print_warning);
	return err;
}

static void print_result(const struct grt_slice *s, const char *path, const char *from)
{
	char events[GRT_NUMBER_MAX], all[GRT_NUMBER_MAX];

	printf("%s: %s of %s events of %s\n", path, grt_format_count(events, s->events),
	       grt_format_count(all, s->of_events), from);
	if (!s->events)
		grt_print_warning("grtrace report shows how long it is, and its rings",
				  "nothing of the trace is in this slice");
}

int cmd_slice(int argc, char **argv)
{
	static char default_file[] = "trace.grt";
	struct grt_user user = grt_user();
	struct grt_target to = { .path = "slice.grt", .uid = user.uid, .gid = user.gid };
	struct grt_slice s = { .until_ns = UINT64_MAX };
	struct typed t = { 0 };
	char line[1024], *path;
	const struct grt_option options[] = {
		OPT_STRING(0, "since", &t.since, "TIME", "events from then on, after the first"),
		OPT_STRING(0, "until", &t.until, "TIME", "events before that"),
		OPT_STRING('r', "ring", &s.rings, "RINGS",
			   "these rings, and what is of no ring: names or numbers, commas between"),
		OPT_U64('p', "pid", &s.pid, "PID",
			"the rings that this process used; reports show it first"),
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
	if (!t.since && !t.until && !grt_slice_is_picky(&s))
		return grt_usage(options, "which part: --since, --until, --ring or --pid");
	if (s.rings && s.pid)
		return grt_usage(options, "either --ring or --pid, not both");
	if (s.pid > INT32_MAX)
		return grt_usage(options, "no process has the number %" PRIu64, s.pid);
	make_line(line, sizeof(line), &s, &t, path);
	s.line = line;
	err = slice(&s, path, &to);
	grt_slice_free(&s);
	if (err) {
		grt_print_failure(err);
		return err == -EINVAL ? GRT_EXIT_USAGE : err == -EBADMSG ? GRT_EXIT_TRACE :
		       GRT_EXIT_SETUP;
	}
	print_result(&s, to.path, path);
	return GRT_EXIT_OK;
}
