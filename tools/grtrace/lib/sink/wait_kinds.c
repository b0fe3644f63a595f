// SPDX-License-Identifier: LGPL-2.1
#include "wait_kinds.h"

#include "job.h"
#include "roots.h"

static const char *blame_name(unsigned int kind)
{
	return grt_blame_reason_name(kind);
}

/* A fence without a client may be that of a job whose SUBMIT is missing. */
static bool is_blame_nobody(unsigned int kind)
{
	return kind == GRT_BLAME_SCHEDULER;
}

static const char *root_name(unsigned int kind)
{
	return grt_root_name(kind);
}

static bool is_root_nobody(unsigned int kind)
{
	return kind == GRT_ROOT_SCHEDULER || kind == GRT_ROOT_FOREIGN;
}

const struct grt_wait_kinds grt_blame_kinds = { blame_name, is_blame_nobody };
const struct grt_wait_kinds grt_root_kinds = { root_name, is_root_nobody };
