#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A million DRM ioctls on this machine: each is printed or counted as lost.
cd -- "$(dirname -- "$0")/../../../../../grtrace" || exit 3
make -s build/grtrace build/test/make/gen build/test/make/drm-ioctls >/dev/null 2>&1
ANNOTATE_CALLS=250000 GRTRACE_BUILD=$PWD/build exec test/cli/t-annotate.sh
