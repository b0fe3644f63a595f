/* SPDX-License-Identifier: GPL-2.0 */
/* The simulated trace as a session would have written it. */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include "sim.h"
#include "vec.h"

/*
 * Appends the raw streams of all CPUs, one behind the other.  Events that are dropped
 * where events were lost have met a fate; others were before or after the session.
 */
void sim_write(const struct sim *s, struct grt_vec *out);

#endif /* SIM_FILE_H */
