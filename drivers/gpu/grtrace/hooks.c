// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks of extension modules.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/rcupdate.h>

#include "changes.h"
#include "hooks.h"
#include "meters.h"
#include "pipeline.h"
#include "policy_log.h"
#include "session.h"

/* Under the session lock. */
struct grtrace_hook *grt_hooks[GRTRACE_NR_HOOKS];
static struct {
	bool is_on;
	bool is_pinned;		/* its module is held until the session stops */
	bool is_retiring;	/* goes off when the session stops */
} places[GRTRACE_NR_HOOKS];

DEFINE_STATIC_KEY_ARRAY_FALSE(grt_hook_on, GRTRACE_NR_HOOKS);

/* Targets of the static calls while no hook is registered; the keys prevent such calls. */
enum grtrace_verdict grt_hook_submit(struct grtrace_job_state *job)
{
	return GRTRACE_VERDICT_KEEP;
}

void grt_hook_complete(struct grtrace_job_state *job)
{
}

DEFINE_STATIC_CALL(grt_filter_submit, grt_hook_submit);
DEFINE_STATIC_CALL(grt_filter_complete, grt_hook_complete);
DEFINE_STATIC_CALL(grt_sampler_submit, grt_hook_submit);
DEFINE_STATIC_CALL(grt_sampler_complete, grt_hook_complete);
DEFINE_STATIC_CALL(grt_aggregator_submit, grt_hook_submit);
DEFINE_STATIC_CALL(grt_aggregator_complete, grt_hook_complete);

/* Sets the static calls of @place.  Under the session lock. */
static void set_calls(enum grtrace_hook_place place,
		      enum grtrace_verdict (*submit)(struct grtrace_job_state *job),
		      void (*complete)(struct grtrace_job_state *job))
{
	switch (place) {
	case GRTRACE_HOOK_FILTER:
		static_call_update(grt_filter_submit, submit);
		static_call_update(grt_filter_complete, complete);
		break;
	case GRTRACE_HOOK_SAMPLER:
		static_call_update(grt_sampler_submit, submit);
		static_call_update(grt_sampler_complete, complete);
		break;
	case GRTRACE_HOOK_AGGREGATOR:
		static_call_update(grt_aggregator_submit, submit);
		static_call_update(grt_aggregator_complete, complete);
		break;
	default:
		break;
	}
}

bool grt_hooks_any(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (places[i].is_on)
			return true;
	return false;
}

bool grt_hooks_judge(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_HOOK_MONITOR; i++)
		if (places[i].is_on)
			return true;
	return false;
}

bool grt_hooks_need_jobs(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (places[i].is_on && grt_hooks[i]->needs_jobs)
			return true;
	return false;
}

/* Under the session lock.  After disabling, no event is inside the hook. */
static int enable(struct grtrace_hook *hook, bool is_on)
{
	bool was_on = places[hook->place].is_on;
	int err;

	if (is_on && hook->place == GRTRACE_HOOK_MONITOR && grt_meters_create())
		return -ENOMEM;
	places[hook->place].is_retiring = false;
	places[hook->place].is_on = is_on;
	err = grt_listener->decided();
	if (err) {
		places[hook->place].is_on = was_on;
		if (!was_on && hook->place == GRTRACE_HOOK_MONITOR)
			grt_meters_destroy();
		return err;
	}
	if (is_on)
		set_calls(hook->place, hook->submit, hook->complete ?: grt_hook_complete);
	grt_key_set(&grt_hook_on[hook->place], is_on);
	if (hook->place == GRTRACE_HOOK_MONITOR)
		grt_key_set(&grt_metered, is_on);
	if (!is_on)
		synchronize_rcu();
	if (!is_on && hook->place == GRTRACE_HOOK_MONITOR)
		grt_meters_destroy();
	return 0;
}

int grtrace_hook_enable(struct grtrace_hook *hook, bool is_on)
{
	int err;

	mutex_lock(&grt_session.lock);
	err = enable(hook, is_on);
	mutex_unlock(&grt_session.lock);
	return err;
}
EXPORT_SYMBOL_GPL(grtrace_hook_enable);

void grtrace_hook_retire(struct grtrace_hook *hook)
{
	mutex_lock(&grt_session.lock);
	if (places[hook->place].is_on && places[hook->place].is_pinned)
		places[hook->place].is_retiring = true;
	else
		enable(hook, false);
	mutex_unlock(&grt_session.lock);
}
EXPORT_SYMBOL_GPL(grtrace_hook_retire);

/* Lets the hook take part in the current session.  Under the session lock. */
static void pin(unsigned int place)
{
	struct grtrace_hook *hook = grt_hooks[place];

	/* The module is being removed: disable its hook. */
	places[place].is_pinned = try_module_get(hook->owner);
	if (!places[place].is_pinned && places[place].is_on)
		enable(hook, false);
	if (place == GRTRACE_HOOK_MONITOR)
		grt_meters_reset();
	if (places[place].is_pinned && hook->begin)
		hook->begin();
}

static void unpin(unsigned int place)
{
	struct grtrace_hook *hook = grt_hooks[place];

	if (hook->end)
		hook->end();
	if (places[place].is_retiring)
		enable(hook, false);
	places[place].is_pinned = false;
	module_put(hook->owner);
}

int grtrace_hook_register(struct grtrace_hook *hook)
{
	int err = -EBUSY;

	mutex_lock(&grt_session.lock);
	if (!grt_hooks[hook->place]) {
		WRITE_ONCE(grt_hooks[hook->place], hook);
		if (grt_session.state == GRT_RUNNING)
			pin(hook->place);
		err = 0;
	}
	mutex_unlock(&grt_session.lock);
	return err;
}
EXPORT_SYMBOL_GPL(grtrace_hook_register);

void grtrace_hook_unregister(struct grtrace_hook *hook)
{
	mutex_lock(&grt_session.lock);
	if (places[hook->place].is_on)
		enable(hook, false);
	/* The module was loaded during a session, and its init failed. */
	if (places[hook->place].is_pinned)
		unpin(hook->place);
	/* Drop the pointers into the module before its code goes away. */
	set_calls(hook->place, grt_hook_submit, grt_hook_complete);
	WRITE_ONCE(grt_hooks[hook->place], NULL);
	mutex_unlock(&grt_session.lock);
	synchronize_rcu();	/* for grt_hooks_describe() */
}
EXPORT_SYMBOL_GPL(grtrace_hook_unregister);

void grt_hooks_begin(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (grt_hooks[i])
			pin(i);
}

static void note_at_start(const char *key, const char *value)
{
	grt_policy_log_add_at(grt_session.start_ns, key, value);
}

void grt_hooks_note(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (places[i].is_pinned && grt_hooks[i]->note_keys)
			grt_hooks[i]->note_keys(note_at_start);
}

void grt_hooks_stopping(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (places[i].is_pinned && grt_hooks[i]->stopping)
			grt_hooks[i]->stopping();
}

void grt_hooks_end(void)
{
	unsigned int i;

	for (i = 0; i < GRTRACE_NR_HOOKS; i++)
		if (places[i].is_pinned)
			unpin(i);
}

size_t grt_hooks_describe(char *to, size_t room)
{
	size_t at = 0;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < GRTRACE_NR_HOOKS; i++) {
		const struct grtrace_hook *hook = READ_ONCE(grt_hooks[i]);

		if (hook)
			at += scnprintf(to + at, room - at, "module.%s=%s\n", hook->name,
					places[i].is_on ? "on" : "off");
	}
	rcu_read_unlock();
	return at;
}
