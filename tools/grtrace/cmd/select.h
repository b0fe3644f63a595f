/* SPDX-License-Identifier: GPL-2.0 */
/* Options that select jobs of a trace; several commands have them. */
#ifndef GRT_SELECT_H
#define GRT_SELECT_H

#include "options.h"
#include "query.h"
#include "rules.h"

struct select {
	struct grt_query query;
	struct grt_rules rules;
	struct grt_filter *filter;	/* owned, NULL: none */
	struct grt_window window;	/* as typed: each trace works out its own */
	uint64_t session;		/* of raw streams only this session; 0: any */
	bool is_all;			/* all processes, even if one was recorded */

	/* The options as they were typed. */
	const char *engine, *filter_text, *rules_file, *no_rule, *slower;
	const char *since, *until, *since_by, *around;
};

#define SELECT_OPTIONS(s)							\
	OPT_STRING(0, "slower", &(s)->slower, "TIME", "only jobs whose total is longer"), \
	OPT_STRING(0, "since", &(s)->since, "TIME",				\
		   "from TIME on: 1.5s after the first event, @904.057, or a job like 401:78-5ms"), \
	OPT_STRING(0, "until", &(s)->until, "TIME", "up to TIME"),		\
	OPT_STRING(0, "since-by", &(s)->since_by, "RULE",			\
		   "which jobs belong to that time: touch, submit or complete"), \
	OPT_STRING(0, "around", &(s)->around, "CTX:SEQNO",			\
		   "the life of this job, and as much before and after it"),	\
	OPT_STRING('r', "ring", &(s)->query.ring, "RING",			\
		   "only jobs of this ring: name or number"),			\
	OPT_STRING('e', "engine", &(s)->engine, "ENGINES",			\
		   "only jobs of these engines: names with commas, or a mask"),	\
	OPT_STRING(0, "engine-mask", &(s)->engine, "ENGINES", "the same"),	\
	OPT_U64('p', "pid", &(s)->query.pid, "PID", "only jobs of this process"), \
	OPT_STRING('c', "comm", &(s)->query.comm, "NAME",			\
		   "only jobs of processes of this name"),			\
	OPT_STRING('F', "filter", &(s)->filter_text, "EXPR",			\
		   "only jobs that match EXPR, like 't_dep > 1ms && ring == gfx'"), \
	OPT_STRING(0, "rules", &(s)->rules_file, "FILE", "label jobs by the rules in FILE"), \
	OPT_STRING(0, "no-rule", &(s)->no_rule, "NAMES",			\
		   "switch these rules off: names with commas"),			\
	OPT_BOOL('a', "all", &(s)->is_all,					\
		 "jobs of all processes, even if one was selected for recording"),	\
	OPT_BOOL('s', "synthetic", &(s)->query.with_synthetic,			\
		 "also jobs that were written by hand through the file emit"),	\
	OPT_U64(0, "session", &(s)->session, "ID",				\
		"only this session, if raw streams have several")

/* Parses the options; *s was zeroed before.  0 or -errno with a cause. */
int select_apply(struct select *s);
void select_free(struct select *s);

/* Adds the options that were given to a command line. */
void select_given(struct grt_shell *line, struct select *s);

/* Parses "401:78".  0 or -EINVAL with a cause. */
int select_parse_job(const char *text, uint64_t *ctx, uint64_t *seqno);

#endif /* GRT_SELECT_H */
