// SPDX-License-Identifier: GPL-2.0
/* hrtimer_setup() replaced hrtimer_init() (6.13). */
#include <linux/hrtimer.h>

void probe(struct hrtimer *timer,
	   enum hrtimer_restart (*expired)(struct hrtimer *));
void probe(struct hrtimer *timer,
	   enum hrtimer_restart (*expired)(struct hrtimer *))
{
	hrtimer_setup(timer, expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_HARD);
}
