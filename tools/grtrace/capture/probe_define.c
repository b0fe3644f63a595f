// SPDX-License-Identifier: GPL-2.0
#include "probe_define.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_symbols.h"
#include "error.h"
#include "kernel_function.h"
#include "lockdown.h"
#include "probe_args.h"
#include "probe_spec.h"
#include "tracefs_events.h"
#include "tracefs_place.h"

/* What is needed while the probes of a spec are defined. */
struct making {
	const struct grt_tracefs_place *p;
	const char *group;
	const struct grt_probe_spec *spec;
	bool is_found;			/* the function of the kernel is known to be there */
	struct grt_vec *made;
	char args[GRT_PROBE_LINE];
	unsigned int count, skipped;	/* functions of a file; those skipped lack an argument */
	uint64_t last;			/* the place of the last one in its file */
};

int grt_probe_check(struct grt_tracefs_place *p)
{
	int err = grt_tracefs_place_find(p), fd;
	char cause[256];

	if (err == -EACCES || err == -EPERM) {
		snprintf(cause, sizeof(cause), "%s", grt_cause());
		return grt_fail(-err, "run it with sudo", "%s", cause);
	}
	if (err)
		return err;
	if (grt_capture_is_confidential())
		return grt_fail(EPERM, GRT_CAPTURE_UNLOCK_HINT,
				"the kernel is locked down (confidentiality) and refuses probes");
	fd = grt_tracefs_open_file(p, "dynamic_events", O_WRONLY | O_APPEND);
	if (fd < 0)
		return errno == ENOENT ? grt_fail(ENOENT, "use a kernel with CONFIG_KPROBE_EVENTS",
						  "this kernel has no probes of functions") :
		       grt_fail_errno("run it with sudo", "cannot write '%s/dynamic_events'", p->dir);
	close(fd);
	return 0;
}

/* --- what tracefs says of an error --- */

/*
 * Says in @text what tracefs has against @line, and at which word.  False: it does not say.
 *
 * Its file error_log has three lines for each error, the last error at its end: "[TIME] trace_kprobe: error:
 * TEXT", "  Command: LINE", and a mark below the word.
 */
static bool read_error(const struct grt_tracefs_place *p, const char *line, char *text, size_t room)
{
	char *log = grt_tracefs_read_file(p, "error_log"), *last = NULL, *at = log, *command, *mark;
	size_t column;

	while (at && (at = strstr(at, ": error: ")))
		last = at += strlen(": error: ");
	command = last ? strstr(last, "\n  Command: ") : NULL;
	if (command) {
		*command = '\0';
		command += strlen("\n  Command: ");
		mark = strchr(command, '\n');
		column = mark ? strspn(mark + 1, " ") : 0;
		column -= column > strlen("  Command: ") ? strlen("  Command: ") : column;
		if (mark)
			*mark = '\0';
		if (strcmp(command, line))
			command = NULL;
		else
			snprintf(text, room, "%s, at '%.*s'", last,
				 (int)strcspn(line + (column < strlen(line) ? column : 0), " "),
				 line + (column < strlen(line) ? column : 0));
	}
	free(log);
	return command;
}

static int fail_define(const struct making *m, const char *function, const char *line, int err)
{
	const char *refusal = *m->spec->file ? NULL : grt_kernel_function_refusal(m->p, function);
	char text[512];

	if (err == -EEXIST)
		return grt_fail(EEXIST, "sudo grtrace probe list    # or give it another name: NAME=FUNCTION",
				"there already is a probe of that name for '%s'", function);
	if (!read_error(m->p, line, text, sizeof(text))) {
		errno = -err;
		return grt_fail_errno(err == -EPERM ? GRT_CAPTURE_UNLOCK_HINT : NULL,
				      "the kernel refuses the probe '%s'", line);
	}
	if (refusal && (strstr(text, "register") || strstr(text, "address")))
		return grt_fail(EINVAL, "choose a function that calls it, or that it calls",
				"the function '%s' takes no probe: %s", function, refusal);
	return grt_fail(EINVAL, "man grtrace-probe    # what a probe looks like",
			"the kernel refuses the probe of '%s': %s", function, text);
}

/* --- defining --- */

static bool takes_fprobes(const struct grt_tracefs_place *p)
{
	char *text = grt_tracefs_read_file(p, "README");
	bool takes = text && strstr(text, "f[:[<group>/][<event>]]");

	free(text);
	return takes;
}

/* Threads that wait in a function of the kernel are more than the few returns that are kept by default. */
static const char *kind_of(const struct grt_probe_spec *s)
{
	if (!s->is_return)
		return "p";
	return *s->file ? "r" : "r1024";
}

/* Defines one.  A kind of probe that costs less is tried first. */
static int define(struct making *m, const char *function, const char *place)
{
	const struct grt_probe_spec *s = m->spec;
	struct grt_tracefs_event event = { .system = "" };
	char line[GRT_PROBE_LINE + 512];
	int err = -EINVAL;

	snprintf(event.system, sizeof(event.system), "%s", m->group);
	grt_probe_spec_name(s, function, event.name);
	if (!*s->file && !s->offset && !*s->module && takes_fprobes(m->p)) {
		snprintf(line, sizeof(line), "f:%s/%s %s%s%s", event.system, event.name, place,
			 s->is_return ? "%return" : "", m->args);
		err = grt_tracefs_define(m->p, line);
	}
	if (err && err != -EEXIST) {
		snprintf(line, sizeof(line), "%s:%s/%s %s%s", kind_of(s), event.system, event.name, place, m->args);
		err = grt_tracefs_define(m->p, line);
	}
	if (err)
		return fail_define(m, function, line, err);
	m->count++;
	return grt_vec_append(m->made, &event, sizeof(event)) ? grt_fail_memory() : 0;
}

static bool has_file(const struct grt_tracefs_place *p, const char *file)
{
	int fd = grt_tracefs_open_file(p, file, O_RDONLY);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int define_of_kernel(struct making *m, struct grt_probe_spec *s)
{
	char place[512];
	int err = m->is_found ? 0 : grt_kernel_function_find(s);

	if (!err && !has_file(m->p, "kprobe_events"))
		err = grt_fail(ENOENT, "use a kernel with CONFIG_KPROBE_EVENTS; functions of programs (-x) work",
			       "this kernel takes no probes of its own functions");
	if (!err)
		err = grt_probe_args_print(s, m->args, sizeof(m->args));
	if (err)
		return err;
	snprintf(place, sizeof(place), "%s%s%s", s->module, *s->module ? ":" : "", s->function);
	if (s->offset)
		snprintf(place + strlen(place), sizeof(place) - strlen(place), "+%" PRIu64, s->offset);
	return define(m, s->function, place);
}

/* Of functions that fit a pattern, those that have no such argument are skipped. */
static int print_args(struct making *m, const char *name)
{
	struct grt_probe_spec one = *m->spec;
	int err;

	snprintf(one.function, sizeof(one.function), "%s", name);
	err = grt_probe_args_print(&one, m->args, sizeof(m->args));
	if (err != -ENODATA || !grt_probe_is_pattern(m->spec->function))
		return err == -ENODATA ? -EINVAL : err;
	m->skipped++;
	return -ENODATA;
}

static int define_of_file(void *arg, const char *name, uint64_t offset)
{
	struct making *m = arg;
	char place[512];
	int err;

	/* Of several names of one function, take one. */
	if (fnmatch(m->spec->function, name, 0) || (m->count && offset == m->last))
		return 0;
	err = print_args(m, name);
	if (err)
		return err == -ENODATA ? 0 : err;
	if (m->count == GRT_PROBES_MOST)
		return grt_fail(E2BIG, "use a narrower pattern", "more than %d functions of '%s' are like '%s'",
				GRT_PROBES_MOST, m->spec->file, m->spec->function);
	m->last = offset;
	snprintf(place, sizeof(place), "%s:0x%" PRIx64, m->spec->file, offset + m->spec->offset);
	return define(m, name, place);
}

static int define_all_of_file(struct making *m, struct grt_probe_spec *s)
{
	char path[PATH_MAX], hint[512];
	int err;

	if (!realpath(s->file, path))
		return grt_fail_errno("name the file with its path, like /lib/x86_64-linux-gnu/libc.so.6",
				      "cannot find '%s'", s->file);
	if (strlen(path) >= sizeof(s->file) || strpbrk(path, " \t"))
		return grt_fail(EINVAL, NULL, "tracefs takes no path like '%s'", path);
	memcpy(s->file, path, strlen(path) + 1);
	err = grt_elf_functions(s->file, define_of_file, m);
	if (!err && m->count && m->skipped)
		grt_warn(NULL, "%u more functions are like '%s', but have no such argument", m->skipped, s->function);
	/* The cause is that of the last function. */
	if (err || m->count || m->skipped)
		return err || m->count ? err : -EINVAL;
	snprintf(hint, sizeof(hint), "nm -D --defined-only %s    # its functions", s->file);
	return grt_fail(EINVAL, hint, "'%s' has no function '%s'", s->file, s->function);
}

static int define_text(const struct grt_tracefs_place *p, const char *group, const char *text, bool is_found,
		       struct grt_vec *made)
{
	struct grt_probe_spec spec;
	struct making m = { .p = p, .group = group, .spec = &spec, .is_found = is_found, .made = made };
	size_t before = made->bytes;
	int err = grt_probe_spec_parse(&spec, text);

	if (!err)
		err = *spec.file ? define_all_of_file(&m, &spec) : define_of_kernel(&m, &spec);
	/* The cause stays: nothing fails here. */
	while (err && made->bytes > before) {
		char line[160];

		made->bytes -= sizeof(struct grt_tracefs_event);
		snprintf(line, sizeof(line), "-:%s/%s", group,
			 ((struct grt_tracefs_event *)((char *)made->data + made->bytes))->name);
		grt_tracefs_define(p, line);
	}
	return err;
}

int grt_probe_define(const struct grt_tracefs_place *p, const char *group, const char *text,
		     struct grt_vec *made)
{
	return define_text(p, group, text, false, made);
}

int grt_probe_define_found(const struct grt_tracefs_place *p, const char *group, const char *text,
			   struct grt_vec *made)
{
	return define_text(p, group, text, true, made);
}

int grt_probe_remove(const struct grt_tracefs_place *p, const char *group, const char *name)
{
	char line[160];
	int err;

	snprintf(line, sizeof(line), "-:%s/%s", group, name);
	err = grt_tracefs_define(p, line);
	errno = -err;
	if (err == -EBUSY)
		return grt_fail(EBUSY, "end the recording that has it, then try again", "the probe '%s' is in use",
				name);
	return err ? grt_fail_errno("sudo grtrace probe list", "cannot remove the probe '%s'", name) : 0;
}

int grt_probe_each(const struct grt_tracefs_place *p, const char *group,
		   int (*each)(void *arg, const char *kind, const char *name, const char *rest), void *arg)
{
	char *text = grt_tracefs_read_file(p, "dynamic_events"), *rest, *line;
	char kind[16], of[64], name[GRT_PROBE_NAME];
	int err = 0, at;

	if (!text)
		err = grt_fail_errno(NULL, "cannot read '%s/dynamic_events'", p->dir);
	for (line = text ? strtok_r(text, "\n", &rest) : NULL; !err && line; line = strtok_r(NULL, "\n", &rest))
		if (sscanf(line, "%15[^:]:%63[^/ ]/%63s %n", kind, of, name, &at) == 3 && !strcmp(of, group))
			err = each(arg, kind, name, line + at);
	free(text);
	return err;
}
