// SPDX-License-Identifier: GPL-2.0
#include "bpf_lacks.h"

#include <inttypes.h>
#include <stdio.h>

#include "error.h"

static const struct {
	const char *name;		/* in STATS */
	const char *text;		/* with one %u, ... */
	unsigned int most;		/* ... for which this is */
} rows[GRT_BPF_NR_LACKS] = {
	[GRT_BPF_LACKS_RINGS] = {
		"rings_lost", "the ring of some jobs is not known: there is room for %u rings", GRT_BPF_MAX_RINGS },
	[GRT_BPF_LACKS_THREADS] = {
		"threads_lost", "there is room for %u threads at a time: what further ones did on CPUs is missing", GRT_BPF_THREADS },
	[GRT_BPF_LACKS_CHOSEN] = {
		"chosen_lost", "some of the chosen jobs are missing: there is room for %u at a time", GRT_BPF_CHOSEN },
	[GRT_BPF_LACKS_ANCESTORS] = {
		"ancestors_lost", "jobs may be missing: of a process, only %u ancestors are compared with the chosen one",
		GRT_BPF_ANCESTORS },
	[GRT_BPF_LACKS_FAMILY] = {
		"descendants_lost", "jobs may be missing: there is room for %u descendants of the chosen process at most", GRT_BPF_FAMILY },
	[GRT_BPF_LACKS_LEVELS] = {
		"cgroups_lost", "jobs may be missing: of a cgroup, only %u levels above it are compared with the chosen one",
		GRT_BPF_LEVELS },
};

void grt_bpf_lacks_warn(const uint64_t lacks[GRT_BPF_NR_LACKS])
{
	for (int i = 0; i < GRT_BPF_NR_LACKS; i++) {
		char text[160];

		if (!lacks[i])
			continue;
		snprintf(text, sizeof(text), rows[i].text, rows[i].most);
		grt_warn(NULL, "%s", text);
	}
}

size_t grt_bpf_lacks_stats(const uint64_t lacks[GRT_BPF_NR_LACKS], char *to, size_t room)
{
	size_t at = 0;

	for (int i = 0; i < GRT_BPF_NR_LACKS; i++) {
		int len = snprintf(to + at, room - at, "%s=%" PRIu64 "\n", rows[i].name, lacks[i]);

		if (len < 0 || (size_t)len >= room - at)
			break;
		at += len;
	}
	to[at] = '\0';
	return at;
}
