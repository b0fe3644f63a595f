/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _GRTRACE_VERSION_H
#define _GRTRACE_VERSION_H

#define GRT_VERSION	"0.1"
/* Of what a rule may say (policy/rule.h), and what its stages mean; each change counts. */
#define GRT_RULES_VERSION	1

#endif
