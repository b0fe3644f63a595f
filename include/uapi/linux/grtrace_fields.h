/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The table of all fields of all records.  Decoder, text, CSV, JSON, CTF metadata,
 * the emit file and the format manual are made from it.  One row per field, in
 * wire order:
 *
 *	F(struct, member, offset, kind, unit, text)
 *
 * kind: ID (a key: print as is), UINT, SINT, HEX, TEXT (bytes, NUL padded), or
 * ENUM tables ENGINE ORDER CLOCK ERRCODE MEMOP GAUGE TRIGGER SPEAKER FATE; RSVD is never shown.
 * unit: NONE NS BYTES JOBS CREDITS HZ EVENTS UW (microwatts) MC (thousandths of a degree Celsius).
 *
 * A member without a row would be shown nowhere, and a member that moved would
 * break every old trace.  The checks at the end of this file make both fail to
 * compile.
 */
#ifndef _UAPI_LINUX_GRTRACE_FIELDS_H
#define _UAPI_LINUX_GRTRACE_FIELDS_H

#include "grtrace.h"

#define GRTRACE_HDR_FIELDS(F)							\
	F(hdr, type,	0,  UINT, NONE,   "record type")			\
	F(hdr, size,	2,  UINT, BYTES,  "size of the record, this header included") \
	F(hdr, cpu,	4,  UINT, NONE,   "CPU that wrote the record")		\
	F(hdr, flags,	6,  HEX,  NONE,   "flags")				\
	F(hdr, ts,	8,  UINT, NS,     "time")				\
	F(hdr, gseq,	16, UINT, NONE,   "global order, 0 when switched off")	\
	F(hdr, cseq,	24, UINT, NONE,   "count of written events of this CPU")

#define GRTRACE_SUBMIT_FIELDS(F)						\
	F(submit, ctx,		32, ID,   NONE,    "fence context of the job")	\
	F(submit, seqno,	40, ID,   NONE,    "sequence number in that context") \
	F(submit, ring,		48, UINT, NONE,    "row of the ring table, 0 = not known") \
	F(submit, tgid,		52, UINT, NONE,    "process that submitted it")	\
	F(submit, tid,		56, UINT, NONE,    "thread that submitted it")	\
	F(submit, credits,	60, UINT, CREDITS, "credits the job takes on the ring") \
	F(submit, hw_credits,	64, UINT, CREDITS, "credits in use on the ring") \
	F(submit, queue_depth,	68, UINT, JOBS,    "jobs queued in its entity before it") \
	F(submit, client_id,	72, ID,   NONE,    "DRM client, 0 = not known")	\
	F(submit, num_ibs,	80, UINT, NONE,    "indirect buffers (lists of commands) of the job, 0 = not known") \
	F(submit, command,	84, HEX,  NONE,    "the driver's number of the command, 0 = not known")

#define GRTRACE_COMPLETE_FIELDS(F)						\
	F(complete, ctx,	32, ID,   NONE, "fence context of the job")	\
	F(complete, seqno,	40, ID,   NONE, "sequence number in that context") \
	F(complete, ring,	48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(complete, status,	52, SINT, NONE, "0 or a negative errno")

#define GRTRACE_CTX_SWITCH_FIELDS(F)						\
	F(ctx_switch, ctx,	32, ID,   NONE, "fence context it switches to, 0 = none")	\
	F(ctx_switch, seqno,	40, ID,   NONE, "job it switches to, 0 = not known") \
	F(ctx_switch, ring,	48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(ctx_switch, vmid,	52, UINT, NONE, "GPU address space it switches to") \
	F(ctx_switch, from_ctx,	56, ID,   NONE, "fence context it leaves, 0 = none or not known")

#define GRTRACE_COMMIT_FIELDS(F)						\
	F(commit, ctx,		32, ID,   NONE,    "fence context of the job")	\
	F(commit, seqno,	40, ID,   NONE,    "sequence number in that context") \
	F(commit, ring,		48, UINT, NONE,    "row of the ring table, 0 = not known") \
	F(commit, credits,	52, UINT, CREDITS, "credits the job takes on the ring") \
	F(commit, hw_credits,	56, UINT, CREDITS, "credits in use on the ring, its own included") \
	F(commit, queue_depth,	60, UINT, JOBS,    "jobs left in its entity")

#define GRTRACE_START_FIELDS(F)							\
	F(start, ctx,		32, ID,   NONE, "fence context of the job")	\
	F(start, seqno,		40, ID,   NONE, "sequence number in that context") \
	F(start, ring,		48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(start, reserved,	52, RSVD, NONE, "0")

#define GRTRACE_END_FIELDS(F)							\
	F(end, ctx,		32, ID,   NONE, "fence context of the job")	\
	F(end, seqno,		40, ID,   NONE, "sequence number in that context") \
	F(end, ring,		48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(end, status,		52, SINT, NONE, "the hardware's result: 0 or a negative errno") \
	F(end, hw_done_ns,	56, UINT, NS,   "when the hardware fence was signalled, 0 = not known")

#define GRTRACE_IRQ_FIELDS(F)							\
	F(irq, ctx,		32, ID,   NONE, "fence context, 0 = not known")	\
	F(irq, seqno,		40, ID,   NONE, "sequence number, 0 = not known") \
	F(irq, ring,		48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(irq, irq,		52, UINT, NONE, "number of the interrupt; with HANDLER, that of Linux") \
	F(irq, gpu_stamp,	56, UINT, NONE, "ticks of the GPU's own clock, 0 = not known") \
	F(irq, pci_address,	64, HEX,  NONE, "PCI address of the GPU plus 1, 0 = not known") \
	F(irq, ih,		68, UINT, NONE, "interrupt handler ring of amdgpu")	\
	F(irq, irq_client,	72, UINT, NONE, "block of the GPU that raised it")	\
	F(irq, irq_source,	76, UINT, NONE, "source within that block")		\
	F(irq, irq_ring,	80, UINT, NONE, "the driver's number of the ring")	\
	F(irq, vmid,		84, UINT, NONE, "GPU address space")			\
	F(irq, pasid,		88, UINT, NONE, "process address space id")		\
	F(irq, data0,		92, HEX,  NONE, "first word of data")			\
	F(irq, data1,		96, HEX,  NONE, "second word of data")			\
	F(irq, data2,	       100, HEX,  NONE, "third word of data")			\
	F(irq, data3,	       104, HEX,  NONE, "fourth word of data")			\
	F(irq, reserved,       108, RSVD, NONE, "0")

#define GRTRACE_SYNC_WAIT_ENTER_FIELDS(F)					\
	F(sync_wait_enter, ctx,	   32, ID,   NONE, "fence context waited for")	\
	F(sync_wait_enter, seqno,  40, ID,   NONE, "sequence number waited for") \
	F(sync_wait_enter, ring,   48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(sync_wait_enter, tgid,   52, UINT, NONE, "process that waits")	\
	F(sync_wait_enter, tid,	   56, UINT, NONE, "thread that waits")		\
	F(sync_wait_enter, reserved, 60, RSVD, NONE, "0")

#define GRTRACE_SYNC_WAIT_EXIT_FIELDS(F)					\
	F(sync_wait_exit, ctx,	   32, ID,   NONE, "fence context waited for")	\
	F(sync_wait_exit, seqno,   40, ID,   NONE, "sequence number waited for") \
	F(sync_wait_exit, ring,	   48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(sync_wait_exit, tgid,	   52, UINT, NONE, "process that waited")	\
	F(sync_wait_exit, tid,	   56, UINT, NONE, "thread that waited")	\
	F(sync_wait_exit, status,  60, SINT, NONE, "0 or a negative errno")

#define GRTRACE_ERROR_FIELDS(F)							\
	F(error, ctx,		32, ID,	     NONE, "fence context of the job, 0 = the ring") \
	F(error, seqno,		40, ID,	     NONE, "sequence number, 0 = the ring") \
	F(error, ring,		48, UINT,    NONE, "row of the ring table, 0 = not known") \
	F(error, code,		52, ERRCODE, NONE, "what went wrong")		\
	F(error, status,	56, SINT,    NONE, "0 or a negative errno")	\
	F(error, driver_code,	60, HEX,     NONE, "the driver's or device's own code, 0 = none")

#define GRTRACE_DEPENDENCY_FIELDS(F)						\
	F(dependency, ctx,	 32, ID, NONE, "fence context of the job that depends") \
	F(dependency, seqno,	 40, ID, NONE, "sequence number of the job that depends") \
	F(dependency, dep_ctx,	 48, ID, NONE, "fence context it depends on")	\
	F(dependency, dep_seqno, 56, ID, NONE, "sequence number it depends on")

#define GRTRACE_FENCE_SIGNALED_FIELDS(F)					\
	F(fence_signaled, ctx,	  32, ID,   NONE, "fence context")		\
	F(fence_signaled, seqno,  40, ID,   NONE, "sequence number")		\
	F(fence_signaled, ring,	  48, UINT, NONE, "row of the ring table, 0 = none") \
	F(fence_signaled, status, 52, SINT, NONE, "0 or a negative errno")	\
	F(fence_signaled, signaled_ns, 56, UINT, NS, "when it was signalled, 0 = at the time of this record")

#define GRTRACE_MEMORY_FIELDS(F)						\
	F(memory, bytes,	32, UINT,  BYTES, "size of the object")		\
	F(memory, object_id,	40, ID,	   NONE,  "number of the object, not a pointer; 0 = not known") \
	F(memory, op,		48, MEMOP, NONE,  "what happened to it")	\
	F(memory, from_domain,	52, UINT,  NONE,  "the driver's domain it leaves") \
	F(memory, to_domain,	56, UINT,  NONE,  "the driver's domain it enters") \
	F(memory, tgid,		60, UINT,  NONE,  "process that caused it")	\
	F(memory, offset_bytes,	64, UINT,  BYTES, "where in the object, or in the address space for BIND") \
	F(memory, vm_id,	72, ID,	   NONE,  "number of the address space, 0 = not known") \
	F(memory, preferred_domains, 80, HEX, NONE, "CREATE: the driver's domains that it should be in") \
	F(memory, allowed_domains, 84, HEX, NONE, "CREATE: those that it may be in") \
	F(memory, pci_address,	88, HEX,   NONE,  "PCI address of the GPU plus 1, 0 = not known") \
	F(memory, reserved,	92, RSVD,  NONE,  "0")

#define GRTRACE_VBLANK_FIELDS(F)						\
	F(vblank, vblank_ns,	32, UINT, NS,   "start of the blank")		\
	F(vblank, crtc,		40, UINT, NONE, "display pipe")			\
	F(vblank, frame,	44, UINT, NONE, "the pipe's frame count")	\
	F(vblank, client_id,	48, ID,   NONE, "client that is told, 0 = none")	\
	F(vblank, tgid,		56, UINT, NONE, "QUEUED: process that asked")	\
	F(vblank, pci_address,	60, HEX,  NONE, "PCI address of the GPU plus 1, 0 = not known")

#define GRTRACE_FREQUENCY_FIELDS(F)						\
	F(frequency, freq_hz,	32, UINT, HZ,   "CORE, MEMORY: clock from now on") \
	F(frequency, ring,	40, UINT, NONE, "row of the ring table, 0 = whole GPU") \
	F(frequency, gauge,	44, GAUGE, NONE, "what is told of")		\
	F(frequency, power_uw,	48, UINT, UW,   "POWER: power drawn")		\
	F(frequency, temperature_mc, 56, SINT, MC, "TEMPERATURE: temperature")	\
	F(frequency, pci_address, 60, HEX, NONE, "PCI address of the GPU plus 1, 0 = not known")

#define GRTRACE_MARK_FIELDS(F)							\
	F(mark, tgid,		32, UINT, NONE, "process that wrote it")	\
	F(mark, tid,		36, UINT, NONE, "thread that wrote it")

#define GRTRACE_SUSPEND_FIELDS(F)						\
	F(suspend, slept_ns,	32, UINT, NS, "how long the machine slept")

#define GRTRACE_IOCTL_FIELDS(F)							\
	F(ioctl, tgid,		32, UINT, NONE, "process")			\
	F(ioctl, tid,		36, UINT, NONE, "thread")			\
	F(ioctl, cmd,		40, HEX,  NONE, "ioctl number")			\
	F(ioctl, reserved,	44, RSVD, NONE, "0")

#define GRTRACE_JOB_FIELDS(F)							\
	F(job, ctx,		32, ID,   NONE, "fence context of the job")	\
	F(job, seqno,		40, ID,   NONE, "sequence number in that context") \
	F(job, ring,		48, UINT, NONE, "row of the ring table, 0 = not known") \
	F(job, tgid,		52, UINT, NONE, "process that submitted it")	\
	F(job, tid,		56, UINT, NONE, "thread that submitted it")	\
	F(job, status,		60, SINT, NONE, "0 or a negative errno")	\
	F(job, client_id,	64, ID,   NONE, "DRM client, 0 = not known")	\
	F(job, submit_ns,	72, UINT, NS,   "SUBMIT, 0 = not seen")		\
	F(job, commit_ns,	80, UINT, NS,   "COMMIT, 0 = not seen")		\
	F(job, start_ns,	88, UINT, NS,   "START, 0 = not seen")		\
	F(job, end_ns,		96, UINT, NS,   "END, 0 = not seen")		\
	F(job, complete_ns,    104, UINT, NS,   "COMPLETE, 0 = not seen")

#define GRTRACE_WINDOW_FIELDS(F)						\
	F(window, window_start_ns, 32, UINT, NS,   "start of the window")	\
	F(window, window_ns,	   40, UINT, NS,   "length of the window")	\
	F(window, jobs,		   48, UINT, JOBS, "jobs completed in it")	\
	F(window, latency_sum_ns,  56, UINT, NS,   "sum of their times from SUBMIT to COMPLETE") \
	F(window, latency_min_ns,  64, UINT, NS,   "shortest of these times")	\
	F(window, latency_max_ns,  72, UINT, NS,   "longest of these times")	\
	F(window, depth_sum_ns,	   80, UINT, NONE, "jobs not complete, summed over time") \
	F(window, depth_peak,	   88, UINT, JOBS, "most jobs not complete at once") \
	F(window, ring,		   92, UINT, NONE, "row of the ring table")	\
	F(window, events,	   96, UINT, EVENTS, "events of these jobs")

#define GRTRACE_CPU_SWITCH_FIELDS(F)						\
	F(cpu_switch, prev_tid,	  32, UINT, NONE, "previous thread")		\
	F(cpu_switch, next_tid,	  36, UINT, NONE, "next thread")		\
	F(cpu_switch, prev_state, 40, HEX,  NONE, "state of the previous thread, 0 = runnable") \
	F(cpu_switch, reserved,	  44, RSVD, NONE, "0")

#define GRTRACE_CPU_WAKE_FIELDS(F)						\
	F(cpu_wake, tid,	32, UINT, NONE, "thread that becomes runnable")	\
	F(cpu_wake, target_cpu,	36, UINT, NONE, "CPU whose run queue it joins")

#define GRTRACE_TRACE_EVENT_FIELDS(F)						\
	F(trace_event, tid,	 32, UINT, NONE, "thread that was running, 0 = the idle one") \
	F(trace_event, reserved, 36, RSVD, NONE, "0")

#define GRTRACE_STACK_FIELDS(F)							\
	F(stack, ctx,		32, ID,   NONE, "fence context of the job")	\
	F(stack, seqno,		40, ID,   NONE, "sequence number in that context") \
	F(stack, kernel_stack,	48, HEX,  NONE, "STACK_TEXT of the kernel, 0 = none") \
	F(stack, user_stack,	56, HEX,  NONE, "STACK_TEXT of the process, 0 = none")

#define GRTRACE_STREAM_INFO_FIELDS(F)						\
	F(stream_info, magic,	      32, HEX,	 NONE,  "the bytes GRTRACE and a NUL") \
	F(stream_info, version,	      40, UINT,	 NONE,  "format version")	\
	F(stream_info, clock,	      44, CLOCK, NONE,  "clock of all times")	\
	F(stream_info, session_id,    48, ID,	 NONE,  "session that wrote this") \
	F(stream_info, features,      56, HEX,	 NONE,  "feature bits")		\
	F(stream_info, start_ns,      64, UINT,	 NS,    "start of the session")	\
	F(stream_info, start_real_ns, 72, UINT,	 NS,    "the same instant, CLOCK_REALTIME") \
	F(stream_info, cpus,	      80, UINT,	 NONE,  "CPUs that may write, from 0") \
	F(stream_info, subbuf_bytes,  84, UINT,	 BYTES, "size of a sub-buffer")

#define GRTRACE_METADATA_FIELDS(F)						\
	F(metadata, session_id,	32, ID, NONE, "session that wrote this")

#define GRTRACE_RING_FIELDS(F)							\
	F(ring, ring,		32, UINT,   NONE,    "number of this row")	\
	F(ring, hw_ring,	36, UINT,   NONE,    "first ring on the same hardware; itself if it shares none") \
	F(ring, engine,		40, ENGINE, NONE,    "engine class")		\
	F(ring, order,		44, ORDER,  NONE,    "how it orders committed jobs") \
	F(ring, credit_limit,	48, UINT,   CREDITS, "most credits in use at a time, 0 = not known") \
	F(ring, pci_id,		52, HEX,    NONE,    "PCI vendor and device of the GPU, 16 bits each; 0 = none") \
	F(ring, name,		56, TEXT,   NONE,    "name")			\
	F(ring, device,		88, TEXT,   NONE,    "device, as in sysfs")	\
	F(ring, driver,	       120, TEXT,   NONE,    "driver")

#define GRTRACE_PROCESS_FIELDS(F)						\
	F(process, cgroup_id,	32, ID,   NONE, "cgroup v2 of the process, 0 = not known") \
	F(process, tgid,	40, UINT, NONE, "process id, initial namespace") \
	F(process, pidns,	44, UINT, NONE, "inode of its pid namespace")	\
	F(process, comm,	48, TEXT, NONE, "name of the process")		\
	F(process, start_ns,	64, UINT, NS,   "when it started, 0 = not known")

#define GRTRACE_MACHINE_FIELDS(F)						\
	F(machine, boot,	32, UINT, NONE, "in a merged trace, which of its boots; else 0") \
	F(machine, reserved,	36, RSVD, NONE, "0")

#define GRTRACE_CGROUP_FIELDS(F)						\
	F(cgroup, cgroup_id,	32, ID,   NONE, "cgroup v2, as in PROCESS")

#define GRTRACE_PEER_FIELDS(F)							\
	F(peer, own_ns,		32, UINT, NS,   "an instant on this machine's CLOCK_MONOTONIC") \
	F(peer, peer_ns,	40, UINT, NS,   "the same instant on the peer's CLOCK_MONOTONIC") \
	F(peer, peer_real_ns,	48, UINT, NS,   "the same instant on the peer's CLOCK_REALTIME, 0 = not known") \
	F(peer, within_ns,	56, UINT, NS,   "half of the round trip: they are the same within this") \
	F(peer, boot,		64, UINT, NONE, "in a merged trace, this machine's boot; else 0") \
	F(peer, reserved,	68, RSVD, NONE, "0")

/* SUBBUF and STREAM_END both have these 16 members. */
#define GRTRACE_FATES_FIELDS(F, ev, at)						\
	F(ev, fates.seen,		at,	  UINT, EVENTS, "events seen: the sum of the others") \
	F(ev, fates.written,		at + 8,	  UINT, EVENTS, "written")	\
	F(ev, fates.filtered_level,	at + 16,  UINT, EVENTS, "type not in the level") \
	F(ev, fates.filtered_type,	at + 24,  UINT, EVENTS, "type not in the type mask") \
	F(ev, fates.filtered_engine,	at + 32,  UINT, EVENTS, "engine not in the engine mask") \
	F(ev, fates.filtered_ring,	at + 40,  UINT, EVENTS, "ring not selected") \
	F(ev, fates.filtered_watch,	at + 48,  UINT, EVENTS, "refused by a watch list") \
	F(ev, fates.filtered_ext,	at + 56,  UINT, EVENTS, "refused by an extension module") \
	F(ev, fates.sampled,		at + 64,  UINT, EVENTS, "job not sampled") \
	F(ev, fates.aggregated,		at + 72,  UINT, EVENTS, "counted in a WINDOW or JOB") \
	F(ev, fates.rate_limited_drops,	at + 80,  UINT, EVENTS, "over the rate limit") \
	F(ev, fates.backpressure_drops,	at + 88,  UINT, EVENTS, "the buffer was filling up") \
	F(ev, fates.duplicate,		at + 96,  UINT, EVENTS, "recorded by another source") \
	F(ev, fates.buffer_full,	at + 104, UINT, EVENTS, "no room in the buffer") \
	F(ev, fates.oversize,		at + 112, UINT, EVENTS, "longer than a sub-buffer") \
	F(ev, fates.disabled,		at + 120, UINT, EVENTS, "no session was running")

#define GRTRACE_SUBBUF_FIELDS(F)						\
	F(subbuf, session_id,	32, ID,	  NONE, "session that wrote this")	\
	F(subbuf, index,	40, UINT, NONE, "count of sub-buffers of this CPU, from 0") \
	GRTRACE_FATES_FIELDS(F, subbuf, 48)

#define GRTRACE_POLICY_FIELDS(F)						\
	F(policy, value,	32, UINT, NONE, "the new value, if it is a number")

#define GRTRACE_LOSS_FIELDS(F)							\
	F(loss, reason,		32, FATE, NONE,   "fate of the missing events")	\
	F(loss, reserved,	36, RSVD, NONE,   "0")				\
	F(loss, count,		40, UINT, EVENTS, "number of missing events")	\
	F(loss, from_ns,	48, UINT, NS,     "the missing events are after this time") \
	F(loss, to_ns,		56, UINT, NS,     "and before this time")

#define GRTRACE_CLOCK_FIELDS(F)							\
	F(clock, mono_ns,	32, UINT, NS, "CLOCK_MONOTONIC")		\
	F(clock, boot_ns,	40, UINT, NS, "CLOCK_BOOTTIME")			\
	F(clock, real_ns,	48, UINT, NS, "CLOCK_REALTIME")			\
	F(clock, tai_ns,	56, UINT, NS, "CLOCK_TAI")

#define GRTRACE_STATS_FIELDS(F)							\
	F(stats, session_id,	32, ID, NONE, "session that wrote this")

#define GRTRACE_STREAM_END_FIELDS(F)						\
	F(stream_end, session_id, 32, ID,   NONE,   "session that wrote this")	\
	F(stream_end, last_cseq,  40, UINT, EVENTS, "cseq of this CPU's last event") \
	GRTRACE_FATES_FIELDS(F, stream_end, 48)

#define GRTRACE_STACK_TEXT_FIELDS(F)						\
	F(stack_text, stack,	32, HEX, NONE, "number of this stack: a hash of the text")

#define GRTRACE_SNAPSHOT_FIELDS(F)						\
	F(snapshot, session_id,	32, ID,	     NONE,   "session that wrote this")	\
	F(snapshot, ctx,	40, ID,	     NONE,   "fence context of the job that triggered it, 0 = none") \
	F(snapshot, seqno,	48, ID,	     NONE,   "its sequence number, 0 = none") \
	F(snapshot, ring,	56, UINT,    NONE,   "row of the ring table, 0 = not known") \
	F(snapshot, trigger,	60, TRIGGER, NONE,   "why it was taken")	\
	F(snapshot, number,	64, UINT,    NONE,   "number of the snapshot in the session, from 1") \
	F(snapshot, detail,	68, SINT,    NONE,   "ERROR: its code; STATUS: the errno; RULE: its number; else 0") \
	F(snapshot, missed,	72, UINT,    EVENTS, "triggers since the snapshot before, which was held still")

#define GRTRACE_NOTE_FIELDS(F)							\
	F(note, speaker,	32, SPEAKER, NONE, "who said it")		\
	F(note, reserved,	36, RSVD,    NONE, "0")

/*
 * Types whose payload ends in text, which fills the rest of the record and is
 * padded with NULs: X(struct, name, text).
 */
#define GRTRACE_TAILS(X)							\
	X(mark,	    text, "the user's text")					\
	X(trace_event, text, "SYSTEM:EVENT, and its fields as the kernel prints them")		\
	X(metadata, text, "name=value lines")					\
	X(policy,   text, "key=value")						\
	X(stats,    text, "name=value lines")					\
	X(stack_text, text, "a line of functions with ; between them, the outermost first; then a line build_id.HEX=PATH for each file") \
	X(note,	    text, "a line of text")				\
	X(machine,  text, "name=value lines")					\
	X(cgroup,   text, "the path; then name=value lines")			\
	X(peer,	    text, "name=value lines")

/* All lists in type order: X(struct, LIST). */
#define GRTRACE_FIELD_LISTS(X)							\
	X(submit,	   GRTRACE_SUBMIT_FIELDS)				\
	X(complete,	   GRTRACE_COMPLETE_FIELDS)				\
	X(ctx_switch,	   GRTRACE_CTX_SWITCH_FIELDS)				\
	X(commit,	   GRTRACE_COMMIT_FIELDS)				\
	X(start,	   GRTRACE_START_FIELDS)				\
	X(end,		   GRTRACE_END_FIELDS)					\
	X(irq,		   GRTRACE_IRQ_FIELDS)					\
	X(sync_wait_enter, GRTRACE_SYNC_WAIT_ENTER_FIELDS)			\
	X(sync_wait_exit,  GRTRACE_SYNC_WAIT_EXIT_FIELDS)			\
	X(error,	   GRTRACE_ERROR_FIELDS)				\
	X(dependency,	   GRTRACE_DEPENDENCY_FIELDS)				\
	X(fence_signaled,  GRTRACE_FENCE_SIGNALED_FIELDS)			\
	X(memory,	   GRTRACE_MEMORY_FIELDS)				\
	X(vblank,	   GRTRACE_VBLANK_FIELDS)				\
	X(frequency,	   GRTRACE_FREQUENCY_FIELDS)				\
	X(mark,		   GRTRACE_MARK_FIELDS)					\
	X(suspend,	   GRTRACE_SUSPEND_FIELDS)				\
	X(ioctl,	   GRTRACE_IOCTL_FIELDS)				\
	X(job,		   GRTRACE_JOB_FIELDS)					\
	X(window,	   GRTRACE_WINDOW_FIELDS)				\
	X(cpu_switch,	   GRTRACE_CPU_SWITCH_FIELDS)				\
	X(cpu_wake,	   GRTRACE_CPU_WAKE_FIELDS)				\
	X(trace_event,	   GRTRACE_TRACE_EVENT_FIELDS)				\
	X(stack,	   GRTRACE_STACK_FIELDS)				\
	X(stream_info,	   GRTRACE_STREAM_INFO_FIELDS)				\
	X(metadata,	   GRTRACE_METADATA_FIELDS)				\
	X(ring,		   GRTRACE_RING_FIELDS)					\
	X(process,	   GRTRACE_PROCESS_FIELDS)				\
	X(subbuf,	   GRTRACE_SUBBUF_FIELDS)				\
	X(policy,	   GRTRACE_POLICY_FIELDS)				\
	X(loss,		   GRTRACE_LOSS_FIELDS)					\
	X(clock,	   GRTRACE_CLOCK_FIELDS)				\
	X(stats,	   GRTRACE_STATS_FIELDS)				\
	X(stream_end,	   GRTRACE_STREAM_END_FIELDS)				\
	X(stack_text,	   GRTRACE_STACK_TEXT_FIELDS)				\
	X(snapshot,	   GRTRACE_SNAPSHOT_FIELDS)				\
	X(note,		   GRTRACE_NOTE_FIELDS)					\
	X(machine,	   GRTRACE_MACHINE_FIELDS)				\
	X(cgroup,	   GRTRACE_CGROUP_FIELDS)				\
	X(peer,		   GRTRACE_PEER_FIELDS)

/*
 * Members that were added to the format later: X(struct, member).  An older record ends before
 * the first of them, and readers take them as 0.
 */
#define GRTRACE_ADDED(X)							\
	X(submit, num_ibs)							\
	X(irq, gpu_stamp)							\
	X(memory, offset_bytes)							\
	X(vblank, client_id)							\
	X(frequency, power_uw)							\
	X(process, start_ns)

/* Offsets are part of the format. */
#define GRTRACE_AT(ev, member, offset, kind, unit, text)			\
	_Static_assert(__builtin_offsetof(struct grtrace_##ev, member) == (offset), \
		       #ev "." #member " moved, but the format is frozen");
GRTRACE_HDR_FIELDS(GRTRACE_AT)
#define GRTRACE_LIST_AT(ev, LIST) LIST(GRTRACE_AT)
GRTRACE_FIELD_LISTS(GRTRACE_LIST_AT)

/* A member that is missing in its list, or padding, makes the sizes differ. */
#define GRTRACE_SIZE(ev, member, ...) + sizeof(((struct grtrace_##ev *)0)->member)
_Static_assert(sizeof(struct grtrace_hdr) == 0 GRTRACE_HDR_FIELDS(GRTRACE_SIZE), "hdr");
#define GRTRACE_LIST_SIZE(ev, LIST)						\
	_Static_assert(sizeof(struct grtrace_##ev) ==				\
		       sizeof(struct grtrace_hdr) LIST(GRTRACE_SIZE),		\
		       #ev ": a member is missing in its field list");
GRTRACE_FIELD_LISTS(GRTRACE_LIST_SIZE)

_Static_assert(sizeof(struct grtrace_hdr) == 32, "header is 32 bytes");
_Static_assert(sizeof(struct grtrace_fates) == 8 * (1 + GRTRACE_NR_FATES), "fates");
#define GRTRACE_FATE_AT(NAME, member, nr, CLASS, text)				\
	_Static_assert(__builtin_offsetof(struct grtrace_fates, member) ==	\
		       8 * (1 + (nr)), #member " is not where its number says");
GRTRACE_FATES(GRTRACE_FATE_AT)

#endif /* _UAPI_LINUX_GRTRACE_FIELDS_H */
