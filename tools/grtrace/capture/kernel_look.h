/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel of a machine has: events, modules, parameters.  It only looks; nothing changes. */
#ifndef GRT_CAPTURE_KERNEL_LOOK_H
#define GRT_CAPTURE_KERNEL_LOOK_H

#include <stdbool.h>
#include <stddef.h>

enum grt_answer { GRT_NOT_KNOWN, GRT_NO, GRT_YES };

struct grt_kernel_look {
	const char *root;	/* not owned: put before all paths; "" is this machine */
	char events[256];	/* the folder "events" of tracefs; "": it cannot be read */
};

void grt_kernel_look_init(struct grt_kernel_look *k, const char *root);

/*
 * Whether the kernel has the event "SYSTEM/NAME", or one of several with '|' between.  Asks tracefs,
 * or the types of the module (BTF) where tracefs is not for us.
 */
enum grt_answer grt_kernel_has_event(const struct grt_kernel_look *k, const char *events);

/* Whether the records of the event "SYSTEM/NAME" have this field.  Only tracefs tells. */
enum grt_answer grt_kernel_has_field(const struct grt_kernel_look *k, const char *event,
				     const char *field);

/* Whether the module is loaded, or built in. */
bool grt_kernel_has_module(const struct grt_kernel_look *k, const char *module);

/* Whether it is installed for this kernel, so that it could be loaded. */
bool grt_kernel_may_load(const struct grt_kernel_look *k, const char *module);

/* Whether @module calls functions of @other; GRT_NOT_KNOWN if one of them is built in. */
enum grt_answer grt_kernel_module_uses(const struct grt_kernel_look *k, const char *module,
				       const char *other);

bool grt_kernel_has_file(const struct grt_kernel_look *k, const char *path);

/* Reads the first line of a file.  False if it cannot be read; @to is empty then. */
bool grt_kernel_read_line(const struct grt_kernel_look *k, const char *path, char *to, size_t room);

#endif /* GRT_CAPTURE_KERNEL_LOOK_H */
