#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# i915 with its low-level tracepoints: requests have START and END, and engines CTX_SWITCH, as ftrace
# has them.  Debian's i915 lacks these tracepoints, so it is built from the source of kernel 6.1.
set -uo pipefail
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../../vm/lib.sh"
# shellcheck source-path=SCRIPTDIR
. "$(dirname -- "$0")/../tap.sh"

build() { module=$("$GRT_VM/i915") && cp "$module" "$GRT_SELFTESTS/t/soak/i915-low-level.sh" "$work"; }

# shellcheck disable=SC2016	# for the guest's shell
in_guest()
{
	"$GRT_VM/run" --kernel 6.1 --gpu none --with i915 --mem 1500 --share "$work" -- \
		'export CASE_TMP=/tmp; sh -eu -c ". \"\$0/lib.sh\"; . /share/i915-low-level.sh" /grtrace/cases'
}

check "i915 is built with its low-level tracepoints" build
check "START, END and CTX_SWITCH are those of ftrace, from the module and from tracefs" in_guest
sed 's/^/# /' "$work/out"
end
