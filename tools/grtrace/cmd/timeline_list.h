/* SPDX-License-Identifier: GPL-2.0 */
/* grtrace timeline --list */
#ifndef GRT_TIMELINE_LIST_H
#define GRT_TIMELINE_LIST_H

#include "trace.h"

/*
 * Prints the events of a trace, or the lines that merge wrote, with arrows from event to event of
 * a job.  t->out says how.  0 or -errno with a cause.
 */
int timeline_list(struct trace *t);

#endif /* GRT_TIMELINE_LIST_H */
