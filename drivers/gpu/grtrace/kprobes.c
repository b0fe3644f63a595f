// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes of adapters.
 */
#include <linux/delay.h>
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "kprobes.h"

#define RETRY_MS	10

static bool is_of(const struct grtrace_kprobe *p, const struct module *mod)
{
	return !mod || (p->module && !strcmp(p->module, mod->name));
}

static const struct grtrace_probe *tracepoint_of(const struct grtrace_adapter *adapter,
						 const struct grtrace_kprobe *p)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_probes; i++) {
		const struct grtrace_probe *probe = &adapter->probes[i];

		if (probe->tp && !strcmp(probe->tp->name, p->krp.kp.symbol_name))
			return probe;
	}
	return NULL;
}

static bool sees_returns(const struct grtrace_kprobe *p)
{
	return p->krp.handler;
}

static int attach(struct grtrace_kprobe *p)
{
	return sees_returns(p) ? register_kretprobe(&p->krp) : register_kprobe(&p->krp.kp);
}

/*
 * Before the kernel can remove a kprobe, it has to restore the function, and needs memory for
 * that.  If there is none, unregister_kprobe() leaves the kprobe in place and returns no error
 * (kernel/kprobes.c of 6.1 and 7.x).  disable_kprobe() restores the function, too, and returns
 * the error: so call it until it works, and unregister the kprobe then.
 */
static void detach(struct grtrace_kprobe *p)
{
	while (disable_kprobe(&p->krp.kp) == -ENOMEM)
		msleep(RETRY_MS);
	if (sees_returns(p))
		unregister_kretprobe(&p->krp);
	else
		unregister_kprobe(&p->krp.kp);
}

/* The kernel stored the address; clear it, so that the symbol is looked up again. */
static void clear_address(struct grtrace_kprobe *p)
{
	p->krp.kp.addr = NULL;
	p->krp.kp.flags = 0;
}

int grt_kprobes_attach(struct grtrace_adapter *adapter, const struct module *mod)
{
	unsigned int i;
	int err, ret = 0;

	for (i = 0; i < adapter->nr_kprobes; i++) {
		struct grtrace_kprobe *p = &adapter->kprobes[i];

		if (p->is_attached || !is_of(p, mod) || tracepoint_of(adapter, p))
			continue;
		err = attach(p);
		WRITE_ONCE(p->is_attached, !err);
		if (!err)
			continue;
		if (err == -ENOMEM)
			ret = err;
		clear_address(p);
		/* -ENOENT at start: the module may be loaded later, then this is tried again. */
		if (err != -ENOENT || mod)
			pr_info("grtrace: %s: no %s on '%s': %d\n", adapter->name,
				sees_returns(p) ? "kretprobe" : "kprobe",
				p->krp.kp.symbol_name, err);
	}
	return ret;
}

void grt_kprobes_detach(struct grtrace_adapter *adapter, const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_kprobes; i++) {
		struct grtrace_kprobe *p = &adapter->kprobes[i];

		if (!p->is_attached || !is_of(p, mod))
			continue;
		/* Clear it first: an adapter relies on a kprobe that it sees attached. */
		WRITE_ONCE(p->is_attached, false);
		detach(p);
		clear_address(p);
	}
}

unsigned int grt_kprobes_attached(const struct grtrace_adapter *adapter)
{
	unsigned int i, attached = 0;

	for (i = 0; i < adapter->nr_kprobes; i++)
		attached += adapter->kprobes[i].is_attached;
	return attached;
}

bool grt_kprobes_have(const struct grtrace_adapter *adapter, const char *name)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_kprobes; i++)
		if (!strcmp(adapter->kprobes[i].krp.kp.symbol_name, name) &&
		    !sees_returns(&adapter->kprobes[i]))
			return adapter->kprobes[i].is_attached;
	return false;
}

u64 grt_kprobes_missing(const struct grtrace_adapter *adapter)
{
	u64 features = 0;
	unsigned int i;

	for (i = 0; i < adapter->nr_kprobes; i++)
		if (!adapter->kprobes[i].is_attached &&
		    !tracepoint_of(adapter, &adapter->kprobes[i]))
			features |= adapter->kprobes[i].features;
	return features;
}

size_t grt_kprobes_describe(const struct grtrace_adapter *adapter, char *to,
			    size_t room)
{
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < adapter->nr_kprobes; i++)
		at += scnprintf(to + at, room - at, "%s.%s=%s\n",
				sees_returns(&adapter->kprobes[i]) ? "kretprobe" : "kprobe",
				adapter->kprobes[i].krp.kp.symbol_name,
				adapter->kprobes[i].is_attached ? "attached" :
				tracepoint_of(adapter, &adapter->kprobes[i]) ? "not needed" :
				adapter->is_running ? "not attached" : "at start");
	return at;
}
