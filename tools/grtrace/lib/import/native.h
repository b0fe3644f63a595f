/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Events of a trace.dat that grtrace export wrote: each has all fields of a record, so it becomes
 * that record again.  A long text comes in several events.
 */
#ifndef GRT_NATIVE_H
#define GRT_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <linux/grtrace.h>

#include "foreign.h"
#include "map.h"
#include "vec.h"

struct grt_binder;
struct tep_event;
struct tep_record;

enum grt_native_answer {
	GRT_NATIVE_NOT,		/* another event */
	GRT_NATIVE_MADE,	/* what the model found out; it will find it again */
	GRT_NATIVE_RECORD,
	GRT_NATIVE_RECORDING,	/* a text about the file that was exported */
};

/* Zeroed memory is empty. */
struct grt_native {
	struct grt_map rows;		/* number of an event -> what it is */
	struct grt_vec record;		/* the latest one */
	size_t text_bytes;		/* of its text so far */
	uint64_t event_ns;		/* time of its first event */
	bool goes_on;			/* the next event has more of it */
	struct grt_vec text;		/* of the recording */
};

/*
 * What @record is.  A record is at native->record.data until the next call; all of it is set but
 * gseq and cseq.
 */
enum grt_native_answer grt_native_read(struct grt_native *native, struct grt_binder *b,
				       struct tep_event *event, const struct tep_record *record,
				       uint32_t cpu);
void grt_native_free(struct grt_native *native);

#endif /* GRT_NATIVE_H */
