/* SPDX-License-Identifier: GPL-2.0 */
/* Small traces for timelines. */
#ifndef GRT_TIMELINE_SCENE_H
#define GRT_TIMELINE_SCENE_H

#include <stdbool.h>

#include "synth.h"

/*
 * Job 0x1234:42 on ring 1 (GRAPHICS) with all its stamps, at the times of the first readme; with
 * @has_all also an event of every type, a second later.
 */
void timeline_scene(struct synth *s, bool has_all);

#endif /* GRT_TIMELINE_SCENE_H */
