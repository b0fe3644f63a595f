// SPDX-License-Identifier: LGPL-2.1
#include "peers.h"

#include <stdio.h>
#include <string.h>

#include <linux/grtrace.h>

#include "error.h"
#include "lines.h"
#include "stream.h"

static struct grt_axis *axis_of(const struct grt_peers *p, const char *boot_id)
{
	for (size_t i = 0; i < grt_vec_count(&p->axes, struct grt_axis); i++)
		if (!strcmp(grt_vec_at(&p->axes, struct grt_axis, i)->boot_id, boot_id))
			return grt_vec_at(&p->axes, struct grt_axis, i);
	return NULL;
}

static int add_axis(struct grt_peers *p, const struct grt_axis *axis)
{
	if (!*axis->boot_id || (!axis->has_mono && !axis->has_real))
		return 0;
	return grt_vec_append(&p->axes, axis, sizeof(*axis)) ? grt_fail_memory() : 0;
}

static struct grt_axis axis_of_peer(const struct grtrace_peer *rec)
{
	struct grt_axis axis = { .within_ns = rec->within_ns };

	grt_line_copy(axis.boot_id, sizeof(axis.boot_id), (const char *)(rec + 1), rec->hdr.size - sizeof(*rec), "boot_id");
	axis.has_mono = rec->peer_ns && !__builtin_sub_overflow(rec->peer_ns, rec->own_ns, &axis.mono_ns);
	axis.has_real = rec->peer_real_ns &&
			!__builtin_sub_overflow(rec->peer_real_ns, rec->own_ns, &axis.real_ns);
	return axis;
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - b : (uint64_t)b - a;
}

/* How much more two readings differ than they may be off. */
static uint64_t drift_between(const struct grt_axis *a, const struct grt_axis *b)
{
	uint64_t apart = distance(a->mono_ns, b->mono_ns), may = a->within_ns + b->within_ns;

	return a->has_mono && b->has_mono && may >= a->within_ns && apart > may ? apart - may : 0;
}

/* Of several readings of a peer, the one that is off by least counts. */
static int add_peer(struct grt_peers *p, const struct grtrace_peer *rec)
{
	struct grt_axis axis = axis_of_peer(rec), *have = axis_of(p, axis.boot_id);
	uint64_t drift_ns;

	if (!have)
		return add_axis(p, &axis);
	drift_ns = drift_between(&axis, have);
	axis.drift_ns = drift_ns > have->drift_ns ? drift_ns : have->drift_ns;
	if (axis.within_ns < have->within_ns && axis.has_mono >= have->has_mono && axis.has_real >= have->has_real)
		*have = axis;
	have->drift_ns = axis.drift_ns;
	return 0;
}

static int add_own(struct grt_peers *p, const struct grtrace_machine *rec, const struct grtrace_stream_info *info)
{
	struct grt_axis axis = { .has_mono = true, .is_own = true };

	grt_line_copy(axis.boot_id, sizeof(axis.boot_id), (const char *)(rec + 1), rec->hdr.size - sizeof(*rec), "boot_id");
	axis.has_real = info->start_real_ns &&
			!__builtin_sub_overflow(info->start_real_ns, info->start_ns, &axis.real_ns);
	return axis_of(p, axis.boot_id) ? 0 : add_axis(p, &axis);
}

int grt_peers_find(struct grt_peers *p, const struct grt_stream *s, bool has_own)
{
	const struct grtrace_stream_info *info = NULL;
	const struct grtrace_hdr *def;
	int err = 0;

	for (size_t i = 0; !err && (def = grt_stream_definition(s, i)); i++) {
		if (def->type == GRTRACE_STREAM_INFO)
			info = (const void *)def;
		if (!info || info->clock != GRTRACE_CLOCK_MONOTONIC)
			continue;
		if (def->type == GRTRACE_MACHINE && has_own)
			err = add_own(p, (const void *)def, info);
		else if (def->type == GRTRACE_PEER)
			err = add_peer(p, (const void *)def);
	}
	return err;
}

void grt_peers_free(struct grt_peers *p)
{
	grt_vec_free(&p->axes);
}

const char *grt_peers_boot(const struct grt_peers *p)
{
	for (size_t i = 0; i < grt_vec_count(&p->axes, struct grt_axis); i++)
		if (grt_vec_at(&p->axes, struct grt_axis, i)->is_own)
			return grt_vec_at(&p->axes, struct grt_axis, i)->boot_id;
	return "";
}

/* The axis of the only peer.  NULL: there is none, or several. */
static const struct grt_axis *only_peer(const struct grt_peers *p)
{
	const struct grt_axis *peer = NULL;

	for (size_t i = 0; i < grt_vec_count(&p->axes, struct grt_axis); i++) {
		const struct grt_axis *axis = grt_vec_at(&p->axes, struct grt_axis, i);

		if (axis->is_own)
			continue;
		if (peer)
			return NULL;
		peer = axis;
	}
	return peer && peer->has_real ? peer : NULL;
}

bool grt_peers_apart(const struct grt_peers *a, const struct grt_peers *b, bool is_real, struct grt_apart *apart)
{
	const struct grt_axis *peer = is_real ? only_peer(a) : NULL;
	bool found = peer;

	if (peer)
		*apart = (struct grt_apart){ peer->real_ns, peer->within_ns, peer->drift_ns };
	for (size_t i = 0; !is_real && i < grt_vec_count(&a->axes, struct grt_axis); i++) {
		const struct grt_axis *of_a = grt_vec_at(&a->axes, struct grt_axis, i);
		const struct grt_axis *of_b = axis_of(b, of_a->boot_id);
		uint64_t within_ns = of_b ? of_a->within_ns + of_b->within_ns : 0;
		int64_t ns;

		if (!of_b || !of_a->has_mono || !of_b->has_mono || (found && apart->within_ns <= within_ns) ||
		    __builtin_sub_overflow(of_a->mono_ns, of_b->mono_ns, &ns))
			continue;
		*apart = (struct grt_apart){ ns, within_ns, of_a->drift_ns + of_b->drift_ns };
		found = true;
	}
	return found;
}
