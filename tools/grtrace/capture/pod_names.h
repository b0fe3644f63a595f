/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of pods and their containers: the kubelet makes folders and links for their logs, which are
 * called after them.
 */
#ifndef GRT_POD_NAMES_H
#define GRT_POD_NAMES_H

#include <stdbool.h>

#define GRT_POD_NAME_MAX	254	/* with its NUL; Kubernetes permits 253 */

/* Names; "" if one is not known. */
struct grt_pod_names {
	char pod[GRT_POD_NAME_MAX], pod_namespace[GRT_POD_NAME_MAX], container[GRT_POD_NAME_MAX];
};

/* Reads "POD_NAMESPACE_CONTAINER-ID.log" for the container with that id.  False: it is another one. */
bool grt_pod_names_of_link(struct grt_pod_names *n, const char *name, const char *container);

/* Reads "NAMESPACE_POD_UID" for the pod with that UID.  False: it is another one. */
bool grt_pod_names_of_folder(struct grt_pod_names *n, const char *name, const char *uid);

/*
 * Looks for a container and a pod; "": not known.  @logs: /var/log, but in tests.  False: nothing is known
 * of them.
 */
bool grt_pod_names_find(struct grt_pod_names *n, const char *logs, const char *container, const char *uid);

#endif /* GRT_POD_NAMES_H */
