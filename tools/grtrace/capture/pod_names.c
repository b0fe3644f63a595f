// SPDX-License-Identifier: GPL-2.0
#include "pod_names.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define SUFFIX	".log"

/* Copies a name of Kubernetes, which has no other characters: so it may be a line of the trace. */
static bool copy_name(char to[GRT_POD_NAME_MAX], const char *from, size_t len)
{
	if (!len || len >= GRT_POD_NAME_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)from[i]) && !isdigit((unsigned char)from[i]) &&
		    from[i] != '-' && from[i] != '.')
			return false;
	memcpy(to, from, len);
	to[len] = '\0';
	return true;
}

/*
 * Splits a text FIRST_SECOND_REST: copies FIRST and SECOND, and lets *@text point to REST.  False: it has no such
 * form.
 */
static bool take_names(const char **text, char first[GRT_POD_NAME_MAX], char second[GRT_POD_NAME_MAX])
{
	size_t first_len = strcspn(*text, "_"), second_len;
	const char *rest = *text + first_len;

	if (!*rest)
		return false;
	second_len = strcspn(++rest, "_");
	if (!rest[second_len] || !copy_name(first, *text, first_len) || !copy_name(second, rest, second_len))
		return false;
	*text = rest + second_len + 1;
	return true;
}

bool grt_pod_names_of_link(struct grt_pod_names *n, const char *name, const char *container)
{
	size_t id_len = strlen(container), len = strlen(name), end_len = id_len + strlen(SUFFIX);
	const char *id;

	if (!id_len || len <= end_len)
		return false;
	id = name + len - end_len;
	if (id[-1] != '-' || strncmp(id, container, id_len) || strcmp(id + id_len, SUFFIX) ||
	    !take_names(&name, n->pod, n->pod_namespace))
		return false;
	return name < id - 1 && copy_name(n->container, name, id - 1 - name);
}

bool grt_pod_names_of_folder(struct grt_pod_names *n, const char *name, const char *uid)
{
	return *uid && take_names(&name, n->pod_namespace, n->pod) && !strcmp(name, uid);
}

/* Searches a folder below @logs; true: an entry of it has the names. */
static bool search(struct grt_pod_names *n, const char *logs, const char *folder, const char *id,
		   bool (*read)(struct grt_pod_names *n, const char *name, const char *id))
{
	struct grt_pod_names found = { .pod = "" };
	const struct dirent *entry;
	bool is_found = false;
	char path[4096];
	DIR *dir;

	snprintf(path, sizeof(path), "%s/%s", logs, folder);
	dir = opendir(path);
	while (dir && !is_found && (entry = readdir(dir))) {
		found = (struct grt_pod_names){ .pod = "" };
		is_found = read(&found, entry->d_name, id);
	}
	if (dir)
		closedir(dir);
	if (is_found)
		*n = found;
	return is_found;
}

bool grt_pod_names_find(struct grt_pod_names *n, const char *logs, const char *container, const char *uid)
{
	*n = (struct grt_pod_names){ .pod = "" };
	return search(n, logs, "containers", container, grt_pod_names_of_link) ||
	       search(n, logs, "pods", uid, grt_pod_names_of_folder);
}
