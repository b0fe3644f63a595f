/* SPDX-License-Identifier: GPL-2.0 */
/* Which jobs of a trace a user wants: options that several commands have. */
#ifndef GRT_SELECT_H
#define GRT_SELECT_H

#include "options.h"
#include "query.h"
#include "rules.h"

struct select {
	struct grt_query query;
	struct grt_rules rules;
	struct grt_filter *filter;	/* owned, NULL: none */
	uint64_t since_ns, until_ns;	/* after the trace's first event */
	uint64_t session;		/* of raw streams only this one; 0: whatever there is */
	bool is_all;			/* not only the process that was recorded */

	/* As they were typed. */
	const char *engine, *filter_text, *rules_file, *no_rule, *since, *until, *slower;
};

#define SELECT_OPTIONS(s)							\
	OPT_STRING(0, "slower", &(s)->slower, "TIME", "only jobs whose total is longer"), \
	OPT_STRING(0, "since", &(s)->since, "TIME", "only events from then on, after the first"), \
	OPT_STRING(0, "until", &(s)->until, "TIME", "only events before that"),	\
	OPT_STRING('r', "ring", &(s)->query.ring, "RING",			\
		   "only jobs of this ring: name or number"),			\
	OPT_STRING('e', "engine", &(s)->engine, "ENGINES",			\
		   "only jobs of these engines: names with commas, or a mask"),	\
	OPT_STRING(0, "engine-mask", &(s)->engine, "ENGINES", "the same"),	\
	OPT_U64('p', "pid", &(s)->query.pid, "PID", "only jobs of this process"), \
	OPT_STRING('c', "comm", &(s)->query.comm, "NAME",			\
		   "only jobs of processes of this name"),			\
	OPT_STRING('F', "filter", &(s)->filter_text, "EXPR",			\
		   "only jobs for which this holds, like 't_dep > 1ms && ring == gfx'"), \
	OPT_STRING(0, "rules", &(s)->rules_file, "FILE", "rules that give jobs labels"), \
	OPT_STRING(0, "no-rule", &(s)->no_rule, "NAMES",			\
		   "switch these rules off, commas between"),			\
	OPT_BOOL('a', "all", &(s)->is_all,					\
		 "jobs of all processes, though one alone was to be recorded"),	\
	OPT_BOOL('s', "synthetic", &(s)->query.with_synthetic,			\
		 "also jobs that were written by hand through the file emit"),	\
	OPT_U64(0, "session", &(s)->session, "ID",				\
		"of raw streams of several sessions only this one")

/* Of zeroed memory, works out what was typed.  0 or -errno with a cause. */
int select_apply(struct select *s);
void select_free(struct select *s);

#endif /* GRT_SELECT_H */
