// SPDX-License-Identifier: GPL-2.0
#include "kernel_look.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "io.h"

static const char *path_of(const struct grt_kernel_look *k, char *to, size_t room, const char *path)
{
	snprintf(to, room, "%s%s", k->root, path);
	return to;
}

bool grt_kernel_has_file(const struct grt_kernel_look *k, const char *path)
{
	char full[PATH_MAX];

	return !access(path_of(k, full, sizeof(full), path), F_OK);
}

bool grt_kernel_read_line(const struct grt_kernel_look *k, const char *path, char *to, size_t room)
{
	char full[PATH_MAX];
	bool is_read = grt_read_text(AT_FDCWD, path_of(k, full, sizeof(full), path), to, room) >= 0;

	if (!is_read)
		*to = '\0';
	to[strcspn(to, "\n")] = '\0';
	return is_read;
}

/* Only root may list tracefs, and it may be mounted in debugfs only. */
void grt_kernel_look_init(struct grt_kernel_look *k, const char *root)
{
	static const char * const dirs[] = {
		"/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events",
	};

	*k = (struct grt_kernel_look){ .root = root };
	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs) && !*k->events; i++) {
		snprintf(k->events, sizeof(k->events), "%s%s", root, dirs[i]);
		if (access(k->events, R_OK | X_OK))
			*k->events = '\0';
	}
}

/* The module whose events a system has, where it has another name; NULL: the kernel itself. */
static const char *module_of(const char *system)
{
	static const char * const names[][2] = {
		{ "gpu_scheduler", "gpu_sched" },	/* scheduler/gpu_scheduler_trace.h */
		{ "drm_msm_gpu", "msm" },		/* msm/msm_gpu_trace.h */
		{ "dma_fence", NULL },			/* dma-buf/dma-fence.c */
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(system, names[i][0]))
			return names[i][1];
	return system;
}

/* Whether the file has these bytes. */
static enum grt_answer file_has(const char *path, const char *wanted, size_t wanted_bytes)
{
	enum grt_answer answer = GRT_NOT_KNOWN;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *bytes = NULL, *more;
	size_t used = 0, room = 0;
	ssize_t n = 1;

	if (fd < 0)
		return GRT_NOT_KNOWN;
	/* A file of sysfs: its size need not be true, and not every kernel maps it. */
	while (n > 0) {
		if (used == room) {
			more = realloc(bytes, room = room ? 2 * room : 1 << 20);
			if (!more)
				break;
			bytes = more;
		}
		n = read(fd, bytes + used, room - used);
		used += n > 0 ? n : 0;
	}
	if (!n)
		answer = used && memmem(bytes, used, wanted, wanted_bytes) ? GRT_YES : GRT_NO;
	free(bytes);
	close(fd);
	return answer;
}

/* A tracepoint has a type "btf_trace_NAME". */
static enum grt_answer types_have(const struct grt_kernel_look *k, const char *system,
				  const char *event)
{
	const char *module = module_of(system);
	char path[PATH_MAX], btf[128], type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", event);
	snprintf(btf, sizeof(btf), "/sys/kernel/btf/%s", module ? module : "vmlinux");
	/* A driver that is built in has its types in those of the kernel. */
	if (!grt_kernel_has_file(k, btf))
		snprintf(btf, sizeof(btf), "/sys/kernel/btf/vmlinux");
	return file_has(path_of(k, path, sizeof(path), btf), type, strlen(type) + 1);
}

static enum grt_answer has_one_event(const struct grt_kernel_look *k, const char *system,
				     const char *event)
{
	char path[512];

	if (!*k->events)
		return types_have(k, system, event);
	snprintf(path, sizeof(path), "%s/%s/%s", k->events, system, event);
	return access(path, F_OK) ? GRT_NO : GRT_YES;
}

enum grt_answer grt_kernel_has_event(const struct grt_kernel_look *k, const char *events)
{
	char system[64], name[96];
	enum grt_answer answer = GRT_NO, one;

	while (sscanf(events, "%63[^/]/%95[^|]", system, name) == 2) {
		one = has_one_event(k, system, name);
		if (one == GRT_YES)
			return one;
		if (one == GRT_NOT_KNOWN)
			answer = one;
		events += strcspn(events, "|");
		events += *events == '|';
	}
	return answer;
}

enum grt_answer grt_kernel_has_field(const struct grt_kernel_look *k, const char *event,
				     const char *field)
{
	char path[512], text[8192], wanted[64];

	if (!*k->events)
		return GRT_NOT_KNOWN;
	snprintf(path, sizeof(path), "%s/%s/format", k->events, event);
	if (grt_read_text(AT_FDCWD, path, text, sizeof(text)) < 0)
		return GRT_NOT_KNOWN;
	snprintf(wanted, sizeof(wanted), " %s;", field);
	return strstr(text, wanted) ? GRT_YES : GRT_NO;
}

bool grt_kernel_has_module(const struct grt_kernel_look *k, const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	return grt_kernel_has_file(k, path);
}

bool grt_kernel_may_load(const struct grt_kernel_look *k, const char *module)
{
	char path[PATH_MAX], list[128], name[96];
	struct utsname u;

	if (uname(&u))
		return true;
	snprintf(list, sizeof(list), "/lib/modules/%.64s/modules.dep", u.release);
	/* "updates/dkms/NAME.ko.xz: " */
	snprintf(name, sizeof(name), "/%s.ko", module);
	return file_has(path_of(k, path, sizeof(path), list), name, strlen(name)) != GRT_NO;
}

enum grt_answer grt_kernel_module_uses(const struct grt_kernel_look *k, const char *module,
				       const char *other)
{
	char path[192];

	/* What is built in has no list of those who hold it, and holds nobody. */
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	if (!*module || !grt_kernel_has_file(k, path))
		return GRT_NOT_KNOWN;
	snprintf(path, sizeof(path), "/sys/module/%s/holders", other);
	if (!grt_kernel_has_file(k, path))
		return GRT_NOT_KNOWN;
	snprintf(path, sizeof(path), "/sys/module/%s/holders/%s", other, module);
	return grt_kernel_has_file(k, path) ? GRT_YES : GRT_NO;
}
