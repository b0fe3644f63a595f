// SPDX-License-Identifier: LGPL-2.1
#include "irq_sums.h"

#include <stdlib.h>

#include "error.h"
#include "meaning.h"

static bool is_same(const struct grt_irq_sum *a, const struct grt_irq_sum *b)
{
	return a->is_handler == b->is_handler && a->is_others == b->is_others &&
	       a->pci_address == b->pci_address && a->irq == b->irq && a->ih == b->ih &&
	       a->client == b->client && a->source == b->source && a->ring == b->ring;
}

static struct grt_irq_sum *find(struct grt_irq_sums *s, const struct grt_irq_sum *like)
{
	for (size_t i = 0; i < grt_irq_sums_count(s); i++)
		if (is_same(grt_irq_sums_at(s, i), like))
			return grt_vec_at(&s->rows, struct grt_irq_sum, i);
	return NULL;
}

static struct grt_irq_sum source_of(const struct grtrace_irq *rec)
{
	struct grt_irq_sum own = { .pci_address = grt_member(rec, pci_address) };

	own.is_handler = rec->hdr.flags & GRTRACE_F_HANDLER;
	if (own.is_handler) {
		own.irq = rec->irq;
		return own;
	}
	own.ih = grt_member(rec, ih);
	own.client = grt_member(rec, irq_client);
	own.source = grt_member(rec, irq_source);
	own.ring = grt_member(rec, irq_ring);
	return own;
}

int grt_irq_sums_add(struct grt_irq_sums *s, const struct grtrace_irq *rec)
{
	struct grt_irq_sum own = source_of(rec), *row = find(s, &own);

	if (!row && grt_irq_sums_count(s) >= GRT_IRQ_SOURCES) {
		own = (struct grt_irq_sum){ .is_others = true };
		row = find(s, &own);
	}
	if (!row) {
		if (grt_vec_append(&s->rows, &own, sizeof(own)))
			return grt_fail_memory();
		row = grt_vec_at(&s->rows, struct grt_irq_sum, grt_irq_sums_count(s) - 1);
	}
	row->count++;
	s->count++;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct grt_irq_sum *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->source != y->source)
		return x->source < y->source ? -1 : 1;
	return x->ring != y->ring ? x->ring < y->ring ? -1 : 1 : (x->irq > y->irq) - (x->irq < y->irq);
}

void grt_irq_sums_sort(struct grt_irq_sums *s)
{
	if (s->rows.bytes)
		qsort(s->rows.data, grt_irq_sums_count(s), sizeof(struct grt_irq_sum), compare);
}

void grt_irq_sums_free(struct grt_irq_sums *s)
{
	grt_vec_free(&s->rows);
	s->count = 0;
}
