// SPDX-License-Identifier: LGPL-2.1
#include "ctf_job.h"

#include <string.h>

#include "ctf_event.h"

enum kind { KIND_KEY, KIND_NUMBER, KIND_STRING, KIND_STATUS };

static enum kind kind_of(const struct grt_column *c)
{
	switch (c->kind) {
	case GRT_COLUMN_NUMBER:
		/* Always known, and may use all bits. */
		if (!strcmp(c->name, "ctx") || !strcmp(c->name, "seqno"))
			return KIND_KEY;
		return KIND_NUMBER;
	case GRT_COLUMN_STAMP:
	case GRT_COLUMN_STAGE:
		return KIND_NUMBER;
	case GRT_COLUMN_STATUS:
		return KIND_STATUS;
	default:
		return KIND_STRING;
	}
}

const char *ctf_job_tsdl(const struct grt_column *c)
{
	static const char *const types[] = {
		[KIND_KEY] = "uint64_t", [KIND_NUMBER] = "int64_t", [KIND_STRING] = "string",
		[KIND_STATUS] = "enum status_t",
	};

	return types[kind_of(c)];
}

/* CTF 1.8 has no number that may be absent; no time and no process is -1. */
static int64_t number_of(const struct grt_cell *cell)
{
	if (cell->kind != GRT_CELL_U64)
		return -1;
	return cell->number > INT64_MAX ? INT64_MAX : (int64_t)cell->number;
}

static int put_cell(struct grt_vec *to, const struct grt_column *c, const struct grt_cell *cell)
{
	bool is_known = cell->kind != GRT_CELL_UNKNOWN;
	int64_t number = number_of(cell);
	int32_t status = is_known ? cell->signed_number : CTF_UNKNOWN_STATUS;

	switch (kind_of(c)) {
	case KIND_KEY:
		return ctf_put(to, &cell->number, sizeof(cell->number));
	case KIND_NUMBER:
		return ctf_put(to, &number, sizeof(number));
	case KIND_STATUS:
		return ctf_put(to, &status, sizeof(status));
	default:
		return ctf_put_string(to, is_known ? cell->text : "",
				      is_known ? strlen(cell->text) : 0);
	}
}

int ctf_put_job(struct grt_vec *to, const struct grt_view *view)
{
	struct grt_cell cell;
	int err = 0;

	for (size_t i = 0; i < grt_nr_columns && !err; i++) {
		grt_column_get(&cell, &grt_columns[i], view);
		err = put_cell(to, &grt_columns[i], &cell);
	}
	return err;
}
