// SPDX-License-Identifier: GPL-2.0
/*
 * Adapters, and the tracepoints that they probe.
 *
 * A tracepoint is found by module and name, exported or not, in a module that is loaded
 * now or later.  No reference on that module is taken, so a driver can be unloaded
 * during a session.
 *
 * The notifier is registered once.  Its callback runs under the kernel's list
 * mutex and takes adapters_lock, so nothing here may (un)register it, or load a
 * module, under adapters_lock.
 */
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>

#include "kprobes.h"
#include "session.h"
#include "tracepoints.h"

/* A loaded module with tracepoints, for adapters that register later. */
struct target {
	struct list_head link;
	struct module *mod;
};

static LIST_HEAD(adapters);
static LIST_HEAD(targets);
static DEFINE_MUTEX(adapters_lock);

static void probe_attach(struct grtrace_adapter *adapter, struct grtrace_probe *p)
{
	int err;

	if (!p->tp || p->is_attached)
		return;
	err = tracepoint_probe_register(p->tp, p->fn, NULL);
	if (err)
		pr_warn("grtrace: %s: cannot probe '%s': %d\n", adapter->name,
			p->tp->name, err);
	else
		p->is_attached = true;
}

static void probe_detach(struct grtrace_probe *p)
{
	if (!p->is_attached)
		return;
	tracepoint_probe_unregister(p->tp, p->fn, NULL);
	p->is_attached = false;
}

/* Does @p want tracepoint @tp of @mod (NULL = built in)? */
static bool probe_wants(const struct grtrace_probe *p, const struct module *mod,
			const struct tracepoint *tp)
{
	unsigned int i;

	if (p->tp || (mod && (!p->module || strcmp(p->module, mod->name))))
		return false;
	for (i = 0; i < ARRAY_SIZE(p->names) && p->names[i]; i++)
		if (!strcmp(p->names[i], tp->name))
			return true;
	return false;
}

static void adapter_offer(struct grtrace_adapter *adapter, struct module *mod,
			  struct tracepoint *tp)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_probes; i++) {
		struct grtrace_probe *p = &adapter->probes[i];

		if (!probe_wants(p, mod, tp))
			continue;
		p->tp = tp;
		p->owner = mod;
		if (adapter->is_running)
			probe_attach(adapter, p);
	}
}

static void adapter_offer_module(struct grtrace_adapter *adapter, struct module *mod)
{
	unsigned int i;

	for (i = 0; i < mod->num_tracepoints; i++)
		adapter_offer(adapter, mod,
			      tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]));
}

static void adapter_offer_builtin(struct tracepoint *tp, void *adapter)
{
	adapter_offer(adapter, NULL, tp);
}

/* @mod is being unloaded: drop the pointers to its tracepoints. */
static void adapter_drop_module(struct grtrace_adapter *adapter, struct module *mod)
{
	bool had_one = false;
	unsigned int i;

	for (i = 0; i < adapter->nr_probes; i++) {
		struct grtrace_probe *p = &adapter->probes[i];

		if (p->owner != mod)
			continue;
		probe_detach(p);
		p->tp = NULL;
		p->owner = NULL;
		had_one = true;
	}
	if (!had_one)
		return;
	grt_kprobes_detach(adapter, mod);
	pr_debug("grtrace: %s: '%s' is gone\n", adapter->name, mod->name);
	/* Probes that still run may use pointers that target_gone() drops. */
	tracepoint_synchronize_unregister();
	if (adapter->target_gone)
		adapter->target_gone(mod);
}

static void target_coming(struct module *mod)
{
	struct target *t = kmalloc(sizeof(*t), GFP_KERNEL);
	struct grtrace_adapter *adapter;

	if (!t) {
		pr_warn("grtrace: no memory: tracepoints of '%s' are not probed\n",
			mod->name);
		return;
	}
	t->mod = mod;
	mutex_lock(&adapters_lock);
	list_add_tail(&t->link, &targets);
	list_for_each_entry(adapter, &adapters, link) {
		adapter_offer_module(adapter, mod);
		if (adapter->is_running)
			grt_kprobes_attach(adapter, mod);
	}
	mutex_unlock(&adapters_lock);
}

static void target_going(struct module *mod)
{
	struct grtrace_adapter *adapter;
	struct target *t, *next;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		adapter_drop_module(adapter, mod);
	list_for_each_entry_safe(t, next, &targets, link) {
		if (t->mod == mod) {
			list_del(&t->link);
			kfree(t);
		}
	}
	mutex_unlock(&adapters_lock);
}

/* The kernel also calls it for every loaded module at registration and unregistration. */
static int on_module(struct notifier_block *nb, unsigned long state, void *data)
{
	struct tp_module *tp_mod = data;

	if (state == MODULE_STATE_COMING)
		target_coming(tp_mod->mod);
	else if (state == MODULE_STATE_GOING)
		target_going(tp_mod->mod);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = on_module };

int grt_tracepoints_init(void)
{
	return register_tracepoint_module_notifier(&module_notifier);
}

void grt_tracepoints_exit(void)
{
	unregister_tracepoint_module_notifier(&module_notifier);
}

/* Under adapters_lock.  The reference keeps rmmod away while probes are on. */
static void adapter_begin(struct grtrace_adapter *adapter)
{
	if (!try_module_get(adapter->owner))
		return;
	if (adapter->begin)
		adapter->begin();
	adapter->is_running = true;
	/* By name, so that functions built into the kernel are found, too. */
	grt_kprobes_attach(adapter, NULL);
}

static void adapter_attach(struct grtrace_adapter *adapter)
{
	unsigned int i, attached = 0;

	if (!adapter->is_running)
		return;
	for (i = 0; i < adapter->nr_probes; i++) {
		probe_attach(adapter, &adapter->probes[i]);
		attached += adapter->probes[i].is_attached;
	}
	pr_debug("grtrace: %s: attached to %u tracepoints, %u kprobes\n", adapter->name,
		 attached, grt_kprobes_attached(adapter));
}

void grt_adapters_begin(void)
{
	struct grtrace_adapter *adapter;

	lockdep_assert_held(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		adapter_begin(adapter);
	mutex_unlock(&adapters_lock);
}

void grt_adapters_attach(void)
{
	struct grtrace_adapter *adapter;

	lockdep_assert_held(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		adapter_attach(adapter);
	mutex_unlock(&adapters_lock);
}

void grt_adapters_detach(void)
{
	struct grtrace_adapter *adapter;
	unsigned int i;

	lockdep_assert_held(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link) {
		grt_kprobes_detach(adapter, NULL);
		for (i = 0; i < adapter->nr_probes; i++)
			probe_detach(&adapter->probes[i]);
	}

	/*
	 * Detaching stops new calls only.  Without this wait a probe that had
	 * already been entered could run on in an adapter that is gone.
	 */
	tracepoint_synchronize_unregister();
	list_for_each_entry(adapter, &adapters, link) {
		if (!adapter->is_running)
			continue;
		adapter->is_running = false;
		if (adapter->end)
			adapter->end();
		pr_debug("grtrace: %s: detached\n", adapter->name);
		module_put(adapter->owner);
	}
	mutex_unlock(&adapters_lock);
}

int grtrace_adapter_register(struct grtrace_adapter *adapter)
{
	struct target *t;

	mutex_lock(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(t, &targets, link)
		adapter_offer_module(adapter, t->mod);
	for_each_kernel_tracepoint(adapter_offer_builtin, adapter);
	list_add_tail(&adapter->link, &adapters);
	if (grt_session.state == GRT_RUNNING) {
		adapter_begin(adapter);
		adapter_attach(adapter);
	}
	mutex_unlock(&adapters_lock);
	mutex_unlock(&grt_session.lock);
	return 0;
}
EXPORT_SYMBOL_GPL(grtrace_adapter_register);

void grtrace_adapter_unregister(struct grtrace_adapter *adapter)
{
	mutex_lock(&adapters_lock);
	WARN_ON(adapter->is_running);
	list_del(&adapter->link);
	mutex_unlock(&adapters_lock);
}
EXPORT_SYMBOL_GPL(grtrace_adapter_unregister);

u64 grt_adapters_features(void)
{
	struct grtrace_adapter *adapter;
	u64 features = 0;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		if (adapter->is_running)
			features |= adapter->features & ~grt_kprobes_missing(adapter);
	mutex_unlock(&adapters_lock);
	return features;
}

/* Lists the tracepoints that the probes found, by name. */
size_t grt_adapters_describe(char *to, size_t room)
{
	struct grtrace_adapter *adapter;
	unsigned int i;
	size_t at = 0;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link) {
		at += scnprintf(to + at, room - at, "adapter.%s=", adapter->name);
		for (i = 0; i < adapter->nr_probes; i++)
			if (adapter->probes[i].tp)
				at += scnprintf(to + at, room - at, "%s ",
						adapter->probes[i].tp->name);
		at += scnprintf(to + at, room - at, "\n");
		at += grt_kprobes_describe(adapter, to + at, room - at);
		if (adapter->describe)
			at += adapter->describe(to + at, room - at);
	}
	mutex_unlock(&adapters_lock);
	return at;
}
