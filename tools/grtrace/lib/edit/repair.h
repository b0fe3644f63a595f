/* SPDX-License-Identifier: LGPL-2.1 */
/* Recovers the intact part of a damaged trace. */
#ifndef GRT_REPAIR_H
#define GRT_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "target.h"

/* What can be wrong: X(NAME, words).  The place is printed after the words. */
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
	int file;			/* number of the file, as the caller named them */
	uint64_t offset, bytes;		/* the bytes that were left out; 0 bytes: none */
	uint64_t events;		/* events in them, if known; 0 = not known */
};

#define GRT_MAX_FINDINGS	16	/* printed one by one */

struct grt_repair {
	struct grt_finding findings[GRT_MAX_FINDINGS];
	uint64_t nr_findings;		/* including those that were not printed */
	uint64_t chunks, events, bytes;	/* kept; bytes: of records */
	uint64_t lost_events, lost_bytes;
	uint32_t cpus, endless;		/* endless: CPUs without STREAM_END */
	bool is_lost_exact;		/* false: there may be more than lost_events */
};

/*
 * Repairs one .grt, or raw streams, and fills *r.  0, or -errno with a cause and no file; -EBADMSG
 * if nothing can be recovered.
 */
int grt_repair_files(struct grt_repair *r, int count, char *const *paths, struct grt_target *to);

const char *grt_finding_words(enum grt_finding_kind kind);

#endif /* GRT_REPAIR_H */
