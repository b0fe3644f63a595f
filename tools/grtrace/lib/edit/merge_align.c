// SPDX-License-Identifier: LGPL-2.1
/* Which traces are of one boot, and how the times of different boots compare. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "merge_private.h"

/*
 * The moment of boot by CLOCK_REALTIME.  It moves when the clock is set, but two boots of one
 * machine differ by more.  Two machines with the same name may differ by less; their kernels may
 * still tell them apart.
 */
#define SAME_BOOT_NS	10000000000ll

static bool has_real(const struct merge_trace *t)
{
	return t->info.start_real_ns;
}

/* How much later @a booted than @b; false if the numbers are not possible times. */
static bool boots_apart(const struct merge_trace *a, const struct merge_trace *b, int64_t *ns)
{
	int64_t instant_a, instant_b;

	return !__builtin_sub_overflow(a->info.start_real_ns, a->info.start_ns, &instant_a) &&
	       !__builtin_sub_overflow(b->info.start_real_ns, b->info.start_ns, &instant_b) &&
	       !__builtin_sub_overflow(instant_a, instant_b, ns);
}

static bool is_same_session(const struct merge_trace *a, const struct merge_trace *b)
{
	return a->info.session_id == b->info.session_id && a->info.start_ns == b->info.start_ns &&
	       a->info.start_real_ns == b->info.start_real_ns && !strcmp(a->in->host, b->in->host);
}

static bool is_other_kernel(const struct merge_trace *a, const struct merge_trace *b)
{
	char of_a[128], of_b[128];

	return merge_metadata_value(a, "kernel", of_a, sizeof(of_a)) &&
	       merge_metadata_value(b, "kernel", of_b, sizeof(of_b)) && strcmp(of_a, of_b);
}

static bool is_same_boot(const struct merge_trace *a, const struct merge_trace *b)
{
	const char *boot_a = grt_peers_boot(&a->peers), *boot_b = grt_peers_boot(&b->peers);
	int64_t apart;

	if (a->remap.boots > 1 || b->remap.boots > 1)
		return false;
	if (*boot_a && *boot_b)
		return !strcmp(boot_a, boot_b);
	if (is_same_session(a, b))
		return true;
	if (strcmp(a->in->host, b->in->host) || is_other_kernel(a, b) || !has_real(a) || !has_real(b))
		return false;
	return boots_apart(a, b, &apart) && apart < SAME_BOOT_NS && apart > -SAME_BOOT_NS;
}

/* The first trace with the same boot as @t. */
static const struct merge_trace *first_of_boot(const struct merge_job *j,
					       const struct merge_trace *t)
{
	const struct merge_trace *other = j->traces;

	while (!is_same_boot(other, t) && other != t)
		other++;
	return other;
}

static int fail_far_off(const struct merge_trace *t)
{
	return grt_fail(EBADMSG, NULL, "the times in '%s' are too far off", t->in->path);
}

/* CLOCK_REALTIME of the other trace is that of the peer. */
static bool is_of_peer(const struct merge_trace *t, const struct merge_trace *other)
{
	return t->info.clock == GRTRACE_CLOCK_MONOTONIC && other->info.clock == GRTRACE_CLOCK_REALTIME;
}

static bool traces_apart(const struct merge_trace *a, const struct merge_trace *b, struct grt_apart *apart)
{
	if (!is_of_peer(b, a))
		return grt_peers_apart(&a->peers, &b->peers, is_of_peer(a, b), apart);
	return grt_peers_apart(&b->peers, &a->peers, true, apart) && !__builtin_sub_overflow(0, apart->ns, &apart->ns);
}

/* How the clocks of the boots of @a and @b compare by what a PEER in any of their traces says. */
static bool peers_apart(const struct merge_job *j, const struct merge_trace *a, const struct merge_trace *b,
			struct grt_apart *best)
{
	bool found = false;
	struct grt_apart apart;

	for (int i = 0; i < j->m->count; i++) {
		for (int k = 0; k < j->m->count; k++) {
			const struct merge_trace *of_a = &j->traces[i], *of_b = &j->traces[k];

			if (first_of_boot(j, of_a) != a || first_of_boot(j, of_b) != b ||
			    !traces_apart(of_a, of_b, &apart) || (found && apart.within_ns >= best->within_ns))
				continue;
			*best = apart;
			found = true;
		}
	}
	return found;
}

/* Times since boot, and those of CLOCK_REALTIME, can be compared; other clocks only with themselves. */
static bool have_clock_in_common(const struct merge_trace *a, const struct merge_trace *b)
{
	return a->info.clock == b->info.clock || is_of_peer(a, b) || is_of_peer(b, a);
}

/* Clocks of two boots are compared by a PEER; without one, by CLOCK_REALTIME. */
static int find_shift(const struct merge_job *j, struct merge_trace *t)
{
	const struct merge_trace *first = first_of_boot(j, t), *zero = &j->traces[0];
	struct grt_apart apart = { 0 };

	if (!have_clock_in_common(t, zero))
		return grt_fail(EBADMSG, "record both with the same clock",
				"'%s' and '%s' have times of different clocks",
				zero->in->path, t->in->path);
	if (first != zero && peers_apart(j, first, zero, &apart)) {
		t->in->is_by_peer = true;
		t->in->shift_ns = apart.ns;
		t->in->within_ns = apart.within_ns;
		t->in->drift_ns = apart.drift_ns;
	} else if (first != zero && has_real(first) && has_real(zero)) {
		t->in->is_aligned = true;
		if (!boots_apart(first, zero, &t->in->shift_ns))
			return fail_far_off(t);
	} else if (first != zero && !t->in->has_offset) {
		return grt_fail(EBADMSG, "say by how much it is later: --offset N:TIME",
				"how the times of '%s' and '%s' compare is not known",
				zero->in->path, t->in->path);
	}
	if (__builtin_add_overflow(t->in->shift_ns, t->in->offset_ns, &t->in->shift_ns))
		return fail_far_off(t);
	return 0;
}

static int find_boot(struct merge_job *j, struct merge_trace *t)
{
	const struct merge_trace *first = first_of_boot(j, t);

	if (first != t) {
		t->remap.first_boot = first->remap.first_boot;
	} else {
		t->remap.first_boot = j->m->boots;
		j->m->boots += t->remap.boots;
	}
	t->in->boot = t->remap.first_boot;
	if (j->m->boots <= GRT_MAX_BOOTS)
		return 0;
	return grt_fail(EBADMSG, NULL, "these are traces of more than %d boots", GRT_MAX_BOOTS);
}

static void read_boots(struct merge_trace *t)
{
	char value[32];

	t->remap.boots = 1;
	if (merge_metadata_value(t, "merge_boots", value, sizeof(value)))
		t->remap.boots = strtoull(value, NULL, 10);
	if (!t->remap.boots || t->remap.boots > GRT_MAX_BOOTS)
		t->remap.boots = 1;
	t->is_cut = merge_metadata_value(t, "slice", value, sizeof(value));
}

/* Raises all times so that none is below 0. */
static int raise_times(struct merge_job *j)
{
	__int128 least = 0, begin;

	for (int i = 0; i < j->m->count; i++) {
		begin = (__int128)j->traces[i].info.start_ns + j->m->inputs[i].shift_ns;
		if (begin < least)
			least = begin;
	}
	for (int i = 0; i < j->m->count; i++) {
		struct merge_trace *t = &j->traces[i];

		if (__builtin_sub_overflow(t->in->shift_ns, least, &t->in->shift_ns))
			return fail_far_off(t);
		t->remap.shift_ns = t->in->shift_ns;
		t->remap.begin_ns = t->info.start_ns;
	}
	return 0;
}

int merge_align(struct merge_job *j)
{
	int err = 0;

	for (int i = 0; i < j->m->count && !err; i++) {
		struct merge_trace *t = &j->traces[i];

		read_boots(t);
		err = grt_peers_find(&t->peers, t->stream, t->remap.boots == 1);
	}
	for (int i = 0; i < j->m->count && !err; i++) {
		err = find_boot(j, &j->traces[i]);
		if (!err)
			err = find_shift(j, &j->traces[i]);
	}
	return err ? err : raise_times(j);
}
