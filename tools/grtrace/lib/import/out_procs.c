// SPDX-License-Identifier: LGPL-2.1
#include "out_procs.h"

#include <errno.h>
#include <string.h>

#include <linux/grtrace.h>

#include "out.h"

struct proc {
	struct grtrace_process rec;
	bool is_guess;		/* no name yet, or that of another thread than the first */
};

static struct proc *row_at(const struct grt_out_procs *t, uint64_t i)
{
	return grt_vec_at(&t->rows, struct proc, i);
}

uint32_t grt_out_tgid(const struct grt_out_procs *t, const struct grt_foreign *ev)
{
	const uint64_t *tgid = ev->tgid ? NULL : grt_map_get(&t->tgids, ev->tid);

	if (ev->tgid)
		return ev->tgid;
	return tgid ? *tgid : ev->tid;
}

void grt_out_procs_tgid(struct grt_out_procs *t, uint32_t tid, uint32_t tgid)
{
	uint64_t *to = grt_map_put(&t->tgids, tid);

	if (to)
		*to = tgid;
}

void grt_out_procs_name(struct grt_out_procs *t, uint32_t tgid, const struct grt_foreign *ev)
{
	bool has_name = *ev->comm, is_guess = ev->tid != tgid || !has_name;
	uint64_t *latest = tgid && !t->target ? grt_map_put(&t->latest, tgid) : NULL;
	struct proc *row = latest && *latest ? row_at(t, *latest - 1) : NULL;

	if (tgid && t->target)
		t->target->process(t->target->arg, tgid, ev->ts);
	/* Define unnamed processes, too, because events use them. */
	if (!latest || (row && !has_name))
		return;
	if (row && *row->rec.comm &&
	    (is_guess || !memcmp(row->rec.comm, ev->comm, sizeof(row->rec.comm))))
		return;
	if (!row || !row->is_guess) {
		row = grt_vec_grow(&t->rows, sizeof(*row));
		if (!row)
			return;
		row->rec = (struct grtrace_process){
			.hdr = { .type = GRTRACE_PROCESS, .size = sizeof(row->rec), .ts = ev->ts },
			.tgid = tgid,
		};
		/* The first name is used for all earlier events. */
		if (!*latest)
			row->rec.hdr.ts = 0;
		*latest = grt_vec_count(&t->rows, struct proc);
	}
	memcpy(row->rec.comm, ev->comm, sizeof(row->rec.comm));
	row->is_guess = is_guess;
}

int grt_out_procs_define(const struct grt_out_procs *t, struct grt_vec *defs, uint64_t start_ns)
{
	for (size_t i = 0; i < grt_vec_count(&t->rows, struct proc); i++) {
		struct grtrace_process row = row_at(t, i)->rec;

		if (row.hdr.ts < start_ns)
			row.hdr.ts = start_ns;
		if (grt_vec_append(defs, &row, sizeof(row)))
			return -ENOMEM;
	}
	return 0;
}

void grt_out_procs_rewind(struct grt_out_procs *t)
{
	grt_map_free(&t->latest);
	t->rows.bytes = 0;
}

void grt_out_procs_free(struct grt_out_procs *t)
{
	grt_map_free(&t->latest);
	grt_map_free(&t->tgids);
	grt_vec_free(&t->rows);
}
