/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vertical blanks and page flips: the same events as drivers/gpu/grtrace/adapters/display.c makes, which
 * says where the tracepoints fire.  A part of capture.bpf.c.
 */
#ifndef GRT_DISPLAY_BPF_H
#define GRT_DISPLAY_BPF_H

#include "kernel.bpf.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <linux/bpf.h>
#include <linux/grtrace.h>

#include "object.bpf.h"
#include "pci.bpf.h"
#include "processes.bpf.h"
#include "record.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct drm_minor {
	struct drm_device *dev;
};

struct drm_file {
	struct drm_minor *minor;
};

#pragma clang attribute pop

static __always_inline struct grtrace_vblank *begin_vblank(struct event *e, u32 crtc, u32 frame)
{
	struct grtrace_vblank *ev;

	if (!begin(e, sizeof(*ev)))
		return NULL;
	ev = e->record;
	ev->crtc = crtc;
	ev->frame = frame;
	return ev;
}

SEC("tp_btf/drm_vblank_event")
int BPF_PROG(display_vblank, int crtc, unsigned int seq, s64 time, bool is_high_precision)
{
	struct grtrace_vblank *ev;
	struct event e;

	if (!see(&e, GRTRACE_VBLANK))
		return 0;
	ev = begin_vblank(&e, crtc, seq);
	if (!ev)
		return 0;
	ev->vblank_ns = time;
	e.flags = is_high_precision ? GRTRACE_F_HIGH_PRECISION : 0;
	end(&e);
	return 0;
}

/* @file: the client, NULL = the kernel itself. */
static __always_inline int tell(const struct drm_file *file, u32 crtc, u32 seq, u16 flag)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32, address = 0;
	struct grtrace_vblank *ev;
	struct event e;
	u64 client;

	if (!see(&e, GRTRACE_VBLANK))
		return 0;
	if (flag == GRTRACE_F_QUEUED)
		note_process(bpf_get_current_task_btf(), tgid);
	if (file)
		address = pci_address(BPF_CORE_READ(file, minor, dev, dev));
	client = object_id(file);
	ev = begin_vblank(&e, crtc, seq);
	if (!ev)
		return 0;
	ev->client_id = client;
	ev->pci_address = address;
	if (flag == GRTRACE_F_QUEUED)
		ev->tgid = tgid;
	e.flags = flag;
	end(&e);
	return 0;
}

SEC("tp_btf/drm_vblank_event_queued")
int BPF_PROG(display_queued, struct drm_file *file, int crtc, unsigned int seq)
{
	return tell(file, crtc, seq, GRTRACE_F_QUEUED);
}

SEC("tp_btf/drm_vblank_event_delivered")
int BPF_PROG(display_delivered, struct drm_file *file, int crtc, unsigned int seq)
{
	return tell(file, crtc, seq, GRTRACE_F_DELIVERED);
}

#endif /* GRT_DISPLAY_BPF_H */
