/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a stream that has at least one record of each type. */
#ifndef GRT_EVERY_H
#define GRT_EVERY_H

struct synth;

void every_type(struct synth *s);

#endif /* GRT_EVERY_H */
