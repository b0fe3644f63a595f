// SPDX-License-Identifier: GPL-2.0
#include "func_graph.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "grace.h"
#include "guard.h"
#include "kernel_function.h"
#include "probe_define.h"
#include "probe_spec.h"
#include "tracefs_place.h"

#define TRACER		"function_graph"
#define WORD_BYTES	64

/* What the second process has to undo. */
struct traces {
	struct grt_tracefs_place place;
	bool is_top;			/* ftrace itself instead of the instance */
	char function[160];
	char depth[WORD_BYTES], on[WORD_BYTES];	/* as they were before */
};

struct grt_func_graph {
	struct traces traces;
	struct grt_guard guard;
	bool has_begun;			/* there is something to undo */
	int fd;				/* trace_pipe */
};

static int write_top(const struct grt_tracefs_place *p, const char *file, const char *text)
{
	int fd = grt_tracefs_open_file(p, file, O_WRONLY | O_APPEND), err = 0;

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err = grt_fail_errno(NULL, "cannot write '%s' to '%s/%s'", text, p->dir, file);
	if (fd >= 0)
		close(fd);
	return err;
}

static int write_file(const struct traces *t, const char *file, const char *text)
{
	return t->is_top ? write_top(&t->place, file, text) : grt_tracefs_write_own(&t->place, file, text);
}

/* The first word of a file at the top. */
static void read_word(const struct grt_tracefs_place *p, const char *file, char word[WORD_BYTES])
{
	char *text = grt_tracefs_read_file(p, file);

	snprintf(word, WORD_BYTES, "%.*s", text ? (int)strcspn(text, " \n") : 0, text ? text : "");
	free(text);
}

/* The choice of functions and the depth are the same for all instances, so they are undone one by one. */
static void undo(const void *arg)
{
	const struct traces *t = arg;
	char not[sizeof(t->function) + 2];

	if (t->is_top) {
		write_top(&t->place, "tracing_on", "0");
		write_top(&t->place, "current_tracer", "nop");
		write_top(&t->place, "tracing_on", t->on);
	}
	grt_tracefs_place_remove(&t->place);
	snprintf(not, sizeof(not), "!%s", t->function);
	write_top(&t->place, "set_graph_function", not);
	write_top(&t->place, "max_graph_depth", t->depth);
}

static int make(const void *arg)
{
	const struct traces *t = arg;

	return grt_tracefs_place_create(&t->place);
}

static const struct grt_guard_ops guard_ops = { .make = make, .clean = undo };

/* A file says so when it chooses nothing. */
static bool is_unused(const char *word)
{
	return !*word || !strncmp(word, "####", strlen("####"));
}

static int check_unused(const struct traces *t)
{
	static const char *const files[] = { "set_graph_function", "set_event" };
	char tracer[WORD_BYTES], word[WORD_BYTES];

	read_word(&t->place, "current_tracer", tracer);
	if (strcmp(tracer, "nop"))
		return grt_fail(EBUSY, "echo nop | sudo tee /sys/kernel/tracing/current_tracer    # if nobody needs it",
				"somebody uses ftrace: its tracer is %s", tracer);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		/* Events at the top are in the way only if we use it. */
		if (i && !t->is_top)
			break;
		read_word(&t->place, files[i], word);
		if (!is_unused(word))
			return grt_fail(EBUSY, "end the other use of ftrace first",
					"somebody uses ftrace: '%s' is set to %s", files[i], word);
	}
	return 0;
}

static bool has_tracer(const struct traces *t)
{
	char *text = grt_tracefs_read_file(&t->place, "available_tracers");
	bool has = text && strstr(text, TRACER);

	free(text);
	return has;
}

static int find_function(struct traces *t, const char *function)
{
	struct grt_probe_spec spec;
	const char *refusal;
	int err = grt_probe_spec_parse(&spec, function);

	if (!err && (*spec.file || spec.offset || spec.is_return || spec.nr_args))
		err = grt_fail(EINVAL, "such as --graph drm_ioctl", "'%s' is not just a function of the kernel",
			       function);
	if (!err)
		err = grt_kernel_function_find(&spec);
	if (err)
		return err;
	refusal = grt_kernel_function_refusal(&t->place, spec.function);
	if (refusal)
		return grt_fail(EINVAL, "choose a function that calls it, or that it calls",
				"'%s' cannot be traced: %s", spec.function, refusal);
	snprintf(t->function, sizeof(t->function), "%s", spec.function);
	return 0;
}

static int set_up(struct grt_func_graph *g, const char *function, uint64_t max_depth)
{
	struct traces *t = &g->traces;
	char depth[WORD_BYTES];
	int err = grt_probe_check(&t->place);

	if (!err)
		err = find_function(t, function);
	if (!err && !has_tracer(t))
		err = grt_fail(ENOENT, "use a kernel with CONFIG_FUNCTION_GRAPH_TRACER",
			       "this kernel has no tracer " TRACER);
	if (!err)
		err = check_unused(t);
	if (err)
		return err;
	grt_tracefs_place_sweep(&t->place);
	read_word(&t->place, "max_graph_depth", t->depth);
	read_word(&t->place, "tracing_on", t->on);
	err = grt_guard_begin(&g->guard, &guard_ops, t);
	if (err) {
		errno = -err;
		return grt_fail_errno(NULL, "cannot make an instance in '%s'", t->place.dir);
	}
	g->has_begun = true;
	snprintf(depth, sizeof(depth), "%" PRIu64, max_depth);
	err = write_top(&t->place, "max_graph_depth", depth);
	if (!err)
		err = write_top(&t->place, "set_graph_function", t->function);
	return err ? err : write_file(t, "tracing_on", "0");
}

/* Kernels before 6.12 have this tracer only at the top; then the guard has to know before it is set. */
static bool instances_have_it(void)
{
	struct grt_tracefs_place trial;
	struct grt_guard guard = { .fd = -1 };
	bool has = false;

	if (grt_tracefs_place_find(&trial) || grt_guard_begin(&guard, &grt_tracefs_place_guard, &trial))
		return true;
	/* With one function it takes a moment; with all, some seconds on a slow machine. */
	has = !grt_tracefs_write_own(&trial, "set_ftrace_filter", "vfs_read") &&
	      !grt_tracefs_write_own(&trial, "current_tracer", TRACER);
	grt_tracefs_place_remove(&trial);
	grt_guard_end(&guard);
	return has;
}

int grt_func_graph_open(struct grt_func_graph **graph, const char *function, uint64_t max_depth)
{
	struct grt_func_graph *g = calloc(1, sizeof(*g));
	int err;

	if (!g)
		return grt_fail_memory();
	g->guard.fd = g->fd = -1;
	g->traces.is_top = !instances_have_it();
	err = set_up(g, function, max_depth);
	if (err)
		grt_func_graph_close(g);
	else
		*graph = g;
	return err;
}

void grt_func_graph_close(struct grt_func_graph *g)
{
	if (g->fd >= 0)
		close(g->fd);
	if (g->has_begun)
		undo(&g->traces);
	grt_guard_end(&g->guard);
	free(g);
}

int grt_func_graph_start(struct grt_func_graph *g)
{
	struct traces *t = &g->traces;
	int err = write_file(t, "current_tracer", TRACER);

	if (err)
		return err;
	g->fd = t->is_top ? grt_tracefs_open_file(&t->place, "trace_pipe", O_RDONLY | O_NONBLOCK) :
		grt_tracefs_open_own(&t->place, "trace_pipe", O_RDONLY | O_NONBLOCK);
	if (g->fd < 0)
		return grt_fail_errno(NULL, "cannot open 'trace_pipe' of '%s'", t->place.dir);
	return write_file(t, "tracing_on", "1");
}

int grt_func_graph_stop(struct grt_func_graph *g)
{
	int err = write_file(&g->traces, "tracing_on", "0");

	grt_capture_grace();
	return err;
}

int grt_func_graph_fd(const struct grt_func_graph *g)
{
	return g->fd;
}
