/* SPDX-License-Identifier: GPL-2.0 */
/* The commands: X(name, needs, text).  Each is int cmd_NAME() in cmd/NAME.c. */
#ifndef GRT_COMMANDS_H
#define GRT_COMMANDS_H

#define NEED_NOTHING	0
#define NEED_MODULE	1	/* the module's files in debugfs, and the right to open them */

#define GRT_COMMANDS(X)							\
	X(record, NEED_NOTHING, "record GPU jobs into a file")		\
	X(report, NEED_NOTHING, "show where the time of jobs and rings went") \
	X(diff,   NEED_NOTHING, "compare two traces: what got slower")	\
	X(timeline, NEED_NOTHING, "draw what the rings did, and what jobs waited for") \
	X(top,    NEED_NOTHING, "show what rings and processes do now, once a second") \
	X(monitor, NEED_NOTHING, "show events of jobs, memory or displays as they come, and statistics") \
	X(serve,  NEED_NOTHING, "give metrics of jobs and rings to Prometheus") \
	X(listen, NEED_NOTHING, "write files of the streams that other machines send") \
	X(dump,   NEED_NOTHING, "print the events of a trace")		\
	X(verify, NEED_NOTHING, "check that a trace follows the rules of its format") \
	X(import, NEED_NOTHING, "convert a recording of trace-cmd, perf, ftrace or QEMU") \
	X(export, NEED_NOTHING, "write a trace in another format: a table, a picture, another tool's file") \
	X(slice,  NEED_NOTHING, "cut a span of time, or some rings, out of a trace") \
	X(merge,  NEED_NOTHING, "merge several traces into one, or ioctls and a trace into a timeline") \
	X(repair, NEED_NOTHING, "recover the intact part of a damaged trace") \
	X(annotate, NEED_NOTHING, "record who enters which DRM ioctl, and for how long") \
	X(mark,   NEED_NOTHING, "write a line of text into the kernel's trace") \
	X(probe,  NEED_NOTHING, "record or time calls of any function, of the kernel or of a program") \
	X(start,  NEED_MODULE,  "start a session")			\
	X(stop,   NEED_MODULE,  "stop the session")			\
	X(extract, NEED_MODULE, "save the events that a stopped session still holds") \
	X(snapshot, NEED_MODULE, "save the last events of a flight recorder") \
	X(status, NEED_MODULE,  "show the session, its buffers and losses") \
	X(config, NEED_MODULE,  "show or change how sessions record")	\
	X(doctor, NEED_NOTHING, "show what recordings here can contain, and what to repair")

#define GRT_X(name, needs, text) int cmd_##name(int argc, char **argv);
GRT_COMMANDS(GRT_X)
#undef GRT_X

/* Exits with a hint if a need of the current command is not met. */
void grt_check_needs(void);

#endif /* GRT_COMMANDS_H */
