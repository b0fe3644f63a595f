// SPDX-License-Identifier: LGPL-2.1
#include "client.h"

uint32_t grt_clients_get(struct grt_clients *p, const struct grt_client *client)
{
	uint64_t rows = (uint64_t)client->ring << 32 | client->process;
	uint32_t i = grt_keymap_get(&p->index, rows, client->client_id);

	if (i != GRT_NONE)
		return i;
	i = grt_vec_count(&p->rows, struct grt_client);
	if (grt_vec_append(&p->rows, client, sizeof(*client)) ||
	    grt_keymap_put(&p->index, rows, client->client_id, i))
		return GRT_NONE;
	return i;
}

void grt_clients_free(struct grt_clients *p)
{
	grt_vec_free(&p->rows);
	grt_keymap_free(&p->index);
}
