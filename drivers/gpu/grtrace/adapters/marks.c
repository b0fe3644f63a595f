// SPDX-License-Identifier: GPL-2.0
#include <linux/grtrace.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "marks.h"

/* Without the first NUL and all behind it, and without line ends at the end. */
static size_t length_of(const char *text, size_t room)
{
	size_t len = strnlen(text, room);

	while (len && text[len - 1] == '\n')
		len--;
	return len;
}

#ifdef GRTRACE_OUT_OF_TREE
/* Used with preemption off, as kprobes are, and only threads write marks. */
static DEFINE_PER_CPU(char [GRTRACE_MARK_MAX], texts);

/* What some kernels write to their own trace if they cannot read the text. */
static const char faulted[] = "<faulted>";

int grt_marks_on_write(struct kprobe *kp, struct pt_regs *regs)
{
	const void __user *from = (const void __user *)regs_get_kernel_argument(regs, 1);
	size_t bytes = min_t(size_t, regs_get_kernel_argument(regs, 2), GRTRACE_MARK_MAX);
	char *text = *this_cpu_ptr(&texts);

	if (!grtrace_enabled() || grtrace_is_refused(GRTRACE_MARK, grtrace_mark))
		return 0;
	/* A kprobe may not sleep to bring a page into memory: it reads what is there already. */
	if (copy_from_user_nofault(text, from, bytes))
		grtrace_mark(faulted, sizeof(faulted) - 1);
	else
		grtrace_mark(text, length_of(text, bytes));
	return 0;
}
#else
/* The entry of a mark in the ring buffer of ftrace (kernel/trace/trace_entries.h, print). */
struct mark_entry {
	struct trace_entry ent;
	unsigned long ip;
	char text[];
};

static void on_mark(struct trace_export *export, const void *data, unsigned int bytes)
{
	const struct mark_entry *mark = data;

	if (bytes <= sizeof(*mark) || grtrace_is_refused(GRTRACE_MARK, grtrace_mark))
		return;
	bytes = min_t(size_t, bytes - sizeof(*mark), GRTRACE_MARK_MAX);
	grtrace_mark(mark->text, length_of(mark->text, bytes));
}

static struct trace_export marks = { .write = on_mark, .flags = TRACE_EXPORT_MARKER };

void grt_marks_begin(void)
{
	int err = register_ftrace_export(&marks);

	if (err)
		pr_warn("grtrace: marks are not recorded: %d\n", err);
}

void grt_marks_end(void)
{
	unregister_ftrace_export(&marks);
	/* ftrace calls on_mark() with preemption off, and does not wait for it. */
	synchronize_rcu();
}
#endif
