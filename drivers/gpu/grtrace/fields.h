/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Members of drivers' private structs: user space tells where they are.
 */
#ifndef _GRTRACE_FIELDS_H
#define _GRTRACE_FIELDS_H

#define GRT_FIELDS_MAX	32	/* of one adapter */

struct grtrace_adapter;

/* The driver of @adapter is gone: forgets where its members are.  No probe of it may run. */
void grt_fields_forget(struct grtrace_adapter *adapter);

#endif
