/* SPDX-License-Identifier: GPL-2.0 */
/* How the programs write records: a ring buffer and counters per CPU. */
#ifndef GRT_RECORD_BPF_H
#define GRT_RECORD_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_helpers.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "capture.h"

#define TRIES		8	/* places of a row in a table */
#define SPREAD		0x61C88647u	/* spreads numbers over a table; the kernel's GOLDEN_RATIO_32 */

/* Set before the programs are loaded. */
const volatile __u32 types;			/* bits of event types to record; GRT_BPF_NARROW */
const volatile __u64 buffer_mask;		/* bytes of a buffer - 8: records begin at multiples of 8 */
const volatile __u64 wake_bytes;		/* bytes after which the reader is woken */

/*
 * Why events are refused, see choose.bpf.h.  All of these are read only if the event is_narrow: each
 * reading of a constant costs two or three instructions, also where the verifier then removes the
 * branch.
 */
const volatile bool chooses_rings, chooses_cpus;

/* Instead of events of jobs, see sum.bpf.h: sums; a JOB record of each that took so long. */
const volatile bool sums_up;
const volatile __u64 least_ns;

/* A bit per CPU whose events are wanted. */
const volatile __u64 wanted_cpus[GRT_BPF_MAX_CPUS / 64];

/* The loader sets their number and size. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(u32));
	__uint(value_size, GRT_BPF_MAX_RECORD);
} buffers SEC(".maps");

/* Wakes the reader. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 65536);	/* a multiple of the page size of any machine */
} doorbell SEC(".maps");

struct grt_bpf_cpu cpus[GRT_BPF_MAX_CPUS];	/* the loader sets their slots */
__u64 lacks[GRT_BPF_NR_LACKS];			/* by enum grt_bpf_lack */

static __always_inline void note_lack(enum grt_bpf_lack lack)
{
	__sync_fetch_and_add(&lacks[lack], 1);
}

/* The counters of this CPU. */
static __always_inline struct grt_bpf_cpu *own_counters(void)
{
	/* The loader refuses machines with more CPUs. */
	struct grt_bpf_cpu *c = &cpus[bpf_get_smp_processor_id() % GRT_BPF_MAX_CPUS];

	/* Else the compiler calculates it again wherever it is used. */
	barrier_var(c);
	return c;
}

/*
 * Reserves a record in this CPU's buffer.  All other bytes are 0.  The time is read after that, so an
 * event with an earlier time can only be behind one that is not complete yet.
 */
static __always_inline void *reserve(struct grt_bpf_cpu *c, u16 size, bool is_narrow)
{
	u32 slot = c->slot;
	u8 *buffer = bpf_map_lookup_elem(&buffers, &slot);
	struct grtrace_hdr *hdr;
	u64 at;

	if (!buffer || c->head > c->limit)
		return NULL;
	at = __sync_fetch_and_add(&c->head, size);
	hdr = (void *)(buffer + (at & buffer_mask));
	hdr->ts = bpf_ktime_get_ns();
	hdr->gseq = is_narrow ? (u32)c->lost | c->refused << 32 : c->lost;
	return hdr;
}

static __noinline int wake_reader(struct grt_bpf_cpu *c)
{
	u64 news = 1;

	c->wake_at = c->head + wake_bytes;
	return bpf_ringbuf_output(&doorbell, &news, sizeof(news), BPF_RB_FORCE_WAKEUP);
}

/* Makes the record complete: the atomic exchange orders it after all its other bytes. */
static __always_inline void submit(struct grt_bpf_cpu *c, void *record, u16 type, u16 size,
				   u16 flags)
{
	__sync_lock_test_and_set((u64 *)record, type | (u64)size << 16 | (u64)flags << 48);
	if (c->head >= c->wake_at)
		wake_reader(c);
}

/* An event of a program. */
struct event {
	struct grt_bpf_cpu *c;
	void *record;
	u16 type, size, flags;
	bool is_narrow;		/* a constant for the verifier */
};

/* Instead of the second step, for an event that is wanted: its job, ring or CPU is not chosen. */
static __always_inline void refuse(struct event *e)
{
	__sync_fetch_and_add(&e->c->refused, 1);
}

static __always_inline bool is_of_wanted_cpu(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return !chooses_cpus || wanted_cpus[cpu / 64 % (GRT_BPF_MAX_CPUS / 64)] >> cpu % 64 & 1;
}

/* The first step of every event.  False: it is not wanted. */
static __always_inline bool see(struct event *e, u16 type)
{
	u32 wanted = types;

	e->c = own_counters();
	e->is_narrow = wanted >> 31;
	e->type = type;
	e->flags = 0;
	__sync_fetch_and_add(&e->c->seen, 1);
	if (!(wanted & 1u << type)) {
		__sync_fetch_and_add(&e->c->filtered, 1);
		return false;
	}
	if (!e->is_narrow || is_of_wanted_cpu())
		return true;
	refuse(e);
	return false;
}

/* The second step: room for the record, e->record.  False: there is none, the event is lost. */
static __always_inline bool begin(struct event *e, u16 size)
{
	if (e->is_narrow && (sums_up || (least_ns && e->type != GRTRACE_JOB && e->type != GRTRACE_ERROR))) {
		refuse(e);
		return false;
	}
	e->size = size;
	e->record = reserve(e->c, size, e->is_narrow);
	if (e->record)
		return true;
	__sync_fetch_and_add(&e->c->lost, 1);
	return false;
}

/* Instead of all steps, for an event that will not come because a table had no room. */
static __always_inline void lose(u16 type)
{
	struct event e;

	if (see(&e, type))
		__sync_fetch_and_add(&e.c->lost, 1);
}

/* The last step. */
static __always_inline void end(struct event *e)
{
	submit(e->c, e->record, e->type, e->size, e->flags);
}

#endif /* GRT_RECORD_BPF_H */
