/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What the path of a cgroup says of who runs there: a pod of Kubernetes, a container, a Slurm job, a
 * unit of systemd.
 */
#ifndef GRT_CGROUP_PATH_H
#define GRT_CGROUP_PATH_H

/*
 * Who owns the processes of a cgroup: X(NAME, name, text).  A cgroup inside several of them, like a
 * container of a pod, belongs to the one with the highest number.
 */
#define GRT_OWNERS(X)							\
	X(NOBODY,	nobody,		"nothing of these")		\
	X(UNIT,		unit,		"a unit of systemd")		\
	X(CONTAINER,	container,	"a container outside of pods")	\
	X(SLURM_JOB,	slurm_job,	"a job of Slurm")		\
	X(POD,		pod,		"a pod of Kubernetes")

enum grt_owner {
#define GRT_X(NAME, name, text) GRT_OWNER_##NAME,
	GRT_OWNERS(GRT_X)
#undef GRT_X
};

const char *grt_owner_name(enum grt_owner owner);

#define GRT_CONTAINER_ID	64	/* hexadecimal digits of every runtime but LXC */

/* Texts that are not in the path are "". */
struct grt_workload {
	enum grt_owner owner;
	const char *runtime;	/* "docker", "containerd", "cri-o", "podman" or "lxc"; "": not known */
	char pod_uid[37];	/* with dashes, as Kubernetes prints it */
	char container[GRT_CONTAINER_ID + 1];	/* its id; the innermost one */
	char slurm_job[33];	/* its number, or its SLUID */
	char unit[128];		/* the innermost service or scope, else the innermost slice */
};

/* Reads @path, as CGROUP has it: any text. */
void grt_workload_read(struct grt_workload *p, const char *path);

/* What tells its owner from others of the same kind; "": nobody. */
const char *grt_workload_owner(const struct grt_workload *p);

#endif /* GRT_CGROUP_PATH_H */
