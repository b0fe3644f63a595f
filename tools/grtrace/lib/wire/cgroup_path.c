// SPDX-License-Identifier: LGPL-2.1
#include "cgroup_path.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define UUID_CHARS	36
#define HASH_CHARS	32	/* the UID of a static pod has no dashes */
#define SLUID_CHARS	14	/* "s" and 13 digits of base 32 */

/* A name in the path. */
struct part {
	const char *text;
	size_t len;
};

static bool begins_with(const struct part *p, const char *text)
{
	size_t len = strlen(text);

	return p->len >= len && !memcmp(p->text, text, len);
}

static bool ends_with(const struct part *p, const char *text)
{
	size_t len = strlen(text);

	return p->len >= len && !memcmp(p->text + p->len - len, text, len);
}

static bool is_text(const struct part *p, const char *text)
{
	return p->len == strlen(text) && begins_with(p, text);
}

static struct part without(struct part p, size_t front, size_t back)
{
	return (struct part){ p.text + front, p.len - front - back };
}

static bool is_hex(const struct part *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (!isxdigit((unsigned char)p->text[i]))
			return false;
	return true;
}

static void copy(char *to, size_t room, const struct part *p)
{
	snprintf(to, room, "%.*s", (int)p->len, p->text);
}

/* How runtimes name the cgroup of a container: a word before its id.  Others have the id alone. */
static const struct {
	const char *prefix, *runtime;
} scopes[] = {
	{ "cri-containerd-", "containerd" },
	{ "nerdctl-", "containerd" },
	{ "docker-", "docker" },
	{ "crio-", "cri-o" },
	{ "libpod-payload-", "podman" },
	{ "libpod-", "podman" },
};

/* The cgroup around containers that have their id alone. */
static const struct {
	const char *name, *runtime;
} parents[] = {
	{ "docker", "docker" },
	{ "k8s.io", "containerd" },
	{ "cri-containerd", "containerd" },
	{ "crio", "cri-o" },
	{ "libpod_parent", "podman" },
};

static bool read_container(struct grt_workload *p, struct part part, const struct part *parent)
{
	const char *runtime = "";

	if (ends_with(&part, ".scope"))
		part = without(part, 0, strlen(".scope"));
	for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		if (part.len == strlen(scopes[i].prefix) + GRT_CONTAINER_ID &&
		    begins_with(&part, scopes[i].prefix)) {
			runtime = scopes[i].runtime;
			part = without(part, strlen(scopes[i].prefix), 0);
			break;
		}
	if (part.len != GRT_CONTAINER_ID || !is_hex(&part))
		return false;
	for (size_t i = 0; !*runtime && i < sizeof(parents) / sizeof(*parents); i++)
		if (is_text(parent, parents[i].name))
			runtime = parents[i].runtime;
	p->runtime = runtime;
	copy(p->container, sizeof(p->container), &part);
	return true;
}

/* "lxc.payload.NAME", or "NAME" below "lxc". */
static bool read_lxc(struct grt_workload *p, struct part part, const struct part *parent)
{
	if (begins_with(&part, "lxc.payload."))
		part = without(part, strlen("lxc.payload."), 0);
	else if (!is_text(parent, "lxc"))
		return false;
	p->runtime = "lxc";
	copy(p->container, sizeof(p->container), &part);
	return *p->container;
}

/* Systemd has no dashes inside of names, so there they are underscores. */
static bool read_uid(char uid[UUID_CHARS + 1], const struct part *part)
{
	if (part->len != UUID_CHARS && part->len != HASH_CHARS)
		return false;
	for (size_t i = 0; i < part->len; i++) {
		bool is_dash = part->len == UUID_CHARS && (i == 8 || i == 13 || i == 18 || i == 23);
		char c = part->text[i] == '_' ? '-' : part->text[i];

		if (is_dash ? c != '-' : !isxdigit((unsigned char)c))
			return false;
		uid[i] = c;
	}
	uid[part->len] = '\0';
	return true;
}

/* "kubepods-burstable-podUID.slice", maybe with more in front; or "podUID" below "kubepods". */
static bool read_pod(struct grt_workload *p, struct part part, bool is_in_kubepods)
{
	const char *at;
	char uid[sizeof(p->pod_uid)];
	struct part rest = part;

	if (ends_with(&part, ".slice") && (at = memmem(part.text, part.len, "kubepods", strlen("kubepods")))) {
		part = without(part, at - part.text, strlen(".slice"));
		at = memmem(part.text, part.len, "-pod", strlen("-pod"));
		rest = at ? without(part, at + strlen("-pod") - part.text, 0) : (struct part){ part.text, 0 };
	} else if (is_in_kubepods && begins_with(&part, "pod")) {
		rest = without(part, strlen("pod"), 0);
	} else {
		return false;
	}
	if (!read_uid(uid, &rest))
		return false;
	snprintf(p->pod_uid, sizeof(p->pod_uid), "%s", uid);
	return true;
}

static bool is_sluid(const struct part *part)
{
	if (part->len != SLUID_CHARS || part->text[0] != 's')
		return false;
	for (size_t i = 1; i < part->len; i++)
		if (!isupper((unsigned char)part->text[i]) && !isdigit((unsigned char)part->text[i]))
			return false;
	return true;
}

/* "job_N" or a SLUID below slurmstepd.scope; "job_N" below a uid, with cgroups of version 1 or both. */
static bool read_slurm(struct grt_workload *p, struct part part, const struct part *parent)
{
	bool is_new = ends_with(parent, "slurmstepd.scope");

	if (is_new && is_sluid(&part)) {
		copy(p->slurm_job, sizeof(p->slurm_job), &part);
		return true;
	}
	if (!begins_with(&part, "job_") || !(is_new || begins_with(parent, "uid_")))
		return false;
	part = without(part, strlen("job_"), 0);
	for (size_t i = 0; i < part.len; i++)
		if (!isdigit((unsigned char)part.text[i]))
			return false;
	if (!part.len || part.len >= sizeof(p->slurm_job))
		return false;
	copy(p->slurm_job, sizeof(p->slurm_job), &part);
	return true;
}

/* A service in a slice counts more than the slice, and a slice in a service, like user@.service, less. */
static void read_unit(struct grt_workload *p, const struct part *part, bool *has_leaf)
{
	bool is_leaf = ends_with(part, ".service") || ends_with(part, ".scope");

	if (!is_leaf && (*has_leaf || !ends_with(part, ".slice")))
		return;
	copy(p->unit, sizeof(p->unit), part);
	*has_leaf |= is_leaf;
}

/* Whether containerd or Docker joined the name of a slice, its own and the id: "...slice:docker:ID". */
static bool is_joined(const struct part *part)
{
	struct part id;

	if (part->len <= GRT_CONTAINER_ID)
		return false;
	id = without(*part, part->len - GRT_CONTAINER_ID, 0);
	return id.text[-1] == ':' && is_hex(&id);
}

/* The next part of *path, which moves behind it; false at the end. */
static bool next_part(const char **path, struct part *part)
{
	*path += strspn(*path, "/");
	*path += **path == ':';
	part->text = *path;
	part->len = strcspn(*path, "/");
	if (is_joined(part))
		part->len = strcspn(*path, ":");
	*path += part->len;
	return part->len;
}

void grt_workload_read(struct grt_workload *p, const char *path)
{
	struct part part, parent = { "", 0 };
	bool is_in_kubepods = false, has_leaf = false;

	*p = (struct grt_workload){ .runtime = "" };
	for (; next_part(&path, &part); parent = part) {
		if (!read_pod(p, part, is_in_kubepods) && !read_slurm(p, part, &parent) &&
		    !read_container(p, part, &parent))
			read_lxc(p, part, &parent);
		is_in_kubepods |= is_text(&part, "kubepods");
		read_unit(p, &part, &has_leaf);
	}
	p->owner = *p->pod_uid ? GRT_OWNER_POD : *p->slurm_job ? GRT_OWNER_SLURM_JOB :
		   *p->container ? GRT_OWNER_CONTAINER : *p->unit ? GRT_OWNER_UNIT : GRT_OWNER_NOBODY;
}

const char *grt_workload_owner(const struct grt_workload *p)
{
	switch (p->owner) {
	case GRT_OWNER_POD:
		return p->pod_uid;
	case GRT_OWNER_SLURM_JOB:
		return p->slurm_job;
	case GRT_OWNER_CONTAINER:
		return p->container;
	case GRT_OWNER_UNIT:
		return p->unit;
	case GRT_OWNER_NOBODY:
		break;
	}
	return "";
}

const char *grt_owner_name(enum grt_owner owner)
{
	static const char *const names[] = {
#define GRT_X(NAME, name, text) [GRT_OWNER_##NAME] = #name,
		GRT_OWNERS(GRT_X)
#undef GRT_X
	};

	return names[owner];
}
