/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the simulated trace as a session would have. */
#ifndef SIM_FILE_H
#define SIM_FILE_H

#include "sim.h"
#include "vec.h"

/*
 * Appends the raw streams of all CPUs, one after another.  Events that were dropped within a loss
 * have a fate; other dropped events were before or after the session.
 */
void sim_write(const struct sim *s, struct grt_vec *out);

#endif /* SIM_FILE_H */
