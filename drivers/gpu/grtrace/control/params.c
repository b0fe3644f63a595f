// SPDX-License-Identifier: GPL-2.0
/*
 * Every config key as a module parameter: for tracing from boot on, and under
 * lockdown, which lets nobody write to debugfs.
 *
 *	grtrace.buffer_size=16M grtrace.autostart=1
 *	echo 0 > /sys/module/grtrace/parameters/enabled
 */
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "../session.h"
#include "control.h"

bool grt_autostart;
module_param_named(autostart, grt_autostart, bool, 0400);
MODULE_PARM_DESC(autostart, "start a session when the module is loaded");

static int param_set_key(const char *value, const struct kernel_param *kp)
{
	char text[32];

	/* sysfs hands over the newline too. */
	if (strscpy(text, value, sizeof(text)) < 0)
		return -EINVAL;
	return grt_config_set(kp->arg, strim(text));
}

static int param_get_key(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%llu\n", grt_config_get(kp->arg));
}

static const struct kernel_param_ops key_ops = { .set = param_set_key, .get = param_get_key };

#define KEY_PARAM(key) module_param_cb(key, &key_ops, (void *)#key, 0600)

KEY_PARAM(buffer_size);
MODULE_PARM_DESC(buffer_size, "bytes per CPU");
KEY_PARAM(global_seq);
MODULE_PARM_DESC(global_seq, "numbers the written events over all CPUs: 0 off, 1 on, 2 exact");
KEY_PARAM(filter_type_mask);
MODULE_PARM_DESC(filter_type_mask, "bit N keeps type N, 0 keeps all");
KEY_PARAM(filter_engine_mask);
MODULE_PARM_DESC(filter_engine_mask, "bit N keeps engine class N, 0 keeps all");
KEY_PARAM(filter_ring_id);
MODULE_PARM_DESC(filter_ring_id, "row of the ring table, 0 keeps all");

static int enabled_set(const char *value, const struct kernel_param *kp)
{
	bool is_on;

	if (kstrtobool(value, &is_on))
		return -EINVAL;
	if (!grt_session.dir) {		/* on the module's command line */
		grt_autostart = is_on;
		return 0;
	}
	return grt_control_enable(is_on);
}

static int enabled_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", READ_ONCE(grt_session.state) == GRT_RUNNING);
}

static const struct kernel_param_ops enabled_ops = { .set = enabled_set, .get = enabled_get };
module_param_cb(enabled, &enabled_ops, NULL, 0600);
MODULE_PARM_DESC(enabled, "1 starts a session, 0 stops it");
