/* SPDX-License-Identifier: GPL-2.0 */
/* One run of grtrace serve: serve.c reads, serve_http.c answers, from a thread of its own. */
#ifndef GRT_CMD_SERVE_H
#define GRT_CMD_SERVE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "follow.h"
#include "metrics.h"
#include "openmetrics.h"

struct serve_http;

struct serve {
	/* The options. */
	const char *listen, *textfile;
	uint64_t interval_ns, cap;

	struct follow follow;
	struct serve_http *http;	/* owned; NULL: only a file is written */
	uint64_t start_real_ns, written_ns;
	bool has_unwritten;		/* the file could not be written: that was said */

	/* Whoever uses the model or the metrics has the lock. */
	struct grt_metrics metrics;
	pthread_mutex_t lock, turn;
	atomic_bool is_wanted;		/* by a scrape */
};

/* Writes a page into the empty @o.  Any thread.  0 or -errno with a cause. */
int serve_page(struct serve *s, struct grt_om *o);

#endif /* GRT_CMD_SERVE_H */
