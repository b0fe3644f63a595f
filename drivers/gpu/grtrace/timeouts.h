/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Jobs whose timeout is recorded: the scheduler's adapter notes them, so that a driver's adapter
 * does not record the same timeout again.
 */
#ifndef _GRTRACE_TIMEOUTS_H
#define _GRTRACE_TIMEOUTS_H

/* Forgets all notes.  No probe may be running. */
void grt_timeouts_forget(void);

#endif
