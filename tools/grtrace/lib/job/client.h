/* SPDX-License-Identifier: LGPL-2.1 */
/* Gives each client a number, and keeps it once. */
#ifndef GRT_CLIENT_H
#define GRT_CLIENT_H

#include "job.h"
#include "keymap.h"
#include "vec.h"

struct grt_clients {
	struct grt_vec rows;	/* of struct grt_client */
	struct grt_keymap index;
};

/* Returns the number of @client; a new client gets the next one.  GRT_NONE without memory. */
uint32_t grt_clients_get(struct grt_clients *p, const struct grt_client *client);
void grt_clients_free(struct grt_clients *p);

static inline const struct grt_client *grt_clients_at(const struct grt_clients *p, uint32_t i)
{
	return grt_vec_at(&p->rows, struct grt_client, i);
}

#endif /* GRT_CLIENT_H */
