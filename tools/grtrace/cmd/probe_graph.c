// SPDX-License-Identifier: GPL-2.0
/* Prints what a function of the kernel calls, as the kernel's tracer function_graph writes it. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "error.h"
#include "func_graph.h"
#include "probe.h"

/* All text that is there now.  0 or -errno with a cause. */
static int copy_text(int fd)
{
	char text[65536];
	ssize_t got;

	while ((got = read(fd, text, sizeof(text))) > 0)
		fwrite(text, 1, got, stdout);
	fflush(stdout);
	if (!got || errno == EAGAIN || errno == EINTR)
		return 0;
	return grt_fail_errno(NULL, "cannot read what ftrace wrote");
}

int grt_probe_graph(const struct grt_probe_request *q, int *code)
{
	struct grt_func_graph *graph = NULL;
	struct grt_probe_run run;
	int err = grt_func_graph_open(&graph, q->graph, q->max_depth), end;

	if (err)
		return err;
	err = grt_probe_run_open(&run, q);
	if (!err)
		err = grt_func_graph_start(graph);
	if (!err)
		err = grt_probe_run_start(&run);
	while (!err && !run.is_over) {
		grt_probe_run_wait(&run, grt_func_graph_fd(graph));
		err = copy_text(grt_func_graph_fd(graph));
	}
	end = err ? 0 : grt_func_graph_stop(graph);
	if (!err && !end)
		end = copy_text(grt_func_graph_fd(graph));
	*code = grt_probe_run_close(&run);
	grt_func_graph_close(graph);
	return err ? err : end;
}
