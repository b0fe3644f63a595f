/* SPDX-License-Identifier: LGPL-2.1 */
/* Recognises traces by their first bytes. */
#ifndef GRT_TRACE_KIND_H
#define GRT_TRACE_KIND_H

#include <stdbool.h>

/* Whether the file has a format that grt_source_open() reads. */
bool grt_is_trace(int fd);

/* The same without text, so without what any other file may have. */
bool grt_is_binary_trace(int fd);

#endif /* GRT_TRACE_KIND_H */
