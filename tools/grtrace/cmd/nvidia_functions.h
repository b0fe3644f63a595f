/* SPDX-License-Identifier: GPL-2.0 */
/* Which functions of NVIDIA's driver are probed: found by name, because versions differ. */
#ifndef GRT_CMD_NVIDIA_FUNCTIONS_H
#define GRT_CMD_NVIDIA_FUNCTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "nvidia.h"
#include "words.h"

struct grt_probe_hit;
struct grt_probe_watch;

#define NVIDIA_PROBE_BYTES	512
#define NVIDIA_XID_EVENT	"nvidia:nvidia_dev_xid"

/* Names of the values that probes, and the event of an Xid, have; see probe_watch.h. */
extern const char *const nvidia_value_names[];
extern const unsigned int nvidia_nr_values;

/* Zeroed memory has none. */
struct nvidia_functions {
	char module[64];		/* that they are in */
	struct grt_words probes;	/* in @texts */
	char texts[GRT_WORDS_MOST][NVIDIA_PROBE_BYTES];
	struct {
		enum grt_nvidia_event event;
		bool is_return;
	} of[GRT_WORDS_MOST];		/* what each probe tells */
	uint32_t there;			/* bits of events that are told */
	uint32_t has_return;		/* the same of their returns */
	char missing[1024];		/* functions that the driver lacks, as text */
};

/* 0; -ENOENT with a cause: no driver of NVIDIA is loaded; another -errno with a cause. */
int nvidia_functions_find(struct nvidia_functions *f);

/* Notes which probes the kernel refused. */
void nvidia_functions_check(struct nvidia_functions *f, const struct grt_probe_watch *watch);

/* Makes a call of a hit.  @text: room for the text of an Xid. */
#define NVIDIA_TEXT_BYTES	256
void nvidia_call_of(const struct nvidia_functions *f, const struct grt_probe_hit *hit, struct grt_nvidia_call *call,
		    char text[NVIDIA_TEXT_BYTES]);

#endif /* GRT_CMD_NVIDIA_FUNCTIONS_H */
