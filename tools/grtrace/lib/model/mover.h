/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Jobs that move memory.  No event says which job a MOVE is done by, but drivers report the MOVE
 * just before they submit the copy, in the same thread.  A job counts as one if all of this holds:
 *
 *  - it is the kernel's own, on a ring for copies, and not known to update page tables;
 *  - a MOVE to or from VRAM came before it on the same CPU, in the same process and of the same
 *    GPU, GRT_MOVE_NS before it at most; where from and to are equal, the MOVE may have come late;
 *  - nothing came between the two on that CPU: no SUBMIT, MEMORY, IOCTL or CPU_SWITCH, and no
 *    event of any CPU is missing; or only such jobs of the same fence context did.
 */
#ifndef GRT_MOVER_H
#define GRT_MOVER_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "loss.h"
#include "names.h"

#define GRT_MOVE_NS	1000000

/* Zeroed memory is empty. */
struct grt_movers {
	struct grt_vec cpus;		/* struct mover, by CPU */
	uint32_t armed;			/* CPUs whose latest MOVE may still have jobs */
};

void grt_movers_free(struct grt_movers *m);

/* An event other than a SUBMIT; needed for MEMORY, and for others where ->armed.  0 or -ENOMEM. */
int grt_movers_event(struct grt_movers *m, const struct grtrace_hdr *rec, const struct grt_names *names);

/*
 * A SUBMIT on ring @row of the names, needed where ->armed.  @losses: where events are missing.
 * Whether its job moves memory.
 */
bool grt_movers_submit(struct grt_movers *m, const struct grtrace_submit *rec, const struct grt_names *names,
		       uint32_t row, const struct grt_losses *losses);

#endif /* GRT_MOVER_H */
