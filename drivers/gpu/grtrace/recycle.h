/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of the process and ring tables that nobody needs any more, found and freed in
 * the background while a table runs short of rows.
 */
#ifndef _GRTRACE_RECYCLE_H
#define _GRTRACE_RECYCLE_H

int grt_recycle_create(void);
void grt_recycle_destroy(void);
/* A table is about to be reset: nothing of it is looked at after this.  Sleeps. */
void grt_recycle_stop(void);
/* Rows run short.  Any context but NMI; cheap when it was said before. */
void grt_recycle_kick(void);

#endif
