// SPDX-License-Identifier: GPL-2.0
#include "func_vars.h"

#include <errno.h>
#include <stdarg.h>

#include <bpf/btf.h>

#include "error.h"
#include "kernel_function.h"
#include "probe_spec.h"
#include "types.h"

static void print_part(void *to, const char *format, va_list args)
{
	vfprintf(to, format, args);
}

static int print_arguments(const struct btf *btf, const struct btf_type *function, FILE *to)
{
	struct btf_dump *dump = btf_dump__new(btf, print_part, to, NULL);

	if (!dump)
		return grt_fail_memory();
	for (int i = 0; i < btf_vlen(function); i++) {
		const struct btf_param *p = btf_params(function) + i;
		LIBBPF_OPTS(btf_dump_emit_type_decl_opts, opts,
			    .field_name = btf__name_by_offset(btf, p->name_off));

		/* The last one of a function with any number of arguments has neither name nor type. */
		if (p->type)
			btf_dump__emit_type_decl(dump, p->type, &opts);
		else
			fputs("...", to);
		fputc('\n', to);
	}
	btf_dump__free(dump);
	return 0;
}

int grt_func_vars_print(const char *text, FILE *to)
{
	struct grt_types types = { .kernel = NULL };
	const struct btf_type *function = NULL;
	struct grt_probe_spec spec;
	const struct btf *btf;
	int err = grt_probe_spec_parse(&spec, text);

	if (!err && *spec.file)
		err = grt_fail(EINVAL, "perf probe -x FILE --vars FUNCTION, with perf and debug information",
			       "the names of arguments are known for functions of the kernel only");
	if (!err)
		err = grt_kernel_function_find(&spec);
	if (!err)
		err = *spec.module ? grt_types_load_driver(&types, spec.module) : grt_types_load(&types);
	if (!err) {
		function = grt_types_function(&types, spec.function, &btf);
		err = function ? print_arguments(btf, function, to) :
		      grt_fail(ENOENT, "record registers, like %di", "the types of '%s' are not known",
			       spec.function);
	}
	grt_types_free(&types);
	return err;
}
