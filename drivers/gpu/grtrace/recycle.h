/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of the process and ring tables that nobody needs any more, found and freed in
 * the background while a table runs short of rows.
 */
#ifndef _GRTRACE_RECYCLE_H
#define _GRTRACE_RECYCLE_H

#include <linux/types.h>

/**
 * struct grt_recycled - a table whose rows are used again
 * @mark_old:	marks the rows that no event needs which is written from now on; true: there are
 * @unlink_old:	no reader needs those that are marked: they leave the table
 * @free_old:	nobody looks at these any more; may be NULL
 *
 * All may sleep.
 */
struct grt_recycled {
	bool (*mark_old)(void);
	void (*unlink_old)(void);
	void (*free_old)(void);
};

enum grt_recycled_table { GRT_RECYCLE_RINGS, GRT_RECYCLE_PROCESSES, GRT_RECYCLE_TABLES };

/* @ops serve @table, before its first row. */
void grt_recycle_serve(enum grt_recycled_table table, const struct grt_recycled *ops);

int grt_recycle_create(void);
void grt_recycle_destroy(void);
/*
 * The tables are about to be reset: nobody looks at them after this, as no event kicks while
 * no session runs.  Sleeps; not under the transport's lock, for which the work may wait.
 */
void grt_recycle_stop(void);
/* Rows run short.  Any context but NMI; cheap when it was said before. */
void grt_recycle_kick(void);

#endif
