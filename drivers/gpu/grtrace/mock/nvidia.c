// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_nvidia_mock: stands in for nvidia.ko in tests of "grtrace monitor nvidia".  It has a
 * character device, whose major number is in /proc/devices under "grtrace_nvidia", and files in
 * /sys/kernel/debug/grtrace_nvidia:
 *
 *	interrupts	"IRQ CPU COUNT TOP_US BOTTOM_US": COUNT interrupts on that CPU, one after
 *			the other, each with a top half and a bottom half that take so long; two
 *			writers at once interrupt two CPUs at once
 *	p2p		"BYTES": pages for a peer are asked for, mapped and given back
 *	power		"suspend USEC" or "resume USEC"
 *	xid		"CODE TEXT": an error in the kernel's log
 *	counts		what was called, a row per process
 *	times		how long interrupts, suspend and resume took, measured inside of each
 *			function and around it: what a probe measures is between both
 *
 * Names and arguments are those of kernel-open/nvidia/{nv.c,nv-mmap.c,nv-p2p.c} of NVIDIA's
 * open-gpu-kernel-modules 595.45.04, and the line in the log is that of
 * src/nvidia/src/kernel/gpu/rc/kernel_rc.c there.  What they do is not.  nvidia_isr_msix() and
 * others are left out on purpose: a driver of another version lacks some, too.
 */
#define pr_fmt(fmt) fmt

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/kdev_t.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#include "nvidia.h"

#define NAME		"grtrace_nvidia"
#define GPU_NAME	"0000:01:00.0"
#define PEER_NAME	"0000:02:00.0"
#define MAX_PROCESSES	64
#define MAX_LINE	128
#define MAX_USEC	1000000

/* --- what was called --- */

/* X(name): a column of the file counts. */
#define COUNTS(X)									\
	X(open) X(close) X(ioctl) X(mmap) X(mmap_bytes) X(fault) X(poll) X(vma_open)	\
	X(vma_release) X(vma_access) X(p2p_get) X(p2p_bytes) X(p2p_put) X(p2p_dma_map)

enum count {
#define X(name) CALLED_##name,
	COUNTS(X)
#undef X
	NR_COUNTS
};

static const char * const count_names[NR_COUNTS] = {
#define X(name) #name,
	COUNTS(X)
#undef X
};

/* The last row is that of all processes that have no other one. */
static struct process {
	pid_t tgid;
	char comm[TASK_COMM_LEN];
	u64 counts[NR_COUNTS];
} processes[MAX_PROCESSES + 1];

static DEFINE_SPINLOCK(processes_lock);

static struct process *find_process(void)
{
	int i = 0;

	while (i < MAX_PROCESSES && processes[i].tgid && processes[i].tgid != current->tgid)
		i++;
	if (i < MAX_PROCESSES && !processes[i].tgid) {
		processes[i].tgid = current->tgid;
		strscpy(processes[i].comm, current->group_leader->comm, TASK_COMM_LEN);
	}
	return &processes[i];
}

static void add(enum count count, u64 number)
{
	spin_lock(&processes_lock);
	find_process()->counts[count] += number;
	spin_unlock(&processes_lock);
}

static void show_counts(struct seq_file *seq)
{
	seq_puts(seq, "pid,comm");
	for (int i = 0; i < NR_COUNTS; i++)
		seq_printf(seq, ",%s", count_names[i]);
	seq_putc(seq, '\n');
	spin_lock(&processes_lock);
	for (int i = 0; i <= MAX_PROCESSES; i++) {
		if (!processes[i].tgid && !processes[i].counts[CALLED_open])
			continue;
		seq_printf(seq, "%d,%s", processes[i].tgid, processes[i].comm);
		for (int k = 0; k < NR_COUNTS; k++)
			seq_printf(seq, ",%llu", processes[i].counts[k]);
		seq_putc(seq, '\n');
	}
	spin_unlock(&processes_lock);
}

/* --- how long it took --- */

struct span {
	u64 sum_ns, min_ns, max_ns;
};

static struct timing {
	const char *function;
	u64 calls;
	struct span inside, around;
} timings[] = {
	{ "nvidia_isr" }, { "nvidia_isr_kthread_bh" }, { "nvidia_suspend" }, { "nvidia_resume" },
};

enum timed { TIMED_ISR, TIMED_ISR_BH, TIMED_SUSPEND, TIMED_RESUME };

static DEFINE_MUTEX(timings_lock);

/* A call of one of these functions, which fills in @inside_ns. */
struct call {
	u64 busy_ns, begin_ns, inside_ns;
};

static void call_begin(struct call *call)
{
	call->begin_ns = ktime_get_mono_fast_ns();
}

static void call_end(struct call *call)
{
	call->inside_ns = ktime_get_mono_fast_ns() - call->begin_ns;
}

static void span_add(struct span *span, u64 ns, bool is_first)
{
	span->sum_ns += ns;
	span->min_ns = is_first ? ns : min(span->min_ns, ns);
	span->max_ns = max(span->max_ns, ns);
}

static void timing_add(enum timed timed, const struct call *call, u64 around_ns)
{
	struct timing *timing = &timings[timed];

	mutex_lock(&timings_lock);
	span_add(&timing->inside, call->inside_ns, !timing->calls);
	span_add(&timing->around, around_ns, !timing->calls);
	timing->calls++;
	mutex_unlock(&timings_lock);
}

static void show_span(struct seq_file *seq, const struct span *span)
{
	seq_printf(seq, ",%llu,%llu,%llu", span->sum_ns, span->min_ns, span->max_ns);
}

static void show_times(struct seq_file *seq)
{
	seq_puts(seq, "function,calls,inside_sum_ns,inside_min_ns,inside_max_ns,around_sum_ns,around_min_ns,around_max_ns\n");
	mutex_lock(&timings_lock);
	for (int i = 0; i < ARRAY_SIZE(timings); i++) {
		seq_printf(seq, "%s,%llu", timings[i].function, timings[i].calls);
		show_span(seq, &timings[i].inside);
		show_span(seq, &timings[i].around);
		seq_putc(seq, '\n');
	}
	mutex_unlock(&timings_lock);
}

/* --- the device --- */

noinline int nvidia_open(struct inode *inode, struct file *file)
{
	struct page *page = NULL;

	add(CALLED_open, 1);
	/* Minor 1 is a GPU that cannot be opened. */
	if (iminor(inode) == 1)
		return -EIO;
	page = alloc_page(GFP_KERNEL | __GFP_ZERO);
	if (!page)
		return -ENOMEM;
	file->private_data = page;
	return 0;
}

noinline int nvidia_close(struct inode *inode, struct file *file)
{
	add(CALLED_close, 1);
	put_page(file->private_data);
	return 0;
}

noinline long nvidia_unlocked_ioctl(struct file *file, unsigned int cmd, unsigned long i_arg)
{
	add(CALLED_ioctl, 1);
	return 0;
}

noinline __poll_t nvidia_poll(struct file *file, poll_table *wait)
{
	add(CALLED_poll, 1);
	return EPOLLIN | EPOLLRDNORM;
}

noinline void nvidia_vma_open(struct vm_area_struct *vma)
{
	add(CALLED_vma_open, 1);
}

noinline void nvidia_vma_release(struct vm_area_struct *vma)
{
	add(CALLED_vma_release, 1);
}

noinline int nvidia_vma_access(struct vm_area_struct *vma, unsigned long addr, void *buffer,
			       int length, int write)
{
	add(CALLED_vma_access, 1);
	if (write)
		return -EACCES;
	memset(buffer, 0, length);
	return length;
}

noinline vm_fault_t nvidia_fault(struct vm_fault *vmf)
{
	struct page *page = vmf->vma->vm_file->private_data;

	add(CALLED_fault, 1);
	get_page(page);
	vmf->page = page;
	return 0;
}

static const struct vm_operations_struct vm_ops = {
	.open	= nvidia_vma_open,
	.close	= nvidia_vma_release,
	.access	= nvidia_vma_access,
	.fault	= nvidia_fault,
};

/* At offset 0, faults bring the page; behind it, a page is there at once, as GPU memory is. */
noinline int nvidia_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct page *page = file->private_data;

	add(CALLED_mmap, 1);
	add(CALLED_mmap_bytes, vma->vm_end - vma->vm_start);
	vma->vm_ops = &vm_ops;
	if (!vma->vm_pgoff)
		return 0;
	if (vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	return remap_pfn_range(vma, vma->vm_start, page_to_pfn(page), PAGE_SIZE, vma->vm_page_prot);
}

static const struct file_operations device_fops = {
	.owner		= THIS_MODULE,
	.open		= nvidia_open,
	.release	= nvidia_close,
	.unlocked_ioctl	= nvidia_unlocked_ioctl,
	.poll		= nvidia_poll,
	.mmap		= nvidia_mmap,
};

/* --- interrupts --- */

static irqreturn_t be_busy(struct call *call, irqreturn_t ret)
{
	call_begin(call);
	while (ktime_get_mono_fast_ns() - call->begin_ns < call->busy_ns)
		cpu_relax();
	call_end(call);
	return ret;
}

noinline irqreturn_t nvidia_isr(int irq, void *arg)
{
	return be_busy(arg, IRQ_WAKE_THREAD);
}

noinline irqreturn_t nvidia_isr_kthread_bh(int irq, void *data)
{
	return be_busy(data, IRQ_HANDLED);
}

struct interrupt {
	struct work_struct work;
	int irq;
	struct call top, bottom;
	u64 top_ns, bottom_ns;
};

/* Another CPU sends this interrupt.  Like one of a GPU, it stops the thread that runs. */
static void interrupt_top(void *arg)
{
	struct interrupt *interrupt = arg;
	u64 begin_ns = ktime_get_mono_fast_ns();

	nvidia_isr(interrupt->irq, &interrupt->top);
	interrupt->top_ns = ktime_get_mono_fast_ns() - begin_ns;
}

static void interrupt_bottom(struct work_struct *work)
{
	struct interrupt *interrupt = container_of(work, struct interrupt, work);
	u64 begin_ns = ktime_get_mono_fast_ns();

	nvidia_isr_kthread_bh(interrupt->irq, &interrupt->bottom);
	interrupt->bottom_ns = ktime_get_mono_fast_ns() - begin_ns;
}

static int fire(int irq, unsigned int cpu, unsigned int top_us, unsigned int bottom_us)
{
	struct interrupt interrupt = {
		.irq = irq, .top = { .busy_ns = (u64)top_us * NSEC_PER_USEC },
		.bottom = { .busy_ns = (u64)bottom_us * NSEC_PER_USEC },
	};
	int err = smp_call_function_single(cpu, interrupt_top, &interrupt, 1);

	if (err)
		return err;
	INIT_WORK_ONSTACK(&interrupt.work, interrupt_bottom);
	schedule_work(&interrupt.work);
	flush_work(&interrupt.work);
	destroy_work_on_stack(&interrupt.work);
	timing_add(TIMED_ISR, &interrupt.top, interrupt.top_ns);
	timing_add(TIMED_ISR_BH, &interrupt.bottom, interrupt.bottom_ns);
	return 0;
}

static int store_interrupts(char *line)
{
	unsigned int cpu, count, top_us, bottom_us;
	int irq, err = 0;

	if (sscanf(line, "%d %u %u %u %u", &irq, &cpu, &count, &top_us, &bottom_us) != 5 ||
	    cpu >= nr_cpu_ids || top_us > MAX_USEC || bottom_us > MAX_USEC)
		return -EINVAL;
	while (!err && count--)
		err = fire(irq, cpu, top_us, bottom_us);
	return err;
}

/* --- other GPUs --- */

static struct pci_dev *peer;

noinline int nvidia_p2p_get_pages(u64 p2p_token, u32 va_space, u64 virtual_address, u64 length,
				  struct nvidia_p2p_page_table **page_table,
				  void (*free_callback)(void *data), void *data)
{
	add(CALLED_p2p_get, 1);
	add(CALLED_p2p_bytes, length);
	*page_table = NULL;
	return 0;
}

noinline int nvidia_p2p_put_pages(u64 p2p_token, u32 va_space, u64 virtual_address,
				  struct nvidia_p2p_page_table *page_table)
{
	add(CALLED_p2p_put, 1);
	return 0;
}

noinline int nvidia_p2p_dma_map_pages(struct pci_dev *pdev,
				      struct nvidia_p2p_page_table *page_table,
				      struct nvidia_p2p_dma_mapping **dma_mapping)
{
	add(CALLED_p2p_dma_map, 1);
	*dma_mapping = NULL;
	return 0;
}

static int store_p2p(char *line)
{
	const u64 address = 0x7f0000000000;
	struct nvidia_p2p_page_table *page_table;
	struct nvidia_p2p_dma_mapping *dma_mapping;
	u64 bytes;
	int err = kstrtou64(line, 0, &bytes);

	if (!err)
		err = nvidia_p2p_get_pages(0, 0, address, bytes, &page_table, NULL, NULL);
	if (!err)
		err = nvidia_p2p_dma_map_pages(peer, page_table, &dma_mapping);
	return err ? err : nvidia_p2p_put_pages(0, 0, address, page_table);
}

/* --- power --- */

static struct device *gpu;
static struct call power;	/* under power_lock */
static DEFINE_MUTEX(power_lock);

static bool is_asleep;		/* under power_lock */

static u32 change_power(bool to_sleep)
{
	call_begin(&power);
	fsleep(div_u64(power.busy_ns, NSEC_PER_USEC));
	is_asleep = to_sleep;
	call_end(&power);
	return 0;
}

noinline u32 nvidia_suspend(struct device *dev, enum nv_pm_action pm_action, bool is_procfs_suspend)
{
	return change_power(true);
}

noinline u32 nvidia_resume(struct device *dev, enum nv_pm_action pm_action)
{
	return change_power(false);
}

static int store_power(char *line)
{
	char *word = strsep(&line, " ");
	bool is_resume = !strcmp(word, "resume");
	unsigned int usec;
	u64 begin_ns;

	if (!is_resume && strcmp(word, "suspend"))
		return -EINVAL;
	if (!line || kstrtouint(line, 0, &usec) || usec > MAX_USEC)
		return -EINVAL;
	mutex_lock(&power_lock);
	if (is_resume != is_asleep) {
		mutex_unlock(&power_lock);
		return -EINVAL;
	}
	power.busy_ns = (u64)usec * NSEC_PER_USEC;
	begin_ns = ktime_get_mono_fast_ns();
	if (is_resume)
		nvidia_resume(gpu, NV_PM_ACTION_RESUME);
	else
		nvidia_suspend(gpu, NV_PM_ACTION_STANDBY, true);
	timing_add(is_resume ? TIMED_RESUME : TIMED_SUSPEND, &power,
		   ktime_get_mono_fast_ns() - begin_ns);
	mutex_unlock(&power_lock);
	return 0;
}

/* --- errors --- */

static int store_xid(char *line)
{
	char *word = strsep(&line, " ");
	unsigned int code;

	if (!line || kstrtouint(word, 0, &code))
		return -EINVAL;
	pr_err("NVRM: Xid (PCI:%.10s): %u, %s\n", GPU_NAME, code, line);
	return 0;
}

/* --- files --- */

static const struct control {
	const char *name;
	void (*show)(struct seq_file *seq);	/* NULL: it cannot be read */
	int (*store)(char *line);		/* NULL: it cannot be written */
} controls[] = {
	{ "counts",	.show = show_counts },
	{ "times",	.show = show_times },
	{ "interrupts",	.store = store_interrupts },
	{ "p2p",	.store = store_p2p },
	{ "power",	.store = store_power },
	{ "xid",	.store = store_xid },
};

static int control_show(struct seq_file *seq, void *unused)
{
	const struct control *control = seq->private;

	control->show(seq);
	return 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	return single_open(file, control_show, inode->i_private);
}

static ssize_t control_write(struct file *file, const char __user *from, size_t bytes, loff_t *pos)
{
	const struct control *control = file_inode(file)->i_private;
	char *line = bytes < MAX_LINE ? memdup_user_nul(from, bytes) : ERR_PTR(-E2BIG);
	int err;

	if (IS_ERR(line))
		return PTR_ERR(line);
	err = control->store(strim(line));
	kfree(line);
	return err ? err : bytes;
}

static const struct file_operations control_fops = {
	.owner		= THIS_MODULE,
	.open		= control_open,
	.read		= seq_read,
	.write		= control_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static struct dentry *dir;
static int major;

static int __init nvidia_init(void)
{
	gpu = root_device_register(GPU_NAME);
	if (IS_ERR(gpu))
		return PTR_ERR(gpu);
	peer = kzalloc(sizeof(*peer), GFP_KERNEL);
	if (!peer)
		goto unregister_gpu;
	peer->dev.kobj.name = PEER_NAME;
	major = register_chrdev(0, NAME, &device_fops);
	if (major < 0)
		goto free_peer;
	dir = debugfs_create_dir(NAME, NULL);
	for (int i = 0; i < ARRAY_SIZE(controls); i++)
		debugfs_create_file(controls[i].name, controls[i].store ? 0200 : 0400, dir,
				    (void *)&controls[i], &control_fops);
	return 0;

free_peer:
	kfree(peer);
unregister_gpu:
	root_device_unregister(gpu);
	return major < 0 ? major : -ENOMEM;
}

static void __exit nvidia_exit(void)
{
	debugfs_remove(dir);
	unregister_chrdev(major, NAME);
	kfree(peer);
	root_device_unregister(gpu);
}

module_init(nvidia_init);
module_exit(nvidia_exit);

MODULE_DESCRIPTION("Stands in for NVIDIA's driver in tests of grtrace");
MODULE_LICENSE("GPL");
