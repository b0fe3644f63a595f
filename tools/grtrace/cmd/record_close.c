// SPDX-License-Identifier: GPL-2.0
#include <unistd.h>

#include "child.h"
#include "family.h"
#include "flight.h"
#include "live.h"
#include "pipe_out.h"
#include "places.h"
#include "record.h"
#include "sources.h"
#include "tally.h"

void grt_record_close(struct record *r)
{
	/* After a failure: do not leave our session running. */
	r->source->release(r);
	grt_output_destroy(&r->output);
	grt_pipe_out_close(r->pipe);
	grt_peer_close(r->peer);
	grt_tally_destroy(&r->tally);
	if (r->live)
		grt_live_close(r->live);
	grt_flight_close(r->beside);
	grt_places_free(&r->places);
	grt_child_destroy(&r->child);
	grt_family_destroy(&r->family);
	if (r->signals >= 0)
		close(r->signals);
	if (r->target >= 0)
		close(r->target);
}
