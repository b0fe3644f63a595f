/* SPDX-License-Identifier: GPL-2.0 */
/* Changes keys of the module for the time of a recording. */
#ifndef GRT_RESTORE_H
#define GRT_RESTORE_H

#include "guard.h"

/*
 * Makes sure that the module's keys get their old values even if this process is killed.  Each of
 * @lines has the name of a control file, a tab, and the text to write to it.  0 or -errno with a
 * cause.
 */
int grt_restore_begin(struct grt_guard *g, const char *lines);

#endif /* GRT_RESTORE_H */
