// SPDX-License-Identifier: GPL-2.0
#include "bpf_patterns.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include <linux/grtrace.h>
#include <linux/grtrace_rings.h>

#include "error.h"

#define NAME_BYTES	sizeof(((struct grtrace_ring *)0)->name)
#define DEVICE_BYTES	sizeof(((struct grtrace_ring *)0)->device)

_Static_assert(NAME_BYTES + DEVICE_BYTES == GRT_BPF_PATTERN_WORDS * 8, "a pattern has both");

static const struct prefix {
	const char *text;
	enum grtrace_engine engine;
} prefixes[] = {
#define ROW(prefix, engine) { prefix, GRTRACE_ENGINE_##engine },
	GRTRACE_NAME_ENGINES(ROW)
#undef ROW
};

_Static_assert(sizeof(prefixes) / sizeof(*prefixes) <= GRT_BPF_MAX_PATTERNS, "room for all");

/* Requires @text at byte @at, and nothing of the other bytes; @is_whole: up to @bytes, zeros behind. */
static void require(struct grt_bpf_pattern *row, size_t at, const char *text, size_t len,
		    size_t bytes, bool is_whole)
{
	if (len >= bytes)
		len = bytes - 1;
	memcpy((char *)row->text + at, text, len);
	memset((char *)row->mask + at, 0xff, is_whole ? bytes : len);
}

int grt_bpf_patterns_rings(struct grt_bpf_patterns *p, const char *names)
{
	size_t len, device;

	p->is_default_wanted = !names;
	for (; names && *names; names += len + (names[len] == ',')) {
		struct grt_bpf_pattern *row = &p->rows[p->count];

		if (p->count == GRT_BPF_MAX_PATTERNS)
			return grt_fail(E2BIG, "leave --ring out, or name --engine", "the source bpf chooses %d rings at most",
					GRT_BPF_MAX_PATTERNS);
		p->count++;
		len = strcspn(names, ",");
		device = strcspn(names, "/");
		row->is_wanted = true;
		if (device < len) {
			require(row, NAME_BYTES, names, device, DEVICE_BYTES, true);
			require(row, 0, names + device + 1, len - device - 1, NAME_BYTES, true);
		} else {
			require(row, 0, names, len, NAME_BYTES, true);
		}
	}
	return 0;
}

void grt_bpf_patterns_engines(struct grt_bpf_patterns *p, uint64_t engines)
{
	p->is_default_wanted = !engines || engines >> GRTRACE_ENGINE_OTHER & 1;
	for (size_t i = 0; engines && i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		struct grt_bpf_pattern *row = &p->rows[p->count++];

		row->is_wanted = engines >> prefixes[i].engine & 1;
		require(row, 0, prefixes[i].text, strlen(prefixes[i].text), NAME_BYTES, false);
	}
}
