// SPDX-License-Identifier: GPL-2.0
/* What the user writes to ask for a probe. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <bpf/btf.h>

/* The kernel's types are those of make_types(). */
static struct btf *make_types(void);
static struct btf *no_types(const char *module, struct btf *kernel);
#define btf__load_vmlinux_btf	make_types
#define btf__load_module_btf	no_types

#include "../../capture/probe_args.c"
#include "../../capture/probe_spec.c"
#include "../../capture/types.c"

/* All parts of a spec in one line, to compare. */
static const char *describe(const struct grt_probe_spec *s)
{
	static char text[2048];
	size_t at = snprintf(text, sizeof(text), "%s|%s|%s|%s|%ju|%d", s->name, s->file, s->module, s->function,
			     (uintmax_t)s->offset, s->is_return);

	for (unsigned int i = 0; i < s->nr_args; i++)
		at += snprintf(text + at, sizeof(text) - at, " %s=%s:%s", s->args[i].name, s->args[i].value,
			       s->args[i].type);
	return text;
}

static const struct {
	const char *text;
	const char *parts;	/* as describe() prints them */
	const char *name;	/* of the event */
} good[] = {
	{ "vfs_read", "|||vfs_read|0|0", "vfs_read" },
	{ "  vfs_read\t count ", "|||vfs_read|0|0 count=count:", "vfs_read" },
	{ "vmwgfx:vmw_validate_single_buffer interruptible",
	  "||vmwgfx|vmw_validate_single_buffer|0|0 interruptible=interruptible:", "vmw_validate_single_buffer" },
	{ "vfs_read+0x10 %di", "|||vfs_read|16|0 di=%di:", "vfs_read_16" },
	{ "vfs_read%return $retval", "|||vfs_read|0|1 retval=$retval:", "vfs_read__return" },
	{ "read=vfs_read n=%dx:u32", "read|||vfs_read|0|0 n=%dx:u32", "read" },
	{ "f job->base.id other->id", "|||f|0|0 id=job->base.id: other_id=other->id:", "f" },
	{ "f +8(%di):u64 -8(%di):x64 @jiffies", "|||f|0|0 value1=+8(%di):u64 value2=-8(%di):x64 value3=@jiffies:", "f" },
	{ "f n=+0(+8(%di)):string", "|||f|0|0 n=+0(+8(%di)):string", "f" },
	{ "f a=%di:b4@2/32", "|||f|0|0 a=%di:b4@2/32", "f" },
	{ "drm_sched_main.isra.0", "|||drm_sched_main.isra.0|0|0", "drm_sched_main_isra_0" },
	{ "-x /lib/libc.so.6 malloc* bytes", "|/lib/libc.so.6||malloc*|0|0 bytes=bytes:", "malloc_" },
	{ "-x ./a.out ns::f", "|./a.out||ns::f|0|0", "ns__f" },
};

static void test_good(void **state)
{
	struct grt_probe_spec s;
	char name[GRT_PROBE_NAME];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_int_equal(grt_probe_spec_parse(&s, good[i].text), 0);
		assert_string_equal(describe(&s), good[i].parts);
		grt_probe_spec_name(&s, s.function, name);
		assert_string_equal(name, good[i].name);
	}
}

static const struct {
	const char *text, *cause;
} bad[] = {
	{ "", "without its function" },
	{ "-x", "without its file" },
	{ "-x /bin/true", "without its function" },
	{ ":vfs_read", "without its module" },
	{ "vmwgfx:", "without its function" },
	{ "vfs_*", "is no name of a function in the kernel" },
	{ "7up", "is no name of a function in the kernel" },
	{ "7up=vfs_read", "cannot be a name" },
	{ "all=-x", "is no name of a function" },
	{ "vfs_read+", "is no offset" },
	{ "vfs_read+-8", "is no offset" },
	{ "vfs_read+8%return", "does not fit behind an offset" },
	{ "vfs_read%entry", "is no place in a function" },
	{ "vfs_read job-", "the shell took the '>'" },
	{ "vfs_read job->", "is no argument" },
	{ "vfs_read job..id", "is no argument" },
	{ "vfs_read job;id", "is no argument" },
	{ "vfs_read id:", "without its type" },
	{ "vfs_read a=%di a=%si", "two values of a probe are called 'a'" },
	{ "vfs_read a a a a a a a a a a a a a a a a a", "two values" },
	{ "f a b c d e f g h i j k l m n o p q", "at most 16 values" },
	{ "-x /bin/true one=ma*", "cannot all be called 'one'" },
};

static void test_bad(void **state)
{
	struct grt_probe_spec s;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_not_equal(grt_probe_spec_parse(&s, bad[i].text), 0);
		if (!strstr(grt_cause(), bad[i].cause))
			fail_msg("'%s': %s", bad[i].text, grt_cause());
	}
}

/* Values of programs' functions, whose types are not known. */
static const struct {
	const char *text;
	const char *line;	/* NULL: refused */
} of_files[] = {
#if defined(__x86_64__)
	{ "-x /bin/true malloc bytes", " bytes=%di:u64" },
	{ "-x /bin/true malloc n=bytes:u32", " n=%di:u32" },
	{ "-x /bin/true open file", " file=+0(%di):string" },
	{ "-x /bin/true f $arg2:s32", " arg2=%si:s32" },
	{ "-x /bin/true f $arg2:string", " arg2=+0(%si):string" },
	{ "-x /bin/true f n=+8(+0($arg3)):u8", " n=+8(+0(%dx)):u8" },
	{ "-x /bin/true f $arg9", NULL },
#endif
	{ "-x /bin/true f %ax:u8 +8(%ax)", " ax=%ax:u8 value2=+8(%ax)" },
	{ "-x /bin/true f%return $retval", " retval=$retval" },
	{ "-x /bin/true malloc count", NULL },
	{ "-x /bin/true f bytes", NULL },
};

static void test_of_files(void **state)
{
	struct grt_probe_spec s;
	char line[GRT_PROBE_LINE];

	(void)state;
	for (size_t i = 0; i < sizeof(of_files) / sizeof(*of_files); i++) {
		assert_int_equal(grt_probe_spec_parse(&s, of_files[i].text), 0);
		assert_int_equal(!grt_probe_args_print(&s, line, sizeof(line)), !!of_files[i].line);
		if (of_files[i].line)
			assert_string_equal(line, of_files[i].line);
	}
}

static struct btf *no_types(const char *module, struct btf *kernel)
{
	(void)module;
	(void)kernel;
	return NULL;
}

static int pointer_to(struct btf *btf, int type)
{
	return btf__add_ptr(btf, btf__add_const(btf, type));
}

/*
 * struct ring { const char *name; u8 number; };
 * struct job { u64 id; char name[16]; struct ring *ring; u32 prio:4; union { s32 error; }; struct ring own; };
 * int run(struct job *job, s32 n, const char *text, struct ring by_value);
 */
static struct btf *make_types(void)
{
	struct btf *btf = btf__new_empty();
	int quad = btf__add_int(btf, "u64", 8, 0), letter = btf__add_int(btf, "char", 1, BTF_INT_CHAR);
	int byte = btf__add_int(btf, "u8", 1, 0), number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	int word = btf__add_typedef(btf, "u32", btf__add_int(btf, "unsigned int", 4, 0));
	int text = pointer_to(btf, letter), letters = btf__add_array(btf, quad, letter, 16), ring, job, either, proto;

	ring = btf__add_struct(btf, "ring", 16);
	btf__add_field(btf, "name", text, 0, 0);
	btf__add_field(btf, "number", byte, 64, 0);
	either = btf__add_union(btf, NULL, 4);
	btf__add_field(btf, "error", number, 0, 0);
	job = btf__add_struct(btf, "job", 56);
	btf__add_field(btf, "id", quad, 0, 0);
	btf__add_field(btf, "name", letters, 64, 0);
	btf__add_field(btf, "ring", job + 1, 192, 0);
	btf__add_field(btf, "prio", word, 260, 4);
	btf__add_field(btf, "", either, 288, 0);
	btf__add_field(btf, "own", ring, 320, 0);
	btf__add_ptr(btf, ring);
	job = pointer_to(btf, job);
	proto = btf__add_func_proto(btf, number);
	btf__add_func_param(btf, "job", job);
	btf__add_func_param(btf, "n", number);
	btf__add_func_param(btf, "text", text);
	btf__add_func_param(btf, "by_value", ring);
	btf__add_func(btf, "run", BTF_FUNC_STATIC, proto);
	return btf;
}

static const struct {
	const char *text;
	const char *line;	/* NULL: refused, and then the cause */
	const char *cause;
} of_kernel[] = {
	{ "run n", " n=$arg2:s32", NULL },
	{ "run n:u64", " n=$arg2:u64", NULL },
	{ "run job", " job=$arg1:x64", NULL },
	{ "run text:string", " text=+0($arg3):string", NULL },
	{ "run job->id", " id=+0($arg1):u64", NULL },
	{ "run job->name", " name=+8($arg1):string", NULL },
	{ "run job->ring->name:string", " name=+0(+0(+24($arg1))):string", NULL },
	{ "run job->ring->number", " number=+8(+24($arg1)):u8", NULL },
	{ "run job->own.number", " number=+48($arg1):u8", NULL },
	{ "run job->error", " error=+36($arg1):s32", NULL },
	{ "run job->prio", " prio=+32($arg1):b4@4/32", NULL },
	{ "run %di +8(%di):u64", " di=%di value2=+8(%di):u64", NULL },
	{ "run%return $retval", " retval=$retval:s32", NULL },
	{ "run%return $retval:u8", " retval=$retval:u8", NULL },
	{ "walk%return $retval", " retval=$retval", NULL },
	{ "run job.id", NULL, "is no struct" },
	{ "run n->id", NULL, "is no pointer" },
	{ "run job->own", NULL, "does not fit in a field" },
	{ "run job->size", NULL, "'size' is no member of the struct before it" },
	{ "run jobs", NULL, "has no argument 'jobs'" },
	{ "run+8 n", NULL, "inside of 'run'" },
	{ "run%return n", NULL, "is not there any more" },
	{ "walk n", NULL, "the types of 'walk' are not known" },
};

static void test_of_kernel(void **state)
{
	struct grt_probe_spec s;
	char line[GRT_PROBE_LINE];

	(void)state;
	for (size_t i = 0; i < sizeof(of_kernel) / sizeof(*of_kernel); i++) {
		assert_int_equal(grt_probe_spec_parse(&s, of_kernel[i].text), 0);
		if (!grt_probe_args_print(&s, line, sizeof(line))) {
			assert_non_null(of_kernel[i].line);
			assert_string_equal(line, of_kernel[i].line);
		} else if (of_kernel[i].line || !strstr(grt_cause(), of_kernel[i].cause)) {
			fail_msg("'%s': %s", of_kernel[i].text, grt_cause());
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_of_files),
		cmocka_unit_test(test_of_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
