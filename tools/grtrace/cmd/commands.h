/* SPDX-License-Identifier: GPL-2.0 */
/* The commands: X(name, needs, text).  Each is int cmd_NAME() in cmd/NAME.c. */
#ifndef GRT_COMMANDS_H
#define GRT_COMMANDS_H

#define NEED_NOTHING	0
#define NEED_MODULE	1	/* its files in debugfs, and the right to open them */

#define GRT_COMMANDS(X)							\
	X(record, NEED_NOTHING, "record GPU jobs into a file")		\
	X(report, NEED_NOTHING, "say where the time of jobs and rings went") \
	X(diff,   NEED_NOTHING, "compare two traces: what got slower")	\
	X(dump,   NEED_NOTHING, "print the events of a trace")		\
	X(verify, NEED_NOTHING, "say whether a trace keeps the rules of its format") \
	X(import, NEED_NOTHING, "make a trace of what trace-cmd, perf or ftrace recorded") \
	X(slice,  NEED_NOTHING, "cut a trace: a span of time, some of its rings") \
	X(merge,  NEED_NOTHING, "make one trace of several") \
	X(repair, NEED_NOTHING, "make a whole trace of what is whole in a damaged one") \
	X(start,  NEED_MODULE,  "start a session")			\
	X(stop,   NEED_MODULE,  "stop the session")			\
	X(status, NEED_MODULE,  "show the session, its buffers and losses") \
	X(config, NEED_MODULE,  "show or change how sessions record")

#define GRT_X(name, needs, text) int cmd_##name(int argc, char **argv);
GRT_COMMANDS(GRT_X)
#undef GRT_X

/* Exits with a hint when the running command's needs are not met. */
void grt_check_needs(void);

#endif /* GRT_COMMANDS_H */
