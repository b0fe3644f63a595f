#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: jobs of a process with more ancestors than a source looks at are not left out without a word
# kernels: 6.1
# requires: mock grtrace
# timeout: 240
need_module grtrace_filter
cd "$CASE_TMP" || exit 1
chmod 666 /dev/dri/renderD* 2>/dev/null || :

# deep N: a shell in a shell and so on, N times, and then jobs.
cat >deep <<'END'
if [ "$1" -gt 0 ]; then
	sh "$0" $(($1 - 1))
	exit
fi
workload --scenario mixed --jobs 5 --processes 1 >/dev/null
exit
END

# jobs_of DEPTH: records the jobs behind so many shells; prints how many there are
jobs_of()
{
	rm -f deep.grt
	grtrace record --source="$source" -q -F -c -o deep.grt -- sh ./deep "$1" 2>err || fail "$source: $(cat err)"
	grtrace report --jobs --all --format csv deep.grt | sed 1d | wc -l
}

for source in bpf module tracefs; do
	near=$(jobs_of 20)
	[ "$near" -gt 0 ] || fail "$source: no jobs behind 20 shells"
	if grep ancestors err; then
		fail "$source: a warning, although there are few ancestors"
	fi
	far=$(jobs_of 80)
	echo "$source: $near jobs behind 20 shells, $far behind 80"
	case $source in
	bpf)
		expect_eq "bpf: jobs behind 80 shells" "$far" 0
		grep -q 'may be missing: of a process, only 64 ancestors are compared' err || fail "bpf says nothing: $(cat err)"
		grtrace dump --definitions deep.grt | grep -q '\\nancestors_lost=[1-9]' || fail "bpf: no STATS of it" ;;
	module)
		expect_eq "module: jobs behind 80 shells" "$far" 0
		[ "$(sed -n 's/^events_refused_unknown=//p' "$GRT_DIR/filter_stats")" -gt 0 ] ||
			fail "the filter does not count them: $(cat "$GRT_DIR/filter_stats")" ;;
	tracefs)
		expect_eq "tracefs: jobs behind 80 shells" "$far" "$near" ;;
	esac
done
