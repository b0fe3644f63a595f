/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * From what the frames of each process can be known.  A first pass over a trace counts the marks,
 * SUBMITs and jobs of each process, page flips and vertical blanks.
 */
#ifndef GRT_FRAME_SOURCE_H
#define GRT_FRAME_SOURCE_H

#include <regex.h>

#include "display.h"
#include "frame_pieces.h"
#include "hist.h"
#include "job.h"
#include "loss.h"
#include "names.h"

/* Texts that begin a frame: X(regular expression, who writes it). */
#define GRT_FRAME_MARKS(X)							\
	X("^\\[Compositor\\] NewFrame ", "SteamVR's compositor")		\
	X("Choreographer#doFrame", "programs of Android")			\
	X("(SwapBuffers|vkQueuePresent)", "programs that mark this call")	\
	X("^frame [0-9]", "programs that use grtrace-mark.h like its example")

enum {
#define GRT_X(regex, who) + 1
	GRT_NR_FRAME_MARKS = 0 GRT_FRAME_MARKS(GRT_X)
#undef GRT_X
};

/* What the first pass saw of a process. */
struct grt_frame_process {
	uint32_t tgid;
	uint32_t process;	/* its row of the names, at its last job; GRT_NONE: no job */
	uint64_t jobs, busy_ns;
	uint64_t submits, last_submit_ns;
	uint64_t marks[GRT_NR_FRAME_MARKS];
	uint64_t own_marks;	/* that the user's expression matches */
	struct grt_hist pauses;	/* from SUBMIT to SUBMIT */
	struct grt_vec unseen;	/* uint64_t: since when jobs without a SUBMIT event, but with a COMPLETE, were there */
	struct grt_losses unsure;	/* times in which a job without a SUBMIT may have been there */
};

struct grt_frame_sources {
	const regex_t *own;		/* the user's expression; not owned; NULL: none */
	regex_t marks[GRT_NR_FRAME_MARKS];
	bool has_marks;			/* @marks are compiled */
	struct grt_display display;
	struct grt_vec processes;	/* struct grt_frame_process */
	struct grt_keymap rows;		/* by tgid */
	uint64_t flips, own_flips;	/* TRACE_EVENTs of a page flip, or that @own matches */
};

/* Zeroed memory but for @own is empty.  0 or -errno. */
int grt_frame_sources_init(struct grt_frame_sources *s);
void grt_frame_sources_free(struct grt_frame_sources *s);

/* In the first pass: counts what tells where frames begin.  0 or -errno. */
int grt_frame_sources_record(struct grt_frame_sources *s, const struct grtrace_hdr *rec);
int grt_frame_sources_job(struct grt_frame_sources *s, const struct grt_job *job,
			  const struct grt_names *names);

/*
 * The best source for this process; false: there is none.  *mark: the row of GRT_FRAME_MARKS, or
 * GRT_NR_FRAME_MARKS for the user's expression.
 */
bool grt_frame_source_of(const struct grt_frame_sources *s, const struct grt_frame_process *p,
			 enum grt_frame_source *source, unsigned int *mark);

/* Which of two processes a user more likely means: > 0: @a. */
int grt_frame_process_compare(const struct grt_frame_process *a, const struct grt_frame_process *b);

/* After a longer pause between two SUBMITs a frame begins; 0: each SUBMIT is a frame. */
uint64_t grt_frame_pause(const struct grt_frame_process *p);

/* Whether the text of a MARK or TRACE_EVENT begins a frame, by the expression @mark. */
bool grt_frame_mark_is(const struct grt_frame_sources *s, unsigned int mark, const char *text);

/* The text behind a MARK or a TRACE_EVENT, which has a NUL within @bytes: else "". */
const char *grt_frame_text(const struct grtrace_hdr *rec);

/* Whether it is the text of an event that tells of a page flip. */
bool grt_frame_is_flip(const char *text);

static inline size_t grt_frame_processes(const struct grt_frame_sources *s)
{
	return grt_vec_count(&s->processes, struct grt_frame_process);
}

static inline struct grt_frame_process *grt_frame_process_at(const struct grt_frame_sources *s,
							     size_t i)
{
	return grt_vec_at(&s->processes, struct grt_frame_process, i);
}

#endif /* GRT_FRAME_SOURCE_H */
