// SPDX-License-Identifier: LGPL-2.1
#include "machine_names.h"

#include <stdio.h>
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

int grt_machine_names_define(struct grt_machine_names *n, const struct grtrace_machine *rec)
{
	static const struct grt_machine blank;
	struct grt_machine *m;

	/* A damaged trace may have any number here. */
	if (rec->boot >= GRT_MAX_BOOTS)
		return 0;
	if (grt_vec_reach(&n->rows, rec->boot, &blank, sizeof(blank)))
		return grt_fail_memory();
	m = grt_vec_at(&n->rows, struct grt_machine, rec->boot);
	read_line(m->host, sizeof(m->host), rec, "host");
	read_line(m->boot_id, sizeof(m->boot_id), rec, "boot_id");
	read_line(m->no_cgroup_paths, sizeof(m->no_cgroup_paths), rec, "no_cgroup_paths");
	return 0;
}

const struct grt_machine *grt_machine_names_of(const struct grt_machine_names *n, uint64_t boot)
{
	static const struct grt_machine unknown;

	return boot < grt_vec_count(&n->rows, struct grt_machine) ?
	       grt_vec_at(&n->rows, struct grt_machine, boot) : &unknown;
}

const struct grt_machine *grt_machine_names_of_ctx(const struct grt_machine_names *n, uint64_t ctx)
{
	return grt_machine_names_of(n, ctx / GRT_BOOT_CTXS);
}
