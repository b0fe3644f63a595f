// SPDX-License-Identifier: LGPL-2.1
/* What all checks use: the list of problems found, and the state of each CPU. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "verify_private.h"

void grt_problem(struct grt_verify *v, enum grt_check_id id, const char *fmt, ...)
{
	struct grt_check *check = &v->checks[id];
	va_list args;
	int at;

	if (check->violations++)
		return;
	at = snprintf(check->first, sizeof(check->first), "%s, byte %" PRIu64 ": ",
		      v->files[v->file].name, v->offset);
	if (at < 0 || (size_t)at >= sizeof(check->first))
		return;
	va_start(args, fmt);
	vsnprintf(check->first + at, sizeof(check->first) - at, fmt, args);
	va_end(args);
}

struct cpu_state *grt_verify_cpu(struct grt_verify *v, uint32_t cpu)
{
	size_t count = grt_vec_count(&v->cpus, struct cpu_state *);
	struct cpu_state *state;

	for (size_t i = 0; i < count; i++) {
		state = *grt_vec_at(&v->cpus, struct cpu_state *, i);
		if (state->cpu == cpu)
			return state;
	}
	state = calloc(1, sizeof(*state));
	if (!state || grt_vec_append(&v->cpus, &state, sizeof(state))) {
		free(state);
		return NULL;
	}
	state->cpu = cpu;
	return state;
}
