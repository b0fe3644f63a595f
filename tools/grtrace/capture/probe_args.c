// SPDX-License-Identifier: GPL-2.0
#include "probe_args.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "probe_spec.h"
#include "types.h"

#define FETCH_BYTES	256
#define TYPE_BYTES	40	/* "b" and three numbers, as tracefs has types */
#define BITS_PER_BYTE	8

/* A value while its expression is read: in a register, or in memory behind one. */
struct value {
	char base[FETCH_BYTES];		/* "$arg1", or "+8($arg1)" */
	bool is_memory;			/* at @base + @bit, else @base itself */
	uint32_t bit;
	uint32_t bits;			/* of a bit-field; 0: it is none */
	const struct btf_type *type;	/* resolved */
};

/* --- functions of programs, whose types are not known --- */

#if defined(__x86_64__)
static const char *const registers[] = { "di", "si", "dx", "cx", "r8", "r9" };
#elif defined(__aarch64__)
static const char *const registers[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };
#else
static const char *const registers[] = { "" };
#endif

#define NR_REGISTERS	(sizeof(registers) / sizeof(*registers))

/* Of the C library, which is the same everywhere: as in malloc(3). */
static const struct {
	const char *function, *name;
	int number;		/* from 1 */
	const char *type;
} known[] = {
	{ "malloc", "bytes", 1, "u64" }, { "malloc", "size", 1, "u64" },
	{ "calloc", "nmemb", 1, "u64" }, { "calloc", "size", 2, "u64" },
	{ "realloc", "ptr", 1, "x64" }, { "realloc", "bytes", 2, "u64" }, { "realloc", "size", 2, "u64" },
	{ "free", "ptr", 1, "x64" }, { "malloc_usable_size", "ptr", 1, "x64" },
	{ "aligned_alloc", "alignment", 1, "u64" }, { "aligned_alloc", "size", 2, "u64" },
	{ "mmap", "addr", 1, "x64" }, { "mmap", "length", 2, "u64" },
	{ "munmap", "addr", 1, "x64" }, { "munmap", "length", 2, "u64" },
	{ "open", "file", 1, "string" }, { "ioctl", "fd", 1, "s32" }, { "ioctl", "request", 2, "x64" },
};

/* Prints the register that has argument @number of a function in a program. */
static int put_register(FILE *to, unsigned long number)
{
	if (!number || number > NR_REGISTERS || !*registers[number - 1])
		return grt_fail(EINVAL, "the others are on the stack: $stack1, $stack2 and so on",
				"only the first %zu arguments are in registers", NR_REGISTERS);
	fprintf(to, "%%%s", registers[number - 1]);
	return 0;
}

/* Prints the value with a register for each "$argN", which tracefs does not know here. */
static int put_registers(FILE *to, const char *value, const char *type)
{
	bool is_text = !strcmp(type, "string") && *value == '$';
	const char *arg;
	char *end;
	int err = 0;

	if (is_text)
		fputs("+0(", to);
	for (; !err && (arg = strstr(value, "$arg")); value = end) {
		fprintf(to, "%.*s", (int)(arg - value), value);
		err = put_register(to, strtoul(arg + strlen("$arg"), &end, 10));
	}
	fprintf(to, "%s%s%s%s", value, is_text ? ")" : "", *type ? ":" : "", type);
	return err;
}

static int put_known(const struct grt_probe_spec *s, const struct grt_probe_arg *a, FILE *to)
{
	char value[16];

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(s->function, known[i].function) || strcmp(known[i].name, a->value))
			continue;
		snprintf(value, sizeof(value), "$arg%d", known[i].number);
		return put_registers(to, value, *a->type ? a->type : known[i].type);
	}
	return grt_fail(ENODATA, "name its number, $arg1, or its register, %di; for example bytes=$arg1:u64",
			"cannot find the argument '%s': '%s' does not name the arguments of '%s'", a->value,
			s->file, s->function);
}

static int put_of_file(const struct grt_probe_spec *s, const struct grt_probe_arg *a, FILE *to)
{
	return grt_probe_is_c(a->value) ? put_known(s, a, to) : put_registers(to, a->value, a->type);
}

/* --- functions of the kernel --- */

static bool is_char(const struct btf_type *type)
{
	return type && btf_is_int(type) && type->size == 1 && !(btf_int_encoding(type) & BTF_INT_BOOL);
}

/* Where the value is, with the offset that its type needs. */
static int fetch(const struct value *v, const char *member, char to[FETCH_BYTES])
{
	int len = v->is_memory ? snprintf(to, FETCH_BYTES, "+%u(%s)", v->bit / BITS_PER_BYTE, v->base) :
				 snprintf(to, FETCH_BYTES, "%s", v->base);

	return len < FETCH_BYTES ? 0 : grt_fail(EINVAL, NULL, "'%s' has too many members", member);
}

/* Moves to the member called @name, @len bytes long. */
static int enter(struct value *v, const struct btf *btf, const char *whole, const char *name, size_t len,
		 bool is_arrow)
{
	struct grt_types_member m;
	char base[FETCH_BYTES];

	if (is_arrow) {
		if (!v->type || !btf_is_ptr(v->type))
			return grt_fail(EINVAL, "a member of a struct is written with a dot",
					"in '%s', what stands before '->%.*s' is no pointer", whole, (int)len, name);
		if (fetch(v, whole, base))
			return -EINVAL;
		snprintf(v->base, sizeof(v->base), "%s", base);
		v->type = grt_types_resolve(btf, v->type->type);
		v->is_memory = true;
		v->bit = 0;
	} else if (!v->is_memory) {
		return grt_fail(EINVAL, "a member behind a pointer is written with ->",
				"in '%s', what stands before '.%.*s' is no struct", whole, (int)len, name);
	}
	if (grt_types_member(btf, v->type, name, len, &m))
		return grt_fail(EINVAL, "sudo bpftool btf dump file /sys/kernel/btf/vmlinux format c    # all structs",
				"'%.*s' is no member of the struct before it in '%s'", (int)len, name, whole);
	v->type = m.type;
	v->bit += m.bit;
	v->bits = m.bits;
	return 0;
}

/* The type as tracefs calls it; NULL: a value of this type does not fit in a field. */
static const char *type_of(const struct value *v, const struct btf *btf, char to[TYPE_BYTES])
{
	const struct btf_type *type = v->type;
	bool is_signed;

	if (!type)
		return NULL;
	if (btf_is_ptr(type))
		return "x64";
	if (btf_is_array(type) && v->is_memory && is_char(grt_types_resolve(btf, btf_array(type)->type)))
		return "string";
	if (!btf_is_int(type) && !btf_is_any_enum(type))
		return NULL;
	is_signed = btf_is_int(type) ? btf_int_encoding(type) & BTF_INT_SIGNED : BTF_INFO_KFLAG(type->info);
	if (v->bits)
		snprintf(to, TYPE_BYTES, "b%u@%u/%u", v->bits, v->bit % (type->size * BITS_PER_BYTE),
			 type->size * BITS_PER_BYTE);
	else if (type->size > sizeof(uint64_t))
		return NULL;
	else
		snprintf(to, TYPE_BYTES, "%c%u", is_signed ? 's' : 'u', type->size * BITS_PER_BYTE);
	return to;
}

/* A text is where a pointer points to. */
static int put_value(const struct value *v, const struct btf *btf, const struct grt_probe_arg *a, FILE *to)
{
	bool is_text = !strcmp(a->type, "string") || !strcmp(a->type, "ustring");
	struct value at = *v;
	char text[FETCH_BYTES], buf[TYPE_BYTES];
	const char *type = *a->type ? a->type : type_of(v, btf, buf);

	if (!type)
		return grt_fail(EINVAL, "name one of its members, or give a type: NAME:u64",
				"the value of '%s' does not fit in a field", a->value);
	/* A bit-field is counted from the start of its word. */
	if (v->bits)
		at.bit -= v->bit % (v->type->size * BITS_PER_BYTE);
	if (fetch(&at, a->value, text))
		return -EINVAL;
	if (is_text && v->type && btf_is_ptr(v->type))
		fprintf(to, "+0(%s):%s", text, type);
	else
		fprintf(to, "%s:%s", text, type);
	return 0;
}

static int fail_argument(const struct grt_probe_spec *s, const char *name, size_t len,
			 const struct btf *btf, const struct btf_type *function)
{
	char hint[512] = "it has no arguments";
	size_t at = 0;

	for (int i = 0; i < btf_vlen(function) && at < sizeof(hint); i++)
		at += snprintf(hint + at, sizeof(hint) - at, "%s%s", i ? ", " : "its arguments are ",
			       btf__name_by_offset(btf, btf_params(function)[i].name_off));
	return grt_fail(EINVAL, hint, "the function '%s' has no argument '%.*s'", s->function, (int)len, name);
}

static int put_c(const struct grt_probe_spec *s, const struct grt_types *types, const struct grt_probe_arg *a,
		 FILE *to)
{
	const char *at = a->value;
	size_t len = strcspn(at, "-.");
	const struct btf *btf;
	const struct btf_type *function = grt_types_function(types, s->function, &btf);
	struct value v = { .type = NULL };
	int err = 0, number = 0;
	bool is_arrow;

	if (!function)
		return grt_fail(ENOENT, "name the register instead, like %di",
				"the types of '%s' are not known, so '%s' is not, either", s->function, a->value);
	for (; number < btf_vlen(function); number++) {
		const char *name = btf__name_by_offset(btf, btf_params(function)[number].name_off);

		if (strlen(name) == len && !memcmp(name, at, len))
			break;
	}
	if (number == btf_vlen(function))
		return fail_argument(s, at, len, btf, function);
	v.type = grt_types_resolve(btf, btf_params(function)[number].type);
	snprintf(v.base, sizeof(v.base), "$arg%d", number + 1);
	for (at += len; !err && *at; at += len) {
		is_arrow = *at == '-';
		at += is_arrow ? strlen("->") : strlen(".");
		len = strcspn(at, "-.");
		err = enter(&v, btf, a->value, at, len, is_arrow);
	}
	return err ? err : put_value(&v, btf, a, to);
}

/* What a function returns, with its type if that is known. */
static void put_result(const struct grt_probe_spec *s, const struct grt_types *types, FILE *to)
{
	const struct btf *btf;
	const struct btf_type *function = types ? grt_types_function(types, s->function, &btf) : NULL;
	struct value v = { .type = function ? grt_types_resolve(btf, function->type) : NULL };
	char buf[TYPE_BYTES];
	const char *type = v.type ? type_of(&v, btf, buf) : NULL;

	fprintf(to, "$retval%s%s", type ? ":" : "", type ? type : "");
}

static int put_of_kernel(const struct grt_probe_spec *s, struct grt_types *types,
			 const struct grt_probe_arg *a, FILE *to)
{
	bool is_result = s->is_return && !*a->type && !strcmp(a->value, "$retval");
	int err = 0;

	if (!grt_probe_is_c(a->value) && !is_result) {
		fprintf(to, "%s%s%s", a->value, *a->type ? ":" : "", a->type);
		return 0;
	}
	if (s->is_return && !is_result)
		return grt_fail(EINVAL, "record $retval, or put another probe at the beginning",
				"when '%s' returns, its argument '%s' is not there any more", s->function, a->value);
	if (s->offset)
		return grt_fail(EINVAL, "name the register instead, like %di",
				"inside of '%s', it is not known where its argument '%s' is", s->function, a->value);
	if (!types->kernel)
		err = *s->module ? grt_types_load_driver(types, s->module) : grt_types_load(types);
	if (is_result)
		put_result(s, err ? NULL : types, to);
	else if (!err)
		err = put_c(s, types, a, to);
	return is_result ? 0 : err;
}

int grt_probe_args_print(const struct grt_probe_spec *s, char *to, size_t room)
{
	struct grt_types types = { .kernel = NULL };
	FILE *f = fmemopen(to, room, "w");
	int err = 0;

	if (!f)
		return grt_fail_memory();
	for (unsigned int i = 0; !err && i < s->nr_args; i++) {
		fprintf(f, " %s=", s->args[i].name);
		err = *s->file ? put_of_file(s, &s->args[i], f) : put_of_kernel(s, &types, &s->args[i], f);
	}
	grt_types_free(&types);
	/* Not all of it fits: the end of the text is missing. */
	if (fclose(f) && !err)
		err = grt_fail(EINVAL, NULL, "the values of '%s' need a line that is too long", s->function);
	return err;
}
