// SPDX-License-Identifier: LGPL-2.1
#include "trace_dat_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "export.h"
#include "input.h"
#include "trace_dat_events.h"

#define COPY_PAGES	64

enum option { OPTION_CLOCK = 4, OPTION_UNAME = 5, OPTION_CPUS = 8, OPTION_TRACE_ID = 11 };

/* As Linux 6.1 describes its pages and the heads of its events. */
static const char header_page[] =
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static const char header_event[] =
	"# compressed entry header\n"
	"\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
	"\tpadding     : type == 29\n\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
	"\tdata max type_len  == 28\n";

static int put_number(struct grt_vec *to, uint64_t number, size_t bytes)
{
	return grt_vec_append(to, &number, bytes);
}

static int put_option(struct grt_vec *to, enum option id, const void *data, size_t bytes)
{
	int err = put_number(to, id, 2);

	return err ? err : grt_dat_put_sized(to, data, bytes, 4);
}

/* One word, without characters that end it. */
static const char *word(char *to, size_t bytes, const char *from, const char *none)
{
	snprintf(to, bytes, "%s", *from ? from : none);
	for (char *c = to; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == 127)
			*c = '_';
	return to;
}

static int put_options(struct grt_vec *to, const struct grt_export *x, uint32_t cpus)
{
	static const char clock[] = "[mono]\n";
	char name[256], host[64], release[64];
	int err = grt_vec_append(to, "options  ", 10);

	if (!err)
		err = put_option(to, OPTION_CLOCK, clock, sizeof(clock));
	if (!err && *x->info->kernel) {
		snprintf(name, sizeof(name), "Linux %s %s",
			 word(host, sizeof(host), x->info->host, "(none)"),
			 word(release, sizeof(release), x->info->kernel, ""));
		err = put_option(to, OPTION_UNAME, name, strlen(name) + 1);
	}
	if (!err)
		err = put_option(to, OPTION_CPUS, &cpus, sizeof(cpus));
	if (!err)
		err = put_option(to, OPTION_TRACE_ID, &x->info->session_id, 8);
	return err ? err : put_number(to, 0, 2);
}

static const struct grt_dat_lane *lane_at(const struct grt_dat_file *d, size_t i)
{
	return *grt_vec_at(d->lanes, const struct grt_dat_lane *, i);
}

/* Where the pages of each CPU are in the file; the head ends with this table. */
static int put_table(const struct grt_dat_file *d, struct grt_vec *to)
{
	size_t cpus = grt_vec_count(d->lanes, struct grt_dat_lane *);
	uint64_t at = to->bytes + 16 * cpus + GRT_DAT_PAGE - 1;
	int err = 0;

	at = at / GRT_DAT_PAGE * GRT_DAT_PAGE;
	for (size_t i = 0; i < cpus && !err; i++) {
		uint64_t bytes = lane_at(d, i) ? lane_at(d, i)->pages * GRT_DAT_PAGE : 0;

		err = put_number(to, bytes ? at : 0, 8);
		if (!err)
			err = put_number(to, bytes, 8);
		at += bytes;
	}
	while (!err && to->bytes % GRT_DAT_PAGE)
		err = put_number(to, 0, 1);
	return err;
}

static int fill_head(const struct grt_dat_file *d, const struct grt_export *x, struct grt_vec *to)
{
	uint32_t cpus = grt_vec_count(d->lanes, struct grt_dat_lane *);
	/* Little endian, 8 bytes for a long. */
	int err = grt_vec_append(to, "\x17\x08\x44" "tracing6\0\0\x08", 14);

	if (!err)
		err = put_number(to, GRT_DAT_PAGE, 4);
	if (!err)
		err = grt_vec_append(to, "header_page", 12);
	if (!err)
		err = grt_dat_put_sized(to, header_page, strlen(header_page), 8);
	if (!err)
		err = grt_vec_append(to, "header_event", 13);
	if (!err)
		err = grt_dat_put_sized(to, header_event, strlen(header_event), 8);
	if (!err)
		err = grt_dat_put_formats(to);
	/* No symbols of the kernel, no formats of trace_printk(). */
	if (!err)
		err = put_number(to, 0, 8);
	if (!err)
		err = grt_dat_put_sized(to, d->tasks->data, d->tasks->bytes, 8);
	if (!err)
		err = put_number(to, cpus, 4);
	if (!err)
		err = put_options(to, x, cpus);
	if (!err)
		err = grt_vec_append(to, "flyrecord", 10);
	return err ? err : put_table(d, to);
}

static int copy_lane(const struct grt_dat_file *d, const struct grt_dat_lane *lane, void *pages,
		     struct grt_export *x)
{
	uint64_t page = 0;
	int got, err = 0;

	while (page < lane->pages && !err) {
		got = grt_dat_lane_read(lane, d->scratch, page, pages, COPY_PAGES);
		if (got < 0)
			return got;
		fwrite(pages, GRT_DAT_PAGE, got, x->file);
		err = grt_export_check(x);
		page += got;
	}
	return err;
}

int grt_dat_file_write(const struct grt_dat_file *d, struct grt_export *x)
{
	void *pages = malloc(COPY_PAGES * GRT_DAT_PAGE);
	struct grt_vec head = { 0 };
	int err;

	if (!pages || fill_head(d, x, &head)) {
		err = grt_fail_memory();
	} else {
		fwrite(head.data, 1, head.bytes, x->file);
		err = grt_export_check(x);
	}
	for (size_t i = 0; !err && i < grt_vec_count(d->lanes, struct grt_dat_lane *); i++)
		if (lane_at(d, i))
			err = copy_lane(d, lane_at(d, i), pages, x);
	grt_vec_free(&head);
	free(pages);
	return err;
}
