/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frees rows of the process and ring tables that no event needs any more, in the background,
 * when a table has few free rows.
 */
#ifndef _GRTRACE_RECYCLE_H
#define _GRTRACE_RECYCLE_H

#include <linux/types.h>

/**
 * struct grt_recycled - a table whose rows are recycled
 * @mark_old:	marks the rows that no later event needs; true if there are any
 * @unlink_old:	removes the marked rows from the table: no reader needs them any more
 * @free_old:	frees these rows: the hot path does not use them any more; may be NULL
 *
 * All may sleep.
 */
struct grt_recycled {
	bool (*mark_old)(void);
	void (*unlink_old)(void);
	void (*free_old)(void);
};

enum grt_recycled_table { GRT_RECYCLE_RINGS, GRT_RECYCLE_PROCESSES, GRT_RECYCLE_TABLES };

/* Registers the callbacks of @table; call it before the table has rows. */
void grt_recycle_serve(enum grt_recycled_table table, const struct grt_recycled *ops);

int grt_recycle_create(void);
void grt_recycle_destroy(void);
/*
 * Stops the background work, before the tables are reset.  Only events start it again, so it
 * stays off until the next session.  Sleeps.  Not under the transport's lock, which the work
 * takes.
 */
void grt_recycle_stop(void);
/* Starts the work: few rows are free.  Any context but NMI; cheap if it runs already. */
void grt_recycle_kick(void);

#endif
