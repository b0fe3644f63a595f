/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the BPF programs and their loader share.
 *
 * Each CPU has a BPF ring buffer.  The programs put records of the wire format in it, with these
 * differences, which the loader puts right:
 * - cseq is 0.  The loader counts, because an interrupt may come between two steps of a program.
 * - gseq is the number of events that this CPU had lost when it wrote the record.
 * - RING and PROCESS come before the first SUBMIT that needs them.  In RING, order, engine,
 *   hw_ring and pci_id are 0.
 */
#ifndef GRT_CAPTURE_H
#define GRT_CAPTURE_H

#include <linux/types.h>

#define GRT_BPF_MAX_CPUS	1024
#define GRT_BPF_MAX_RINGS	1024
#define GRT_BPF_WAKE_BYTES	65536	/* how often a program wakes the reader */

/* Counters of a CPU.  Each event seen is written, lost or filtered. */
struct grt_bpf_cpu {
	__u64 seen;
	__u64 lost;		/* no room in the ring buffer */
	__u64 filtered;
	__u64 bytes;		/* written since the reader was last woken */
	__u64 unused[4];	/* CPUs share no cache line */
};

#endif /* GRT_CAPTURE_H */
