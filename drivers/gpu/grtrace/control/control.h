/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control files in debugfs: rows of one table, served by one file_operations.
 */
#ifndef _GRTRACE_CONTROL_H
#define _GRTRACE_CONTROL_H

#include <linux/grtrace_hook.h>
#include <linux/seq_file.h>
#include <linux/types.h>

struct dentry;
struct grt_counts;

/* Longest line that a file takes: any line that the file config shows can be written back. */
#define GRT_LINE_MAX	2880

struct dentry *grt_control_create(void);
void grt_control_destroy(struct dentry *dir);

/* error.c.  As grtrace_ctl_error(), but returns @err: for valid input that cannot be applied. */
int grt_ctl_fail(int err, const char *fmt, ...) __printf(2, 3);
int grt_error_show(struct seq_file *m);

/* config.c */
int grt_config_show(struct seq_file *m);
int grt_config_store(char *line);
int grt_keys_show(struct seq_file *m);
int grt_config_set(const char *key, const char *value);

/* hook_keys.c: show and store a key of an extension module; store as grtrace_ctl.store. */
void grt_hook_key_format(const struct grtrace_key *key, char *to, size_t room);
int grt_hook_key_store(const struct grtrace_key *key, char *text);

/* files.c: show and store a row; also used for module parameters. */
void grt_ctl_format(const struct grtrace_ctl *ctl, char *to, size_t room);
int grt_ctl_store(const struct grtrace_ctl *ctl, char *line);

/* files.c: starts or stops the session, also a held one; no error if nothing changes. */
int grt_control_enable(bool is_on);

/* params.c: start a session when the module is loaded. */
extern bool grt_autostart;

/* emit_cmd.c */
int grt_emit_cmd_show(struct seq_file *m);
int grt_emit_cmd_store(char *line);

/* stats.c */
int grt_stats_show(struct seq_file *m);
int grt_rings_show(struct seq_file *m);
/* rules_cmd.c */
int grt_rules_show(struct seq_file *m);
int grt_rules_store(char *line);
/* Notes all rules, with the time of the session's start.  Under its lock. */
void grt_rules_note(void);

/* offsets_cmd.c */
int grt_offsets_show(struct seq_file *m);
int grt_offsets_store(char *line);

/* jobs_show.c */
int grt_jobs_show(struct seq_file *m);

/* stats_tables.c */
/* Writes the line of the file stats that counts the events seen per type. */
void grt_events_by_type_line(struct seq_file *m, const struct grt_counts *n);
int grt_events_by_type_show(struct seq_file *m);
int grt_latency_hist_show(struct seq_file *m);
int grt_size_hist_show(struct seq_file *m);
int grt_result_hist_show(struct seq_file *m);
int grt_pc_cseq_show(struct seq_file *m);
int grt_pc_stats_show(struct seq_file *m);
int grt_sec_stats_show(struct seq_file *m);

#endif
