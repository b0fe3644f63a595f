// SPDX-License-Identifier: GPL-2.0
/* What may be wrong with a machine: each check adds a line, with a hint that can be pasted. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "control.h"
#include "doctor.h"
#include "error.h"
#include "io.h"
#include "machine.h"
#include "number.h"
#include "session.h"

#define SMALL_BUFFER	(1 << 20)	/* some thousands of jobs: one late reader, and events are lost */

__attribute__((format(printf, 4, 5)))
static int add(struct doctor *d, bool is_problem, const char *hint, const char *fmt, ...)
{
	struct doctor_check *c = grt_vec_grow(&d->checks, sizeof(*c));
	va_list ap;

	if (!c)
		return grt_fail_memory();
	*c = (struct doctor_check){ .is_problem = is_problem };
	va_start(ap, fmt);
	vsnprintf(c->text, sizeof(c->text), fmt, ap);
	va_end(ap);
	snprintf(c->hint, sizeof(c->hint), "%s", hint ? hint : "");
	return 0;
}

static bool is_mounted(const char *dir, long magic)
{
	struct statfs fs;

	return !statfs(dir, &fs) && fs.f_type == magic;
}

/* Without a GPU, nothing could be recorded anyway. */
static int check_sources(struct doctor *d)
{
	bool has_gpu = grt_vec_count(&d->gpus, struct doctor_gpu);

	if (!has_gpu && add(d, false, NULL,
			    "this machine has no GPU; traces of other machines can be imported and reported"))
		return -ENOMEM;
	if (d->best >= 0)
		return 0;
	return add(d, has_gpu, geteuid() ? "sudo grtrace doctor" : NULL,
		   "nothing can be recorded: no source works");
}

static int check_gpus(struct doctor *d)
{
	int err = 0;

	for (size_t i = 0; !err && i < grt_vec_count(&d->gpus, struct doctor_gpu); i++) {
		const struct doctor_gpu *g = grt_vec_at(&d->gpus, struct doctor_gpu, i);
		const char *render = strstr(g->gpu.nodes, "renderD");
		char path[64];

		if (!*g->gpu.driver && !g->driver->name)
			err = add(d, false, NULL, "no driver has taken the GPU %s", g->gpu.address);
		if (err || !render)
			continue;
		snprintf(path, sizeof(path), "/dev/dri/%.*s", (int)strcspn(render, " "), render);
		if (access(path, R_OK | W_OK) && errno == EACCES)
			err = add(d, false, "sudo usermod -aG render \"$USER\"    # then log in again",
				  "programs of this user may not use the GPU: no right to open %s", path);
	}
	return err;
}

static int check_module(struct doctor *d)
{
	char version[64];

	if (!grt_kernel_has_module(&d->look, "grtrace"))
		return 0;
	if (grt_kernel_read_line(&d->look, "/sys/module/grtrace/version", version, sizeof(version)) &&
	    strcmp(version, GRT_VERSION) &&
	    add(d, true, "sudo modprobe -r grtrace && sudo modprobe grtrace",
		"the module that is loaded is version %s, this program is %s", version, GRT_VERSION))
		return -ENOMEM;
	if (!geteuid() && !is_mounted("/sys/kernel/debug", DEBUGFS_MAGIC))
		return add(d, true, "sudo mount -t debugfs nodev /sys/kernel/debug",
			   "the module is loaded, but debugfs is not mounted, where its files are");
	return 0;
}

static int check_session(struct doctor *d)
{
	int64_t unread = grt_session_unread();
	char bytes[GRT_NUMBER_MAX];

	if (unread > 0)
		return add(d, true, "sudo grtrace extract",
			   "the session that was stopped holds %s that nobody has read",
			   grt_format_bytes(bytes, unread));
	if (grt_control_is_running() == 1)
		return add(d, false, "sudo grtrace status",
			   "a session runs: record joins it and leaves it running");
	return 0;
}

static int check_lockdown(struct doctor *d)
{
	char text[64], *end;
	const char *mode;

	if (!grt_kernel_read_line(&d->look, "/sys/kernel/security/lockdown", text, sizeof(text)))
		return 0;
	mode = strchr(text, '[');
	end = mode ? strchr(mode, ']') : NULL;
	if (!end || !strncmp(mode, "[none]", 6))
		return 0;
	*end = '\0';
	return add(d, false, NULL,
		   "the kernel is locked down (%s), as with Secure Boot: modules must be signed", mode + 1);
}

/* Somebody may have switched off what sources need, for a tracer of their own. */
static int check_switches(struct doctor *d)
{
	static const struct {
		const char *file, *text, *hint;
	} switches[] = {
		{ "/proc/sys/kernel/ftrace_enabled",
		  "ftrace is switched off: probes of functions do not run", "sudo sysctl kernel.ftrace_enabled=1" },
		{ "/sys/kernel/debug/kprobes/enabled",
		  "kprobes are switched off: timeouts and resets are not recorded",
		  "echo 1 | sudo tee /sys/kernel/debug/kprobes/enabled" },
		{ "/sys/kernel/tracing/tracing_on",
		  "tracing is switched off: the source tracefs records no marks",
		  "echo 1 | sudo tee /sys/kernel/tracing/tracing_on" },
	};
	char text[16];
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(switches) / sizeof(*switches); i++)
		if (grt_kernel_read_line(&d->look, switches[i].file, text, sizeof(text)) &&
		    !strcmp(text, "0"))
			err = add(d, true, switches[i].hint, "%s", switches[i].text);
	return err;
}

static int check_memory(struct doctor *d)
{
	uint64_t bytes = grt_capture_buffer_bytes(0);
	char text[GRT_NUMBER_MAX];

	if (bytes >= SMALL_BUFFER)
		return 0;
	return add(d, false, "sudo grtrace record -b 1M",
		   "the machine has little memory: the buffer of each CPU is only %s by default",
		   grt_format_bytes(text, bytes));
}

int doctor_check(struct doctor *d)
{
	int (*const checks[])(struct doctor *d) = {
		check_sources, check_gpus, check_module, check_session, check_lockdown,
		check_switches, check_memory,
	};
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(checks) / sizeof(*checks); i++)
		err = checks[i](d);
	return err;
}

bool doctor_has_problems(const struct doctor *d)
{
	for (size_t i = 0; i < grt_vec_count(&d->checks, struct doctor_check); i++)
		if (grt_vec_at(&d->checks, struct doctor_check, i)->is_problem)
			return true;
	return false;
}
