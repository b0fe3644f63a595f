// SPDX-License-Identifier: GPL-2.0
/*
 * Adapters, and the tracepoints that they probe.
 *
 * A tracepoint is found by module and name, exported or not, in a module that is loaded
 * now or later.  No reference on that module is taken, so a driver can be unloaded
 * during a session.
 *
 * The notifiers are registered once.  Their callbacks run under the kernel's list
 * mutex and take adapters_lock, so nothing here may (un)register them, or load a
 * module, under adapters_lock.
 *
 * An adapter of a driver that is not loaded is attached to nothing.  Otherwise each fence of the
 * system would pay for the adapters of all drivers.
 */
#include <linux/err.h>
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/slab.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>

#include "fields.h"
#include "ibs.h"
#include "kprobes.h"
#include "session.h"
#include "timeouts.h"
#include "tracepoints.h"

/* A loaded module with tracepoints, for adapters that register later. */
struct target {
	struct list_head link;
	struct module *mod;
};

static LIST_HEAD(adapters);
static LIST_HEAD(targets);
static DEFINE_MUTEX(adapters_lock);

#ifdef CONFIG_EVENT_TRACING
static bool has_field(const struct trace_event_call *call, const char *name)
{
	const struct trace_event_fields *field = call->class->fields_array;

	for (; field && field->type; field++)
		if (field->type != TRACE_FUNCTION_TYPE && !strcmp(field->name, name))
			return true;
	return false;
}

/*
 * Returns the probe for the arguments that this kernel passes.  Only the event's fields show which
 * these are: headers of drivers are not installed, and stable kernels backport changes.
 */
static void *function_of(const struct grtrace_probe *p)
{
	struct trace_event_file *file;
	void *fn;

	if (!p->field)
		return p->fn;
	file = trace_get_event_file(NULL, p->module, p->tp->name);
	if (IS_ERR(file))
		return ERR_CAST(file);
	fn = has_field(file->event_call, p->field) ? p->fn : p->fn_without;
	trace_put_event_file(file);
	return fn;
}
#else
static void *function_of(const struct grtrace_probe *p)
{
	return p->field ? ERR_PTR(-EOPNOTSUPP) : p->fn;
}
#endif

/* Only a lack of memory is an error: another start may find some. */
static int probe_attach(struct grtrace_adapter *adapter, struct grtrace_probe *p)
{
	void *fn;
	int err;

	if (!p->tp || p->attached || (adapter->driver && !adapter->has_driver))
		return 0;
	fn = function_of(p);
	err = PTR_ERR_OR_ZERO(fn) ?: tracepoint_probe_register(p->tp, fn, NULL);
	if (err)
		pr_warn("grtrace: %s: cannot probe '%s': %d\n", adapter->name,
			p->tp->name, err);
	else
		WRITE_ONCE(p->attached, fn);
	return err == -ENOMEM ? err : 0;
}

static void probe_detach(struct grtrace_probe *p)
{
	void *fn = p->attached;

	if (!fn)
		return;
	/* Clear it first: an adapter relies on a probe that it sees attached. */
	WRITE_ONCE(p->attached, NULL);
	tracepoint_probe_unregister(p->tp, fn, NULL);
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
static int on_target(struct notifier_block *nb, unsigned long state, void *data)
{
	struct tp_module *tp_mod = data;

	if (state == MODULE_STATE_COMING)
		target_coming(tp_mod->mod);
	else if (state == MODULE_STATE_GOING)
		target_going(tp_mod->mod);
	return NOTIFY_OK;
}

static struct notifier_block target_notifier = { .notifier_call = on_target };

/* Attaches the probes whose tracepoints are outside of the driver's module. */
static void driver_coming(struct grtrace_adapter *adapter)
{
	unsigned int i;

	if (adapter->has_driver)
		return;
	adapter->has_driver = true;
	adapter->driver_changes++;
	if (!adapter->is_running)
		return;
	for (i = 0; i < adapter->nr_probes; i++)
		probe_attach(adapter, &adapter->probes[i]);
}

static void driver_going(struct grtrace_adapter *adapter, struct module *driver)
{
	unsigned int i;

	adapter->has_driver = false;
	adapter->driver_changes++;
	for (i = 0; i < adapter->nr_probes; i++)
		probe_detach(&adapter->probes[i]);
	/* Probes that still run may read members, and use pointers that target_gone() drops. */
	tracepoint_synchronize_unregister();
	grt_fields_forget(adapter);
	if (adapter->target_gone)
		adapter->target_gone(driver);
}

/*
 * Is @driver loaded or built in?  No function that modules may call tells that.  A driver that is
 * being loaded may have no folder yet: on_driver() hears of it when it is live.
 */
static bool driver_exists(const char *driver)
{
	char name[MODULE_NAME_LEN + sizeof("/sys/module/")];
	struct path path;
	int err;

	snprintf(name, sizeof(name), "/sys/module/%s", driver);
	err = kern_path(name, LOOKUP_DIRECTORY, &path);
	if (!err)
		path_put(&path);
	/* No memory to look: the probes of a driver that is not there find nothing. */
	return !err || err == -ENOMEM;
}

/* A notifier of modules: that of tracepoints does not hear of drivers without tracepoints. */
static int on_driver(struct notifier_block *nb, unsigned long state, void *data)
{
	struct grtrace_adapter *adapter;
	struct module *mod = data;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link) {
		if (!adapter->driver || strcmp(adapter->driver, mod->name))
			continue;
		if (state == MODULE_STATE_GOING)
			driver_going(adapter, mod);
		else
			driver_coming(adapter);
	}
	mutex_unlock(&adapters_lock);
	return NOTIFY_OK;
}

static struct notifier_block driver_notifier = { .notifier_call = on_driver };

int grt_tracepoints_init(void)
{
	int err = register_module_notifier(&driver_notifier);

	if (err)
		return err;
	err = register_tracepoint_module_notifier(&target_notifier);
	if (err)
		unregister_module_notifier(&driver_notifier);
	return err;
}

void grt_tracepoints_exit(void)
{
	unregister_tracepoint_module_notifier(&target_notifier);
	unregister_module_notifier(&driver_notifier);
}

/* Does an adapter record such jobs in this session? */
static bool has_owner(enum grtrace_jobs jobs)
{
	const struct grtrace_adapter *adapter;

	list_for_each_entry(adapter, &adapters, link)
		if (adapter->is_running && adapter->jobs == jobs && !adapter->is_duplicate &&
		    (!adapter->driver || adapter->has_driver))
			return true;
	return false;
}

/* A scheduler's adapter joins a session: drivers that are loaded later belong to it. */
static void disown_drivers(void)
{
	struct grtrace_adapter *adapter;

	list_for_each_entry(adapter, &adapters, link)
		if (adapter->is_running && adapter->jobs == GRTRACE_JOBS_OF_DRIVER)
			adapter->is_duplicate = true;
}

/*
 * Under adapters_lock.  The reference keeps rmmod away while probes are on.  A driver's jobs keep
 * their owner until the session ends: otherwise jobs in flight would have some events twice or not
 * at all.
 */
static int adapter_begin(struct grtrace_adapter *adapter)
{
	if (adapter->jobs == GRTRACE_JOBS_OF_SCHEDULER && has_owner(GRTRACE_JOBS_OF_DRIVER)) {
		pr_info("grtrace: %s: waits for the next session, a driver's adapter records jobs in this one\n",
			adapter->name);
		return 0;
	}
	if (!try_module_get(adapter->owner))
		return 0;
	adapter->is_duplicate = adapter->jobs == GRTRACE_JOBS_OF_DRIVER &&
				has_owner(GRTRACE_JOBS_OF_SCHEDULER);
	if (adapter->jobs == GRTRACE_JOBS_OF_SCHEDULER)
		disown_drivers();
	/* A driver that is built in may have no folder when the adapter is registered at boot. */
	if (adapter->driver && driver_exists(adapter->driver))
		driver_coming(adapter);
	if (adapter->notes_ibs)
		grt_ibs_begin();
	if (adapter->begin)
		adapter->begin();
	adapter->is_running = true;
	/* By name, so that functions built into the kernel are found, too. */
	return grt_kprobes_attach(adapter, NULL);
}

static int adapter_attach(struct grtrace_adapter *adapter)
{
	unsigned int i, attached = 0;
	int err = 0;

	if (!adapter->is_running)
		return 0;
	for (i = 0; i < adapter->nr_probes; i++) {
		err = probe_attach(adapter, &adapter->probes[i]) ?: err;
		attached += !!adapter->probes[i].attached;
	}
	pr_debug("grtrace: %s: attached to %u tracepoints, %u kprobes\n", adapter->name,
		 attached, grt_kprobes_attached(adapter));
	return err;
}

int grt_adapters_begin(void)
{
	struct grtrace_adapter *adapter;
	int err = 0;

	lockdep_assert_held(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		if (adapter->jobs == GRTRACE_JOBS_OF_SCHEDULER)
			err = adapter_begin(adapter) ?: err;
	list_for_each_entry(adapter, &adapters, link)
		if (adapter->jobs != GRTRACE_JOBS_OF_SCHEDULER)
			err = adapter_begin(adapter) ?: err;
	mutex_unlock(&adapters_lock);
	return err;
}

int grt_adapters_attach(void)
{
	struct grtrace_adapter *adapter;
	int err = 0;

	lockdep_assert_held(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		err = adapter_attach(adapter) ?: err;
	mutex_unlock(&adapters_lock);
	return err;
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
	grt_ibs_end();
	grt_timeouts_forget();
	mutex_unlock(&adapters_lock);
}

int grtrace_adapter_register(struct grtrace_adapter *adapter)
{
	struct target *t;

	if (WARN_ON(adapter->nr_fields > GRT_FIELDS_MAX))
		return -E2BIG;
	mutex_lock(&grt_session.lock);
	mutex_lock(&adapters_lock);
	list_for_each_entry(t, &targets, link)
		adapter_offer_module(adapter, t->mod);
	for_each_kernel_tracepoint(adapter_offer_builtin, adapter);
	list_add_tail(&adapter->link, &adapters);
	if (adapter->driver && driver_exists(adapter->driver))
		driver_coming(adapter);
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

int grt_adapters_each(int (*fn)(struct grtrace_adapter *adapter, void *arg), void *arg)
{
	struct grtrace_adapter *adapter;
	int ret = 0;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link) {
		ret = fn(adapter, arg);
		if (ret)
			break;
	}
	mutex_unlock(&adapters_lock);
	return ret;
}

/* Feature bits whose tracepoint does not exist, and has no kprobe in its place. */
static u64 probes_missing(const struct grtrace_adapter *adapter)
{
	u64 features = 0;
	unsigned int i;

	for (i = 0; i < adapter->nr_probes; i++) {
		const struct grtrace_probe *p = &adapter->probes[i];

		if (!p->tp && !grt_kprobes_have(adapter, p->names[0]))
			features |= p->features;
	}
	return features;
}

u64 grt_adapters_features(void)
{
	struct grtrace_adapter *adapter;
	u64 features = 0;

	mutex_lock(&adapters_lock);
	list_for_each_entry(adapter, &adapters, link)
		if (adapter->is_running)
			features |= adapter->features & ~probes_missing(adapter) &
				    ~grt_kprobes_missing(adapter);
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
		if (adapter->jobs == GRTRACE_JOBS_OF_DRIVER && adapter->is_running)
			at += scnprintf(to + at, room - at, "jobs.%s=%s\n", adapter->driver,
					adapter->is_duplicate ? "scheduler" : adapter->name);
		at += grt_kprobes_describe(adapter, to + at, room - at);
		if (adapter->describe && (!adapter->driver || adapter->has_driver))
			at += adapter->describe(to + at, room - at);
	}
	mutex_unlock(&adapters_lock);
	return at;
}
