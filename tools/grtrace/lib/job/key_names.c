// SPDX-License-Identifier: LGPL-2.1
#include "key_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <linux/grtrace.h>

#include "names.h"

#define MAX_ERRNO	4095

const char *grt_engine_name(uint32_t engine)
{
	static const char *const names[] = {
#define GRT_X(NAME, nr, text) [nr] = #NAME,
		GRTRACE_ENGINES(GRT_X)
#undef GRT_X
	};

	return engine < GRTRACE_NR_ENGINES ? names[engine] : names[GRTRACE_ENGINE_OTHER];
}

int grt_engine_find(const char *name)
{
	static const struct {
		const char *name;
		int engine;
	} aliases[] = {
#define GRT_X(NAME, nr, text) { #NAME, nr },
		GRTRACE_ENGINES(GRT_X)
#undef GRT_X
		{ "gfx", GRTRACE_ENGINE_GRAPHICS }, { "render", GRTRACE_ENGINE_GRAPHICS },
		{ "3d", GRTRACE_ENGINE_GRAPHICS }, { "comp", GRTRACE_ENGINE_COMPUTE },
		{ "sdma", GRTRACE_ENGINE_COPY }, { "dma", GRTRACE_ENGINE_COPY },
		{ "blit", GRTRACE_ENGINE_COPY }, { "decode", GRTRACE_ENGINE_VIDEO_DECODE },
		{ "vdec", GRTRACE_ENGINE_VIDEO_DECODE }, { "dec", GRTRACE_ENGINE_VIDEO_DECODE },
		{ "encode", GRTRACE_ENGINE_VIDEO_ENCODE },
		{ "venc", GRTRACE_ENGINE_VIDEO_ENCODE }, { "enc", GRTRACE_ENGINE_VIDEO_ENCODE },
	};

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcasecmp(aliases[i].name, name))
			return aliases[i].engine;
	return -1;
}

const char *grt_ring_name(const struct grt_ring *ring, char *buf)
{
	if (*ring->name)
		return ring->name;
	snprintf(buf, GRT_RING_NAME_MAX, "ring %u", ring->id);
	return buf;
}

bool grt_ring_is(const struct grt_ring *ring, const char *word, size_t bytes)
{
	char id[16], full[80];

	snprintf(id, sizeof(id), "%u", ring->id);
	snprintf(full, sizeof(full), "%s/%s", ring->device, ring->name);
	return (bytes == strlen(id) && !memcmp(word, id, bytes)) ||
	       (bytes == strlen(ring->name) && !memcmp(word, ring->name, bytes)) ||
	       (bytes == strlen(full) && !memcmp(word, full, bytes));
}

bool grt_status_find(const char *name, int32_t *status)
{
	const char *known;

	*status = 0;
	if (!strcasecmp(name, "ok"))
		return true;
	for (int i = 1; i <= MAX_ERRNO; i++) {
		known = strerrorname_np(i);
		*status = -i;
		if (known && !strcasecmp(known, name))
			return true;
	}
	return false;
}

const char *grt_status_name(int32_t status, char *buf)
{
	const char *name = status < 0 ? strerrorname_np(-(int64_t)status) : NULL;

	if (!status)
		return "ok";
	if (name)
		return name;
	snprintf(buf, 32, "%d", status);
	return buf;
}
