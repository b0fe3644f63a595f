// SPDX-License-Identifier: GPL-2.0
/*
 * A CPU and its reader at the module's queue of sub-buffers, as two threads. t-queue.sh builds it
 * with ThreadSanitizer, which knows the accesses that an acquire and a release order, whatever
 * order this machine keeps.
 */
#include <pthread.h>
#include <stdio.h>

#include "queue.h"

#define SUBBUFS	5000

static struct grt_queue queue;
static unsigned int records[GRT_SUBBUFS];	/* one in each sub-buffer */

static void *run_cpu(void *unused)
{
	(void)unused;
	for (unsigned int i = 0; i < SUBBUFS;) {
		if (grt_queue_is_full(&queue))
			continue;
		records[i % GRT_SUBBUFS] = i;
		grt_queue_put(&queue, i++);
	}
	return NULL;
}

int main(void)
{
	unsigned int i = 0, bad = 0;
	pthread_t cpu;
	size_t at;

	if (pthread_create(&cpu, NULL, run_cpu, NULL))
		return 3;
	while (i < SUBBUFS) {
		if (!grt_queue_has_any(&queue))
			continue;
		at = grt_queue_first(&queue);
		bad += queue.used[at] != i || records[at] != i;
		grt_queue_take(&queue);
		i++;
	}
	pthread_join(cpu, NULL);
	printf("%u of %u were not whole\n", bad, i);
	return bad != 0;
}
