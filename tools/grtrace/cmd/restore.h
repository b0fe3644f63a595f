/* SPDX-License-Identifier: GPL-2.0 */
/* Changes keys of the module for the time of a recording. */
#ifndef GRT_RESTORE_H
#define GRT_RESTORE_H

#include "guard.h"

/*
 * Restores the keys if this process is killed.  @lines: what to write into which
 * file, as lines of FILE, a tab and the text.  0 or
 * -errno with a cause.
 */
int grt_restore_begin(struct grt_guard *g, const char *lines);

#endif /* GRT_RESTORE_H */
