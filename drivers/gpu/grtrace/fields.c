// SPDX-License-Identifier: GPL-2.0
/*
 * Members of drivers' private structs.
 */
#include <linux/export.h>
#include <linux/grtrace.h>
#include <linux/uaccess.h>

#include "fields.h"

bool grtrace_field_read(const struct grtrace_field *field, const void *object, void *to)
{
	u16 offset = READ_ONCE(field->offset);

	return offset != GRTRACE_NO_OFFSET &&
	       !copy_from_kernel_nofault(to, object + offset, field->bytes);
}
EXPORT_SYMBOL_GPL(grtrace_field_read);

u32 grtrace_field_u32(const struct grtrace_field *field, const void *object)
{
	u16 offset = READ_ONCE(field->offset);
	u32 number;

	if (offset == GRTRACE_NO_OFFSET)
		return 0;
	pagefault_disable();
	__get_kernel_nofault(&number, object + offset, u32, fault);
	pagefault_enable();
	return number;
fault:
	pagefault_enable();
	return 0;
}
EXPORT_SYMBOL_GPL(grtrace_field_u32);

u64 grtrace_field_u64(const struct grtrace_field *field, const void *object)
{
	u64 number;

	return object && grtrace_field_read(field, object, &number) ? number : 0;
}
EXPORT_SYMBOL_GPL(grtrace_field_u64);

void grt_fields_forget(struct grtrace_adapter *adapter)
{
	unsigned int i;

	for (i = 0; i < adapter->nr_fields; i++)
		WRITE_ONCE(adapter->fields[i].offset, GRTRACE_NO_OFFSET);
}
