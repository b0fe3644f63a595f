/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether more is done with each written record: grt_emit_extra() is called while this is on.
 */
#ifndef _GRTRACE_EXTRA_H
#define _GRTRACE_EXTRA_H

#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(grt_extra);

/* Each user gets it once, and puts it once.  They sleep. */
void grt_extra_get(void);
void grt_extra_put(void);

#endif
