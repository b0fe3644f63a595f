// SPDX-License-Identifier: GPL-2.0
#include "soon.h"

void grt_soon_run(struct irq_work *irq_work)
{
	struct grt_soon *soon = container_of(irq_work, struct grt_soon, irq_work);

	queue_work(system_unbound_wq, &soon->work);
}
