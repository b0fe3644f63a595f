/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Numbers of a merged trace: those of boot N, counted from 0, are N units higher than in the boot's own
 * trace.  Each unit is more than a kernel has.
 */
#ifndef GRT_BOOT_H
#define GRT_BOOT_H

#define GRT_BOOT_CTXS		(1ull << 48)
#define GRT_BOOT_PIDS		10000000ull
#define GRT_BOOT_CPUS		1024ull
#define GRT_BOOT_CGROUPS	(1ull << 56)

#define GRT_MAX_BOOTS	64	/* CPU numbers have 16 bits */

#endif /* GRT_BOOT_H */
