/* SPDX-License-Identifier: LGPL-2.1 */
/* The metadata of a CTF trace: what is in its streams, in the language TSDL. */
#ifndef GRT_CTF_TSDL_H
#define GRT_CTF_TSDL_H

#include <stdint.h>
#include <stdio.h>

struct grt_names;
struct grt_trace_info;

struct ctf_tsdl {
	const uint8_t *uuid;			/* CTF_UUID_BYTES */
	const struct grt_trace_info *info;
	const struct grt_names *names;
	const char *clock;			/* its name */
	int64_t offset_ns;			/* real time when the clock shows 0; 0: not known */
};

/* 0 or -errno with a cause; errors of @file are the caller's to check. */
int ctf_tsdl_write(FILE *file, const struct ctf_tsdl *t);

#endif /* GRT_CTF_TSDL_H */
