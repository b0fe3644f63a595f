// SPDX-License-Identifier: LGPL-2.1
#include "display.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "meaning.h"

static struct grt_display_crtc *crtc_of(struct grt_display *d, uint32_t number)
{
	unsigned int i = 0;

	while (i < d->nr_crtcs && d->crtcs[i].crtc != number)
		i++;
	if (i == GRT_DISPLAY_CRTCS)
		return NULL;
	if (i == d->nr_crtcs)
		d->crtcs[d->nr_crtcs++] = (struct grt_display_crtc){ .crtc = number };
	return &d->crtcs[i];
}

int grt_display_learn(struct grt_display *d, const struct grtrace_vblank *rec)
{
	struct grt_display_crtc *c = grt_is_blank(rec) ? crtc_of(d, rec->crtc) : NULL;
	uint64_t distance_ns;

	if (!c)
		return 0;
	distance_ns = rec->hdr.ts - c->last_ns;
	/* If the counter says that some were not seen, this is no refresh. */
	if (c->count && rec->frame - c->last_frame == 1 && rec->hdr.ts > c->last_ns &&
	    grt_vec_count(&c->distances, uint64_t) < GRT_DISPLAY_DISTANCES &&
	    grt_vec_append(&c->distances, &distance_ns, sizeof(distance_ns)))
		return grt_fail_memory();
	c->count++;
	c->last_ns = rec->hdr.ts;
	c->last_frame = rec->frame;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static uint64_t median_of(const struct grt_vec *distances)
{
	size_t count = grt_vec_count(distances, uint64_t);

	if (!count)
		return 0;
	qsort(distances->data, count, sizeof(uint64_t), compare);
	return *grt_vec_at(distances, uint64_t, count / 2);
}

void grt_display_choose(struct grt_display *d)
{
	const struct grt_display_crtc *most = NULL;

	for (unsigned int i = 0; i < d->nr_crtcs; i++)
		if (!most || d->crtcs[i].count > most->count)
			most = &d->crtcs[i];
	d->is_chosen = most && most->count > 1;
	if (!d->is_chosen)
		return;
	d->crtc = most->crtc;
	d->refresh_ns = median_of(&most->distances);
}

void grt_display_rewind(struct grt_display *d)
{
	d->seen = 0;
}

bool grt_display_add(struct grt_display *d, const struct grtrace_vblank *rec)
{
	if (!d->is_chosen || !grt_is_blank(rec) || rec->crtc != d->crtc || rec->hdr.ts <= grt_display_last(d))
		return false;
	d->recent_ns[d->seen++ % GRT_DISPLAY_RECENT] = rec->hdr.ts;
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

void grt_display_free(struct grt_display *d)
{
	for (unsigned int i = 0; i < d->nr_crtcs; i++)
		grt_vec_free(&d->crtcs[i].distances);
	memset(d, 0, sizeof(*d));
}
