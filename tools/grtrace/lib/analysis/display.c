// SPDX-License-Identifier: LGPL-2.1
#include "display.h"

#include <string.h>

#include "meaning.h"

int grt_display_learn(struct grt_display *d, const struct grtrace_hdr *rec)
{
	return grt_crtcs_record(&d->crtcs, rec);
}

int grt_display_choose(struct grt_display *d)
{
	const struct grt_crtc *most = NULL;
	int err = grt_crtcs_close(&d->crtcs);

	if (err)
		return err;
	for (unsigned int i = 0; i < d->crtcs.count; i++)
		if (!most || d->crtcs.at[i].seen > most->seen)
			most = &d->crtcs.at[i];
	d->is_chosen = most && most->seen > 1;
	if (!d->is_chosen)
		return 0;
	d->gpu = most->gpu;
	d->crtc = most->crtc;
	d->refresh_ns = most->refresh_ns;
	d->late_ns = grt_blank_clock_is_same(&d->crtcs.clock) ? most->late_ns : 0;
	d->is_exact = most->is_exact;
	return 0;
}

void grt_display_rewind(struct grt_display *d)
{
	d->seen = 0;
}

bool grt_display_add(struct grt_display *d, const struct grtrace_vblank *rec)
{
	uint64_t ns;

	if (!d->is_chosen || !grt_is_blank(rec) || !grt_is_of_crtc(rec, d->crtc, d->gpu))
		return false;
	ns = grt_blank_ns(&d->crtcs.clock, rec);
	if (ns <= grt_display_last(d))
		return false;
	d->recent_ns[d->seen++ % GRT_DISPLAY_RECENT] = ns;
	return true;
}

uint64_t grt_display_last(const struct grt_display *d)
{
	return d->seen ? d->recent_ns[(d->seen - 1) % GRT_DISPLAY_RECENT] : 0;
}

uint64_t grt_display_after(const struct grt_display *d, uint64_t ns)
{
	uint64_t oldest = d->seen > GRT_DISPLAY_RECENT ? d->seen - GRT_DISPLAY_RECENT : 0;
	uint64_t i = d->seen;

	while (i > oldest && d->recent_ns[(i - 1) % GRT_DISPLAY_RECENT] >= ns)
		i--;
	/* One that was not seen, or is forgotten, may have been earlier. */
	if (i == d->seen || i == oldest)
		return 0;
	return d->recent_ns[i % GRT_DISPLAY_RECENT];
}

const char *grt_display_stamps(const struct grt_display *d)
{
	return d->is_exact && grt_blank_clock_is_same(&d->crtcs.clock) ? "hardware" : "events";
}

void grt_display_free(struct grt_display *d)
{
	grt_crtcs_free(&d->crtcs);
	memset(d, 0, sizeof(*d));
}
