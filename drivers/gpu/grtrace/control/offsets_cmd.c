// SPDX-License-Identifier: GPL-2.0
/*
 * The file offsets: where members of drivers' private structs are.
 *
 * A write names the build of the driver, so that offsets of another build are refused.  A wrong
 * offset of the right build makes wrong numbers, but does no harm: every read may fault.
 */
#include <linux/elf.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/grtrace.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../fields.h"
#include "../tracepoints.h"
#include "control.h"

#define FIELD_END_MAX	4096	/* no struct that adapters read is larger */
#define NOTES_MAX	4096	/* bytes of a file with notes; the kernel's own has a few hundred */
#define BUILD_ID_MAX	64	/* bytes; a build id has 20 */
#define BUILD_ID_NOTE	3	/* NT_GNU_BUILD_ID */

/* --- the build of a driver --- */

/* Finds the build id among ELF notes and writes it in hexadecimal digits. */
static int find_build_id(const char *notes, size_t bytes, char *to, size_t room)
{
	const struct elf64_note *note;
	size_t at = 0, name, id;

	for (; bytes - at >= sizeof(*note); at = id + ALIGN(note->n_descsz, 4)) {
		note = (const void *)(notes + at);
		if (note->n_namesz > bytes || note->n_descsz > bytes)
			break;
		name = at + sizeof(*note);
		id = name + ALIGN(note->n_namesz, 4);
		if (id + ALIGN(note->n_descsz, 4) > bytes)
			break;
		if (note->n_type != BUILD_ID_NOTE || note->n_namesz != 4 ||
		    memcmp(notes + name, "GNU", 4) || 2 * note->n_descsz >= room)
			continue;
		snprintf(to, room, "%*phN", (int)note->n_descsz, notes + id);
		return 0;
	}
	return -ENOENT;
}

/* The kernel keeps the notes of modules only in these files.  May sleep. */
static int read_build_id(const char *driver, char *to, size_t room)
{
	char path[MODULE_NAME_LEN + 48], *notes = kmalloc(NOTES_MAX, GFP_KERNEL);
	struct file *file;
	loff_t at = 0;
	ssize_t got;

	if (!notes)
		return -ENOMEM;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", driver);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))	/* built in? */
		file = filp_open("/sys/kernel/notes", O_RDONLY, 0);
	got = PTR_ERR_OR_ZERO(file);
	if (!got) {
		got = kernel_read(file, notes, NOTES_MAX, &at);
		fput(file);
	}
	if (got >= 0)
		got = find_build_id(notes, got, to, room);
	kfree(notes);
	return got;
}

/* --- the control file --- */

/* One write: the offsets of all members of one driver. */
struct request {
	char *driver, *build_id, *pairs;
	u64 driver_changes;
	u16 offsets[GRT_FIELDS_MAX];
};

static int show_fields(struct grtrace_adapter *adapter, void *m)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_fields; i++) {
		const struct grtrace_field *f = &adapter->fields[i];

		seq_printf(m, "%s,%s,%u,", adapter->driver, f->name, f->bytes);
		if (f->offset != GRTRACE_NO_OFFSET)
			seq_printf(m, "%u", f->offset);
		seq_puts(m, "\n");
	}
	return 0;
}

int grt_offsets_show(struct seq_file *m)
{
	seq_puts(m, "driver,member,bytes,offset\n");
	return grt_adapters_each(show_fields, m);
}

static int find_field(const struct grtrace_adapter *adapter, const char *name)
{
	int i;

	for (i = 0; i < adapter->nr_fields; i++)
		if (!strcmp(adapter->fields[i].name, name))
			return i;
	return -ENOENT;
}

/* Takes one "struct.member=offset". */
static int take_pair(const struct grtrace_adapter *adapter, struct request *r, char *pair)
{
	char *value = strchr(pair, '=');
	u16 offset, bytes;
	int i;

	if (!value)
		return grtrace_ctl_error("offsets: '%.64s' is not MEMBER=OFFSET", pair);
	*value++ = '\0';
	i = find_field(adapter, pair);
	if (i < 0)
		return grtrace_ctl_error("offsets: no adapter reads '%.64s' of %s; "
					 "see the file offsets", pair, r->driver);
	if (r->offsets[i] != GRTRACE_NO_OFFSET)
		return grtrace_ctl_error("offsets: '%s' is named twice", pair);
	bytes = adapter->fields[i].bytes;
	if (kstrtou16(value, 10, &offset) || offset + bytes > FIELD_END_MAX || offset % bytes)
		return grtrace_ctl_error("offsets: %s=%.16s: allowed are multiples of %u below %u",
					 pair, value, bytes, FIELD_END_MAX);
	r->offsets[i] = offset;
	return 0;
}

static bool is_for(const struct grtrace_adapter *adapter, const struct request *r)
{
	return adapter->nr_fields && !strcmp(adapter->driver, r->driver);
}

/* Parses the request if it is for @adapter.  1 = it is, 0 = it is not, or a negative errno. */
static int check_request(struct grtrace_adapter *adapter, void *arg)
{
	struct request *r = arg;
	char *pair;
	int i;

	if (!is_for(adapter, r))
		return 0;
	if (!adapter->has_driver)
		return grt_ctl_fail(-ENODEV, "offsets: %s is not loaded", r->driver);
	r->driver_changes = adapter->driver_changes;
	for (i = 0; i < GRT_FIELDS_MAX; i++)
		r->offsets[i] = GRTRACE_NO_OFFSET;
	while ((pair = strsep(&r->pairs, " \t"))) {
		int err = *pair ? take_pair(adapter, r, pair) : 0;

		if (err)
			return err;
	}
	return 1;
}

static int apply_request(struct grtrace_adapter *adapter, void *arg)
{
	const struct request *r = arg;
	unsigned int i;

	if (!is_for(adapter, r))
		return 0;
	/* The build id may be that of a driver that is gone by now. */
	if (adapter->driver_changes != r->driver_changes)
		return grt_ctl_fail(-EAGAIN, "offsets: %s was just loaded or unloaded: write again",
				    r->driver);
	for (i = 0; i < adapter->nr_fields; i++)
		WRITE_ONCE(adapter->fields[i].offset, r->offsets[i]);
	return 1;
}

int grt_offsets_store(char *line)
{
	struct request r = { .pairs = line };
	char build_id[2 * BUILD_ID_MAX + 1];
	int err;

	r.driver = strsep(&r.pairs, " \t");
	r.build_id = r.pairs ? strsep(&r.pairs, " \t") : NULL;
	if (!r.pairs || !*r.driver || !*r.build_id)
		return grtrace_ctl_error("offsets: write DRIVER BUILD-ID MEMBER=OFFSET ...");
	err = grt_adapters_each(check_request, &r);
	if (!err)
		return grtrace_ctl_error("offsets: no adapter reads members of '%.64s'",
					 r.driver);
	if (err < 0)
		return err;
	err = read_build_id(r.driver, build_id, sizeof(build_id));
	if (err)
		return grt_ctl_fail(err, "offsets: cannot read the build id of %s", r.driver);
	if (strcmp(build_id, r.build_id))
		return grtrace_ctl_error("offsets: the build id of %s is %s, not '%.64s'",
					 r.driver, build_id, r.build_id);
	err = grt_adapters_each(apply_request, &r);
	return min(err, 0);
}
