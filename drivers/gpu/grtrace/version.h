/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _GRTRACE_VERSION_H
#define _GRTRACE_VERSION_H

#define GRT_VERSION	"1.0.0"
/* Version of the rule syntax and of the meaning of its metrics (policy/rule.h). */
#define GRT_RULES_VERSION	2

#endif
