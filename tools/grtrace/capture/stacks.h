/* SPDX-License-Identifier: GPL-2.0 */
/* Turns the call stacks of BPF programs into texts. */
#ifndef GRT_CAPTURE_STACKS_H
#define GRT_CAPTURE_STACKS_H

#include <stdint.h>

#include <linux/grtrace.h>

#include "capture.h"
#include "elf_symbols.h"
#include "kallsyms.h"
#include "map.h"
#include "vec.h"

/* Zeroed memory is a session without stacks. */
struct grt_capture_stacks {
	uint32_t kinds;			/* bits of enum grt_bpf_stack; 0: stacks are not recorded */
	int tables[GRT_BPF_STACK_KINDS][2];	/* descriptors of the BPF maps; not owned */
	struct grt_vec rows[GRT_BPF_STACK_KINDS];	/* struct stack_row, a row per place */
	struct grt_kallsyms kernel;
	struct grt_elfs elfs;
	struct grt_map defined;		/* numbers of STACK_TEXT records so far */
	struct grt_vec text;		/* scratch */
	uint64_t raced;			/* see stacks.c */
};

/* "kernel,user" or one of them, as bits.  0, or -EINVAL with a cause. */
int grt_capture_stacks_parse(const char *text, uint32_t *kinds);

/* The names of the stacks of @kinds, as they are typed. */
const char *grt_capture_stacks_names(uint32_t kinds);

/* The most functions that this kernel records of a stack. */
unsigned int grt_capture_stacks_depth(void);

/* Reads the kernel's functions if @kinds has the kernel.  0 or -errno with a cause. */
int grt_capture_stacks_open(struct grt_capture_stacks *s, uint32_t kinds);
void grt_capture_stacks_free(struct grt_capture_stacks *s);

/*
 * Takes a STACK as the programs wrote it (see bpf/capture.h): puts numbers of texts into it, and
 * appends the STACK_TEXT records that are not defined yet to @to.  0 or -ENOMEM with a cause.
 */
int grt_capture_stacks_take(struct grt_capture_stacks *s, struct grtrace_stack *stack,
			    struct grt_vec *to);

/*
 * Append the text of a stack as in STACK_TEXT; a BPF map gave @ips or @frames, the innermost first.
 * 0 or -ENOMEM.
 */
struct bpf_stack_build_id;
int grt_capture_stacks_kernel(struct grt_capture_stacks *s, const uint64_t *ips, unsigned int count,
			      struct grt_vec *text);
int grt_capture_stacks_user(struct grt_capture_stacks *s, const struct bpf_stack_build_id *frames,
			    unsigned int count, uint32_t tgid, struct grt_vec *text);

#endif /* GRT_CAPTURE_STACKS_H */
