// SPDX-License-Identifier: GPL-2.0
/*
 * Makes one error at loading, chosen by fault=: kernel 'debug' must find it
 * (t/soak/vm-debug-guard.t), and 'kcsan' the race (t/soak/vm-kcsan.t).
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

static char *fault = "none";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "which one");

/* The compiler must not see where these point, nor remove the writes. */
static void poke(char *memory, size_t offset)
{
	OPTIMIZER_HIDE_VAR(memory);
	WRITE_ONCE(memory[offset], 1);
}

static void behind_the_end(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);

	if (memory)
		poke(memory, 100);
	kfree(memory);
}

static void behind_pages(void)
{
	char *memory = vmalloc(100);

	if (memory)
		poke(memory, 100);
	vfree(memory);
}

static void after_the_end(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);
	char *same = memory;

	OPTIMIZER_HIDE_VAR(same);
	kfree(memory);
	if (same)
		poke(same, 10);
}

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

/* Never both at once, so it does not hang: only lockdep can see the possible deadlock. */
static void both_orders(void)
{
	mutex_lock(&a);
	mutex_lock(&b);
	mutex_unlock(&b);
	mutex_unlock(&a);

	mutex_lock(&b);
	mutex_lock(&a);
	mutex_unlock(&a);
	mutex_unlock(&b);
}

static DEFINE_SPINLOCK(lock);

static void sleep_with_a_spinlock(void)
{
	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
}

static int __rcu *protected;

static void look_without_a_lock(void)
{
	if (rcu_dereference(protected))
		pr_info("this cannot be\n");
}

static void forget(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);

	if (memory)
		poke(memory, 10);
}

static int shared_number;

static noinline void write_plainly(void)
{
	shared_number++;
}

static int keep_writing(void *unused)
{
	while (!kthread_should_stop()) {
		write_plainly();
		cond_resched();
	}
	return 0;
}

/* Two tasks write to one variable for some seconds, without any mark. */
static void race(void)
{
	struct task_struct *other = kthread_run(keep_writing, NULL, "grtrace_race");
	unsigned long end = jiffies + 20 * HZ;

	if (IS_ERR(other))
		return;
	while (time_before(jiffies, end)) {
		write_plainly();
		cond_resched();
	}
	kthread_stop(other);
}

static const struct {
	const char *name;
	void (*make)(void);
} faults[] = {
	{ "behind-the-end", behind_the_end },
	{ "behind-pages", behind_pages },
	{ "after-the-end", after_the_end },
	{ "both-orders", both_orders },
	{ "sleep-with-a-spinlock", sleep_with_a_spinlock },
	{ "look-without-a-lock", look_without_a_lock },
	{ "forget", forget },
	{ "race", race },
};

static int __init grtrace_faults_init(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!strcmp(fault, faults[i].name)) {
			faults[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit grtrace_faults_exit(void)
{
}

module_init(grtrace_faults_init);
module_exit(grtrace_faults_exit);
MODULE_DESCRIPTION("Errors that a debug kernel must see");
MODULE_LICENSE("GPL");
