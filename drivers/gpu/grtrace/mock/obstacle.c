// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_obstacle: causes failures for tests that otherwise happen on busy machines only.
 *
 *	dir=NAME	creates a folder of that name in grtrace's folder
 *	fail_vmap=N	the Nth vmap() from now by a task named @comm fails for lack of memory
 *	fail_probe=N	the same for tracepoint_probe_register()
 *	late_ms=N	a task named @comm sleeps that long before each call of @late, a
 *			function of at most three arguments.  The default delays a task just
 *			before it joins a wait queue
 *
 * All effects end when the module is removed.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>

static char *dir;
module_param(dir, charp, 0400);
MODULE_PARM_DESC(dir, "name of a folder to create in grtrace's folder");

static char *comm = "sh";
module_param(comm, charp, 0400);
MODULE_PARM_DESC(comm, "name of the task whose calls fail or are delayed");

static int fail_vmap;
module_param(fail_vmap, int, 0400);
MODULE_PARM_DESC(fail_vmap, "which call of vmap() fails, 0 = none");

static int fail_probe;
module_param(fail_probe, int, 0400);
MODULE_PARM_DESC(fail_probe, "which call of tracepoint_probe_register() fails, 0 = none");

static unsigned int late_ms;
module_param(late_ms, uint, 0400);
MODULE_PARM_DESC(late_ms, "milliseconds to delay each call, 0 = none");

static char *late = "prepare_to_wait_event";
module_param(late, charp, 0400);
MODULE_PARM_DESC(late, "function whose calls are delayed");

static struct dentry *in_the_way;
static struct task_struct *let_pass;	/* was delayed already */

static bool is_meant(void)
{
	return !strcmp(current->comm, comm);
}

/* A function whose Nth call fails. */
struct failure {
	struct kprobe probe;
	void (*instead)(void);	/* is called in its place, and fails */
	atomic_t calls_left;	/* until the one that fails */
};

static void *no_pages(void)
{
	return NULL;
}

static int no_memory(void)
{
	return -ENOMEM;
}

static int before_failure(struct kprobe *probe, struct pt_regs *regs)
{
	struct failure *failure = container_of(probe, struct failure, probe);

	if (!is_meant() || atomic_dec_return(&failure->calls_left))
		return 0;
	instruction_pointer_set(regs, (unsigned long)failure->instead);
	return 1;
}

static struct failure vmap_failure = {
	.probe	 = { .symbol_name = "vmap", .pre_handler = before_failure },
	.instead = (void *)no_pages,
};

static struct failure probe_failure = {
	.probe	 = { .symbol_name = "tracepoint_probe_register", .pre_handler = before_failure },
	.instead = (void *)no_memory,
};

static int failure_begin(struct failure *failure, int nth)
{
	atomic_set(&failure->calls_left, nth);
	return nth ? register_kprobe(&failure->probe) : 0;
}

static void failure_end(struct failure *failure, int nth)
{
	if (nth)
		unregister_kprobe(&failure->probe);
}

static struct kprobe late_probe;
static atomic_t nr_late;		/* tasks inside call_late() */

static long call_late(long a, long b, long c)
{
	long (*call)(long a, long b, long c) = (void *)late_probe.addr;
	long ret;

	atomic_inc(&nr_late);
	msleep(late_ms);
	WRITE_ONCE(let_pass, current);
	ret = call(a, b, c);
	WRITE_ONCE(let_pass, NULL);
	atomic_dec(&nr_late);
	return ret;
}

static int before_late(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_meant() || !in_task() || READ_ONCE(let_pass) == current)
		return 0;
	instruction_pointer_set(regs, (unsigned long)call_late);
	return 1;
}

static struct kprobe late_probe = { .pre_handler = before_late };

static int put_dir(void)
{
	struct dentry *parent = debugfs_lookup("grtrace", NULL);

	if (!parent)
		return -ENOENT;
	in_the_way = debugfs_create_dir(dir, parent);
	dput(parent);
	return PTR_ERR_OR_ZERO(in_the_way);
}

static int __init obstacle_init(void)
{
	int err = dir ? put_dir() : 0;

	if (err)
		return err;
	err = failure_begin(&vmap_failure, fail_vmap);
	if (err)
		goto remove_dir;
	err = failure_begin(&probe_failure, fail_probe);
	if (err)
		goto end_vmap;
	late_probe.symbol_name = late;
	if (late_ms)
		err = register_kprobe(&late_probe);
	if (!err)
		return 0;
	failure_end(&probe_failure, fail_probe);
end_vmap:
	failure_end(&vmap_failure, fail_vmap);
remove_dir:
	debugfs_remove(in_the_way);
	return err;
}

static void __exit obstacle_exit(void)
{
	if (late_ms)
		unregister_kprobe(&late_probe);
	/* The last task still has to return from call_late(). */
	while (atomic_read(&nr_late))
		msleep(20);
	msleep(20);
	failure_end(&probe_failure, fail_probe);
	failure_end(&vmap_failure, fail_vmap);
	debugfs_remove(in_the_way);
}

module_init(obstacle_init);
module_exit(obstacle_exit);
MODULE_DESCRIPTION("Causes failures in grtrace, for tests");
MODULE_LICENSE("GPL");
