// SPDX-License-Identifier: LGPL-2.1
#include "machine_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boot.h"
#include "error.h"
#include "lines.h"

void grt_machine_names_free(struct grt_machine_names *n)
{
	grt_vec_free(&n->rows);
}

static void read_line(char *to, size_t room, const struct grtrace_machine *rec, const char *name)
{
	*to = '\0';
	grt_line_copy(to, room, (const char *)(rec + 1), rec->hdr.size - sizeof(*rec), name);
}

void grt_machine_names_begin(struct grt_machine_names *n, const char *host)
{
	snprintf(n->unnamed.host, sizeof(n->unnamed.host), "%s", host);
}

static void count_boots(struct grt_machine_names *n, uint64_t boots)
{
	/* A damaged trace may have any number here. */
	if (boots > n->boots && boots <= GRT_MAX_BOOTS)
		n->boots = boots;
}

void grt_machine_names_metadata(struct grt_machine_names *n, const char *text)
{
	size_t len;
	const char *boots = grt_line_value(text, strlen(text), "merge_boots", &len);

	if (boots)
		count_boots(n, strtoull(boots, NULL, 10));
}

int grt_machine_names_define(struct grt_machine_names *n, const struct grtrace_machine *rec)
{
	struct grt_machine *m;

	if (rec->boot >= GRT_MAX_BOOTS)
		return 0;
	count_boots(n, rec->boot + 1);
	if (grt_vec_reach(&n->rows, rec->boot, &n->unnamed, sizeof(n->unnamed)))
		return grt_fail_memory();
	m = grt_vec_at(&n->rows, struct grt_machine, rec->boot);
	read_line(m->host, sizeof(m->host), rec, "host");
	if (!*m->host)
		*m = n->unnamed;
	read_line(m->boot_id, sizeof(m->boot_id), rec, "boot_id");
	read_line(m->no_cgroup_paths, sizeof(m->no_cgroup_paths), rec, "no_cgroup_paths");
	return 0;
}

const struct grt_machine *grt_machine_names_of(const struct grt_machine_names *n, uint64_t boot)
{
	return boot < grt_vec_count(&n->rows, struct grt_machine) ?
	       grt_vec_at(&n->rows, struct grt_machine, boot) : &n->unnamed;
}

struct grt_machine grt_machine_names_common(const struct grt_machine_names *n)
{
	struct grt_machine common = *grt_machine_names_of(n, 0);

	for (uint64_t boot = 1; boot < n->boots; boot++) {
		const struct grt_machine *m = grt_machine_names_of(n, boot);

		if (strcmp(m->host, common.host))
			*common.host = '\0';
		if (strcmp(m->boot_id, common.boot_id))
			*common.boot_id = '\0';
	}
	return common;
}

uint64_t grt_machine_names_boot(const struct grt_machine_names *n, uint64_t number, uint64_t unit)
{
	return n->boots > 1 ? number / unit : 0;
}

const struct grt_machine *grt_machine_names_of_ctx(const struct grt_machine_names *n, uint64_t ctx)
{
	return grt_machine_names_of(n, grt_machine_names_boot(n, ctx, GRT_BOOT_CTXS));
}

const struct grt_machine *grt_machine_names_of_cgroup(const struct grt_machine_names *n, uint64_t cgroup_id)
{
	return grt_machine_names_of(n, grt_machine_names_boot(n, cgroup_id, GRT_BOOT_CGROUPS));
}
