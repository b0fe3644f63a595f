// SPDX-License-Identifier: GPL-2.0
#include "places.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "cgroup_path.h"
#include "cursor.h"
#include "error.h"
#include "io.h"
#include "pod_names.h"

#define LOGS		"/var/log"
#define BOOT_ID		"/proc/sys/kernel/random/boot_id"

void grt_places_begin(struct grt_places *p)
{
	grt_places_free(p);
	grt_cgroup_paths_open(&p->paths);
	p->is_open = true;
}

void grt_places_free(struct grt_places *p)
{
	if (p->is_open)
		grt_cgroup_paths_close(&p->paths);
	grt_map_free(&p->seen);
	*p = (struct grt_places){ .is_open = false };
}

/* Text behind a record. */
struct text {
	char chars[PATH_MAX + sizeof(struct grt_pod_names) + 256];
	size_t len;
};

static void __attribute__((format(printf, 2, 3))) add(struct text *t, const char *fmt, ...)
{
	va_list args;
	int len;

	va_start(args, fmt);
	len = vsnprintf(t->chars + t->len, sizeof(t->chars) - t->len, fmt, args);
	va_end(args);
	t->len += (size_t)len < sizeof(t->chars) - t->len ? (size_t)len : sizeof(t->chars) - t->len - 1;
}

static void add_line(struct text *t, const char *name, const char *value)
{
	if (*value)
		add(t, "%s=%s\n", name, value);
}

/* Appends @head, @bytes long, with the text behind it, at the time and on the CPU of @from. */
static int put(struct grt_vec *to, struct grtrace_hdr *head, size_t bytes, unsigned int type,
	       const struct grtrace_hdr *from, const struct text *t)
{
	size_t all = (bytes + t->len + 8) & ~7ull;
	char *rec = grt_vec_grow(to, all);

	if (!rec)
		return grt_fail_memory();
	*head = (struct grtrace_hdr){ .type = type, .size = all, .cpu = from->cpu, .ts = from->ts };
	memset(rec, 0, all);
	memcpy(rec, head, bytes);
	memcpy(rec + bytes, t->chars, t->len);
	return 0;
}

void grt_places_boot_id(char *to, size_t room)
{
	if (grt_read_text(AT_FDCWD, BOOT_ID, to, room) <= 0)
		*to = '\0';
	to[strcspn(to, "\n")] = '\0';
}

static int describe_machine(const struct grt_places *p, const struct grtrace_hdr *from, struct grt_vec *to)
{
	struct grtrace_machine rec = { .boot = 0 };
	struct text t = { .len = 0 };
	struct utsname name;
	char boot_id[64];

	if (!uname(&name))
		add_line(&t, "host", name.nodename);
	grt_places_boot_id(boot_id, sizeof(boot_id));
	add_line(&t, "boot_id", boot_id);
	add_line(&t, "no_cgroup_paths", p->paths.cause ? p->paths.cause : "");
	return put(to, &rec.hdr, sizeof(rec), GRTRACE_MACHINE, from, &t);
}

static void add_pod(struct text *t, const char *path)
{
	struct grt_workload w;
	struct grt_pod_names names;

	grt_workload_read(&w, path);
	if (w.owner != GRT_OWNER_POD || !grt_pod_names_find(&names, LOGS, w.container, w.pod_uid))
		return;
	add_line(t, "pod", names.pod);
	add_line(t, "namespace", names.pod_namespace);
	add_line(t, "container", names.container);
}

static int describe_cgroup(struct grt_places *p, const struct grtrace_process *process, struct grt_vec *to)
{
	struct grtrace_cgroup rec = { .cgroup_id = process->cgroup_id };
	size_t known = grt_map_count(&p->seen);
	struct text t = { .len = 0 };
	char path[PATH_MAX];

	if (!process->cgroup_id)
		return 0;
	if (!grt_map_put(&p->seen, process->cgroup_id))
		return grt_fail_memory();
	if (grt_map_count(&p->seen) == known ||
	    !grt_cgroup_paths_find(&p->paths, process->cgroup_id, path))
		return 0;
	add(&t, "%s\n", path);
	add_pod(&t, path);
	return put(to, &rec.hdr, sizeof(rec), GRTRACE_CGROUP, &process->hdr, &t);
}

int grt_places_describe(struct grt_places *p, const struct grt_run *run, struct grt_vec *to)
{
	struct grt_cursor c = grt_cursor(run->data, run->bytes);
	const struct grtrace_hdr *hdr;
	int err = 0;

	while (!err && (hdr = grt_take_record(&c))) {
		if (hdr->type == GRTRACE_STREAM_INFO && !p->has_machine) {
			p->has_machine = true;
			err = describe_machine(p, hdr, to);
		} else if (hdr->type == GRTRACE_PROCESS) {
			err = describe_cgroup(p, (const struct grtrace_process *)hdr, to);
		}
	}
	return err;
}
