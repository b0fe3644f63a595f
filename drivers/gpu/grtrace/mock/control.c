// SPDX-License-Identifier: GPL-2.0
/*
 * Knobs in /sys/kernel/debug/grtrace_mock: one row per file.
 *
 *	manual		1: jobs end only by "advance"; 0: after their duration
 *	advance		"N" or "RING N": let N (more) jobs end, of each ring
 *	preempt		"RING USEC": take the engine away from its job for a while
 *	hang		"RING": the next job to begin on that ring hangs
 *	reset		"RING": reset the ring; its oldest job is lost
 *	timeout_ms	a job that is on a ring for longer hangs; 0 = never;
 *			takes effect with the next job that is handed to the ring
 *	soft_reset	1: a job that hangs is ended alone; 0: its ring is reset
 *	duration_us	duration of jobs that do not set one
 *	schedulers	"N" or "N same": new contexts balance over N rings of their own, with
 *			different names or all with the same; 0: contexts share a ring
 *	rings		state of the hardware
 *	log		what the hardware did, one row per job; log_dropped, log_reset
 */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "mock.h"

#define MAX_LINE 64

struct control {
	const char *name;
	umode_t mode;
	void (*show)(struct mock_device *mock, struct seq_file *seq);
	int (*store)(struct mock_device *mock, char *line);	/* knob_lock held */
};

static struct mock_ring *find_ring(struct mock_device *mock, const char *name)
{
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++)
		if (name && !strcmp(name, mock->rings[i].name))
			return &mock->rings[i];
	return NULL;
}

/* Parses "RING" (@number is NULL) or "RING NUMBER", and nothing else. */
static int parse_ring(struct mock_device *mock, char *line,
		      struct mock_ring **ring, u64 *number)
{
	*ring = find_ring(mock, strsep(&line, " "));
	if (!*ring || !number != !line)
		return -EINVAL;
	return number ? kstrtou64(line, 0, number) : 0;
}

static void apply_knobs(struct mock_device *mock)
{
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++)
		mock_ring_apply_knobs(&mock->rings[i]);
	mock_groups_each(mock, mock_ring_apply_knobs);
}

static void manual_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%d\n", mock->is_manual);
}

static int manual_store(struct mock_device *mock, char *line)
{
	bool is_manual;
	int err = kstrtobool(line, &is_manual);

	if (err)
		return err;
	WRITE_ONCE(mock->is_manual, is_manual);
	apply_knobs(mock);
	return 0;
}

static int advance_store(struct mock_device *mock, char *line)
{
	struct mock_ring *ring;
	u64 cnt;
	int err;

	if (!mock->is_manual)
		return -EINVAL;
	if (!kstrtou64(line, 0, &cnt)) {
		for (int i = 0; i < GRTRACE_MOCK_RINGS; i++)
			mock_ring_advance(&mock->rings[i], cnt);
		return 0;
	}
	err = parse_ring(mock, line, &ring, &cnt);
	if (!err)
		mock_ring_advance(ring, cnt);
	return err;
}

static int preempt_store(struct mock_device *mock, char *line)
{
	struct mock_ring *ring;
	u64 pause_us;
	int err = parse_ring(mock, line, &ring, &pause_us);

	if (err)
		return err;
	if (pause_us > GRTRACE_MOCK_MAX_DURATION_NS / NSEC_PER_USEC)
		return -EINVAL;
	return mock_ring_preempt(ring, pause_us * NSEC_PER_USEC);
}

static int hang_store(struct mock_device *mock, char *line)
{
	struct mock_ring *ring;
	int err = parse_ring(mock, line, &ring, NULL);

	if (!err)
		mock_ring_hang_next(ring);
	return err;
}

static int reset_store(struct mock_device *mock, char *line)
{
	struct mock_ring *ring;
	int err = parse_ring(mock, line, &ring, NULL);

	if (!err)
		mock_ring_reset(ring);
	return err;
}

static void timeout_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%u\n", mock->timeout_ms);
}

static int timeout_store(struct mock_device *mock, char *line)
{
	u32 timeout_ms;
	int err = kstrtou32(line, 0, &timeout_ms);

	if (err)
		return err;
	WRITE_ONCE(mock->timeout_ms, timeout_ms);
	apply_knobs(mock);
	return 0;
}

static void soft_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%d\n", mock->resets_softly);
}

static int soft_store(struct mock_device *mock, char *line)
{
	bool value;
	int err = kstrtobool(line, &value);

	if (!err)
		WRITE_ONCE(mock->resets_softly, value);
	return err;
}

static void duration_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%llu\n", div_u64(mock->duration_ns, NSEC_PER_USEC));
}

static int duration_store(struct mock_device *mock, char *line)
{
	u64 duration_us;
	int err = kstrtou64(line, 0, &duration_us);

	if (err)
		return err;
	if (duration_us > GRTRACE_MOCK_MAX_DURATION_NS / NSEC_PER_USEC)
		return -EINVAL;
	WRITE_ONCE(mock->duration_ns, duration_us * NSEC_PER_USEC);
	return 0;
}

static void schedulers_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%u%s\n", mock->group_rings, mock->has_same_names ? " same" : "");
}

static int schedulers_store(struct mock_device *mock, char *line)
{
	char *number = strsep(&line, " ");
	u32 cnt;
	int err = kstrtou32(number, 0, &cnt);

	if (err)
		return err;
	if (cnt > GRTRACE_MOCK_MAX_GROUP || (line && strcmp(line, "same")))
		return -EINVAL;
	mutex_lock(&mock->group_lock);
	mock->group_rings = cnt;
	mock->has_same_names = line;
	mutex_unlock(&mock->group_lock);
	return 0;
}

static void rings_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_puts(seq, "ring,credit_limit,executing,queued,done\n");
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++) {
		struct mock_ring *ring = &mock->rings[i];
		struct list_head *link;
		unsigned int queued = 0;
		bool is_executing;
		u64 done;

		spin_lock_irq(&ring->lock);
		list_for_each(link, &ring->fifo)
			queued++;
		is_executing = ring->executing;
		done = ring->done_cnt;
		spin_unlock_irq(&ring->lock);
		seq_printf(seq, "%s,%u,%d,%u,%llu\n", ring->name,
			   grt_sched_credit_limit(&ring->sched), is_executing,
			   queued, done);
	}
}

static void dropped_show(struct mock_device *mock, struct seq_file *seq)
{
	seq_printf(seq, "%llu\n", READ_ONCE(mock->log.dropped));
}

static int log_reset_store(struct mock_device *mock, char *line)
{
	return mock_log_reset(&mock->log);
}

static const struct control controls[] = {
	{ "manual",	 0600, .show = manual_show, .store = manual_store },
	{ "advance",	 0200, .store = advance_store },
	{ "preempt",	 0200, .store = preempt_store },
	{ "hang",	 0200, .store = hang_store },
	{ "reset",	 0200, .store = reset_store },
	{ "timeout_ms",	 0600, .show = timeout_show, .store = timeout_store },
	{ "soft_reset",	 0600, .show = soft_show, .store = soft_store },
	{ "duration_us", 0600, .show = duration_show, .store = duration_store },
	{ "schedulers",	 0600, .show = schedulers_show, .store = schedulers_store },
	{ "rings",	 0400, .show = rings_show },
	{ "log_dropped", 0400, .show = dropped_show },
	{ "log_reset",	 0200, .store = log_reset_store },
};

/* A file's private data is the device, so its row is found by name. */
static const struct control *find_control(const struct file *file)
{
	for (int i = 0; i < ARRAY_SIZE(controls); i++)
		if (!strcmp(file->f_path.dentry->d_name.name, controls[i].name))
			return &controls[i];
	return NULL;
}

static int control_show(struct seq_file *seq, void *unused)
{
	const struct control *control = find_control(seq->file);

	if (!control->show)
		return -EACCES;
	control->show(seq->private, seq);
	return 0;
}

static int control_open(struct inode *inode, struct file *file)
{
	return single_open(file, control_show, inode->i_private);
}

static ssize_t control_write(struct file *file, const char __user *from,
			     size_t len, loff_t *pos)
{
	struct mock_device *mock = file_inode(file)->i_private;
	const struct control *control = find_control(file);
	char line[MAX_LINE];
	int err;

	/* Root ignores the file's mode, so check it here. */
	if (!control->store)
		return -EACCES;
	if (!len || len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, len))
		return -EFAULT;
	line[len] = '\0';

	mutex_lock(&mock->knob_lock);
	err = control->store(mock, strim(line));
	mutex_unlock(&mock->knob_lock);
	return err ?: len;
}

static const struct file_operations control_fops = {
	.owner		= THIS_MODULE,
	.open		= control_open,
	.read		= seq_read,
	.write		= control_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

void mock_control_create(struct mock_device *mock)
{
	struct dentry *dir = debugfs_create_dir(MOCK_NAME, NULL);

	mock->debugfs = dir;
	for (int i = 0; i < ARRAY_SIZE(controls); i++)
		debugfs_create_file(controls[i].name, controls[i].mode, dir,
				    mock, &control_fops);
	debugfs_create_file("log", 0400, dir, &mock->log, &mock_log_fops);
}

void mock_control_destroy(struct mock_device *mock)
{
	debugfs_remove_recursive(mock->debugfs);
}
