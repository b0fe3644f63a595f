// SPDX-License-Identifier: GPL-2.0
/*
 * A log of what the hardware did, job by job, with the mock's own times: tests
 * compare a trace with it.  Its size is fixed; jobs that find no row are counted.
 */
#include <linux/debugfs.h>
#include <linux/seq_file.h>
#include <linux/vmalloc.h>
#include "mock.h"

int mock_log_init(struct mock_log *log, unsigned int capacity)
{
	spin_lock_init(&log->lock);
	log->rows = vzalloc(array_size(capacity, sizeof(*log->rows)));
	if (!log->rows)
		return -ENOMEM;
	log->capacity = capacity;
	return 0;
}

void mock_log_fini(struct mock_log *log)
{
	vfree(log->rows);
}

struct mock_row *mock_log_open_row(struct mock_log *log)
{
	struct mock_row *row = NULL;

	spin_lock(&log->lock);
	if (log->used < log->capacity) {
		row = &log->rows[log->used++];
		memset(row, 0, sizeof(*row));
		log->open++;
	} else {
		log->dropped++;
	}
	spin_unlock(&log->lock);
	return row;
}

void mock_log_close_row(struct mock_log *log, struct mock_row *row)
{
	spin_lock(&log->lock);
	log->open--;
	spin_unlock(&log->lock);
}

/* Fails while a job lives: that job would write into the row of a later one. */
int mock_log_reset(struct mock_log *log)
{
	int err = 0;

	spin_lock(&log->lock);
	if (log->open) {
		err = -EBUSY;
	} else {
		log->used = 0;
		log->dropped = 0;
	}
	spin_unlock(&log->lock);
	return err;
}

void mock_row_set_status(struct mock_row *row, int status)
{
	if (!row)
		return;
	row->status = status;
	/* Pairs with log_show(): readers see the status before they see has_status. */
	smp_store_release(&row->has_status, true);
}

/* Position 0 is the header, position n is row n - 1. */
static void *log_at(struct mock_log *log, loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;
	return pos <= READ_ONCE(log->used) ? &log->rows[pos - 1] : NULL;
}

static void *log_start(struct seq_file *seq, loff_t *pos)
{
	return log_at(seq->private, *pos);
}

static void *log_next(struct seq_file *seq, void *item, loff_t *pos)
{
	return log_at(seq->private, ++*pos);
}

static void log_stop(struct seq_file *seq, void *item)
{
}

static void put_stamp(struct seq_file *seq, const u64 *stamp_ns)
{
	const u64 ns = READ_ONCE(*stamp_ns);

	if (ns)
		seq_printf(seq, "%llu", ns);
	seq_putc(seq, ',');
}

static int log_show(struct seq_file *seq, void *item)
{
	struct mock_log *log = seq->private;
	struct mock_device *mock = container_of(log, struct mock_device, log);
	const struct mock_row *row = item;

	if (item == SEQ_START_TOKEN) {
		seq_puts(seq, "ctx,seqno,ring,tgid,queue_ns,run_ns,start_ns,end_ns,signaled_ns,duration_ns,status\n");
		return 0;
	}
	seq_printf(seq, "%llu,%llu,%s,%u,", READ_ONCE(row->fence_ctx),
		   READ_ONCE(row->seqno), mock->rings[row->ring].name,
		   row->tgid);
	put_stamp(seq, &row->queue_ns);
	put_stamp(seq, &row->run_ns);
	put_stamp(seq, &row->start_ns);
	put_stamp(seq, &row->end_ns);
	put_stamp(seq, &row->signaled_ns);
	seq_printf(seq, "%llu,", row->duration_ns);
	/* Pairs with mock_row_set_status(). */
	if (smp_load_acquire(&row->has_status))
		seq_printf(seq, "%d", row->status);
	seq_putc(seq, '\n');
	return 0;
}

static const struct seq_operations log_sops = {
	.start	= log_start,
	.next	= log_next,
	.stop	= log_stop,
	.show	= log_show,
};

static int log_open(struct inode *inode, struct file *file)
{
	int err = seq_open(file, &log_sops);

	if (!err)
		((struct seq_file *)file->private_data)->private = inode->i_private;
	return err;
}

const struct file_operations mock_log_fops = {
	.owner		= THIS_MODULE,
	.open		= log_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= seq_release,
};
