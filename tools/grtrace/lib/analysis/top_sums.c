// SPDX-License-Identifier: LGPL-2.1
#include "top_sums.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "key_names.h"
#include "keymap.h"
#include "rollup.h"

static const char *const sorts[] = {
#define GRT_X(NAME, name, text) [GRT_TOP_BY_##NAME] = #name,
	GRT_TOP_SORTS(GRT_X)
#undef GRT_X
};

const char *grt_top_sort_name(enum grt_top_sort sort)
{
	return sorts[sort];
}

int grt_top_sort_parse(enum grt_top_sort *sort, const char *text)
{
	for (int i = 0; i < GRT_NR_TOP_SORTS; i++)
		if (!strcmp(sorts[i], text)) {
			*sort = i;
			return 0;
		}
	return grt_fail(EINVAL, "sort by gpu, waited, taken, given, jobs, fps or pid", "cannot sort by '%.32s'", text);
}

void grt_top_free(struct grt_top *t)
{
	for (size_t i = 0; i < grt_top_rings(t); i++) {
		grt_hist_free(&grt_vec_at(&t->rings, struct grt_top_ring, i)->wait);
		grt_hist_free(&grt_vec_at(&t->rings, struct grt_top_ring, i)->exec);
	}
	grt_vec_free(&t->rings);
	grt_vec_free(&t->users);
	*t = (struct grt_top){ .recent = NULL };
}

static bool has_text(const struct grt_top *t, const char *name)
{
	return !t->wants.filter || strcasestr(name, t->wants.filter);
}

static bool wants_ring(const struct grt_top *t, uint32_t ring)
{
	char name[GRT_RING_NAME_MAX];

	if (t->wants.has_ring)
		return ring == t->wants.ring;
	return t->wants.has_process || has_text(t, grt_ring_name(grt_names_ring_at(t->names, ring), name));
}

static int add_ring(struct grt_top *t, const struct grt_recent_ring *recent)
{
	struct grt_top_ring *row;
	int err;

	if (!recent->has_job || !wants_ring(t, recent->ring))
		return 0;
	row = grt_vec_grow(&t->rings, sizeof(*row));
	if (!row)
		return grt_fail_memory();
	*row = (struct grt_top_ring){ .ring = recent->ring, .recent = recent };
	row->has_load = grt_model_ring_load(t->recent->model, recent->ring, &row->load);
	grt_recent_ring_sums(t->recent, recent, &row->sums);
	err = grt_hist_merge(&row->wait, &recent->wait.all);
	return err ? err : grt_hist_merge(&row->exec, &recent->exec.all);
}

static uint64_t cgroup_of(const struct grt_top *t, uint32_t process)
{
	const struct grt_cgroup *c = grt_names_cgroup_of(t->names, process);

	return c ? c->id : 0;
}

static uint32_t tgid_of(const struct grt_top *t, uint32_t process)
{
	return process == GRT_NONE ? 0 : grt_names_process_at(t->names, process)->tgid;
}

/* The row that @user is a part of. */
static struct grt_top_user key_of(const struct grt_top *t, const struct grt_recent_user *user)
{
	uint32_t process = grt_rollup_last_name(t->names, user->process);

	return (struct grt_top_user){
		.ring = t->wants.has_process ? user->ring : GRT_NONE,
		.process = t->wants.by_cgroup ? GRT_NONE : process,
		.cgroup = cgroup_of(t, process),
	};
}

static bool wants_user(const struct grt_top *t, const struct grt_recent_user *user)
{
	const struct grt_process *p;
	const struct grt_cgroup *c;
	char text[64 + 2 * GRT_OWNER_MAX], owner[GRT_OWNER_MAX];

	if (t->wants.has_ring && user->ring != t->wants.ring)
		return false;
	if (t->wants.has_process)
		return tgid_of(t, user->process) == tgid_of(t, t->wants.process);
	if (user->process == GRT_NONE)
		return !t->wants.filter;
	p = grt_names_process_at(t->names, user->process);
	c = grt_names_cgroup_of(t->names, user->process);
	snprintf(text, sizeof(text), "%s[%u] %" PRIu64 " %s %s", p->comm, p->tgid, c ? c->id : 0,
		 c ? grt_cgroup_owner(&t->names->cgroups, c, owner) : "", c ? c->path : "");
	return has_text(t, text);
}

static bool did_something(const struct grt_recent_sums *s)
{
	return s->jobs || s->exec_ns || s->given_ns;
}

static int add_user(struct grt_top *t, const struct grt_recent_user *user, struct grt_keymap *rows)
{
	struct grt_top_user key = key_of(t, user);
	uint64_t who = (uint64_t)key.ring << 32 | key.process, group = t->wants.by_cgroup ? key.cgroup : 0;
	struct grt_recent_sums sums = { .jobs = 0 };
	uint32_t i;

	grt_recent_user_sums(t->recent, user, &sums);
	if (!did_something(&sums) || !wants_user(t, user))
		return 0;
	t->knows_cgroups |= key.cgroup;
	i = grt_keymap_get(rows, who, group);
	if (i == GRT_NONE) {
		i = grt_top_users(t);
		if (grt_keymap_put(rows, who, group, i) || grt_vec_append(&t->users, &key, sizeof(key)))
			return grt_fail_memory();
	}
	grt_recent_sums_add(&grt_vec_at(&t->users, struct grt_top_user, i)->sums, &sums);
	return 0;
}

static void add_frames(struct grt_top *t)
{
	for (size_t i = 0; i < grt_top_users(t); i++) {
		struct grt_top_user *user = grt_vec_at(&t->users, struct grt_top_user, i);
		uint32_t tgid = tgid_of(t, user->process);

		user->has_frames = tgid && !t->wants.has_process &&
				   grt_recent_frame_count(t->recent, tgid, &user->frames);
		t->has_frames |= user->has_frames;
	}
}

/* Also what is equal has an order, so that rows do not jump. */
static int compare_users(const void *a, const void *b, void *arg)
{
	const struct grt_top_user *x = a, *y = b;
	const struct grt_top *t = arg;
	const uint64_t values[GRT_NR_TOP_SORTS][2] = {
		[GRT_TOP_BY_GPU] = { x->sums.exec_ns, y->sums.exec_ns },
		[GRT_TOP_BY_WAITED] = { x->sums.wait_ns, y->sums.wait_ns },
		[GRT_TOP_BY_TAKEN] = { x->sums.taken_ns, y->sums.taken_ns },
		[GRT_TOP_BY_GIVEN] = { x->sums.given_ns, y->sums.given_ns },
		[GRT_TOP_BY_JOBS] = { x->sums.jobs, y->sums.jobs },
		[GRT_TOP_BY_FPS] = { x->frames, y->frames },
		[GRT_TOP_BY_PID] = { tgid_of(t, y->process), tgid_of(t, x->process) },
	};
	const uint64_t *v = values[t->wants.sort];

	if (v[0] != v[1])
		return v[0] > v[1] ? -1 : 1;
	if (x->process != y->process)
		return x->process < y->process ? -1 : 1;
	if (x->ring != y->ring)
		return x->ring < y->ring ? -1 : 1;
	return (x->cgroup > y->cgroup) - (x->cgroup < y->cgroup);
}

/* GPU by GPU, as reports have them. */
static int compare_rings(const void *a, const void *b, void *arg)
{
	const struct grt_top_ring *x = a, *y = b;
	const struct grt_top *t = arg;
	int order = strcmp(grt_names_ring_at(t->names, x->ring)->device,
			   grt_names_ring_at(t->names, y->ring)->device);

	return order ? order : (x->ring > y->ring) - (x->ring < y->ring);
}

int grt_top_make(struct grt_top *t, struct grt_recent *r, const struct grt_top_wants *wants)
{
	struct grt_keymap rows = { 0 };
	int err = 0;

	grt_top_free(t);
	*t = (struct grt_top){
		.wants = *wants, .recent = r, .names = grt_model_names(r->model), .now_ns = r->now_ns,
	};
	if (!r->has_begun)
		return 0;
	t->from_ns = grt_recent_from_ns(r);
	grt_recent_look(r);
	for (size_t i = 0; i < grt_recent_rings(r) && !err; i++)
		err = add_ring(t, grt_recent_ring_at(r, i));
	for (size_t i = 0; i < grt_recent_users(r) && !err; i++)
		err = add_user(t, grt_recent_user_at(r, i), &rows);
	grt_keymap_free(&rows);
	if (err)
		return err;
	add_frames(t);
	if (grt_top_rings(t))
		qsort_r(t->rings.data, grt_top_rings(t), sizeof(struct grt_top_ring), compare_rings, t);
	if (grt_top_users(t))
		qsort_r(t->users.data, grt_top_users(t), sizeof(struct grt_top_user), compare_users, t);
	return 0;
}
