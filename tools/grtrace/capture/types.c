// SPDX-License-Identifier: GPL-2.0
#include "types.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static const char *const modules[GRT_TYPES_MODULES] = {
	"gpu_sched", "i915", "virtio_gpu", "nouveau", "drm", "amdgpu", "xe",
};

uint32_t grt_types_modules(void)
{
	char path[64];
	uint32_t bits = 0;

	for (int i = 0; i < GRT_TYPES_MODULES; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/btf/%s", modules[i]);
		if (!access(path, F_OK))
			bits |= 1u << i;
	}
	return bits;
}

static int load_kernel(struct grt_types *t)
{
	t->kernel = btf__load_vmlinux_btf();
	return t->kernel ? 0 : grt_fail(ENOENT, "use a kernel with CONFIG_DEBUG_INFO_BTF",
					"the kernel has no type information (BTF)");
}

int grt_types_load(struct grt_types *t)
{
	int err = load_kernel(t);

	for (int i = 0; !err && i < GRT_TYPES_MODULES; i++)
		t->modules[i] = btf__load_module_btf(modules[i], t->kernel);
	return err;
}

int grt_types_load_driver(struct grt_types *t, const char *driver)
{
	int err = load_kernel(t);

	if (!err)
		t->modules[0] = btf__load_module_btf(driver, t->kernel);
	return err;
}

void grt_types_free(struct grt_types *t)
{
	for (int i = 0; i < GRT_TYPES_MODULES; i++)
		btf__free(t->modules[i]);
	btf__free(t->kernel);
	*t = (struct grt_types){ .kernel = NULL };
}

/*
 * Returns the number of a type, and sets *@btf to the BTF that has it; less than 1: there is no such
 * type.  The BTF of a module includes the types of the kernel.
 */
static int find(const struct grt_types *t, const char *name, uint32_t kind, const struct btf **btf)
{
	int id = -ENOENT;

	for (int i = 0; id <= 0 && i < GRT_TYPES_MODULES; i++) {
		*btf = t->modules[i];
		if (*btf)
			id = btf__find_by_name_kind(*btf, name, kind);
	}
	if (id <= 0 && t->kernel) {
		*btf = t->kernel;
		id = btf__find_by_name_kind(*btf, name, kind);
	}
	return id;
}

bool grt_types_has(const struct grt_types *t, const char *name, uint32_t kind)
{
	const struct btf *btf;

	return find(t, name, kind, &btf) > 0;
}

/* Follows qualifiers and names of types. */
const struct btf_type *grt_types_resolve(const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);

	while (type && (btf_is_mod(type) || btf_is_typedef(type)))
		type = btf__type_by_id(btf, type->type);
	return type;
}

int grt_types_member(const struct btf *btf, const struct btf_type *type, const char *name, size_t len,
		     struct grt_types_member *member)
{
	if (!type || !btf_is_composite(type))
		return -ENOENT;
	for (int i = 0; i < btf_vlen(type); i++) {
		const struct btf_member *m = btf_members(type) + i;
		const char *own = btf__name_by_offset(btf, m->name_off);
		uint32_t at = btf_member_bit_offset(type, i);
		const struct btf_type *inner = grt_types_resolve(btf, m->type);

		if (strlen(own) == len && !memcmp(own, name, len)) {
			*member = (struct grt_types_member){ inner, at, btf_member_bitfield_size(type, i) };
			return 0;
		}
		if (*own || grt_types_member(btf, inner, name, len, member))
			continue;
		member->bit += at;
		return 0;
	}
	return -ENOENT;
}

/* Copies the part of "struct.member" before the dot.  Returns what is behind it, or NULL. */
static const char *split(const char *text, char *first, size_t room)
{
	const char *dot = strchr(text, '.');

	if (!dot || dot - text >= (long)room)
		return NULL;
	snprintf(first, room, "%.*s", (int)(dot - text), text);
	return dot + 1;
}

int grt_types_offset(const struct grt_types *t, const char *member)
{
	char name[64];
	const char *at = split(member, name, sizeof(name));
	const struct btf_type *type;
	const struct btf *btf;
	struct grt_types_member m;
	uint32_t bits = 0;
	size_t len;
	int id = at ? find(t, name, BTF_KIND_STRUCT, &btf) : -ENOENT;

	if (id <= 0)
		return -ENOENT;
	type = btf__type_by_id(btf, id);
	for (; *at; at += len + (at[len] == '.')) {
		len = strcspn(at, ".");
		if (grt_types_member(btf, type, at, len, &m))
			return -ENOENT;
		type = m.type;
		bits += m.bit;
	}
	return bits / 8;
}

int grt_types_arguments(const struct grt_types *t, const char *tracepoint)
{
	const struct btf_type *type;
	const struct btf *btf;
	char name[128];
	int id;

	snprintf(name, sizeof(name), "btf_trace_%s", tracepoint);
	id = find(t, name, BTF_KIND_TYPEDEF, &btf);
	type = id > 0 ? grt_types_resolve(btf, id) : NULL;
	if (type && btf_is_ptr(type))
		type = grt_types_resolve(btf, type->type);
	/* The first argument is a pointer of whoever attached the probe, not of the tracepoint. */
	return type && btf_is_func_proto(type) ? btf_vlen(type) - 1 : -ENOENT;
}

int grt_types_value(const struct grt_types *t, const char *name, int32_t *value)
{
	char type[64];
	const char *at = split(name, type, sizeof(type));
	const struct btf *btf;
	int id = at ? find(t, type, BTF_KIND_ENUM, &btf) : -ENOENT;
	const struct btf_type *e = id > 0 ? btf__type_by_id(btf, id) : NULL;

	for (int i = 0; e && i < btf_vlen(e); i++) {
		if (strcmp(btf__name_by_offset(btf, btf_enum(e)[i].name_off), at))
			continue;
		*value = btf_enum(e)[i].val;
		return 0;
	}
	return -ENOENT;
}

const struct btf_type *grt_types_function(const struct grt_types *t, const char *name,
					  const struct btf **btf)
{
	int id = find(t, name, BTF_KIND_FUNC, btf);
	const struct btf_type *type = id > 0 ? btf__type_by_id(*btf, id) : NULL;

	type = type ? btf__type_by_id(*btf, type->type) : NULL;
	return type && btf_is_func_proto(type) ? type : NULL;
}
