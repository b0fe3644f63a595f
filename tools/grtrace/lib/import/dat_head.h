/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads the head of a trace.dat of version 6, up to its options. libtracecmd reads it too, but it
 * does not check all sizes, and it misreads some options.
 */
#ifndef GRT_DAT_HEAD_H
#define GRT_DAT_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vec.h"

struct grt_dat_option {
	uint64_t at;		/* offset of the option's number in the file */
	uint32_t id, bytes;	/* size of the data, which begins 6 bytes after the number */
};

/*
 * Reads the options of @fd into @options.  False if the file is damaged, that is, if a size points
 * outside of it: libtracecmd would then write outside of its memory.
 */
bool grt_dat_options(int fd, struct grt_vec *options);

/* The size of the pages of the machine that recorded @fd, 0 if it is not known. */
uint32_t grt_dat_page_bytes(int fd);

/* Whether the file tells how to make ns of the ticks of its clock, so that libtracecmd does. */
bool grt_dat_has_conversion(const struct grt_vec *options);

/*
 * Whether this option is one that other tools wrote under a number that trace-cmd later used for
 * something else: 8 was a table of processes and is now the number of CPUs.
 */
bool grt_dat_is_stray(const struct grt_dat_option *option);

#endif /* GRT_DAT_HEAD_H */
