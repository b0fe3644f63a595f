// SPDX-License-Identifier: GPL-2.0
/* The options of "grtrace record", which of them may stand together, and what they set. */
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>

#include "commands.h"
#include "error.h"
#include "format.h"
#include "number.h"
#include "option_rules.h"
#include "options.h"
#include "print.h"
#include "sampler.h"
#include "sources.h"
#include "stacks.h"

#define MOST_PRIORITY	99
#define LEAST_INTERVAL_NS	10000000
#define LEAST_EVERY_NS	100000000	/* of --export */
#define LARGER_BUFFER	(16 << 20)
#define LEAST_FILE	65536	/* for --rotate: definitions alone need some thousand */

/* Children, above all the command, get the usual priority. */
static int set_priority(const struct record *r)
{
	const struct sched_param param = { .sched_priority = r->priority };

	if (!r->priority || !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param))
		return 0;
	return grt_fail_errno("sudo chrt --fifo 1 true    # tries whether this machine allows it",
			      "cannot have the real-time priority %" PRIu64, r->priority);
}

/* The exit code of the command, as a shell has it; if that is 0, a lost>N alert counts. */
static int exit_code(const struct record *r)
{
	int code = 0;

	if (r->has_status)
		code = WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
	return !code && r->alert.has_fired ? GRT_EXIT_FOUND : code;
}

/* A size ("64M") or a time ("10m"), told apart by the unit. */
static int parse_rotate(struct grt_output *o, const char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (!text)
		return 0;
	if (len && isupper((unsigned char)text[len - 1])) {
		if (grt_parse_bytes(text, &o->rotate_bytes))
			return -EINVAL;
		if (o->rotate_bytes >= LEAST_FILE)
			return 0;
		return grt_fail(EINVAL, "at least 64K", "'%s' is too small for a file", text);
	}
	if (len && islower((unsigned char)text[len - 1]) && !grt_parse_ns(text, &o->rotate_ns) &&
	    o->rotate_ns)
		return 0;
	return grt_fail(EINVAL, "write it like 64M, 1G, 30s, 10m or 1h",
			"'%s' is neither a size nor a time", text);
}

/* The same command with a larger buffer. */
static const char *make_again(struct grt_shell *line, struct record *r,
			      const struct grt_option *options)
{
	uint64_t asked = r->session.buffer_bytes;

	r->session.buffer_bytes = asked >= LARGER_BUFFER ? 4 * asked : LARGER_BUFFER;
	grt_shell_plain(line, "sudo grtrace record");
	grt_options_given(line, options);
	r->session.buffer_bytes = asked;
	for (char **word = r->command; word && *word; word++) {
		if (word == r->command)
			grt_shell_plain(line, " --");
		grt_shell_word(line, *word);
	}
	grt_shell_plain(line, "    # a larger buffer loses less");
	return line->is_cut ? "sudo grtrace record -b 16M" : line->text;
}

/* Gauges are the GPU's, so a choice of jobs does not matter; a choice of types does. */
static int parse_gauges(struct record *r)
{
	bool is_file_of_events = !r->is_summary && !r->slower_ns;
	uint64_t hz = GRT_SAMPLER_HZ;

	if (r->gauges && !strcmp(r->gauges, "off"))
		return 0;
	if (r->gauges && (grt_parse_u64(r->gauges, &hz) || !hz || hz > GRT_SAMPLER_MOST_HZ))
		return -EINVAL;
	if (is_file_of_events && (!r->session.types ||
				  r->session.filters[GRT_FILTER_TYPES].value >> GRTRACE_FREQUENCY & 1))
		r->gauges_hz = hz;
	return 0;
}

/* The options whose text is more than a number or a name. */
static int parse_texts(struct record *r, const char *rotate, const char *alert)
{
	int err = parse_rotate(&r->output, rotate);

	if (!err)
		err = grt_alert_parse(&r->alert, alert);
	if (!err)
		err = grt_session_parse(&r->session);
	if (!err && r->stacks)
		err = grt_capture_stacks_parse(r->stacks, &r->stack_kinds);
	if (!err && r->cpus)
		err = grt_parse_cpus(r->cpus, r->cpu_bits);
	if (!err && r->to)
		err = grt_socket_parse(&r->to_address, r->to);
	if (!err && r->clock_from)
		err = grt_socket_parse(&r->clock_address, r->clock_from);
	return err;
}

static const struct grt_option_rule rules[] = {
	OPT_REFUSES("summary", "output rotate max-size alert type", "writes no file"),
	OPT_REFUSES("live", "to rotate max-size summary flight", "writes to standard output"),
	OPT_REFUSES("to", "output rotate max-size summary flight", "writes to a socket"),
	OPT_REFUSES("to", "clock-from", "compares clocks by itself"),
	OPT_REFUSES("clock-from", "summary flight", NULL),
	OPT_REFUSES("slower-than", "summary type", "records whole jobs"),
	OPT_REFUSES("event", "summary slower-than", "records events"),
	OPT_REFUSES("probe", "summary slower-than", "records events"),
	OPT_REFUSES("stacks", "summary slower-than", "records the stack of each SUBMIT"),
	OPT_REFUSES("cpus", "summary slower-than", "cuts jobs in parts"),
	OPT_REFUSES("flight", "rotate alert summary slower-than event probe interval gauges",
		    "writes a file per snapshot"),
	OPT_REFUSES("export", "rotate summary live to slower-than cpus type event probe gauges",
		    "writes rows of whole jobs"),
	OPT_NEEDS("format", "summary"),
	OPT_NEEDS("keep", "rotate flight"),
	OPT_NEEDS("last", "flight"),
	OPT_NEEDS("stop-on", "flight"),
	OPT_NEEDS("every", "export"),
	OPT_NEEDS("export-max", "export"),
	OPT_RULES_END()
};

static bool takes_type(const struct record *r, enum grtrace_type type)
{
	return !r->session.types || r->session.filters[GRT_FILTER_TYPES].value >> type & 1;
}

static int check_processes(const struct record *r, const struct grt_option *options)
{
	if (r->pid > INT32_MAX)
		return grt_usage(options, "no process has the number %" PRIu64, r->pid);
	if (r->pid && r->command)
		return grt_usage(options, "either -p or a command, not both");
	if (r->has_children && !r->pid && !r->command)
		return grt_usage(options, "--children needs -p PID or a command");
	if (r->is_only && !r->command)
		return grt_usage(options, "--only needs a command");
	return 0;
}

static int check_output(const struct record *r, const struct grt_option *options)
{
	bool has_output = grt_option_is_given(options, "output");
	bool is_stdout = grt_outfile_is_stdout(r->output.path);

	if (is_stdout && grt_option_is_given(options, "rotate"))
		return grt_usage(options, "--rotate makes several files and cannot write to standard output");
	if (is_stdout && r->flight.is_on)
		return grt_usage(options, "--flight writes a file per snapshot and cannot write to standard output");
	if (has_output && !is_stdout && r->is_live)
		return grt_usage(options, "--live writes to standard output and takes no --output");
	if (r->export.dir && !r->flight.is_on && (has_output || r->output.max_bytes))
		return grt_usage(options, "--export takes --output and --max-size only with --flight");
	return 0;
}

static int check_events(const struct record *r, const struct grt_option *options)
{
	if (r->events.has_out && (!r->events.chosen || r->events.chosen == r->events.count))
		return grt_usage(options, "-v needs an -e before it, and another behind it that leaves events out");
	if ((r->events.count || r->probes.count) && !takes_type(r, GRTRACE_TRACE_EVENT))
		return grt_usage(options, "--type without TRACE_EVENT leaves out all events of -e and --probe");
	if (r->stacks && !takes_type(r, GRTRACE_SUBMIT))
		return grt_usage(options, "--stacks needs SUBMIT among the types");
	return 0;
}

static int check_numbers(const struct record *r, const struct grt_option *options)
{
	if (r->priority > MOST_PRIORITY)
		return grt_usage(options, "--priority is 1 to %d", MOST_PRIORITY);
	if (r->interval_ns && r->interval_ns < LEAST_INTERVAL_NS)
		return grt_usage(options, "--interval is 10ms or more");
	if (r->export.every_ns && r->export.every_ns < LEAST_EVERY_NS)
		return grt_usage(options, "--every is 100ms or more");
	if (!grt_has_format(r->format))
		return grt_usage(options, "no format '%s'; text, csv or json", r->format);
	return 0;
}

/* With --flight, -o and the limits are those of its files; beside --export the recording has others. */
static void move_outputs(struct record *r)
{
	if (r->is_summary || r->is_live)
		r->output.path = r->is_live ? "-" : "/dev/null";
	r->is_live |= r->to != NULL;
	if (r->flight.is_on) {
		r->flight.path = r->output.path;
		r->flight.keep = r->output.keep;
		r->flight.max_bytes = r->output.max_bytes;
		r->output.keep = r->output.max_bytes = 0;
	}
	r->session.is_flight = r->flight.is_on && !r->export.dir;
	/* No row is made of gauges. */
	if (r->export.dir)
		r->gauges_hz = 0;
}

static int parse(struct record *r, const char *rotate, const char *alert,
		 const struct grt_option *options)
{
	int code = grt_options_check(options, rules);

	if (code)
		return code;
	if (parse_texts(r, rotate, alert))
		return grt_usage(options, "%s; %s", grt_cause(), grt_hint());
	if (parse_gauges(r))
		return grt_usage(options, "--gauges is 1 to %d times a second, or off", GRT_SAMPLER_MOST_HZ);
	code = check_numbers(r, options);
	if (!code)
		code = check_processes(r, options);
	if (!code)
		code = check_output(r, options);
	if (!code)
		code = check_events(r, options);
	if (!code)
		move_outputs(r);
	return code;
}

int cmd_record(int argc, char **argv)
{
	struct record r = GRT_RECORD_INIT("trace.grt");
	const char *rotate = NULL, *alert = NULL, *source = NULL;
	struct grt_shell again = { .at = 0 };
	const struct grt_option options[] = {
		OPT_STRING('o', "output", &r.output.path, "FILE",
			   "write to FILE; trace.grt by default, - is standard output"),
		OPT_SOURCE(&source),
		OPT_NS('d', "duration", &r.limit_ns, "stop after TIME, like 10, 1.5s or 200ms"),
		OPT_U64('p', "pid", &r.pid, "PID",
			"only jobs of this process, until it ends"),
		OPT_BOOL('F', "only", &r.is_only, "only jobs of COMMAND"),
		OPT_BOOL(0, "cpu", &r.has_cpu,
			 "also events of CPUs: threads that submit or wait, and ioctls"),
		OPT_STRING(0, "stacks", &r.stacks, "NAMES",
			   "also the call stack of each SUBMIT (bpf): kernel, user or kernel,user"),
		OPT_BOOL('c', "children", &r.has_children,
			 "with -p and -F also jobs of its descendants; wait until they have ended"),
		OPT_STRING(0, "cgroup", &r.cgroup, "PATH",
			   "only jobs of this cgroup (version 2) and those below it"),
		OPT_BOOL(0, "summary", &r.is_summary,
			 "write no file; sum jobs up in the kernel (bpf), print a table at the end and each --interval"),
		OPT_BOOL(0, "live", &r.is_live,
			 "write no file, but a stream to standard output while it records, for: grtrace top -"),
		OPT_STRING(0, "to", &r.to, "ADDRESS",
			   "write no file, but that stream to grtrace listen at " GRT_SOCKET_TEXT),
		OPT_STRING(0, "clock-from", &r.clock_from, "ADDRESS",
			   "note in the trace how the clock of the machine compares where grtrace listen listens"),
		OPT_STRING('f', "format", &r.format, "NAME", "of --summary: text, csv or json"),
		OPT_BOOL(0, "flight", &r.flight.is_on,
			 "a flight recorder: keep the last events in memory, and write a file when something goes wrong"),
		OPT_NS(0, "last", &r.flight.last_ns, "with --flight: only the last TIME of each snapshot, like 30s"),
		OPT_WORD(0, "stop-on", &r.flight.stop_on, "SYS:EVENT",
			 "with --flight: also when this event of the kernel comes, like sched:sched_process_exit"),
		OPT_STRING(0, "export", &r.export.dir, "DIR",
			   "while it records, write rows of jobs to files in DIR, as export --to ndjson --segment does"),
		OPT_NS(0, "every", &r.export.every_ns, "with --export: a file of rows each TIME, 1m by default"),
		OPT_BYTES(0, "export-max", &r.export.max_bytes,
			  "with --export: remove the oldest files when those in DIR take more than SIZE"),
		OPT_STRING(0, "rotate", &rotate, "LIMIT",
			   "begin a new file (trace-0001.grt, ...) after a size (1G) or time (10m)"),
		OPT_U64(0, "keep", &r.output.keep, "N", "keep the last N files of --rotate or --flight"),
		OPT_BYTES(0, "max-size", &r.output.max_bytes,
			  "stop when all files together reach SIZE; with --flight: remove the oldest"),
		OPT_STRING(0, "alert", &alert, "LOST", "'lost>N': warn when more than N events are lost, and exit with 1"),
		OPT_NS(0, "slower-than", &r.slower_ns,
		       "one JOB record of each job that took TIME from SUBMIT to COMPLETE, no other events"),
		OPT_STRING(0, "ring", &r.session.rings, "NAMES", "only events of these rings, like gfx,sdma0"),
		OPT_STRING(0, "engine", &r.session.engines, "NAMES",
			   "only events of these engine classes, like GRAPHICS,COPY"),
		OPT_STRING('M', "cpus", &r.cpus, "CPUS", "only events on these CPUs, like 0,2-5; not whole jobs"),
		OPT_STRING(0, "gauges", &r.gauges, "HZ",
			   "sample clocks, power and temperature of GPUs so often per second, 10 by default; or off"),
		OPT_WORD('e', "event", &r.events, "SYS:EVENT",
			 "also this event of the kernel (tracefs), like irq, sched:sched_switch or 'irq:*'"),
		OPT_WORDS_OUT('v', "except", &r.events, "leave out the events of each -e behind it"),
		OPT_WORD(0, "probe", &r.probes, "PROBE",
			 "also each call of a function, like 'drm_sched_entity_push_job sched_job->s_priority' (tracefs)"),
		OPT_STRING(0, "type", &r.session.types, "NAMES",
			   "only events of these types, like SUBMIT,COMPLETE"),
		OPT_BYTES('b', "buffer", &r.session.buffer_bytes, "buffer per CPU, like 4M"),
		OPT_BOOL(0, "discard", &r.session.may_discard,
			 "drop the events that a stopped session still holds"),
		OPT_NS('s', "interval", &r.interval_ns, "print a line of counts after each TIME, like 1s"),
		OPT_U64('r', "priority", &r.priority, "PRIO",
			"read the buffers with this real-time priority, 1 to 99"),
		OPT_BOOL('q', "quiet", &r.is_quiet, "print only errors, and the lines of --interval"),
		OPT_END()
	};
	int err, code;

	argc = grt_parse_options_before(argc, argv, options,
					"record [options] [--] [COMMAND [ARGUMENTS]]");
	r.command = argc ? argv : NULL;
	r.again = r.alert.again = make_again(&again, &r, options);
	code = parse(&r, rotate, alert, options);
	if (!code && grt_record_choose(&r))
		code = grt_print_failure(-EINVAL);
	if (code)
		return code;
	code = grt_source_choose(&r, source);
	if (code)
		return code;
	err = set_priority(&r);
	if (!err)
		err = r.session.is_flight ? grt_flight_record(&r) : grt_record_all(&r);
	code = err ? grt_print_failure(err) : exit_code(&r);
	grt_record_close(&r);
	grt_export_queue_close(r.queue);
	return code;
}
