/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Numbers for the kernel's objects: the same address gives the same number until grtrace is
 * unloaded, and no number tells an address.
 */
#ifndef _GRTRACE_OBJECT_IDS_H
#define _GRTRACE_OBJECT_IDS_H

#include <linux/types.h>

/* Draws the secret.  Sleeps. */
void grt_object_ids_create(void);
/*
 * A number of 52 bits, which also JSON's readers keep exactly; 0 for NULL only.  Call it with
 * interrupts off.
 */
u64 grt_object_id(const void *object);

#endif
