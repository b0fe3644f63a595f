// SPDX-License-Identifier: LGPL-2.1
#include "cgroup_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "boot.h"
#include "error.h"
#include "lines.h"
#include "number.h"

#define SHORT_ID	12	/* digits of a container's id, as Docker prints it */

static struct grt_cgroup *row_at(const struct grt_cgroup_names *n, uint32_t row)
{
	return grt_vec_at(&n->rows, struct grt_cgroup, row);
}

void grt_cgroup_names_free(struct grt_cgroup_names *n)
{
	for (size_t i = 0; i < grt_vec_count(&n->rows, struct grt_cgroup); i++)
		free(row_at(n, i)->text);
	grt_vec_free(&n->rows);
	grt_keymap_free(&n->row_of);
	grt_keymap_free(&n->first_of);
}

uint32_t grt_cgroup_names_row(struct grt_cgroup_names *n, uint64_t id)
{
	uint32_t row = grt_keymap_get(&n->row_of, id, 0);
	struct grt_cgroup new = {
		.id = id, .path = "", .pod = "", .pod_namespace = "", .container = "",
		.workload.runtime = "",
	};

	if (!id || row != GRT_NONE)
		return id ? row : GRT_NONE;
	row = new.first = grt_vec_count(&n->rows, struct grt_cgroup);
	if (row == GRT_NONE || grt_vec_append(&n->rows, &new, sizeof(new)))
		return GRT_NONE;
	if (!grt_keymap_put(&n->row_of, id, 0, row))
		return row;
	n->rows.bytes -= sizeof(new);
	return GRT_NONE;
}

/* The value of a line; "" if there is none. */
static const char *line_value(const char *text, size_t len, const char *name)
{
	size_t value_len;
	const char *value = grt_line_value(text, len, name, &value_len);

	return value ? value : "";
}

static void read_text(struct grt_cgroup *c, char *text, size_t len)
{
	size_t path_len = strcspn(text, "\n");
	char *lines = text + path_len + (path_len < len);
	size_t lines_len = len - (lines - text);

	c->text = text;
	c->path = text;
	c->pod = line_value(lines, lines_len, "pod");
	c->pod_namespace = line_value(lines, lines_len, "namespace");
	c->container = line_value(lines, lines_len, "container");
	/* Last, since the search for a line ends at a NUL. */
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			text[i] = '\0';
	grt_workload_read(&c->workload, c->path);
}

/*
 * What cgroups of one owner have in common.  Pods, containers and jobs have ids that no other machine
 * uses; a unit or a path belongs to its machine.
 */
static int find_first(struct grt_cgroup_names *n, uint32_t row)
{
	struct grt_cgroup *c = row_at(n, row);
	const char *owner = c->workload.owner == GRT_OWNER_NOBODY ? c->path : grt_workload_owner(&c->workload);
	uint64_t seed = c->workload.owner;
	uint64_t hash[2];
	uint32_t first;

	if (c->workload.owner <= GRT_OWNER_UNIT)
		seed += c->id / GRT_BOOT_CGROUPS << 8;
	hash[0] = XXH64(owner, strlen(owner), seed);
	hash[1] = XXH64(owner, strlen(owner), ~seed);
	first = grt_keymap_get(&n->first_of, hash[0], hash[1]);
	c->first = first == GRT_NONE ? row : first;
	return first == GRT_NONE && grt_keymap_put(&n->first_of, hash[0], hash[1], row) ?
	       grt_fail_memory() : 0;
}

/* Other containers of the pod may have been seen when its name was not known. */
static void share_names(struct grt_cgroup_names *n, const struct grt_cgroup *c)
{
	struct grt_cgroup *first = row_at(n, c->first);

	if (*first->pod || !*c->pod)
		return;
	first->pod = c->pod;
	first->pod_namespace = c->pod_namespace;
}

int grt_cgroup_names_define(struct grt_cgroup_names *n, const struct grtrace_cgroup *rec)
{
	const char *text = (const char *)(rec + 1);
	size_t len = strnlen(text, rec->hdr.size - sizeof(*rec));
	uint32_t row;
	char *copy;
	int err;

	if (!rec->cgroup_id || !len || *text == '\n')
		return 0;
	row = grt_cgroup_names_row(n, rec->cgroup_id);
	if (row == GRT_NONE)
		return grt_fail_memory();
	if (row_at(n, row)->text)
		return 0;
	copy = strndup(text, len);
	if (!copy)
		return grt_fail_memory();
	read_text(row_at(n, row), copy, len);
	err = find_first(n, row);
	if (!err)
		share_names(n, row_at(n, row));
	return err;
}

/* The row that has the names of the pod. */
static const struct grt_cgroup *pod_row(const struct grt_cgroup_names *n, const struct grt_cgroup *c)
{
	return *c->pod ? c : row_at(n, c->first);
}

const char *grt_cgroup_text(const struct grt_cgroup_names *n, const struct grt_cgroup *c, enum grt_cgroup_text which)
{
	const struct grt_workload *p = &c->workload;
	bool is_pod = p->owner == GRT_OWNER_POD;

	switch (which) {
	case GRT_CGROUP_PATH:
		return c->path;
	case GRT_CGROUP_NAMESPACE:
		return is_pod ? pod_row(n, c)->pod_namespace : "";
	case GRT_CGROUP_POD:
		return !is_pod ? "" : *pod_row(n, c)->pod ? pod_row(n, c)->pod : p->pod_uid;
	case GRT_CGROUP_CONTAINER:
		return *c->container ? c->container : p->container;
	case GRT_CGROUP_SLURM_JOB:
		return p->slurm_job;
	default:
		return p->unit;
	}
}

bool grt_cgroup_is(const struct grt_cgroup *c, const char *text)
{
	size_t len = strlen(text);
	uint64_t id;

	if (*text != '/')
		return !grt_parse_u64(text, &id) && id == c->id;
	while (len && text[len - 1] == '/')
		len--;
	return c->text && !strncmp(c->path, text, len) && (!c->path[len] || c->path[len] == '/');
}

bool grt_cgroup_is_pod(const struct grt_cgroup_names *n, const struct grt_cgroup *c, const char *text)
{
	const char *name = grt_cgroup_text(n, c, GRT_CGROUP_POD);
	const char *space = grt_cgroup_text(n, c, GRT_CGROUP_NAMESPACE);
	size_t len = strlen(space);

	if (c->workload.owner != GRT_OWNER_POD)
		return false;
	return !strcmp(text, name) || !strcmp(text, c->workload.pod_uid) ||
	       (len && !strncmp(text, space, len) && text[len] == '/' && !strcmp(text + len + 1, name));
}

const char *grt_cgroup_owner(const struct grt_cgroup_names *n, const struct grt_cgroup *c, char to[GRT_OWNER_MAX])
{
	const struct grt_workload *p = &c->workload;
	const char *space;

	switch (p->owner) {
	case GRT_OWNER_POD:
		space = grt_cgroup_text(n, c, GRT_CGROUP_NAMESPACE);
		snprintf(to, GRT_OWNER_MAX, "%s%s%s", space, *space ? "/" : "pod ",
			 grt_cgroup_text(n, c, GRT_CGROUP_POD));
		return to;
	case GRT_OWNER_SLURM_JOB:
		snprintf(to, GRT_OWNER_MAX, "slurm job %s", p->slurm_job);
		return to;
	case GRT_OWNER_CONTAINER:
		snprintf(to, GRT_OWNER_MAX, "%s %.*s", *p->runtime ? p->runtime : "container",
			 strlen(p->container) == GRT_CONTAINER_ID ? SHORT_ID : GRT_CONTAINER_ID, p->container);
		return to;
	case GRT_OWNER_UNIT:
		return p->unit;
	case GRT_OWNER_NOBODY:
		break;
	}
	return c->path;
}
