/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes JSON: commas, names and quotes. */
#ifndef GRT_JSON_H
#define GRT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct grt_json {
	FILE *file;
	bool has_one;		/* the current object or array has a member */
};

/* @name is NULL for members of an array. */
void grt_json_open(struct grt_json *j, const char *name, char bracket);
void grt_json_close(struct grt_json *j, char bracket);
void grt_json_null(struct grt_json *j, const char *name);
void grt_json_u64(struct grt_json *j, const char *name, uint64_t value);
void grt_json_s64(struct grt_json *j, const char *name, int64_t value);
void grt_json_real(struct grt_json *j, const char *name, double value);
void grt_json_bool(struct grt_json *j, const char *name, bool value);
void grt_json_share(struct grt_json *j, const char *name, uint64_t part, uint64_t whole);
void grt_json_text(struct grt_json *j, const char *name, const char *text);	/* "" becomes null */

#endif /* GRT_JSON_H */
