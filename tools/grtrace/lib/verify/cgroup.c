// SPDX-License-Identifier: LGPL-2.1
/* Checks the paths of cgroups. */
#include <inttypes.h>
#include <string.h>
#include <xxhash.h>

#include "error.h"
#include "verify_private.h"

int grt_verify_cgroup(struct grt_verify *v, const struct grtrace_cgroup *rec)
{
	const char *path = (const char *)(rec + 1);
	size_t bytes = rec->hdr.size - sizeof(*rec);
	size_t len = strnlen(path, bytes);
	const char *end = memchr(path, '\n', len);
	uint64_t hash, *known;

	if (end)
		len = end - path;
	if (!rec->cgroup_id)
		grt_problem(v, GRT_CHECK_CGROUPS, "a cgroup has no id");
	if (!len || *path != '/')
		grt_problem(v, GRT_CHECK_CGROUPS, "the path of cgroup %" PRIu64 " does not begin with /",
			    (uint64_t)rec->cgroup_id);
	hash = XXH64(path, len, 0) | 1;
	known = grt_map_put(&v->cgroups, rec->cgroup_id);
	if (!known)
		return grt_fail_memory();
	if (*known && *known != hash)
		grt_problem(v, GRT_CHECK_CGROUPS, "cgroup %" PRIu64 " has another path before",
			    (uint64_t)rec->cgroup_id);
	*known = hash;
	return 0;
}
