// SPDX-License-Identifier: GPL-2.0
/*
 * Kprobes of adapters.
 */
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>

#include "kprobes.h"

static bool is_of(const struct grtrace_kprobe *p, const struct module *mod)
{
	return !mod || !strcmp(p->module, mod->name);
}

void grt_kprobes_attach(struct grtrace_adapter *adapter, const struct module *mod)
{
	unsigned int i;
	int err;

	for (i = 0; i < adapter->nr_kprobes; i++) {
		struct grtrace_kprobe *p = &adapter->kprobes[i];

		if (p->is_attached || !is_of(p, mod))
			continue;
		err = register_kprobe(&p->kp);
		if (err)
			pr_info("grtrace: %s: no kprobe on '%s': %d\n", adapter->name,
				p->kp.symbol_name, err);
		p->is_attached = !err;
	}
}

void grt_kprobes_detach(struct grtrace_adapter *adapter, const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_kprobes; i++) {
		struct grtrace_kprobe *p = &adapter->kprobes[i];

		if (!p->is_attached || !is_of(p, mod))
			continue;
		unregister_kprobe(&p->kp);
		p->is_attached = false;
		/* It was found by name; to be found again it must have no address. */
		p->kp.addr = NULL;
		p->kp.flags = 0;
	}
}

size_t grt_kprobes_describe(const struct grtrace_adapter *adapter, char *to,
			    size_t room)
{
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < adapter->nr_kprobes; i++)
		at += scnprintf(to + at, room - at, "kprobe.%s=%s\n",
				adapter->kprobes[i].kp.symbol_name,
				adapter->kprobes[i].is_attached ? "attached" :
				adapter->is_running ? "not attached" : "at start");
	return at;
}
