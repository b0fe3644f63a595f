// SPDX-License-Identifier: GPL-2.0
/*
 * grtrace_mock: module, platform device and DRM device of the mock GPU.
 *
 * Load it on test machines only: everybody who may open its render node can keep
 * the machine's timers busy.
 */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <drm/drm_drv.h>
#include "mock.h"

static unsigned int credits[GRTRACE_MOCK_RINGS] = { 2, 2, 2 };
module_param_array(credits, uint, NULL, 0444);
MODULE_PARM_DESC(credits, "jobs on a ring at a time, for gfx,compute,copy (default 2,2,2)");

static unsigned int timeout_ms = 500;
module_param(timeout_ms, uint, 0444);
MODULE_PARM_DESC(timeout_ms, "a job longer on the ring than this is hung; 0 = never (default 500)");

static unsigned int duration_us = 1000;
module_param(duration_us, uint, 0444);
MODULE_PARM_DESC(duration_us, "duration of jobs that do not set one (default 1000)");

static bool manual;
module_param(manual, bool, 0444);
MODULE_PARM_DESC(manual, "jobs end only by writing to debugfs 'advance' (default off)");

static unsigned int log_rows = 262144;
module_param(log_rows, uint, 0444);
MODULE_PARM_DESC(log_rows, "number of jobs that the log can hold (default 262144)");

static struct platform_device *mock_pdev;

static const struct file_operations mock_fops = {
	.owner		= THIS_MODULE,
#ifdef GRT_HAVE_DRM_FOP_UNSIGNED_OFFSET
	.fop_flags	= FOP_UNSIGNED_OFFSET,
#endif
	.open		= drm_open,
	.release	= drm_release,
	.unlocked_ioctl	= drm_ioctl,
	.compat_ioctl	= drm_compat_ioctl,
	.poll		= drm_poll,
	.read		= drm_read,
	.llseek		= noop_llseek,
};

/* mock_init() sets num_ioctls, because the table of ioctls is in ioctl.c */
static struct drm_driver mock_driver = {
	.driver_features	= DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open			= mock_open,
	.postclose		= mock_postclose,
	.ioctls			= mock_ioctls,
	.fops			= &mock_fops,
	.name			= MOCK_NAME,
	.desc			= "mock GPU on the DRM scheduler",
#ifdef GRT_HAVE_DRM_DRIVER_DATE
	.date			= "20260101",
#endif
	.major			= 1,
};

static int start_rings(struct mock_device *mock)
{
	int i, err;

	for (i = 0; i < GRTRACE_MOCK_RINGS; i++) {
		err = mock_ring_init(&mock->rings[i], mock, i, credits[i], NULL);
		if (err)
			goto stop_rings;
	}
	return 0;

stop_rings:
	while (i--)
		mock_ring_fini(&mock->rings[i]);
	return err;
}

/*
 * No file is open, because each pins the module, and the device cannot be unbound.
 * Only jobs whose submitter is gone may still live.
 */
static void stop_rings(struct mock_device *mock)
{
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++)
		mock_ring_drain(&mock->rings[i]);
	mock_groups_each(mock, mock_ring_drain);
	wait_event(mock->idle, !atomic_read(&mock->job_cnt));
	mock_groups_wait(mock);
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++)
		mock_ring_fini(&mock->rings[i]);
}

static int start_hardware(struct mock_device *mock)
{
	int err;

	mock->timeout_wq = alloc_ordered_workqueue(MOCK_NAME, 0);
	if (!mock->timeout_wq)
		return -ENOMEM;
	err = mock_log_init(&mock->log, log_rows);
	if (err)
		goto destroy_wq;
	err = start_rings(mock);
	if (err)
		goto fini_log;
	return 0;

fini_log:
	mock_log_fini(&mock->log);
destroy_wq:
	destroy_workqueue(mock->timeout_wq);
	return err;
}

/* A devres action instead of ->remove(), whose type differs between kernels. */
static void stop_hardware(void *data)
{
	struct mock_device *mock = data;

	stop_rings(mock);
	mock_log_fini(&mock->log);
	destroy_workqueue(mock->timeout_wq);
	xa_destroy(&mock->contexts);
	xa_destroy(&mock->fences);
}

static void unpublish(void *data)
{
	struct mock_device *mock = data;

	mock_control_destroy(mock);
	drm_dev_unregister(&mock->drm);
}

static int mock_probe(struct platform_device *pdev)
{
	struct mock_device *mock;
	int err;

	mock = devm_drm_dev_alloc(&pdev->dev, &mock_driver, struct mock_device,
				  drm);
	if (IS_ERR(mock))
		return PTR_ERR(mock);
	xa_init(&mock->contexts);
	xa_init(&mock->fences);
	mutex_init(&mock->knob_lock);
	mutex_init(&mock->group_lock);
	mutex_init(&mock->sched_lock);
	INIT_LIST_HEAD(&mock->groups);
	init_waitqueue_head(&mock->idle);
	mock->duration_ns = (u64)duration_us * NSEC_PER_USEC;
	mock->timeout_ms = timeout_ms;
	mock->is_manual = manual;

	err = start_hardware(mock);
	if (err)
		return err;
	err = devm_add_action_or_reset(&pdev->dev, stop_hardware, mock);
	if (err)
		return err;

	err = drm_dev_register(&mock->drm, 0);
	if (err)
		return err;
	mock_control_create(mock);	/* last: from here on users can see it */
	err = devm_add_action_or_reset(&pdev->dev, unpublish, mock);
	if (err)
		return err;
	platform_set_drvdata(pdev, mock);
	return 0;
}

static struct platform_driver mock_platform_driver = {
	.probe = mock_probe,
	.driver = {
		.name = MOCK_NAME,
		/* unbinding would pull the rings from under open files */
		.suppress_bind_attrs = true,
	},
};

static int check_params(void)
{
	for (int i = 0; i < GRTRACE_MOCK_RINGS; i++) {
		if (!credits[i] || credits[i] > 1024) {
			pr_err(MOCK_NAME ": credits is %u, allowed 1..1024\n",
			       credits[i]);
			return -EINVAL;
		}
	}
	if (!log_rows || log_rows > (1u << 24)) {
		pr_err(MOCK_NAME ": log_rows is %u, allowed 1..%u\n", log_rows,
		       1u << 24);
		return -EINVAL;
	}
	if (duration_us > GRTRACE_MOCK_MAX_DURATION_NS / NSEC_PER_USEC) {
		pr_err(MOCK_NAME ": duration_us is %u, allowed 0..60000000\n",
		       duration_us);
		return -EINVAL;
	}
	return 0;
}

static int __init mock_init(void)
{
	int err;

	err = check_params();
	if (err)
		return err;
	mock_driver.num_ioctls = mock_ioctl_cnt;
	err = platform_driver_register(&mock_platform_driver);
	if (err)
		return err;
	mock_pdev = platform_device_register_simple(MOCK_NAME, 0, NULL, 0);
	if (IS_ERR(mock_pdev)) {
		err = PTR_ERR(mock_pdev);
		goto unregister_driver;
	}
	/* Registering succeeds even if probe failed: do not load without a device. */
	if (!platform_get_drvdata(mock_pdev)) {
		err = -ENODEV;
		goto unregister_device;
	}
	return 0;

unregister_device:
	platform_device_unregister(mock_pdev);
unregister_driver:
	platform_driver_unregister(&mock_platform_driver);
	return err;
}

static void __exit mock_exit(void)
{
	platform_device_unregister(mock_pdev);
	platform_driver_unregister(&mock_platform_driver);
	/* Fences and contexts are freed after a grace period. */
	rcu_barrier();
}

module_init(mock_init);
module_exit(mock_exit);

MODULE_DESCRIPTION("grtrace: mock GPU on the kernel's DRM scheduler, for tests");
MODULE_LICENSE("GPL");
