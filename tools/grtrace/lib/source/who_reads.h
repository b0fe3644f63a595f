/* SPDX-License-Identifier: LGPL-2.1 */
#ifndef GRT_WHO_READS_H
#define GRT_WHO_READS_H

#include <stdbool.h>
#include <stddef.h>

/* Finds the process that reads the session's streams: "cat[4711]".  False: we cannot see it. */
#define GRT_READER_MAX	64
bool grt_who_reads(char who[GRT_READER_MAX]);

#endif /* GRT_WHO_READS_H */
