#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel with the scheduler built in, where the bridge cannot find a scheduler module. No test may
# be skipped, because the test is whether the bridge sees the scheduler.
vm=$(dirname -- "$0")/../../vm
"$vm/check" --kernel builtin timeouts-are-told recovery-is-promised-where-it-is-seen \
	adapters-say-what-they-attach agrees-with-mock-log foreign-fences-are-seen \
	every-ending-of-a-job cpu-events-agree-with-ftrace |
	sed 's/^ok \(.*\) # SKIP /not ok \1: skipped, /'
exit "${PIPESTATUS[0]}"
