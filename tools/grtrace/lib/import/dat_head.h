/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The head of a trace.dat of version 6, up to its options.  libtracecmd reads it, too;
 * this is for what it does not tell and for options that it mistakes for its own.
 */
#ifndef GRT_DAT_HEAD_H
#define GRT_DAT_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vec.h"

struct grt_dat_option {
	uint64_t at;		/* byte of the file at which its number stands */
	uint32_t id, bytes;	/* bytes of data, which follow 6 bytes later */
};

/*
 * Options of @fd into @options.  False when it is damaged: what it says to be there is not.
 * That has to be known first, libtracecmd writes over its memory then.
 */
bool grt_dat_options(int fd, struct grt_vec *options);

/*
 * Whether the option is one of those that were in use outside of trace-cmd under a number
 * that it gave to another thing later: 8, now the number of CPUs, was a table of processes.
 */
bool grt_dat_is_stray(const struct grt_dat_option *option);

#endif /* GRT_DAT_HEAD_H */
