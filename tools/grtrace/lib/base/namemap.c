// SPDX-License-Identifier: LGPL-2.1
#include "namemap.h"

#include <string.h>
#include <xxhash.h>

struct key {
	uint64_t a, b;
};

static struct key key_of(const char *name)
{
	size_t bytes = strlen(name);

	return (struct key){ XXH64(name, bytes, 0), XXH64(name, bytes, 1) };
}

uint32_t grt_namemap_get(const struct grt_namemap *n, const char *name)
{
	struct key k = key_of(name);

	return grt_keymap_get(&n->map, k.a, k.b);
}

int grt_namemap_set(struct grt_namemap *n, const char *name, uint32_t value)
{
	struct key k = key_of(name);

	grt_keymap_del(&n->map, k.a, k.b);
	return grt_keymap_put(&n->map, k.a, k.b, value);
}

int grt_namemap_add(struct grt_namemap *n, const char *name, int more)
{
	uint32_t old = grt_namemap_get(n, name);

	return grt_namemap_set(n, name, (old == GRT_NONE ? 0 : old) + more);
}

void grt_namemap_free(struct grt_namemap *n)
{
	grt_keymap_free(&n->map);
}
