// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "describe.h"

#define ONE(...) + 1

static void test_every_type(void **state)
{
	(void)state;
#define CHECK(NAME, st_, nr, class_, text_) {					\
		const struct grt_type *t = grt_type_by_number(nr);		\
										\
		assert_non_null(t);						\
		assert_int_equal(t->number, nr);				\
		assert_string_equal(t->name, #NAME);				\
		assert_string_equal(t->st, #st_);				\
		assert_string_equal(t->text, text_);				\
		assert_int_equal(t->bytes, sizeof(struct grtrace_##st_));	\
		assert_int_equal(t->class, GRT_CLASS_##class_);			\
		assert_ptr_equal(grt_type_by_name(#NAME), t);			\
		assert_ptr_equal(grt_type_by_name(#st_), t);			\
	}
	GRTRACE_TYPES(CHECK)
	assert_int_equal(grt_nr_types, 0 GRTRACE_TYPES(ONE));
}

static void test_every_field(void **state)
{
	unsigned int count = 0;

	(void)state;
#define FIELD(ev, member, at, kind_, unit_, text_) {				\
		const struct grt_type *t = grt_type_by_name(#ev);		\
		const struct grt_field *f = grt_field_by_name(t, #member);	\
										\
		assert_non_null(f);						\
		assert_int_equal(f->offset, at);				\
		assert_int_equal(f->bytes, sizeof(((struct grtrace_##ev *)0)->member)); \
		assert_int_equal(f->kind, GRT_KIND_##kind_);			\
		assert_int_equal(f->unit, GRT_UNIT_##unit_);			\
		assert_string_equal(f->text, text_);				\
		count++;							\
	}
#define LIST(ev, FIELDS) FIELDS(FIELD)
	GRTRACE_FIELD_LISTS(LIST)
	for (size_t i = 0; i < grt_nr_types; i++)
		count -= grt_types[i].nr_fields;
	assert_int_equal(count, 0);
}

/* Fields follow one another without holes: they describe every byte of a record. */
static void test_no_holes(void **state)
{
	(void)state;
	for (size_t i = 0; i < grt_nr_types; i++) {
		unsigned int at = sizeof(struct grtrace_hdr);

		for (unsigned int j = 0; j < grt_types[i].nr_fields; j++) {
			assert_int_equal(grt_types[i].fields[j].offset, at);
			at += grt_types[i].fields[j].bytes;
		}
		assert_int_equal(at, grt_types[i].bytes);
	}
}

static void test_unknown(void **state)
{
	(void)state;
	assert_null(grt_type_by_number(GRTRACE_NR_EVENTS));
	assert_null(grt_type_by_number(GRTRACE_STREAM_BASE - 1));
	assert_null(grt_type_by_number(0xff10));
	assert_null(grt_type_by_number(0xffff));
	assert_null(grt_type_by_name("SUBMI"));
	assert_null(grt_type_by_name(""));
	assert_null(grt_field_by_name(grt_type_by_name("submit"), "status"));
	assert_null(grt_value_name(&grt_flags, 99));
}

static void test_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < grt_nr_types; i++)
		for (unsigned int j = 0; j < grt_types[i].nr_fields; j++) {
			const struct grt_field *f = &grt_types[i].fields[j];
			const struct grt_table *values = grt_field_enum(f);

			assert_non_null(grt_kind_names[f->kind]);
			assert_non_null(grt_unit_names[f->unit]);
			if (values)
				assert_string_equal(values->name, grt_kind_names[f->kind]);
		}
	assert_string_equal(grt_value_name(&grt_enums[GRT_KIND_FATE - GRT_KIND_ENGINE],
					   GRTRACE_FATE_BUFFER_FULL), "BUFFER_FULL");
	assert_string_equal(grt_type_tail(grt_type_by_name("mark"))->name, "text");
	assert_null(grt_type_tail(grt_type_by_name("submit")));
}

static void test_values(void **state)
{
	struct grtrace_complete c = { .hdr.size = sizeof(c), .ctx = ~0ull, .status = -110 };
	const struct grt_type *t = grt_type_by_number(GRTRACE_COMPLETE);

	(void)state;
	assert_true(grt_field_u64(grt_field_by_name(t, "ctx"), &c) == ~0ull);
	assert_true((int64_t)grt_field_u64(grt_field_by_name(t, "status"), &c) == -110);
	c.status = 7;
	assert_int_equal(grt_field_u64(grt_field_by_name(t, "status"), &c), 7);
}

static void test_texts(void **state)
{
	struct grtrace_process p = { .hdr.size = sizeof(p), .comm = "0123456789abcdef" };
	struct { struct grtrace_mark m; char text[16]; } mark = { .text = "hello" };
	const struct grt_type *process = grt_type_by_number(GRTRACE_PROCESS);
	size_t bytes;

	(void)state;
	/* A name that fills its field has no NUL behind it. */
	grt_field_text(process, grt_field_by_name(process, "comm"), &p.hdr, &bytes);
	assert_int_equal(bytes, 16);
	mark.m.hdr.size = sizeof(mark);
	assert_memory_equal(grt_field_text(grt_type_by_number(GRTRACE_MARK), NULL,
					   &mark.m.hdr, &bytes), "hello", 5);
	assert_int_equal(bytes, 5);
	mark.m.hdr.size = sizeof(mark.m);
	grt_field_text(grt_type_by_number(GRTRACE_MARK), NULL, &mark.m.hdr, &bytes);
	assert_int_equal(bytes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_type),
		cmocka_unit_test(test_every_field),
		cmocka_unit_test(test_no_holes),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests_name("describe", tests, NULL, NULL);
}
