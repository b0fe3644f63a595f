/* SPDX-License-Identifier: LGPL-2.1 */
/* The cgroups of a trace: their numbers, paths, and who owns them. */
#ifndef GRT_CGROUP_NAMES_H
#define GRT_CGROUP_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "cgroup_path.h"
#include "keymap.h"
#include "vec.h"

/* What is known of a cgroup.  A text is "" if it is not known. */
struct grt_cgroup {
	uint64_t id;		/* as in PROCESS, never 0 */
	uint32_t first;		/* the first row with the same owner; itself if the path is not known */
	char *text;		/* owned; NULL: the path is not known */
	const char *path;
	const char *pod, *pod_namespace, *container;	/* the names that Kubernetes gives them */
	struct grt_workload workload;
};

/* Zeroed memory is empty. */
struct grt_cgroup_names {
	struct grt_vec rows;		/* of struct grt_cgroup */
	struct grt_keymap row_of;	/* id to its row */
	struct grt_keymap first_of;	/* two hashes of an owner to its first row */
};

void grt_cgroup_names_free(struct grt_cgroup_names *n);

/* Takes a definition.  The first one with a path counts.  0 or -errno with a cause. */
int grt_cgroup_names_define(struct grt_cgroup_names *n, const struct grtrace_cgroup *rec);

/* The row of cgroup @id, which may have no path; adds one for a new cgroup.  GRT_NONE for 0, or without memory. */
uint32_t grt_cgroup_names_row(struct grt_cgroup_names *n, uint64_t id);

static inline const struct grt_cgroup *grt_cgroup_names_at(const struct grt_cgroup_names *n, uint32_t row)
{
	return grt_vec_at(&n->rows, struct grt_cgroup, row);
}

/* The cgroup of that id; NULL: no process names it. */
static inline const struct grt_cgroup *grt_cgroup_names_find(const struct grt_cgroup_names *n, uint64_t id)
{
	uint32_t row = grt_keymap_get(&n->row_of, id, 0);

	return row == GRT_NONE ? NULL : grt_cgroup_names_at(n, row);
}

/* What is known of a cgroup, by name: X(NAME, name). */
#define GRT_CGROUP_TEXTS(X)	\
	X(PATH, cgroup)		\
	X(NAMESPACE, namespace)	/* of the pod */ \
	X(POD, pod)		/* its name, or its UID where the name is not known */ \
	X(CONTAINER, container)	/* its name in the pod, or its id where that is not known */ \
	X(SLURM_JOB, slurm_job)	\
	X(UNIT, unit)

enum grt_cgroup_text {
#define GRT_X(NAME, name) GRT_CGROUP_##NAME,
	GRT_CGROUP_TEXTS(GRT_X)
#undef GRT_X
	GRT_NR_CGROUP_TEXTS
};

/* "": there is none, or it is not known. */
const char *grt_cgroup_text(const struct grt_cgroup_names *n, const struct grt_cgroup *c, enum grt_cgroup_text which);

/* Whether people call the cgroup, or one above it, @text: a path, or an id. */
bool grt_cgroup_is(const struct grt_cgroup *c, const char *text);

/* Whether people call its pod @text: NAME, NAMESPACE/NAME, or the UID. */
bool grt_cgroup_is_pod(const struct grt_cgroup_names *n, const struct grt_cgroup *c, const char *text);

#define GRT_OWNER_MAX	600

/*
 * Who owns the cgroup, in one text: "default/train-0", "docker 3f2a91c0d1e2", "slurm job 42", "cron.service",
 * else the path; "" if that is not known.  Returns @to, or a text that lives as long as @n.
 */
const char *grt_cgroup_owner(const struct grt_cgroup_names *n, const struct grt_cgroup *c, char to[GRT_OWNER_MAX]);

#endif /* GRT_CGROUP_NAMES_H */
