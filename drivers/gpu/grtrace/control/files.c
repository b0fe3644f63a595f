// SPDX-License-Identifier: GPL-2.0
/*
 * The table of control files.
 */
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/grtrace.h>

#include "../defs.h"
#include "../session.h"
#include "../transport/transport.h"
#include "../version.h"
#include "config.h"
#include "control.h"

/* Allows one write at a time, except for files with is_concurrent. */
static DEFINE_MUTEX(store_lock);

/* @holder: the open file that stops the session when it is closed; @writer: the current writer. */
static struct file *holder, *writer;

/* Reports in the file error that the buffers are smaller than configured; that is no failure. */
static int report_size(int err)
{
	size_t given = grt_transport_bytes();

	if (!err && given < grt_session.buffer_bytes_asked)
		grt_ctl_fail(0, "buffer_size is %llu, but each CPU got %zu: %s",
			     grt_session.buffer_bytes_asked, given,
			     "all buffers may take a 64th of the RAM, a quarter if all CPUs come up");
	return err;
}

/* A start while a session runs is no error here: scripts do that. */
static int start(void)
{
	int err = report_size(grt_session_start());

	/* A rule may have stopped the session of the holder: this is another one. */
	if (!err)
		holder = NULL;
	return err == -EBUSY ? 0 : err;
}

/* Fails while a session runs: the holder must not stop a session that it did not start. */
static int start_and_hold(void)
{
	int err = report_size(grt_session_hold());

	if (!err)
		holder = writer;
	return err;
}

static int stop(void)
{
	int err;

	holder = NULL;
	err = grt_session_stop();
	return err == -EINVAL ? 0 : err;
}

static const char *session_refusal(int err)
{
	switch (err) {
	case -EBUSY:
		return "a session runs: stop it first";
	case -EINVAL:
		return "no session runs: start one first";
	case -ENOMEM:
		return "no memory for buffers and probes: set a smaller buffer_size";
	case -EEXIST:
		return "the name of a stream is taken in this folder";
	case -EOPNOTSUPP:
		return "the session overwrites its buffers: write snapshot";
	default:
		return "failed";
	}
}

static const char *snapshot_refusal(int err)
{
	switch (err) {
	case -EBUSY:
		return "a snapshot is held: read it, then write release";
	case -EOPNOTSUPP:
		return "the session does not overwrite: set mode=overwrite, and start it again";
	default:
		return session_refusal(err);
	}
}

static const char *release_refusal(int err)
{
	return err == -EBUSY ? "somebody reads the snapshot" : "no snapshot is held";
}

static const struct control_word {
	const char *word;
	int (*act)(void);
	const char *(*refusal)(int err);
} control_words[] = {
	{ "start", start, session_refusal },
	{ "start hold", start_and_hold, session_refusal },
	{ "stop",  stop, session_refusal },
	{ "reset", grt_session_reset, session_refusal },
	{ "flush", grt_session_flush, session_refusal },
	{ "snapshot", grt_session_snapshot, snapshot_refusal },
	{ "release", grt_session_release, release_refusal },
	{ "reset_stats", grt_session_reset_stats, session_refusal },
};

static int control_show(struct seq_file *m)
{
	seq_printf(m, "%s\n", grt_session_state_name());
	return 0;
}

static int refuse_word(const char *line)
{
	char words[80];
	size_t at = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(control_words); i++)
		at += scnprintf(words + at, sizeof(words) - at, "%s%s", i ? ", " : "",
				control_words[i].word);
	return grtrace_ctl_error("control: '%s' is not one of: %s", line, words);
}

static int control_store(char *line)
{
	int i, err;

	for (i = 0; i < ARRAY_SIZE(control_words); i++) {
		const struct control_word *w = &control_words[i];

		if (strcmp(line, w->word))
			continue;
		err = w->act();
		return err ? grt_ctl_fail(err, "control: %s: %s", w->word, w->refusal(err)) : 0;
	}
	return refuse_word(line);
}

static int enabled_show(struct seq_file *m)
{
	seq_printf(m, "%d\n", READ_ONCE(grt_session.state) == GRT_RUNNING);
	return 0;
}

int grt_control_enable(bool is_on)
{
	int err;

	mutex_lock(&store_lock);
	err = is_on ? start() : stop();
	mutex_unlock(&store_lock);
	return err;
}

static int enabled_store(char *line)
{
	int err;

	if (strcmp(line, "0") && strcmp(line, "1"))
		return grtrace_ctl_error("enabled: '%s' is not 0 or 1", line);
	err = line[0] == '1' ? start() : stop();
	return err ? grt_ctl_fail(err, "enabled: %s", session_refusal(err)) : 0;
}

static int version_show(struct seq_file *m)
{
	seq_printf(m, "version=%s\nformat_version=%d\n", GRT_VERSION,
		   GRTRACE_FORMAT_VERSION);
	return 0;
}

static int metadata_show(struct seq_file *m)
{
	char *text = kvmalloc(GRT_DEF_MAX, GFP_KERNEL);

	if (!text)
		return -ENOMEM;
	grt_defs_metadata(text, GRT_DEF_MAX);
	seq_puts(m, text);
	kvfree(text);
	return 0;
}

static const struct grtrace_ctl ctls[] = {
	{ "control",	    0600, control_show, control_store },
	{ "enabled",	    0600, enabled_show, enabled_store },
	{ "enable",	    0600, enabled_show, enabled_store },
	{ "config",	    0600, grt_config_show, grt_config_store },
	{ "keys",	    0400, grt_keys_show },
	{ "emit",	    0600, grt_emit_cmd_show, grt_emit_cmd_store, .is_concurrent = true },
	{ "stats",	    0400, grt_stats_show },
	{ "events_by_type", 0400, grt_events_by_type_show },
	{ "rules",	    0600, grt_rules_show, grt_rules_store },
	{ "jobs",	    0400, grt_jobs_show },
	{ "latency_hist",   0400, grt_latency_hist_show },
	{ "size_hist",	    0400, grt_size_hist_show },
	{ "result_hist",    0400, grt_result_hist_show },
	{ "pc_cseq",	    0400, grt_pc_cseq_show },
	{ "pc_stats",	    0400, grt_pc_stats_show },
	{ "sec_stats",	    0400, grt_sec_stats_show },
	{ "rings",	    0400, grt_rings_show },
	{ "offsets",	    0600, grt_offsets_show, grt_offsets_store },
	{ "version",	    0400, version_show },
	{ "metadata",	    0400, metadata_show },
	{ "error",	    0400, grt_error_show },
};

static struct dentry *control_dir;

/* A file per config key and alias: rows without functions of their own. */
static struct grtrace_ctl *key_ctls;

void grt_ctl_format(const struct grtrace_ctl *ctl, char *to, size_t room)
{
	if (ctl->key)
		grt_hook_key_format(ctl->key, to, room);
	else
		grt_config_print(ctl->name, to, room);
}

static int ctl_show(struct seq_file *m, void *v)
{
	const struct grtrace_ctl *ctl = m->private;
	char *text;

	if (ctl->show)
		return ctl->show(m);
	text = kmalloc(GRT_KEY_TEXT, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	grt_ctl_format(ctl, text, GRT_KEY_TEXT);
	seq_printf(m, "%s\n", text);
	kfree(text);
	return 0;
}

int grt_ctl_store(const struct grtrace_ctl *ctl, char *line)
{
	if (ctl->store)
		return ctl->store(line);
	return ctl->key ? grt_hook_key_store(ctl->key, line) : grt_config_set(ctl->name, line);
}

static int ctl_open(struct inode *inode, struct file *file)
{
	const struct grtrace_ctl *ctl = inode->i_private;
	int err;

	/* Root ignores mode bits, so check the mode here. */
	if ((file->f_mode & FMODE_WRITE) && !(ctl->mode & 0200))
		return -EACCES;
	if (!try_module_get(ctl->owner))
		return -ENODEV;
	err = single_open(file, ctl_show, inode->i_private);
	if (err)
		module_put(ctl->owner);
	return err;
}

/* Stores line by line.  Returns the bytes taken before the first refusal. */
static ssize_t store_lines(const struct grtrace_ctl *ctl, char *text, size_t bytes)
{
	char *line = text, *end = text + bytes;
	int err;

	while (line < end) {
		char *next = memchr(line, '\n', end - line) ?: end;

		*next = '\0';
		if (strlen(line) != next - line)
			err = grtrace_ctl_error("%s: a line holds a NUL byte", ctl->name);
		else if (next - line > GRT_LINE_MAX)
			err = grtrace_ctl_error("%s: a line of %td bytes, at most %d are allowed",
						ctl->name, next - line, GRT_LINE_MAX);
		else
			err = grt_ctl_store(ctl, strim(line));
		if (err)
			return line > text ? line - text : err;
		line = next + 1;
	}
	return bytes;
}

/* Takes a long write in pieces of whole lines; the writer writes the rest again. */
static size_t whole_lines(const char *text, size_t bytes)
{
	const char *last = strrchr(text, '\n');

	return last ? last + 1 - text : bytes;
}

static ssize_t ctl_write(struct file *file, const char __user *from, size_t bytes,
			 loff_t *pos)
{
	const struct grtrace_ctl *ctl = file_inode(file)->i_private;
	bool is_cut = false;
	ssize_t ret;
	char *text;

	if (!bytes)
		return 0;
	if (bytes > PAGE_SIZE) {
		is_cut = true;
		bytes = PAGE_SIZE;
	}
	text = memdup_user_nul(from, bytes);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (is_cut)
		bytes = whole_lines(text, bytes);
	if (ctl->is_concurrent) {
		ret = store_lines(ctl, text, bytes);
	} else {
		mutex_lock(&store_lock);
		writer = file;
		ret = store_lines(ctl, text, bytes);
		writer = NULL;
		mutex_unlock(&store_lock);
	}
	kfree(text);
	return ret;
}

/* Stops the session of a recorder that dies. */
static int ctl_release(struct inode *inode, struct file *file)
{
	const struct grtrace_ctl *ctl = inode->i_private;
	int err;

	mutex_lock(&store_lock);
	if (holder == file)
		stop();
	mutex_unlock(&store_lock);
	err = single_release(inode, file);
	module_put(ctl->owner);
	return err;
}

static const struct file_operations ctl_fops = {
	.owner	 = THIS_MODULE,
	.open	 = ctl_open,
	.read	 = seq_read,
	.write	 = ctl_write,
	.llseek	 = seq_lseek,
	.release = ctl_release,
};

void grtrace_ctl_add(const struct grtrace_ctl *rows, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		debugfs_create_file(rows[i].name, rows[i].mode, control_dir, (void *)&rows[i],
				    &ctl_fops);
}
EXPORT_SYMBOL_GPL(grtrace_ctl_add);

void grtrace_ctl_remove(const struct grtrace_ctl *rows, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		debugfs_lookup_and_remove(rows[i].name, control_dir);
}
EXPORT_SYMBOL_GPL(grtrace_ctl_remove);

static unsigned int fill_key_ctls(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < grt_nr_keys; i++) {
		key_ctls[nr++] = (struct grtrace_ctl){ .name = grt_keys[i].name, .mode = 0600 };
		if (grt_keys[i].alias)
			key_ctls[nr++] = (struct grtrace_ctl){ .name = grt_keys[i].alias,
							       .mode = 0600 };
	}
	return nr;
}

static const struct grt_session_control session_control = {
	.note_keys = grt_config_note,
};

/* Creates a second name for each CPU's stream, which appears when a session starts. */
static void create_links(void)
{
	char name[16], target[16];
	int cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "trace%d", cpu);
		snprintf(target, sizeof(target), "events%d", cpu);
		debugfs_create_symlink(name, control_dir, target);
	}
}

struct dentry *grt_control_create(void)
{
	key_ctls = kcalloc(2 * grt_nr_keys, sizeof(*key_ctls), GFP_KERNEL);
	if (!key_ctls)
		return ERR_PTR(-ENOMEM);
	control_dir = debugfs_create_dir("grtrace", NULL);
	if (IS_ERR(control_dir)) {
		kfree(key_ctls);
		return control_dir;
	}
	/* debugfs creates it with 0755; only root may enter. */
	d_inode(control_dir)->i_mode = S_IFDIR | 0700;
	grtrace_ctl_add(ctls, ARRAY_SIZE(ctls));
	grtrace_ctl_add(key_ctls, fill_key_ctls());
	create_links();
	grt_session_set_control(&session_control);
	return control_dir;
}

void grt_control_destroy(struct dentry *dir)
{
	debugfs_remove(dir);
	kfree(key_ctls);
}
