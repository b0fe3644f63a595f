// SPDX-License-Identifier: GPL-2.0
#include "elf_symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gelf.h>
#include <libelf.h>

#include "error.h"

#define MOST_NAMES	(64u << 20)	/* bytes of names that a file may have */
#define MOST_NAME	255
#define DEBUG_FILES	"/usr/lib/debug/.build-id"

/* Which bytes of the file have which addresses. */
struct elf_part {
	uint64_t offset, bytes, address;
};

struct elf_symbol {
	uint64_t address, bytes;
	uint32_t name;		/* offset in the names */
	bool is_chooser;	/* runs once, and returns the function to call (IFUNC) */
};

const char *grt_build_id_text(char to[GRT_BUILD_ID_TEXT], const uint8_t id[GRT_BUILD_ID])
{
	int len = GRT_BUILD_ID;

	while (len && !id[len - 1])
		len--;
	*to = '\0';
	for (int i = 0; i < len; i++)
		snprintf(to + 2 * i, 3, "%02x", id[i]);
	return to;
}

/* A file of another user, who may have made it to do harm: it is read, never mapped. */
static Elf *open_elf(const char *path, int *fd)
{
	struct stat st;
	Elf *elf = NULL;

	elf_version(EV_CURRENT);
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd >= 0 && !fstat(*fd, &st) && S_ISREG(st.st_mode))
		elf = elf_begin(*fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	if (*fd >= 0)
		close(*fd);
	return NULL;
}

static void close_elf(Elf *elf, int fd)
{
	elf_end(elf);
	close(fd);
}

/* Looks for the build id in one segment or section of notes. */
static bool find_note(Elf_Data *data, uint8_t id[GRT_BUILD_ID])
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr note;

	while (data && (next = gelf_getnote(data, at, &note, &name, &desc))) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) &&
		    note.n_descsz && note.n_descsz <= GRT_BUILD_ID) {
			memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
			return true;
		}
		at = next;
	}
	return false;
}

static bool read_id(Elf *elf, uint8_t id[GRT_BUILD_ID])
{
	size_t count = 0;
	GElf_Phdr part;

	memset(id, 0, GRT_BUILD_ID);
	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, i, &part) && part.p_type == PT_NOTE &&
		    find_note(elf_getdata_rawchunk(elf, part.p_offset, part.p_filesz,
						   part.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR), id))
			return true;
	return false;
}

/* Opens the file if it has that build id. */
static Elf *open_with_id(const char *path, const uint8_t id[GRT_BUILD_ID], int *fd)
{
	Elf *elf = path ? open_elf(path, fd) : NULL;
	uint8_t own[GRT_BUILD_ID];

	if (!elf || (read_id(elf, own) && !memcmp(own, id, GRT_BUILD_ID)))
		return elf;
	close_elf(elf, *fd);
	return NULL;
}

static int add_parts(struct grt_elf *to, Elf *elf)
{
	size_t count = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &count))
		return 0;
	for (size_t i = 0; i < count; i++) {
		struct elf_part part;

		if (!gelf_getphdr(elf, i, &p) || p.p_type != PT_LOAD || !(p.p_flags & PF_X))
			continue;
		part = (struct elf_part){ p.p_offset, p.p_filesz, p.p_vaddr };
		if (grt_vec_append(&to->parts, &part, sizeof(part)))
			return -ENOMEM;
	}
	return 0;
}

static int add_symbol(struct grt_elf *to, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);
	struct elf_symbol row = {
		sym->st_value, sym->st_size, to->names.bytes, type == STT_GNU_IFUNC,
	};
	size_t len;

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym->st_shndx == SHN_UNDEF ||
	    !sym->st_size || !name || !*name || to->names.bytes > MOST_NAMES)
		return 0;
	len = strnlen(name, MOST_NAME);
	return grt_vec_append(&to->names, name, len) || grt_vec_append(&to->names, "", 1) ||
	       grt_vec_append(&to->symbols, &row, sizeof(row)) ? -ENOMEM : 0;
}

/* The symbols of all sections of that type. */
static int add_symbols(struct grt_elf *to, Elf *elf, unsigned int type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr hdr;
	GElf_Sym sym;
	int err = 0;

	while (!err && (section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &hdr) || hdr.sh_type != type || !hdr.sh_entsize)
			continue;
		data = elf_getdata(section, NULL);
		for (size_t i = 0; data && !err && i < hdr.sh_size / hdr.sh_entsize; i++)
			if (gelf_getsym(data, i, &sym))
				err = add_symbol(to, &sym, elf_strptr(elf, hdr.sh_link, sym.st_name));
	}
	return err;
}

/* At one address the longer symbol comes last, and is found first. */
static int compare(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static int add_debug_symbols(struct grt_elf *to)
{
	char path[sizeof(DEBUG_FILES) + GRT_BUILD_ID_TEXT + 16], id[GRT_BUILD_ID_TEXT];
	int fd, err;
	Elf *elf;

	grt_build_id_text(id, to->id);
	snprintf(path, sizeof(path), DEBUG_FILES "/%.2s/%s.debug", id, id + 2);
	elf = open_with_id(path, to->id, &fd);
	if (!elf)
		return 0;
	err = add_symbols(to, elf, SHT_SYMTAB);
	close_elf(elf, fd);
	return err;
}

static Elf *open_it(const struct grt_elf *e, int *fd)
{
	char path[sizeof(DEBUG_FILES) + GRT_BUILD_ID_TEXT + 8], id[GRT_BUILD_ID_TEXT];
	Elf *elf = open_with_id(e->open_path, e->id, fd);

	if (!elf)
		elf = open_with_id(e->path, e->id, fd);
	if (elf)
		return elf;
	/* Some distributions have links from build ids to files. */
	grt_build_id_text(id, e->id);
	snprintf(path, sizeof(path), DEBUG_FILES "/%.2s/%s", id, id + 2);
	return open_with_id(path, e->id, fd);
}

static void read_from(struct grt_elf *e, Elf *elf)
{
	int err = add_parts(e, elf);

	e->is_read = true;
	if (!err)
		err = add_symbols(e, elf, SHT_SYMTAB);
	if (!err)
		err = add_debug_symbols(e);
	if (!err && !e->symbols.bytes)
		err = add_symbols(e, elf, SHT_DYNSYM);
	if (err)
		e->symbols.bytes = 0;
	if (e->symbols.bytes)
		qsort(e->symbols.data, grt_vec_count(&e->symbols, struct elf_symbol),
		      sizeof(struct elf_symbol), compare);
}

static void read_it(struct grt_elf *e)
{
	int fd;
	Elf *elf = open_it(e, &fd);

	if (!elf)
		return;
	read_from(e, elf);
	close_elf(elf, fd);
}

/* The address that byte @offset of the file has; UINT64_MAX: none. */
static uint64_t address_of(const struct grt_elf *e, uint64_t offset)
{
	for (size_t i = 0; i < grt_vec_count(&e->parts, struct elf_part); i++) {
		const struct elf_part *p = grt_vec_at(&e->parts, struct elf_part, i);

		if (offset >= p->offset && offset - p->offset < p->bytes)
			return offset - p->offset + p->address;
	}
	return UINT64_MAX;
}

const char *grt_elf_symbol(struct grt_elf *e, uint64_t offset)
{
	uint64_t address = address_of(e, offset);
	size_t low = 0, high = grt_vec_count(&e->symbols, struct elf_symbol);
	const struct elf_symbol *s;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (grt_vec_at(&e->symbols, struct elf_symbol, middle)->address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	s = low ? grt_vec_at(&e->symbols, struct elf_symbol, low - 1) : NULL;
	if (!s || address == UINT64_MAX || address - s->address >= s->bytes)
		return NULL;
	return (const char *)e->names.data + s->name;
}

/* UINT64_MAX: the file does not have it. */
static uint64_t offset_of(const struct grt_elf *e, uint64_t address)
{
	for (size_t i = 0; i < grt_vec_count(&e->parts, struct elf_part); i++) {
		const struct elf_part *p = grt_vec_at(&e->parts, struct elf_part, i);

		if (address >= p->address && address - p->address < p->bytes)
			return address - p->address + p->offset;
	}
	return UINT64_MAX;
}

int grt_elf_functions(const char *path, int (*each)(void *arg, const char *name, uint64_t offset),
		      void *arg)
{
	struct grt_elf e = { .path = NULL };
	int fd, err = 0;
	Elf *elf = open_elf(path, &fd);

	if (!elf)
		return grt_fail(EINVAL, "name a program or a library", "'%s' is no ELF file", path);
	read_id(elf, e.id);
	read_from(&e, elf);
	close_elf(elf, fd);
	for (size_t i = 0; !err && i < grt_vec_count(&e.symbols, struct elf_symbol); i++) {
		const struct elf_symbol *s = grt_vec_at(&e.symbols, struct elf_symbol, i);
		uint64_t offset = offset_of(&e, s->address);

		if (!s->is_chooser && offset != UINT64_MAX)
			err = each(arg, (const char *)e.names.data + s->name, offset);
	}
	grt_vec_free(&e.parts);
	grt_vec_free(&e.symbols);
	grt_vec_free(&e.names);
	return err;
}

static void split_id(const uint8_t id[GRT_BUILD_ID], uint64_t key[2])
{
	memcpy(key, id, 2 * sizeof(*key));
}

static struct grt_elf *elf_at(const struct grt_elfs *all, uint32_t i)
{
	return *grt_vec_at(&all->all, struct grt_elf *, i);
}

static struct grt_elf *find_known(const struct grt_elfs *all, const uint8_t id[GRT_BUILD_ID])
{
	uint64_t key[2];
	uint32_t i;

	split_id(id, key);
	i = grt_keymap_get(&all->by_id, key[0], key[1]);
	return i == GRT_NONE || memcmp(elf_at(all, i)->id, id, GRT_BUILD_ID) ? NULL : elf_at(all, i);
}

static struct grt_elf *add_elf(struct grt_elfs *all, const uint8_t id[GRT_BUILD_ID])
{
	struct grt_elf *e = calloc(1, sizeof(*e));
	uint64_t key[2];

	split_id(id, key);
	if (!e || grt_vec_append(&all->all, &e, sizeof(e))) {
		free(e);
		return NULL;
	}
	memcpy(e->id, id, GRT_BUILD_ID);
	if (grt_keymap_get(&all->by_id, key[0], key[1]) == GRT_NONE &&
	    grt_keymap_put(&all->by_id, key[0], key[1],
			   grt_vec_count(&all->all, struct grt_elf *) - 1))
		return NULL;
	return e;
}

/* Takes one line of /proc/PID/maps.  If it is a file with code, notes its build id and its path. */
static int look_at_map(struct grt_elfs *all, uint32_t tgid, const char *line)
{
	char open_path[80], perms[8];
	unsigned long from, to;
	unsigned int major, minor;
	unsigned long inode;
	uint8_t id[GRT_BUILD_ID];
	struct grt_elf *e;
	int at = 0, fd;
	bool has_id;
	Elf *elf;

	if (sscanf(line, "%lx-%lx %7s %*s %x:%x %lu %n", &from, &to, perms, &major, &minor, &inode, &at) != 6 ||
	    !inode || !at || perms[2] != 'x' || line[at] != '/' ||
	    grt_keymap_get(&all->by_inode, inode, (uint64_t)major << 32 | minor) != GRT_NONE)
		return 0;
	/*
	 * This opens the file that is mapped, even if another one has its name by now.  The names in map_files
	 * have no leading zeros, unlike the lines of maps.
	 */
	snprintf(open_path, sizeof(open_path), "/proc/%" PRIu32 "/map_files/%lx-%lx", tgid, from, to);
	elf = open_elf(open_path, &fd);
	if (!elf)
		return 0;
	has_id = read_id(elf, id);
	close_elf(elf, fd);
	if (grt_keymap_put(&all->by_inode, inode, (uint64_t)major << 32 | minor, 0))
		return -ENOMEM;
	e = has_id ? find_known(all, id) : NULL;
	if (!e && has_id)
		e = add_elf(all, id);
	if (!e || e->path)
		return has_id && !e ? -ENOMEM : 0;
	e->path = strdup(line + at);
	e->open_path = strdup(open_path);
	return e->path && e->open_path ? 0 : -ENOMEM;
}

static void look_into(struct grt_elfs *all, uint32_t tgid)
{
	char path[48], *line = NULL, *deleted;
	size_t room = 0;
	FILE *f;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/maps", tgid);
	f = fopen(path, "r");
	while (f && !err && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		deleted = strstr(line, " (deleted)");
		if (deleted)
			*deleted = '\0';
		err = look_at_map(all, tgid, line);
	}
	free(line);
	if (f)
		fclose(f);
}

struct grt_elf *grt_elfs_find(struct grt_elfs *all, const uint8_t id[GRT_BUILD_ID], uint32_t tgid)
{
	struct grt_elf *e = find_known(all, id);

	if (!e)
		e = add_elf(all, id);
	if (!e || e->is_read)
		return e;
	if (!e->path && e->searched_for != tgid) {
		look_into(all, tgid);
		/* The process may be gone.  Libraries that everybody uses are in our memory, too. */
		if (!e->path && !e->searched_for)
			look_into(all, getpid());
		e->searched_for = tgid;
	}
	read_it(e);
	return e;
}

void grt_elfs_free(struct grt_elfs *all)
{
	for (uint32_t i = 0; i < grt_vec_count(&all->all, struct grt_elf *); i++) {
		struct grt_elf *e = elf_at(all, i);

		free(e->path);
		free(e->open_path);
		grt_vec_free(&e->parts);
		grt_vec_free(&e->symbols);
		grt_vec_free(&e->names);
		free(e);
	}
	grt_vec_free(&all->all);
	grt_keymap_free(&all->by_id);
	grt_keymap_free(&all->by_inode);
}
