// SPDX-License-Identifier: GPL-2.0
#include "offsets.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "control.h"
#include "elf_symbols.h"
#include "error.h"
#include "io.h"
#include "types.h"

#define MOST_TEXT	4096	/* bytes of the file, and of a line to it */
#define MOST_NOTES	4096	/* bytes of a file with notes */
#define MOST_NAME	64	/* bytes of a name of a driver, with its NUL */

/* A driver that was answered for.  @inode: of its folder in sysfs, a new one each time it is loaded. */
struct answered {
	char driver[MOST_NAME];
	ino_t inode;
};

/* --- the build of a driver --- */

static size_t padded(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

/* Finds the build id among notes of ELF. */
static bool find_build_id(const char *notes, size_t bytes, uint8_t id[GRT_BUILD_ID])
{
	Elf64_Nhdr note;
	size_t name, desc;

	for (size_t at = 0; bytes - at >= sizeof(note); at = desc + padded(note.n_descsz)) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		desc = name + padded(note.n_namesz);
		if (desc + padded(note.n_descsz) > bytes)
			return false;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp(notes + name, "GNU", sizeof("GNU")) || note.n_descsz > GRT_BUILD_ID)
			continue;
		memset(id, 0, GRT_BUILD_ID);
		memcpy(id, notes + desc, note.n_descsz);
		return true;
	}
	return false;
}

static bool read_build_id(const char *driver, uint8_t id[GRT_BUILD_ID])
{
	char path[128], notes[MOST_NOTES];
	ssize_t n;

	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", driver);
	n = grt_read_text(AT_FDCWD, path, notes, sizeof(notes));
	if (n < 0)	/* built in? */
		n = grt_read_text(AT_FDCWD, "/sys/kernel/notes", notes, sizeof(notes));
	return n > 0 && find_build_id(notes, n, id);
}

/* --- questions and answers --- */

/* One line of the file: DRIVER,MEMBER,BYTES,OFFSET */
struct question {
	char driver[MOST_NAME], member[128];
};

/* Reads the line at @*at, and moves behind it; false: no more. */
static bool next_question(const char **at, struct question *q)
{
	size_t len;

	while (**at) {
		const char *line = *at;

		len = strcspn(line, "\n");
		*at = line + len + (line[len] == '\n');
		if (sscanf(line, "%63[^,\n],%127[^,\n],", q->driver, q->member) == 2 &&
		    strcmp(q->member, "member"))
			return true;
	}
	return false;
}

/* Writes the answer about all members of a driver; its length, 0 = no member was found. */
static size_t make_answer(const struct grt_types *types, const char *questions, const char *driver,
			  const uint8_t id[GRT_BUILD_ID], char *to, size_t room)
{
	char text[GRT_BUILD_ID_TEXT];
	size_t head = snprintf(to, room, "%s %s", driver, grt_build_id_text(text, id)), at = head;
	struct question q;

	while (next_question(&questions, &q) && at < room) {
		int offset = strcmp(q.driver, driver) ? -ENOENT : grt_types_offset(types, q.member);

		if (offset >= 0)
			at += snprintf(to + at, room - at, " %s=%d", q.member, offset);
	}
	return at > head && at < room ? at : 0;
}

/* Answers about the members of @driver. */
static int answer(const char *questions, const char *driver)
{
	struct grt_types types = { .kernel = NULL };
	uint8_t id[GRT_BUILD_ID];
	char line[MOST_TEXT];
	int err = 0;

	if (!read_build_id(driver, id) || grt_types_load_driver(&types, driver))
		return 0;
	if (make_answer(&types, questions, driver, id, line, sizeof(line)))
		err = grt_control_write("offsets", line);
	grt_types_free(&types);
	return err;
}

static struct answered *find(struct grt_offsets *o, const char *driver)
{
	struct answered *a;

	for (size_t i = 0; i < grt_vec_count(&o->answered, struct answered); i++) {
		a = grt_vec_at(&o->answered, struct answered, i);
		if (!strcmp(a->driver, driver))
			return a;
	}
	a = grt_vec_grow(&o->answered, sizeof(*a));
	if (!a)
		return NULL;
	*a = (struct answered){ .inode = 0 };
	snprintf(a->driver, sizeof(a->driver), "%s", driver);
	return a;
}

/* Answers for @driver if it was loaded since the last time. */
static int see_to(struct grt_offsets *o, const char *questions, const char *driver)
{
	struct answered *a = find(o, driver);
	struct stat folder;
	char path[128];
	int err;

	if (!a)
		return grt_fail_memory();
	snprintf(path, sizeof(path), "/sys/module/%s", driver);
	if (stat(path, &folder) || folder.st_ino == a->inode)
		return 0;
	err = answer(questions, driver);
	/* It is just being loaded or unloaded: try again the next time. */
	if (err == -ENODEV || err == -EAGAIN)
		return 0;
	a->inode = folder.st_ino;
	return err;
}

int grt_offsets_send(struct grt_offsets *o)
{
	char questions[MOST_TEXT], last[MOST_NAME] = "";
	const char *at = questions;
	struct question q;
	int err = 0;

	/* An older module has no such file. */
	if (grt_control_read("offsets", questions, sizeof(questions)) < 0)
		return 0;
	while (!err && next_question(&at, &q)) {
		/* The members of a driver are neighbours. */
		if (!strcmp(q.driver, last))
			continue;
		snprintf(last, sizeof(last), "%s", q.driver);
		err = see_to(o, questions, q.driver);
	}
	return err;
}

void grt_offsets_free(struct grt_offsets *o)
{
	grt_vec_free(&o->answered);
}
