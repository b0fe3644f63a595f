/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the BPF programs and their loader share.
 *
 * Each CPU has a buffer that is used as a ring: byte N of all that was ever written is at N modulo
 * the size.  A program reserves room with one atomic addition, so an interrupt at any point does
 * no harm, and writes the first 8 bytes of a record last: as long as they are 0, the record is not
 * complete.  The reader clears what it has taken, so programs do not write members that are 0.  A BPF
 * ring buffer would cost a hundred instructions more per event.
 *
 * Records are of the wire format, with these differences, which the loader puts right:
 * - cpu is 0: the buffer says it.
 * - cseq is 0: the loader counts, because an interrupt may come between two steps of a program.
 * - gseq is the number of events that this CPU had lost before; if jobs are chosen, in its lower half,
 *   and in the upper half the number that it had refused, both modulo 2^32.
 * - In STACK, kernel_stack and user_stack are places in the tables of stacks, from 1 on; those in the
 *   second table of a kind are higher by GRT_BPF_STACKS.  The lower half of cseq is the process, the
 *   upper half the ns from its SUBMIT until the stack was known.
 * - RING and PROCESS come before the first SUBMIT that needs them.  In RING, order, engine,
 *   hw_ring and pci_id are 0.
 */
#ifndef GRT_CAPTURE_H
#define GRT_CAPTURE_H

#include <linux/types.h>

#define GRT_BPF_MAX_CPUS	1024
#define GRT_BPF_MAX_RINGS	1024

/* A record that begins near the end of a buffer goes on behind it, at most so far. */
#define GRT_BPF_MAX_RECORD	1088

/*
 * Programs look for room first and reserve afterwards.  A program never runs twice at a time on
 * one CPU, so at most this many bytes are reserved by others in between: one record each.  Only one program
 * has records of more than 256 bytes.
 */
#define GRT_BPF_SLACK		(32 * 256 + GRT_BPF_MAX_RECORD)

/*
 * Matches a ring: the bytes of its name and device, as struct grtrace_ring has them, where @mask
 * has ones.
 */
#define GRT_BPF_PATTERN_WORDS	8
#define GRT_BPF_MAX_PATTERNS	24

struct grt_bpf_pattern {
	__u64 text[GRT_BPF_PATTERN_WORDS], mask[GRT_BPF_PATTERN_WORDS];
	__u32 is_wanted, unused;
};

/* The first pattern that matches decides. */
struct grt_bpf_patterns {
	struct grt_bpf_pattern rows[GRT_BPF_MAX_PATTERNS];
	__u32 count, is_default_wanted;
};

/* Bucket N has times from 2^(N + SHIFT) ns to twice that; the first and last ones all beyond, too. */
#define GRT_BPF_SUM_BUCKETS	32
#define GRT_BPF_SUM_SHIFT	10

struct grt_bpf_stage {
	__u64 jobs, ns;
	__u32 buckets[GRT_BPF_SUM_BUCKETS];
};

struct grt_bpf_sum_key {
	__u32 ring, tgid;	/* tgid 0: jobs of the kernel */
};

/* What record --summary keeps of the jobs of a process on a ring. */
struct grt_bpf_sum {
	__u64 jobs, failed;	/* that completed */
	__u64 busy_ns;		/* if the ring runs one job at a time */
	struct grt_bpf_stage host, hw;	/* SUBMIT to COMMIT, COMMIT to END */
	char comm[16];
};

/* Bit of the mask of types: something is chosen or summed up, see choose.bpf.h. */
#define GRT_BPF_NARROW		(1u << 31)

#define GRT_BPF_NO_SLOT		(~0u)

/* Each event seen is written, lost, filtered (its type is not wanted) or refused. */
struct grt_bpf_cpu {
	__u64 seen;
	__u64 lost;		/* no room in the buffer */
	__u64 filtered;
	__u64 head;		/* bytes reserved so far */
	__u64 wake_at;		/* wake the reader when head is here */
	__u64 refused;		/* of jobs that are not chosen */
	__u32 slot;		/* number of its buffer; GRT_BPF_NO_SLOT: the CPU was not online */
	__u32 unused[3];
	__u64 limit;		/* head beyond which there is no room; the reader writes it, on its own line */
	__u64 unused2[7];
};

enum grt_bpf_stack {
	GRT_BPF_STACK_KERNEL, GRT_BPF_STACK_USER, GRT_BPF_STACK_KINDS,
};

#define GRT_BPF_STACKS		4096	/* places in each table of stacks */
#define GRT_BPF_STACK_DEPTH	127	/* most functions of a stack */

/* Tables that had no room for all: how often that was noticed, see bpf_lacks.c. */
enum grt_bpf_lack {
	GRT_BPF_LACKS_RINGS, GRT_BPF_LACKS_THREADS, GRT_BPF_LACKS_CHOSEN, GRT_BPF_LACKS_ANCESTORS, GRT_BPF_LACKS_FAMILY,
	GRT_BPF_LACKS_LEVELS, GRT_BPF_NR_LACKS,
};

#define GRT_BPF_THREADS		512	/* that are followed at a time */
#define GRT_BPF_CHOSEN		65536	/* jobs in flight that are chosen */
#define GRT_BPF_ANCESTORS	64	/* of a process, as in the module's filter */
#define GRT_BPF_FAMILY		4096	/* processes that are known to be descendants, at most */
#define GRT_BPF_LEVELS		32	/* of cgroups */

/* Stacks that are not known: there was no place for them, or no stack. */
struct grt_bpf_stack_counts {
	__u64 no_room, no_stack;
};

#endif /* GRT_CAPTURE_H */
