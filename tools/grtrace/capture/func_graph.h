/* SPDX-License-Identifier: GPL-2.0 */
/* The function_graph tracer: what a function of the kernel calls, and how long each call took. */
#ifndef GRT_FUNC_GRAPH_H
#define GRT_FUNC_GRAPH_H

#include <stdint.h>
#include <sys/types.h>

struct grt_func_graph;

/*
 * Gets ready; nothing is recorded yet.  Uses an instance where the kernel can (6.12 and later), else ftrace
 * itself, if nobody else uses that.  @max_depth 0: all calls.  If this process is killed, another one
 * undoes everything.  0, or -errno with a cause.
 */
int grt_func_graph_open(struct grt_func_graph **graph, const char *function, uint64_t max_depth);
void grt_func_graph_close(struct grt_func_graph *g);

/* 0 or -errno with a cause. */
int grt_func_graph_start(struct grt_func_graph *g);
int grt_func_graph_stop(struct grt_func_graph *g);

/* The text comes from this descriptor, which does not block. */
int grt_func_graph_fd(const struct grt_func_graph *g);

#endif /* GRT_FUNC_GRAPH_H */
