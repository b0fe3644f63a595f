// SPDX-License-Identifier: GPL-2.0
#include "stacks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <xxhash.h>

#include "error.h"
#include "machine.h"

#define MOST_TEXT	60000	/* a record is at most 64 KiB */
#define MOST_NAME	256
#define MACHINERY	8	/* innermost functions that may be those of the tracing itself */

/*
 * A place of a BPF map and the text of the stack there.  The kernel keeps the stack at its place, but
 * while we read a place it looks free, and another stack may get it.  So an event that got its place in
 * that moment has an unknown stack.
 */
struct stack_row {
	uint64_t stack;		/* number of the text; 0: not known */
	uint64_t from_ns, to_ns;	/* when it was read; 0: never */
};

static const char *const kind_names[GRT_BPF_STACK_KINDS] = {
	[GRT_BPF_STACK_KERNEL] = "kernel", [GRT_BPF_STACK_USER] = "user",
};

int grt_capture_stacks_parse(const char *text, uint32_t *kinds)
{
	*kinds = 0;
	for (size_t len; *text; text += len + (text[len] == ',')) {
		int kind = 0;

		len = strcspn(text, ",");
		while (kind < GRT_BPF_STACK_KINDS && (strlen(kind_names[kind]) != len ||
						      strncmp(text, kind_names[kind], len)))
			kind++;
		if (kind == GRT_BPF_STACK_KINDS)
			return grt_fail(EINVAL, "kernel, user or kernel,user", "no stack '%.*s'", (int)len,
					text);
		*kinds |= 1u << kind;
	}
	return *kinds ? 0 : grt_fail(EINVAL, "kernel, user or kernel,user", "no stack is named");
}

const char *grt_capture_stacks_names(uint32_t kinds)
{
	return kinds == 1u << GRT_BPF_STACK_KERNEL ? "kernel" :
	       kinds == 1u << GRT_BPF_STACK_USER ? "user" : "kernel,user";
}

unsigned int grt_capture_stacks_depth(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_stack", "r");
	unsigned int depth = GRT_BPF_STACK_DEPTH;

	if (f) {
		if (fscanf(f, "%u", &depth) != 1 || !depth || depth > GRT_BPF_STACK_DEPTH)
			depth = GRT_BPF_STACK_DEPTH;
		fclose(f);
	}
	return depth;
}

int grt_capture_stacks_open(struct grt_capture_stacks *s, uint32_t kinds)
{
	s->kinds = kinds;
	return kinds >> GRT_BPF_STACK_KERNEL & 1 ? grt_kallsyms_read(&s->kernel) : 0;
}

void grt_capture_stacks_free(struct grt_capture_stacks *s)
{
	for (int i = 0; i < GRT_BPF_STACK_KINDS; i++)
		grt_vec_free(&s->rows[i]);
	grt_kallsyms_free(&s->kernel);
	grt_elfs_free(&s->elfs);
	grt_map_free(&s->defined);
	grt_vec_free(&s->text);
}

/* Appends a function.  Its name comes from a file that a user may have made. */
static int add_frame(struct grt_vec *text, const char *name, const char *suffix)
{
	char clean[MOST_NAME + 8];
	int len = snprintf(clean, sizeof(clean), "%s%.*s%s", text->bytes ? ";" : "", MOST_NAME - 8, name,
			   suffix);

	for (int i = text->bytes ? 1 : 0; i < len; i++)
		if (clean[i] == ';' || (unsigned char)clean[i] < ' ' || clean[i] == 0x7f)
			clean[i] = '_';
	return grt_vec_append(text, clean, len);
}

/* A stack that is longer than the kernel records lacks its outermost functions. */
static int begin_text(struct grt_vec *text, unsigned int count)
{
	text->bytes = 0;
	return count >= grt_capture_stacks_depth() ? add_frame(text, "[...]", "") : 0;
}

/* Functions through which the kernel calls BPF programs. */
static bool is_machinery(const char *name)
{
	static const char *const begins[] = {
		"bpf_prog_", "bpf_trace_run", "bpf_trampoline_", "__bpf_trace_", "__traceiter_",
	};

	for (size_t i = 0; name && i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* @ip is where a call returns to.  The call itself is before it, maybe the last code of its function. */
static const char *caller_name(struct grt_capture_stacks *s, uint64_t ip)
{
	return grt_kallsyms_name(&s->kernel, ip - 1);
}

int grt_capture_stacks_kernel(struct grt_capture_stacks *s, const uint64_t *ips, unsigned int count,
			      struct grt_vec *text)
{
	int err = begin_text(text, count);
	unsigned int first = 0;

	for (unsigned int i = 0; i < count && i < MACHINERY; i++)
		if (is_machinery(caller_name(s, ips[i])))
			first = i + 1;
	for (unsigned int i = count; !err && i > first; i--) {
		const char *name = caller_name(s, ips[i - 1]);

		err = add_frame(text, name ? name : "[unknown]", "_[k]");
	}
	return err;
}

static int add_user_frame(struct grt_capture_stacks *s, const struct bpf_stack_build_id *frame,
			  uint32_t tgid, struct grt_vec *text)
{
	char id[GRT_BUILD_ID_TEXT], name[MOST_NAME];
	const char *symbol, *file;
	struct grt_elf *elf;

	/* No file with a build id, or the kernel could not look it up then. */
	if (frame->status != BPF_STACK_BUILD_ID_VALID)
		return add_frame(text, "[unknown]", "");
	elf = grt_elfs_find(&s->elfs, frame->build_id, tgid);
	if (!elf)
		return -ENOMEM;
	symbol = grt_elf_symbol(elf, frame->offset - 1);
	if (symbol)
		return add_frame(text, symbol, "");
	file = elf->path ? strrchr(elf->path, '/') + 1 : grt_build_id_text(id, frame->build_id);
	snprintf(name, sizeof(name), "[%.200s+0x%" PRIx64 "]", file, (uint64_t)frame->offset);
	return add_frame(text, name, "");
}

/* A line for each file, once: "build_id.HEX=path", without a path if it is not known. */
static int add_build_ids(struct grt_capture_stacks *s, const struct bpf_stack_build_id *frames,
			 unsigned int count, uint32_t tgid, struct grt_vec *text)
{
	char id[GRT_BUILD_ID_TEXT], line[1024];
	const struct grt_elf *elf;
	unsigned int before;
	int len;

	for (unsigned int i = 0; i < count; i++) {
		if (frames[i].status != BPF_STACK_BUILD_ID_VALID)
			continue;
		for (before = 0; before < i; before++)
			if (frames[before].status == BPF_STACK_BUILD_ID_VALID &&
			    !memcmp(frames[before].build_id, frames[i].build_id, GRT_BUILD_ID))
				break;
		elf = before < i ? NULL : grt_elfs_find(&s->elfs, frames[i].build_id, tgid);
		if (!elf)
			continue;
		len = snprintf(line, sizeof(line), "\nbuild_id.%s=%.900s",
			       grt_build_id_text(id, elf->id), elf->path ? elf->path : "");
		for (int at = 1; at < len; at++)
			if ((unsigned char)line[at] < ' ')
				line[at] = '_';
		if (text->bytes + len < MOST_TEXT && grt_vec_append(text, line, len))
			return -ENOMEM;
	}
	return 0;
}

int grt_capture_stacks_user(struct grt_capture_stacks *s, const struct bpf_stack_build_id *frames,
			    unsigned int count, uint32_t tgid, struct grt_vec *text)
{
	int err = begin_text(text, count);

	for (unsigned int i = count; !err && i; i--)
		err = add_user_frame(s, &frames[i - 1], tgid, text);
	return err ? err : add_build_ids(s, frames, count, tgid, text);
}

/* Appends the STACK_TEXT, unless it was there.  Returns its number, 0 without memory. */
static uint64_t define(struct grt_capture_stacks *s, const struct grtrace_hdr *event,
		       struct grt_vec *to)
{
	size_t len = s->text.bytes, bytes = (sizeof(struct grtrace_stack_text) + len + 8) & ~7ull;
	uint64_t stack = XXH64(s->text.data, len, 0) | 1, *known = grt_map_put(&s->defined, stack);
	struct grtrace_stack_text *rec;

	if (known && *known)
		return stack;
	rec = known ? grt_vec_grow(to, bytes) : NULL;
	if (!rec)
		return 0;
	*known = 1;
	memset(rec, 0, bytes);
	rec->hdr = (struct grtrace_hdr){
		.type = GRTRACE_STACK_TEXT, .size = bytes, .cpu = event->cpu, .ts = event->ts,
	};
	rec->stack = stack;
	memcpy(rec + 1, s->text.data, len);
	return stack;
}

/* What a BPF map has at a place: functions up to the first empty one. */
union stack_frames {
	uint64_t ips[GRT_BPF_STACK_DEPTH + 1];
	struct bpf_stack_build_id user[GRT_BPF_STACK_DEPTH + 1];
};

static int make_text(struct grt_capture_stacks *s, int kind, const union stack_frames *frames,
		     uint32_t tgid)
{
	unsigned int count = 0;

	if (kind == GRT_BPF_STACK_KERNEL) {
		while (count < GRT_BPF_STACK_DEPTH && frames->ips[count])
			count++;
		return grt_capture_stacks_kernel(s, frames->ips, count, &s->text);
	}
	while (count < GRT_BPF_STACK_DEPTH && frames->user[count].status != BPF_STACK_BUILD_ID_EMPTY)
		count++;
	return grt_capture_stacks_user(s, frames->user, count, tgid, &s->text);
}

static int read_row(struct grt_capture_stacks *s, int kind, uint64_t place, struct stack_row *row,
		    const struct grtrace_stack *stack, struct grt_vec *to)
{
	union stack_frames frames = { .ips = { 0 } };
	uint32_t key = place % GRT_BPF_STACKS;
	int err;

	memset(&frames, 0, sizeof(frames));
	row->from_ns = grt_capture_now_ns();
	err = bpf_map_lookup_elem(s->tables[kind][place / GRT_BPF_STACKS], &key, &frames);
	row->to_ns = grt_capture_now_ns();
	if (err || make_text(s, kind, &frames, (uint32_t)stack->hdr.cseq) || !s->text.bytes)
		return grt_was_out_of_memory() ? grt_fail_memory() : 0;
	row->stack = define(s, &stack->hdr, to);
	return row->stack ? 0 : grt_fail_memory();
}

/* Whether the place was read while the program asked for it. */
static bool has_raced(const struct stack_row *row, const struct grtrace_hdr *event)
{
	uint64_t took_ns = event->cseq >> 32;

	return event->ts >= row->from_ns && (took_ns == UINT32_MAX || event->ts - took_ns <= row->to_ns);
}

/* Turns a place into the number of its text. */
static int take_one(struct grt_capture_stacks *s, int kind, const struct grtrace_stack *stack,
		    uint64_t place, uint64_t *number, struct grt_vec *to)
{
	static const struct stack_row blank;
	struct stack_row *row;
	int err;

	*number = 0;
	if (!place || --place >= 2 * GRT_BPF_STACKS)
		return 0;
	if (grt_vec_reach(&s->rows[kind], place, &blank, sizeof(blank)))
		return grt_fail_memory();
	row = grt_vec_at(&s->rows[kind], struct stack_row, place);
	if (row->from_ns && has_raced(row, &stack->hdr)) {
		s->raced++;
		return 0;
	}
	err = row->from_ns ? 0 : read_row(s, kind, place, row, stack, to);
	*number = row->stack;
	return err;
}

int grt_capture_stacks_take(struct grt_capture_stacks *s, struct grtrace_stack *stack,
			    struct grt_vec *to)
{
	uint64_t kernel, user;
	int err = take_one(s, GRT_BPF_STACK_KERNEL, stack, stack->kernel_stack, &kernel, to);

	if (!err)
		err = take_one(s, GRT_BPF_STACK_USER, stack, stack->user_stack, &user, to);
	if (err)
		return err;
	if (stack->kernel_stack && !kernel)
		stack->hdr.flags |= GRTRACE_F_KERNEL_UNKNOWN;
	if (stack->user_stack && !user)
		stack->hdr.flags |= GRTRACE_F_USER_UNKNOWN;
	stack->kernel_stack = kernel;
	stack->user_stack = user;
	return 0;
}
