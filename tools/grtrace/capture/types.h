/* SPDX-License-Identifier: GPL-2.0 */
/* Type information (BTF) of the running kernel and of the modules that GPU jobs go through. */
#ifndef GRT_CAPTURE_TYPES_H
#define GRT_CAPTURE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <bpf/btf.h>

/* The scheduler's module is the first one, those of drivers with queues of their own follow. */
#define GRT_TYPES_MODULES	7
#define GRT_TYPES_SCHED		1u	/* its bit */

/* Zeroed memory has no types. */
struct grt_types {
	struct btf *kernel;
	struct btf *modules[GRT_TYPES_MODULES];	/* NULL: built in, or not loaded */
};

/* A bit for each module that is loaded now. */
uint32_t grt_types_modules(void);

/* 0, or -ENOENT with a cause: the kernel has none. */
int grt_types_load(struct grt_types *t);
/* The same with the types of one driver instead, if it is loaded and has some. */
int grt_types_load_driver(struct grt_types *t, const char *driver);
void grt_types_free(struct grt_types *t);

/* Whether the kernel or one of the modules has a type of this kind (BTF_KIND_*) and name. */
bool grt_types_has(const struct grt_types *t, const char *name, uint32_t kind);

/*
 * The offset in bytes of a member that is written "struct.member.member"; members of nameless
 * structs and unions count as those of the outer one.  -ENOENT: there is none.
 */
int grt_types_offset(const struct grt_types *t, const char *member);

/* How many arguments the tracepoint has.  -ENOENT: there is none of this name. */
int grt_types_arguments(const struct grt_types *t, const char *tracepoint);

/* The value of "enum.NAME".  0 or -ENOENT. */
int grt_types_value(const struct grt_types *t, const char *name, int32_t *value);

/*
 * The prototype of a function (BTF_KIND_FUNC_PROTO), and in *@btf the types that it is made of; NULL: not
 * known.
 */
const struct btf_type *grt_types_function(const struct grt_types *t, const char *name,
					  const struct btf **btf);

/* Follows qualifiers and names of types; NULL: there is no such type. */
const struct btf_type *grt_types_resolve(const struct btf *btf, uint32_t id);

/* A member of a struct or union, also of a nameless one inside of it. */
struct grt_types_member {
	const struct btf_type *type;	/* resolved */
	uint32_t bit;			/* its offset */
	uint32_t bits;			/* of a bit-field; 0: it is none */
};

/* The member called @name, @len bytes long.  0 or -ENOENT. */
int grt_types_member(const struct btf *btf, const struct btf_type *type, const char *name, size_t len,
		     struct grt_types_member *member);

#endif /* GRT_CAPTURE_TYPES_H */
