// SPDX-License-Identifier: GPL-2.0
/*
 * Groups: rings that belong to one context, which balances its jobs over them.  They are freed
 * with the context.  This models drivers with a scheduler per queue (one ring), and drivers
 * that spread a queue over engines (many rings).
 */
#include <linux/slab.h>
#include "mock.h"

struct mock_group {
	struct mock_device *mock;
	struct list_head link;		/* mock->groups */
	struct rcu_work release;
	unsigned int cnt;
	struct drm_gpu_scheduler *scheds[GRTRACE_MOCK_MAX_GROUP];
	char names[GRTRACE_MOCK_MAX_GROUP][24];
	struct mock_ring rings[];
};

/*
 * Frees a group in a work: the thread that drops the last reference on a context may belong to
 * one of its schedulers, and cannot wait for its own end.  The work runs after a grace period:
 * see context_release().
 */
static void release_work(struct work_struct *work)
{
	struct mock_group *group = container_of(to_rcu_work(work), struct mock_group, release);
	struct mock_device *mock = group->mock;

	mutex_lock(&mock->group_lock);
	list_del(&group->link);
	mutex_unlock(&mock->group_lock);
	for (unsigned int i = 0; i < group->cnt; i++)
		mock_ring_fini(&group->rings[i]);
	kvfree(group);
	if (atomic_dec_and_test(&mock->live_groups))
		wake_up_all(&mock->idle);
}

void mock_group_release(struct mock_group *group)
{
	queue_rcu_work(group->mock->timeout_wq, &group->release);
}

static void name_ring(struct mock_group *group, unsigned int i, const struct mock_ring *like)
{
	if (group->mock->has_same_names)
		snprintf(group->names[i], sizeof(group->names[i]), "%s.own", like->name);
	else
		snprintf(group->names[i], sizeof(group->names[i]), "%s.%u", like->name,
			 group->mock->group_cnt++);
}

static int init_rings(struct mock_group *group, struct mock_ring *like)
{
	int err;

	for (; group->cnt < group->mock->group_rings; group->cnt++) {
		struct mock_ring *ring = &group->rings[group->cnt];

		name_ring(group, group->cnt, like);
		err = mock_ring_init(ring, group->mock, like->id,
				     grt_sched_credit_limit(&like->sched),
				     group->names[group->cnt]);
		if (err)
			return err;
		group->scheds[group->cnt] = &ring->sched;
	}
	return 0;
}

/* Returns NULL if the knob "schedulers" is 0. */
struct mock_group *mock_group_create(struct mock_ring *like)
{
	struct mock_device *mock = like->mock;
	struct mock_group *group = NULL;
	int err = 0;

	mutex_lock(&mock->group_lock);
	if (!mock->group_rings)
		goto unlock;
	group = kvzalloc(struct_size(group, rings, mock->group_rings), GFP_KERNEL);
	err = -ENOMEM;
	if (!group)
		goto unlock;
	group->mock = mock;
	INIT_RCU_WORK(&group->release, release_work);
	err = init_rings(group, like);
	if (err) {
		while (group->cnt--)
			mock_ring_fini(&group->rings[group->cnt]);
		kvfree(group);
		goto unlock;
	}
	list_add_tail(&group->link, &mock->groups);
	atomic_inc(&mock->live_groups);
unlock:
	mutex_unlock(&mock->group_lock);
	return err ? ERR_PTR(err) : group;
}

struct drm_gpu_scheduler **mock_group_scheds(struct mock_group *group, unsigned int *cnt)
{
	*cnt = group->cnt;
	return group->scheds;
}

void mock_group_each(struct mock_group *group, void (*fn)(struct mock_ring *ring))
{
	for (unsigned int i = 0; i < group->cnt; i++)
		fn(&group->rings[i]);
}

void mock_groups_each(struct mock_device *mock, void (*fn)(struct mock_ring *ring))
{
	struct mock_group *group;

	mutex_lock(&mock->group_lock);
	list_for_each_entry(group, &mock->groups, link)
		mock_group_each(group, fn);
	mutex_unlock(&mock->group_lock);
}

/* Waits until the last group is freed; call it when no context is left. */
void mock_groups_wait(struct mock_device *mock)
{
	wait_event(mock->idle, !atomic_read(&mock->live_groups));
	/* The work that woke us is still running. */
	flush_workqueue(mock->timeout_wq);
}
