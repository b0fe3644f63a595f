// SPDX-License-Identifier: GPL-2.0
#include "listen_hosts.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define EACH_NS	1000000000ull	/* a file */

static struct listen_host *find(struct listen_hosts *h, const char *name)
{
	for (unsigned int i = 0; i < h->count; i++)
		if (!strcmp(h->hosts[i].name, name))
			return &h->hosts[i];
	return NULL;
}

/* A free row, or that of a machine without streams; of several such machines, the one that is due first. */
static struct listen_host *take_row(struct listen_hosts *h)
{
	struct listen_host *free = NULL;

	if (h->count < LISTEN_HOSTS)
		return &h->hosts[h->count++];
	for (unsigned int i = 0; i < h->count; i++)
		if (!h->hosts[i].streams && (!free || h->hosts[i].due_ns < free->due_ns))
			free = &h->hosts[i];
	return free;
}

_Static_assert(LISTEN_STREAMS < LISTEN_HOSTS, "a row is always free");

const char *listen_hosts_begin(struct listen_hosts *h, const char *name, bool is_near, uint64_t now_ns,
			       struct listen_host **host)
{
	struct listen_host *own;

	if (h->streams >= LISTEN_STREAMS)
		return "there are too many streams";
	own = find(h, name);
	if (!own) {
		own = take_row(h);
		*own = (struct listen_host){ .due_ns = now_ns };
		snprintf(own->name, sizeof(own->name), "%s", name);
	}
	if (!is_near && own->streams >= LISTEN_HOST_STREAMS)
		return "there are too many streams of its address";
	if (own->due_ns < now_ns)
		own->due_ns = now_ns;
	if (own->due_ns - now_ns > (LISTEN_HOST_FILES - 1) * EACH_NS)
		return "too many streams of its address begin";
	own->due_ns += EACH_NS;
	own->streams++;
	h->streams++;
	*host = own;
	return NULL;
}

void listen_hosts_end(struct listen_hosts *h, struct listen_host *host)
{
	host->streams--;
	h->streams--;
}
