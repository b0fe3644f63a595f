/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traces of a desktop with queues, for comparisons: jobs wait for each other, so the times of
 * neighbouring jobs are alike, and the load drifts.  A game draws frames on gfx with a job of
 * compute ahead of some, a compositor follows it, a batch process copies and computes, and a
 * copier comes in bursts.  Words, each of which may be left out:
 *
 *	jobs=4000	in all			seed=1		of chance
 *	load=100	% of the usual times	drift=15	% by which frames differ in a scene
 *	slow=game	the process whose jobs run longer ...
 *	by=0		... by this many %	on=0		... on this ring; 0: on all
 *	spread=0	% by which all times of this run are longer or shorter, by chance
 *	hang=0		so many jobs hang and are reset, in the middle
 *	fail=0		so many jobs fail
 */
#ifndef GRT_BUSY_H
#define GRT_BUSY_H

#include <stdbool.h>

#include "synth.h"

/* Writes the stream of one CPU; false: a word is not known. */
bool busy_write(struct synth *s, int count, char **words);

#endif /* GRT_BUSY_H */
