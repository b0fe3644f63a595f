/* SPDX-License-Identifier: LGPL-2.1 */
/* Takes what is whole of a trace that is not, and makes a whole trace of it. */
#ifndef GRT_REPAIR_H
#define GRT_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

/* What can be wrong: X(NAME, words).  Behind the words comes where. */
#define GRT_FINDINGS(X)								\
	X(HEADER,   "the header is damaged; it was made anew")			\
	X(UNCLOSED, "no index and trailer at the end: the file was not closed")	\
	X(GAP,	    "no whole chunk")						\
	X(CHECKSUM, "a chunk does not fit its checksum")			\
	X(RECORD,   "no record, up to the next stream")				\
	X(CUT,	    "the file ends within a record")				\
	X(SESSION,  "a stream of another session")

enum grt_finding_kind {
#define GRT_X(NAME, words) GRT_FINDING_##NAME,
	GRT_FINDINGS(GRT_X)
#undef GRT_X
	GRT_NR_FINDINGS
};

struct grt_finding {
	enum grt_finding_kind kind;
	int file;			/* as the caller named them */
	uint64_t offset, bytes;		/* left out; 0 bytes: nothing was */
	uint64_t events;		/* in them, as far as is known; 0 = not known */
};

#define GRT_MAX_FINDINGS	16	/* told one by one */

struct grt_repair {
	struct grt_finding findings[GRT_MAX_FINDINGS];
	uint64_t nr_findings;		/* all of them */
	uint64_t chunks, events, bytes;	/* taken; bytes: of records */
	uint64_t lost_events, lost_bytes;
	uint32_t cpus, endless;		/* endless: without STREAM_END */
	bool is_lost_exact;		/* else there may be more than lost_events */
};

/*
 * One .grt, or raw streams.  Fills *r.  0, or -errno with a cause and no file made:
 * -EBADMSG where nothing can be saved.
 */
int grt_repair_files(struct grt_repair *r, int count, char *const *paths, struct grt_target *to);

const char *grt_finding_words(enum grt_finding_kind kind);

#endif /* GRT_REPAIR_H */
