/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _GRTRACE_VERSION_H
#define _GRTRACE_VERSION_H

#define GRT_VERSION	"0.1"

#endif
