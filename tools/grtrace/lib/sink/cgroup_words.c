// SPDX-License-Identifier: LGPL-2.1
/* How texts name cgroups. */
#include <inttypes.h>
#include <stdio.h>

#include "job_words.h"
#include "quote.h"

const char *grt_word_owner(char *buf, size_t room, const struct grt_names *names, const struct grt_cgroup *c)
{
	char owner[GRT_OWNER_MAX];

	if (!c || !c->text)
		return "-";
	return grt_quote_text(buf, room, grt_cgroup_owner(&names->cgroups, c, owner));
}

const char *grt_word_cgroup(char *buf, size_t room, const struct grt_names *names, const struct grt_cgroup *c)
{
	if (!c)
		return "-";
	if (!c->text) {
		snprintf(buf, room, "cgroup %" PRIu64, c->id);
		return buf;
	}
	if (c->workload.owner > GRT_OWNER_UNIT)
		return grt_word_owner(buf, room, names, c);
	return grt_quote_text(buf, room, c->path);
}
