#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All of drivers/gpu/grtrace also compiles as a part of the kernel itself, without a module around
# it and with one name space for all. Uses the headers of 6.1; in-tree.t does it with Kconfig.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

readonly options=(CONFIG_GRTRACE{,_DRM_BRIDGE,_CPU,_AGGREGATOR,_SAMPLING,_FILTER,_PERF_MON,_MOCK})
out=$GRTRACE_BUILD/built-in folder=$GRTRACE_BUILD/built-in/drivers/gpu/grtrace
build()	# MAKE-ARGUMENT...
{
	"$GRT_ROOT/scripts/build-modules" -f -W "$out" "$KSOURCE" "$KOBJ" CC=gcc-12 \
		CONFIG_CC_HAS_MIN_FUNCTION_ALIGNMENT= CONFIG_DEBUG_INFO= "$@"
}

compile()
{
	local places
	places=$("$GRT_VM/kernel" 6.1) || return
	eval "$places"
	rm -f "$folder/built-in.a"
	build built-in.a "${options[@]/%/=y}" && [ -s "$folder/built-in.a" ]
}

link_all() { ld -r -o "$folder/all.o" --whole-archive "$folder/built-in.a"; }

# The init function of each option, as the kernel calls it at boot.
begins()
{
	nm "$folder/all.o" | grep -oE '__initcall__kmod_[a-z_]+' | sort -u
	[ "$(nm "$folder/all.o" | grep -c '__initcall__kmod_')" -eq ${#options[@]} ]
}

# calls WANTED DEFINE...: checks how often a driver that is compiled with these options calls
# grtrace
calls()
{
	local wanted=$1 cnt name
	shift
	mkdir -p "$folder"
	{
		echo '#undef GRTRACE_OUT_OF_TREE'
		for name; do printf '#undef %s\n#define %s 1\n' "$name" "$name"; done
		cat <<-'END'
		#include <linux/grtrace.h>
		void driver_submits(const struct grtrace_job_info *job);
		void driver_submits(const struct grtrace_job_info *job)
		{
			grtrace_submit(job);
		}
		END
	} >"$folder/driver.c"
	rm -f "$folder/driver.o"
	build driver.o || return
	cnt=$(nm "$folder/driver.o" | grep -c ' U grtrace_submit$')
	echo "it calls $cnt times, not $wanted"
	[ "$cnt" = "$wanted" ]
}

check "everything compiles as part of the kernel" compile
check "no name is there twice" link_all
check "each part is begun by the kernel" begins
check "a driver that is built in calls grtrace that is, too" calls 1 CONFIG_GRTRACE
check "a module calls grtrace that is a module" calls 1 CONFIG_GRTRACE_MODULE MODULE
check "a driver that is built in calls no module" calls 0 CONFIG_GRTRACE_MODULE
check "nobody calls what is not there" calls 0
rm -f "$folder/driver.c" "$folder/driver.o"
end
