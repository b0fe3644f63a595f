// SPDX-License-Identifier: GPL-2.0
/* The module as a source of record. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "control.h"
#include "error.h"
#include "live.h"
#include "number.h"
#include "record.h"
#include "sources.h"

#define OFFSETS_NS	1000000000ull

static int module_open(struct record *r)
{
	int err = grt_control_is_running();
	char hint[128], text[GRT_FILTER_TEXT];

	if (err == -ENOENT) {
		snprintf(hint, sizeof(hint), "%s", grt_hint() ? grt_hint() : "");
		return grt_fail(ENOENT, hint, "not loaded");
	}
	/* With Secure Boot, for example: then nobody may write to debugfs. */
	if (err == -EPERM && !geteuid())
		return grt_fail(EPERM, "echo 1 > /sys/module/grtrace/parameters/enabled",
				"the kernel is locked down");
	if (err == -EACCES || err == -EPERM)
		return grt_fail(-err, "sudo grtrace record", "only root may use its files");
	if (err > 0 && r->is_alone)
		return grt_fail(EBUSY, "sudo grtrace record --live | grtrace top -",
				"a session runs already, and this would take its events out of its buffers");
	if (err >= 0 && r->choice.cpus)
		return grt_fail(EOPNOTSUPP, "--source=bpf, or choose later: grtrace dump --cpu CPUS",
				"it records all CPUs, not only those of --cpus");
	if (err >= 0 && (grt_capture_chooses_owner(&r->choice) || r->choice.slower_ns) &&
	    grt_control_read("filter_pid", text, sizeof(text)) == -ENOENT)
		return grt_fail(ENOENT, "sudo modprobe grtrace_filter",
				"its part grtrace_filter, which chooses jobs, is not loaded");
	if (err >= 0 && r->has_cpu && access("/sys/module/grtrace_cpu", F_OK))
		return grt_fail(ENOENT, "sudo modprobe grtrace_cpu", "grtrace_cpu is not loaded");
	return err < 0 ? err : 0;
}

static void set_choice(struct record *r)
{
	const struct grt_capture_choice *choice = &r->choice;

	if (choice->has_process) {
		r->session.filters[GRT_FILTER_PID].value = choice->tgid;
		r->session.filters[GRT_FILTER_CHILDREN].value = choice->has_children;
	}
	r->session.filters[GRT_FILTER_CGROUP].value = choice->cgroup;
	r->session.filters[GRT_FILTER_LATENCY].value = (choice->slower_ns + 999) / 1000;
}

static int module_start(struct record *r)
{
	int err;

	set_choice(r);
	err = grt_offsets_send(&r->offsets);
	if (!err)
		err = grt_session_start(&r->session);
	r->family.other = r->session.restore.pid;
	return err;
}

/* A driver may be loaded while it records. */
static int module_look(struct record *r, uint64_t now_ns)
{
	if (now_ns - r->offsets_ns < OFFSETS_NS)
		return 0;
	r->offsets_ns = now_ns;
	return grt_offsets_send(&r->offsets);
}

static int module_streams(struct record *r, struct grt_live **live)
{
	(void)r;
	return grt_live_open(live);
}

static int module_snapshot(struct record *r)
{
	(void)r;
	return grt_control_write("control", "snapshot");
}

static int module_has_snapshot(struct record *r)
{
	(void)r;
	return grt_control_has_snapshot();
}

static int module_release_snapshot(struct record *r)
{
	(void)r;
	return grt_control_write("control", "release");
}

static int module_stop(struct record *r)
{
	return grt_session_stop(&r->session);
}

static void module_release(struct record *r)
{
	grt_session_release(&r->session);
	grt_offsets_free(&r->offsets);
}

static ssize_t module_stats(struct record *r, char *to, size_t room)
{
	(void)r;
	return grt_control_read("stats", to, room);
}

/* The buffers of our session may be smaller than the user asked for. */
static void say_buffer(void)
{
	char stats[16384], value[32], asked_text[GRT_NUMBER_MAX], given_text[GRT_NUMBER_MAX];
	uint64_t asked, given;

	if (grt_control_read("stats", stats, sizeof(stats)) < 0 ||
	    !grt_control_value(stats, "buffer_bytes_asked", value, sizeof(value)) ||
	    grt_parse_u64(value, &asked) ||
	    !grt_control_value(stats, "buffer_bytes", value, sizeof(value)) ||
	    grt_parse_u64(value, &given) || given >= asked)
		return;
	fprintf(stderr, "note: each CPU has a buffer of %s, not of %s: the machine has too little memory\n",
		grt_format_bytes(given_text, given), grt_format_bytes(asked_text, asked));
}

/* Without an adapter no event arrives, and the GPU looks idle. */
static void module_warn(const struct record *r)
{
	static char text[1 << 16];

	(void)r;
	if (grt_control_read("metadata", text, sizeof(text)) < 0 || !strncmp(text, "adapter.", 8) ||
	    strstr(text, "\nadapter."))
		return;
	grt_warn("sudo modprobe grtrace_drm_bridge",
		 "no adapter is loaded: no jobs of GPUs will be recorded");
}

static void module_describe(const struct record *r)
{
	char text[256], version[64] = "";

	if (grt_control_read("version", text, sizeof(text)) > 0)
		grt_control_value(text, "version", version, sizeof(version));
	fprintf(stderr, "%s%s%s, %s\n", *version ? " (grtrace " : "", version, *version ? ")" : "",
		r->session.is_ours ? "a session of its own" : "the session that runs already");
	if (r->session.is_ours)
		say_buffer();
}

const struct grt_record_source grt_module_source = {
	.name		= "module",
	.ring_rows	= 1024,		/* GRTRACE_MAX_RINGS in include/linux/grtrace_hook.h */
	.open		= module_open,
	.start		= module_start,
	.streams	= module_streams,
	.look		= module_look,
	.stop		= module_stop,
	.release	= module_release,
	.snapshot	= module_snapshot,
	.has_snapshot	= module_has_snapshot,
	.release_snapshot = module_release_snapshot,
	.stats		= module_stats,
	.warn		= module_warn,
	.describe	= module_describe,
};
