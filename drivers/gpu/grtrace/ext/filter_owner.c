// SPDX-License-Identifier: GPL-2.0
/*
 * Matches the owner of a job.  Only SUBMIT runs in the process that owns the job.
 */
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include "filter.h"

/* Ancestors to check: a chain of parents may have any length. */
#define MOST_ANCESTORS	64

static bool is_listed(const struct filter_ids *list, u64 id)
{
	u32 i;

	for (i = 0; i < list->nr; i++)
		if (list->ids[i] == id)
			return true;
	return false;
}

/* Under RCU.  NULL: a SUBMIT written by hand names a process that does not exist. */
static struct task_struct *submitter(u32 tgid)
{
	if (tgid == current->tgid)
		return current;
	return pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_TGID);
}

static enum filter_owner judge_ancestors(const struct filter_ids *pids,
					 const struct task_struct *task)
{
	unsigned int i;

	for (i = 0; i < MOST_ANCESTORS && task->tgid > 1; i++) {
		task = rcu_dereference(task->real_parent);
		if (is_listed(pids, task->tgid))
			return FILTER_PASSES;
	}
	return task->tgid > 1 ? FILTER_UNKNOWN : FILTER_NOT_PID;
}

/* Under RCU.  @task may be NULL. */
static enum filter_owner judge_pid(const struct filter_setup *s, u32 tgid,
				   const struct task_struct *task)
{
	if (!s->pids.nr || is_listed(&s->pids, tgid))
		return FILTER_PASSES;
	return s->has_children && task ? judge_ancestors(&s->pids, task) : FILTER_NOT_PID;
}

static bool has_listed_cgroup(const struct filter_ids *cgroups, struct task_struct *task)
{
#ifdef CONFIG_CGROUPS
	struct cgroup *cgroup;

	for (cgroup = task_dfl_cgroup(task); cgroup; cgroup = cgroup_parent(cgroup))
		if (is_listed(cgroups, cgroup_id(cgroup)))
			return true;
#endif
	return false;
}

/* Under RCU. */
static enum filter_owner judge(const struct filter_setup *s, u32 tgid)
{
	struct task_struct *task = submitter(tgid);
	enum filter_owner owner = judge_pid(s, tgid, task);

	if (owner != FILTER_PASSES)
		return owner;
	if (!s->uids.nr && !s->cgroups.nr)
		return FILTER_PASSES;
	if (!task)
		return FILTER_UNKNOWN;
	if (s->uids.nr && !is_listed(&s->uids, from_kuid(&init_user_ns, task_uid(task))))
		return FILTER_NOT_UID;
	if (s->cgroups.nr && !has_listed_cgroup(&s->cgroups, task))
		return FILTER_NOT_CGROUP;
	return FILTER_PASSES;
}

enum filter_owner filter_judge_owner(const struct filter_setup *s, const struct grtrace_job *job)
{
	enum filter_owner verdict;

	if (!filter_has_owner(s))
		return FILTER_PASSES;
	/* The current process does not own a kernel job. */
	if (job->hdr.flags & GRTRACE_F_KERNEL_JOB)
		return FILTER_UNKNOWN;
	rcu_read_lock();
	verdict = judge(s, job->tgid);
	rcu_read_unlock();
	return verdict;
}
