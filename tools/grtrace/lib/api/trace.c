// SPDX-License-Identifier: LGPL-2.1
/* The public functions: thin, and the only ones that the shared library shows. */
#include "grtrace.h"

#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "error.h"
#include "map.h"
#include "source.h"
#include "stream.h"

struct grtrace {
	struct grt_stream *stream;	/* owned */
	struct grt_map rings, processes; /* id -> definition, owned */
};

static int open_input(struct grtrace **trace, struct grt_input *in)
{
	struct grtrace *t = calloc(1, sizeof(*t));
	struct grt_stream *stream;
	int err = grt_stream_open(&stream, in);

	if (err || !t) {
		if (!err)
			grt_stream_close(stream);
		free(t);
		return err ? err : grt_fail_memory();
	}
	t->stream = stream;
	*trace = t;
	return 0;
}

int grtrace_open_files(struct grtrace **trace, int count, char *const *paths)
{
	struct grt_input *in;
	int err = grt_source_open(&in, count, paths, 0);

	return err ? err : open_input(trace, in);
}

int grtrace_open(struct grtrace **trace, const char *path)
{
	char *paths[] = { (char *)path };

	return grtrace_open_files(trace, 1, paths);
}

int grtrace_open_live(struct grtrace **trace)
{
	struct grt_input *in;
	int err = grt_source_open_live(&in);

	return err ? err : open_input(trace, in);
}

static void free_definitions(struct grt_map *map)
{
	for (size_t i = 0; i < map->size; i++)
		if (map->slots[i].is_used)
			free((void *)(uintptr_t)map->slots[i].value);
	grt_map_free(map);
}

void grtrace_close(struct grtrace *t)
{
	if (!t)
		return;
	grt_stream_close(t->stream);
	free_definitions(&t->rings);
	free_definitions(&t->processes);
	free(t);
}

/* Keeps a definition, in the same place as the one before it; one of an earlier version may be shorter. */
static int keep(struct grt_map *map, uint64_t id, const struct grtrace_hdr *def, size_t bytes)
{
	uint64_t *slot = grt_map_put(map, id);

	if (slot && !*slot)
		*slot = (uintptr_t)malloc(bytes);
	if (!slot || !*slot)
		return grt_fail_memory();
	memset((void *)(uintptr_t)*slot, 0, bytes);
	memcpy((void *)(uintptr_t)*slot, def, def->size < bytes ? def->size : bytes);
	return 0;
}

int grtrace_next(struct grtrace *t, const struct grtrace_hdr **rec)
{
	int err = 0, got = grt_stream_next(t->stream, rec);
	const struct grtrace_process *p;
	const struct grtrace_ring *r;

	if (got != 1)
		return got;
	if ((*rec)->type == GRTRACE_RING) {
		r = (const void *)*rec;
		err = keep(&t->rings, r->ring, *rec, sizeof(*r));
	} else if ((*rec)->type == GRTRACE_PROCESS) {
		p = (const void *)*rec;
		err = keep(&t->processes, p->tgid, *rec, sizeof(*p));
	}
	return err ? err : 1;
}

static const void *find(const struct grt_map *map, uint64_t id)
{
	const uint64_t *slot = grt_map_get(map, id);

	return slot ? (const void *)(uintptr_t)*slot : NULL;
}

const struct grtrace_ring *grtrace_ring_of(struct grtrace *t, uint32_t ring)
{
	return find(&t->rings, ring);
}

const struct grtrace_process *grtrace_process_of(struct grtrace *t, uint32_t tgid)
{
	return find(&t->processes, tgid);
}

uint64_t grtrace_lost(const struct grtrace *t, unsigned int fate)
{
	return fate < GRTRACE_NR_FATES ? grt_stream_stats(t->stream)->lost[fate] : 0;
}

uint64_t grtrace_unknown_events(const struct grtrace *t)
{
	return grt_stream_stats(t->stream)->unknown_events;
}

const char *grtrace_type_name(unsigned int type)
{
	const struct grt_type *t = grt_type_by_number(type);

	return t ? t->name : NULL;
}

const char *grtrace_error(void)
{
	return grt_cause();
}

const char *grtrace_hint(void)
{
	return grt_hint();
}

const char *grtrace_version(void)
{
	return GRT_VERSION;
}
