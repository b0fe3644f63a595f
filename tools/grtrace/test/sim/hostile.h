/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace with every type of record and every flag, in which every member is set and every text attacks
 * whoever prints it.  It is made from the tables of the format, so a new record or member is in it, too.
 */
#ifndef GRT_HOSTILE_H
#define GRT_HOSTILE_H

#include "file.h"
#include "synth.h"

#define HOSTILE_CPUS	2

/* Writes the streams of CPUs 0 and 1, and fills in the head of a .grt that has both. */
void hostile_write(struct synth streams[HOSTILE_CPUS], struct grt_file_header *header);

#endif /* GRT_HOSTILE_H */
