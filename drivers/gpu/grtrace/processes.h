/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the processes that submit: a row per process, and another one when
 * its name changes.
 */
#ifndef _GRTRACE_PROCESSES_H
#define _GRTRACE_PROCESSES_H

#include <linux/types.h>
#include <uapi/linux/grtrace.h>

int grt_processes_create(void);
void grt_processes_destroy(void);
/* Forgets all rows; no session may be running. */
void grt_processes_reset(void);

/* Makes sure that current's process has a row.  Any context but NMI. */
void grt_process_note(void);

/* Row @i in order of appearance; false if there is none (yet). */
bool grt_process_copy(u32 i, struct grtrace_process *to);
/* How many found no room. */
u32 grt_processes_lost(void);

#endif
