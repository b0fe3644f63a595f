# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by the scripts in vm/: paths, variables of the environment, and error messages. Sourced,
# never run.

GRT_VM=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
GRT_SELFTESTS=$(dirname -- "$GRT_VM")
GRT_ROOT=$(cd -- "$GRT_VM/../../../../.." && pwd)

# --- every variable of the environment that the user may set ---------------
: "${GRTRACE_BUILD:=$GRT_ROOT/build}"	# build results, one folder per kernel
: "${GRTRACE_CACHE:=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/grtrace}"
: "${GRTRACE_QEMU:=}"			# empty: as vm/emulator says
: "${GRTRACE_ACCEL:=}"			# empty: as vm/accelerator says
: "${GRTRACE_JOBS:=$(nproc)}"		# make -j
: "${GRTRACE_KEEP_GOING:=}"		# 1: start a guest without the programs that do not build
: "${GRTRACE_OURS:=}"			# 1: this tree's modules also where the kernel has grtrace
: "${GRTRACE_IS_BUILT:=}"		# 1: vm/build was run, and nothing has changed since
: "${GRTRACE_CASES:=$GRT_SELFTESTS/cases}"	# test cases and their runner
# ---------------------------------------------------------------------------

# Exit codes of the harness itself; vm/run -h explains them.
# shellcheck disable=SC2034	# for the scripts that source this
VM_WARNED=121 VM_PANICKED=122 VM_DIED=123 VM_TIMEOUT=124 VM_SETUP=125

GRT_ME=vm/$(basename -- "$0")

# Whether a kernel of vm/kernels, or a release, is for a machine that is not this one
is_arm64() { [[ $1 == *arm64 ]]; }
# Before the names of the programs that compile for it
# shellcheck disable=SC2034	# likewise
arm64_tools=aarch64-linux-gnu-

note() { printf '%s\n' "$*" >&2; }

# fail_with CODE MESSAGE [HINT]
fail_with()
{
	printf '%s: %s\n' "$GRT_ME" "$2" >&2
	[ -z "${3-}" ] || printf 'hint: %s\n' "$3" >&2
	exit "$1"
}

die() { fail_with "$VM_SETUP" "$@"; }
usage_error() { fail_with 2 "$1" "$GRT_ME -h"; }

need_program()
{
	command -v "$1" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null ||
		die "'$1' is not installed" "sudo apt-get install ${2:-$1}"
}

# step TEXT COMMAND...: one progress line; the command's output only if it fails
step()
{
	local text=$1 log start=$EPOCHREALTIME rc=0
	shift
	log=$(mktemp)
	"$@" >"$log" 2>&1 || rc=$?
	if [ "$rc" -ne 0 ]; then
		sed 's/^/  /' "$log" >&2
		note "$text ... FAILED"
	else
		note "$text ... $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }')"
	fi
	rm -f "$log"
	return "$rc"
}
