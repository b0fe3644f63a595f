/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control files in debugfs: rows of one table, served by one file_operations.
 */
#ifndef _GRTRACE_CONTROL_H
#define _GRTRACE_CONTROL_H

#include <linux/seq_file.h>
#include <linux/types.h>

struct dentry;

/* Longest line that any file takes. */
#define GRT_LINE_MAX	512

/**
 * struct grt_ctl - a control file
 * @name: its name
 * @mode: 0400 without @store, else 0600
 * @show: writes the whole file
 * @store: takes one line without its newline; may cut it to pieces.  0 or a
 *	   negative errno, after grt_ctl_error() said what would be accepted
 * @is_concurrent: @store takes care of itself; several may write at once
 */
struct grt_ctl {
	const char *name;
	umode_t mode;
	int (*show)(struct seq_file *m);
	int (*store)(char *line);
	bool is_concurrent;
};

struct dentry *grt_control_create(void);
void grt_control_destroy(struct dentry *dir);

/* Says why the write is refused and returns -EINVAL.  Shown by the file error. */
int grt_ctl_error(const char *fmt, ...) __printf(1, 2);
/* The same for what is right but cannot be done: returns @err. */
int grt_ctl_fail(int err, const char *fmt, ...) __printf(2, 3);

/* config.c */
int grt_config_show(struct seq_file *m);
int grt_config_store(char *line);
int grt_config_show_key(struct seq_file *m, const char *key);
int grt_config_set(const char *key, const char *value);
u64 grt_config_get(const char *key);

/* files.c: starts or stops the session, whoever holds it; no error if it is so. */
int grt_control_enable(bool is_on);

/* params.c: start when the module is loaded. */
extern bool grt_autostart;

/* emit_cmd.c */
int grt_emit_cmd_show(struct seq_file *m);
int grt_emit_cmd_store(char *line);

/* stats.c */
int grt_stats_show(struct seq_file *m);
int grt_events_by_type_show(struct seq_file *m);
int grt_rings_show(struct seq_file *m);

#endif
