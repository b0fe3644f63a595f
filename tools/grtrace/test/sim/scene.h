/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Small traces for tests of reports, written as text.  One word per record, in the
 * order of time; times are in us after the first instant:
 *
 *	R1=gfx		ring 1; behind it, in any order: ,c4 credit limit, ,e1 engine,
 *			,f firmware decides, ,d1 of device 1, ,h3 hardware of ring 3,
 *			,x of xe, ,a of amdgpu
 *	P7=game		process 7; %81 behind its number: in cgroup 81 (77)
 *	H81=/a;pod=x	CGROUP 81: its path, then lines
 *	J0=host=x	MACHINE of boot 0: lines
 *	S1.7@10		SUBMIT of job 1:7; C COMMIT, B START, E END, D COMPLETE likewise
 *	  /2 #8 ~5 ^2	on ring 2 (1), by process 8 (7), client 5 (0), of 2 credits (1)
 *	  =-62 !n	with a status; flags n NO_HW, s SYNTHETIC, k KERNEL_JOB
 *	W1.7@10>2.3db	DEPENDENCY of 1:7 on 2:3: d DECLARED, p POPPED, b BLOCKED,
 *			l PIPELINED, s SELF, g SIGNALED, f FOREIGN
 *	F9.3@30		FENCE_SIGNALED of 9:3
 *	T1=main;draw	call stack 1
 *	A1.7@11>1.2	STACK of 1:7: user stack 1, kernel stack 2, 0 none; u, k: not known
 *	X1.7@40/1=2	ERROR with this code, about that job and ring
 *	K9r50@11	the CPU switches from thread 9, which could run on, to thread 50; s: it
 *			sleeps; threads from 50 on are followed
 *	Y50@12		thread 50 may run again
 *	Z500@60		SUSPEND: the machine slept 500 us
 *	V1.5@60		VBLANK of CRTC 1, frame 5; behind it, in this order: >55 it began at
 *			55 us, ~5 of client 5, #8 of process 8, ^1 of device 1, :h high
 *			precision, q queued, d delivered
 *	G2@60=35000000	FREQUENCY of gauge 2; behind it: /1 ring, ~3 PCI address, :u a sample
 *	M7@60=frame+1	MARK of process 7; + stands for a blank
 *	N@60=sys:ev+a=1	TRACE_EVENT
 *	Oc5@60:4096	MEMORY: object 5 is created, of 4096 bytes; d DESTROY, m MOVE, b BIND,
 *			u UNBIND, f FAULT, e EVICT, s SHRINK, w PWRITE, r PREAD
 *	  #8 ~9 >0.2 ^1	by process 8 (7), address space 9 (0), from domain 0 to 2 (0, 0), - is
 *			nowhere, of device 1 (0)
 *	  !w		flags: w WRITE, s SYNTHETIC
 *	Oc5!60:4096	the same as in an old trace: without GPU, address space and offset
 *	Q1.7@60/1#1=2	SNAPSHOT, taken because of job 1:7 and ring 1 with trigger 1 and detail 2; behind
 *			it: ~3 triggers were missed.  It comes before the first event
 *	L3@50		3 events were dropped since the last L, or the begin
 */
#ifndef GRT_SCENE_H
#define GRT_SCENE_H

#include "synth.h"

struct scene {
	const char *name;
	const char *why;	/* the job of interest */
	const char *script;
};

extern const struct scene scenes[];
extern const size_t nr_scenes;

/* scene-frames.c: those with frames, displays or gauges; "gen scenes" does not list them. */
extern const struct scene frame_scenes[];
extern const size_t nr_frame_scenes;

/* scene-pods.c: those with cgroups; "gen scenes" does not list them. */
extern const struct scene pod_scenes[];
extern const size_t nr_pod_scenes;

/* scene-memory.c: those with memory; "gen scenes" does not list them. */
extern const struct scene memory_scenes[];
extern const size_t nr_memory_scenes;

/* scene-snapshots.c: those of a flight recorder; "gen scenes" does not list them. */
extern const struct scene snapshot_scenes[];
extern const size_t nr_snapshot_scenes;

/* NULL if there is no such name. */
const struct scene *scene_find(const char *name);

/* Writes the whole stream of one CPU. */
void scene_write(struct synth *s, const struct scene *scene);

#endif /* GRT_SCENE_H */
