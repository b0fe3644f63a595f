/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The BPF programs of a session: which of them this kernel and the user's choice ask for.  They are loaded and
 * attached once at the start, and those for the scheduler and drivers again when their modules come; each time is
 * a part.
 */
#ifndef GRT_BPF_PROGRAMS_H
#define GRT_BPF_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types.h"

struct capture_bpf;
struct grt_bpf_options;

#define GRT_BPF_PARTS	(1 + GRT_TYPES_MODULES)	/* at the start, and as modules are loaded */

/* The owner sets all to 0.  From then on it may be closed at any time. */
struct grt_bpf_programs {
	struct capture_bpf *parts[GRT_BPF_PARTS];	/* owned; the first one owns the maps */
	unsigned int nr_parts;
	uint64_t features;				/* bits of enum grtrace_feature, once attached */
	/* Private. */
	const struct grt_bpf_options *options;
	size_t buffer_bytes;
	bool *is_loaded;				/* of each program: by an earlier part; owned */
	uint32_t modules;				/* those that were there then */
	struct grt_types types;				/* from loading a part until it is attached */
	uint64_t marker_ops;				/* of trace_marker; 0: not known */
	uint64_t object_secret[2];			/* see bpf/memory.bpf.h */
	bool has_recovery, has_entry;
	uint64_t looked_ns;
};

/*
 * Loads the first part.  @options is not owned and stays as long as @p; @buffer_bytes is the size of a CPU's buffer.
 * 0 or -errno with a cause; close @p in either case.
 */
int grt_bpf_programs_open(struct grt_bpf_programs *p, const struct grt_bpf_options *options, size_t buffer_bytes);

/* Attaches the first part.  0 or -errno with a cause. */
int grt_bpf_programs_attach(struct grt_bpf_programs *p);

/* Loads and attaches another part if modules have come.  Looks ten times a second at most.  0 or -errno with a cause. */
int grt_bpf_programs_follow(struct grt_bpf_programs *p);

void grt_bpf_programs_detach(struct grt_bpf_programs *p);

/* How many events a program missed, because it was running on that CPU already.  Its twin may have them. */
uint64_t grt_bpf_programs_misses(const struct grt_bpf_programs *p);

void grt_bpf_programs_close(struct grt_bpf_programs *p);

#endif /* GRT_BPF_PROGRAMS_H */
