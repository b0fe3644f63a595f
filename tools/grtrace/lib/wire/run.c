// SPDX-License-Identifier: LGPL-2.1
#include "run.h"

#include "cursor.h"

bool grt_is_definition(unsigned int type)
{
	switch (type) {
	case GRTRACE_STREAM_INFO:
	case GRTRACE_METADATA:
	case GRTRACE_RING:
	case GRTRACE_PROCESS:
	case GRTRACE_POLICY:
	case GRTRACE_CLOCK:
	case GRTRACE_STATS:
	case GRTRACE_STACK_TEXT:
	case GRTRACE_SNAPSHOT:
	case GRTRACE_NOTE:
	case GRTRACE_MACHINE:
	case GRTRACE_CGROUP:
	case GRTRACE_PEER:
		return true;
	}
	return false;
}

/* Whether @hdr must not be part of @run. */
static bool ends_run(const struct grt_run *run, const struct grtrace_hdr *hdr, size_t goal)
{
	if (!run->bytes)
		return false;
	return grt_is_definition(hdr->type) != run->is_defs ||
	       run->bytes + hdr->size > goal || hdr->type == GRTRACE_STREAM_INFO;
}

/*
 * A reader that does not need the events of this time may skip these types, if it knows the
 * accounts around them.
 */
bool grt_is_plain(unsigned int type)
{
	return type < GRTRACE_NR_EVENTS || type == GRTRACE_SUBBUF || type == GRTRACE_STREAM_END;
}

bool grt_next_run(struct grt_cursor *c, size_t goal, struct grt_run *run)
{
	const struct grtrace_hdr *hdr;

	*run = (struct grt_run){ .data = c->pos, .is_plain = true };
	while ((hdr = grt_take_record(c))) {
		if (ends_run(run, hdr, goal)) {
			c->pos = (const uint8_t *)hdr;
			break;
		}
		if (!run->bytes) {
			run->is_defs = grt_is_definition(hdr->type);
			run->first_ts = hdr->ts;
		}
		run->is_plain &= grt_is_plain(hdr->type) && hdr->ts >= run->last_ts;
		run->bytes += hdr->size;
		run->last_ts = hdr->ts;
		run->events += hdr->type < GRTRACE_STREAM_BASE;
	}
	return run->bytes;
}
