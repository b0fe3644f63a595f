/* SPDX-License-Identifier: LGPL-2.1 */
/* Interrupts of GPUs by their source, as the GPU names it, or by the number of the handler. */
#ifndef GRT_IRQ_SUMS_H
#define GRT_IRQ_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "vec.h"

#define GRT_IRQ_SOURCES	256	/* of more, all others share a row */

struct grt_irq_sum {
	bool is_handler;	/* of Linux, with @irq; else the other members tell */
	bool is_others;		/* sources that found no row */
	uint32_t pci_address;	/* 0: not known */
	uint32_t irq, ih, client, source, ring;
	uint64_t count;
};

/* Zeroed memory is empty. */
struct grt_irq_sums {
	struct grt_vec rows;	/* of struct grt_irq_sum */
	uint64_t count;
};

/* 0 or -errno with a cause. */
int grt_irq_sums_add(struct grt_irq_sums *s, const struct grtrace_irq *rec);
/* Those with most interrupts first. */
void grt_irq_sums_sort(struct grt_irq_sums *s);
void grt_irq_sums_free(struct grt_irq_sums *s);

static inline size_t grt_irq_sums_count(const struct grt_irq_sums *s)
{
	return grt_vec_count(&s->rows, struct grt_irq_sum);
}

static inline const struct grt_irq_sum *grt_irq_sums_at(const struct grt_irq_sums *s, size_t i)
{
	return grt_vec_at(&s->rows, struct grt_irq_sum, i);
}

#endif /* GRT_IRQ_SUMS_H */
