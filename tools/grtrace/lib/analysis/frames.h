/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The frames of processes: which were late, and because of what.  It takes the records and jobs of
 * two passes of a model that keeps pieces: the first one finds out from what frames can be known,
 * the second one makes them.  Each frame is handed out as soon as its jobs are over.
 */
#ifndef GRT_FRAMES_H
#define GRT_FRAMES_H

#include "frame_line.h"
#include "frame_source.h"
#include "frame_sums.h"
#include "model.h"
#include "window.h"

#define GRT_FRAMES_MAX_WORST	1000

/* A process that submits nothing for so long makes no frames. */
#define GRT_FRAME_PAUSE_NS	250000000

struct grt_frames_wants {
	const regex_t *mark;		/* marks that begin a frame; not owned; NULL: known ones */
	uint64_t refresh_ns;		/* 0: as the vertical blanks say */
	uint64_t pid;			/* 0: any */
	const char *comm;		/* NULL: any */
	bool per_process;		/* all of these processes, not only the likeliest */
	bool per_marker;		/* all that mark their frames; the likeliest if none does */
	bool with_displays;		/* no frames are shown, only what became of vertical blanks */
	bool with_synthetic;
	const struct grt_window *window;	/* only frames that touch it; not owned; NULL: all */
	uint32_t max_worst;
	struct grt_roots *roots;	/* have followed each job before it comes here; not owned; NULL: own ones */
	/* Gets each frame; may be NULL.  0, or -errno. */
	int (*frame)(void *arg, const struct grt_frame *frame);
	void *arg;
};

/* Zeroed memory but for @wants is empty. */
struct grt_frames {
	struct grt_frames_wants wants;
	const struct grt_model *model;	/* not owned */
	struct grt_frame_sources sources;
	struct grt_crtcs crtcs;		/* in the window */
	bool has_begun, has_learnt;
	uint64_t refresh_ns;		/* 0: not known */
	uint64_t now_ns;
	uint64_t blank_ns;		/* a vertical blank that is about to begin; 0: none */
	struct grt_roots roots;
	struct grt_vec lines;		/* struct grt_frame_line */
	struct grt_vec sums;		/* struct grt_frame_sums, of the line in the same row */
	struct grt_keymap rows;		/* by tgid */
	struct grt_frame *worst;	/* owned: late ones first, then the longest */
	uint32_t nr_worst;
};
/* These are for struct grt_replay_ops.  0 or -errno. */
int grt_frames_begin(struct grt_frames *f, const struct grt_model *model);
int grt_frames_record(struct grt_frames *f, const struct grtrace_hdr *rec);
int grt_frames_job(struct grt_frames *f, const struct grt_job *job);
int grt_frames_early(struct grt_frames *f, const struct grt_job *job);	/* see grt_model_keep_pieces() */
int grt_frames_end(struct grt_frames *f);
bool grt_frames_wants_more(const struct grt_frames *f);

void grt_frames_free(struct grt_frames *f);

/* Valid after the last pass. */
static inline size_t grt_frames_count(const struct grt_frames *f)
{
	return grt_vec_count(&f->sums, struct grt_frame_sums);
}

static inline const struct grt_frame_sums *grt_frames_at(const struct grt_frames *f, size_t i)
{
	return grt_vec_at(&f->sums, struct grt_frame_sums, i);
}

#endif /* GRT_FRAMES_H */
