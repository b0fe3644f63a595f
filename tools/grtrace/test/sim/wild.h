/* SPDX-License-Identifier: GPL-2.0 */
/* A trace as no recorder should write it: names, texts, times and numbers at their limits. */
#ifndef GRT_WILD_H
#define GRT_WILD_H

#include "synth.h"

/* Writes the stream of one CPU, which begins with a loss and has no end. */
void wild_write(struct synth *s);

#endif /* GRT_WILD_H */
