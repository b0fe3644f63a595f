/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces with so many jobs that they have quantiles, for tests of comparisons.  Words,
 * each of which may be left out:
 *
 *	jobs=1000	on each ring		exec=1000	us on the ring, 20 % less or more
 *	rings=1		gfx, copy, compute	wait=50		us before, likewise
 *	seed=1		of chance		gap=100		us between two jobs
 *	device=11	number on its bus	comm=game	the process
 *	lose=0		events lost half-way	slow=0		% of jobs that run ten times as long
 */
#ifndef GRT_LOAD_H
#define GRT_LOAD_H

#include <stdbool.h>

#include "synth.h"

/* Writes the stream of one CPU; false: a word is not known. */
bool load_write(struct synth *s, int count, char **words);

#endif /* GRT_LOAD_H */
