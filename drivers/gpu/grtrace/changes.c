// SPDX-License-Identifier: GPL-2.0
#include "changes.h"

const struct grt_listener *grt_listener;
