#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: under sudo, files that a user names are read with the rights of that user
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

if [ "$(id -u)" -ne 0 ]; then
	echo "1..0 # SKIP needs root, which sudo gives"
	exit 0
fi
chmod 755 . && echo 'root:*:20228:0:secret' > shadow && cp "$golden/import/sched-617.txt" text &&
	"$gen" grt 3 300 trace.grt && "$gen" dat small > trace.dat && gzip -k text || exit 1
cp text open-text && cp trace.grt open.grt && cp text.gz open.gz && echo 'rule slow total > 1 ms' > rules || exit 1
chmod 600 shadow text text.gz trace.grt trace.dat && chmod 644 open-text open.grt open.gz rules || exit 1
export SUDO_UID=65534 SUDO_GID=65534

refused()	# file, then the command: it says no word of the file
{
	file=$1
	shift
	"$@" > out 2> err
	[ $? -ge 2 ] && grep -q "'$file'.*Permission denied" err && ! grep -q -e secret -e 20228 -e painter out err
}

ok "ioctls"			refused shadow "$grtrace" merge --cpu shadow --gpu open.grt
ok "the trace of a timeline"	refused shadow "$grtrace" merge --cpu open-text --gpu shadow
ok "rules"			refused shadow "$grtrace" report --rules shadow open.grt
for command in report dump verify repair import timeline "timeline --list" diff slice "export --to csv"; do
	# shellcheck disable=SC2086	# words
	case $command in
	diff) set -- diff shadow open.grt ;;
	slice) set -- slice --until 1ms shadow ;;
	*)    set -- $command shadow ;;
	esac
	ok "$command"		refused shadow "$grtrace" "$@"
done
ok "a text of root"		refused text "$grtrace" report text
ok "says how to read it"	grep -q "^hint: .*sudo cat FILE | grtrace report -" err
ok "a packed one"		refused text.gz "$grtrace" report text.gz
ok "which works"		sh -c "cat text | '$grtrace' report - > out 2> err"
ok "a trace of root is read"	run 0 "$grtrace" report trace.grt
ok "also that of trace-cmd"	run 0 "$grtrace" report trace.dat
for file in open-text open.grt open.gz; do
	ok "$file of the user"	run 0 "$grtrace" report "$file"
done
ok "rules of the user"		sh -c "'$grtrace' report --rules rules open.grt > out 2> err; ! grep -q Permission err"
ok "no pairs over another file" sh -c "! '$grtrace' merge --guest open.grt --host open.grt --pairs shadow > out 2> err && grep -q secret shadow"
end
