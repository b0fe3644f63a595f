/* SPDX-License-Identifier: LGPL-2.1 */
/* Outputs of frames: a row per format. */
#ifndef GRT_FRAMES_SINK_H
#define GRT_FRAMES_SINK_H

#include "frames.h"
#include "job_sink.h"
#include "job_words.h"
#include "report_table.h"

struct grt_frames_sink {
	const struct grt_job_sink *of;	/* the format has the same name */
	void (*begin)(struct grt_job_out *o, const struct grt_frames *f);
	/* Prints a frame as soon as it is known; NULL: the format has no row per frame. */
	void (*row)(struct grt_job_out *o, const struct grt_frames *f, const struct grt_frame *frame);
	void (*end)(struct grt_job_out *o, const struct grt_frames *f);
};

const struct grt_frames_sink *grt_frames_sink_of(const struct grt_job_sink *sink);

/* frames_text.c: the screen. */
void grt_frames_text(struct grt_job_out *o, const struct grt_frames *f);

/* frames_processes.c: a row per process, for CSV and JSON. */
void grt_report_frames(struct grt_report_table *t, const struct grt_frames *f);

/* frames_displays.c: a row per CRTC. */
void grt_report_displays(struct grt_report_table *t, const struct grt_frames *f);

/* frame_words.c: why frames of the process in row @process were late: "gfx ran batch[8]'s jobs". */
#define GRT_FRAME_WORD_MAX	(3 * GRT_WORD_MAX + 64)
const char *grt_word_frame_cause(char *buf, const struct grt_model *m, uint32_t process,
				 const struct grt_frame_cause *cause);

/* The same in one word, for programs: "before", "run" and so on. */
const char *grt_frame_cause_name(const struct grt_frame_cause *cause);

#endif /* GRT_FRAMES_SINK_H */
