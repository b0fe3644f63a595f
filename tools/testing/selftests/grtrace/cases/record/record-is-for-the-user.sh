#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: behind sudo, record and extract make their files with the user's rights and run the command with them, but use the module as root
# kernels: 6.1
# requires: mock grtrace
chmod 711 "$CASE_TMP"
cd "$CASE_TMP" || exit
mkdir home
chown 65534:65534 home
# Traps that a user may set up for record.
echo "precious" >victim
chmod 600 victim
ln -s .. home/up
as_sudo() { SUDO_UID=65534 SUDO_GID=65534 "$@"; }
owner() { command stat -c %u:%g:%a "$1"; }

as_sudo expect_status 0 grtrace record -q -o home/t.grt -- sh -c \
	'id -u; grep -E "^(CapEff|Groups):" /proc/self/status; workload --jobs 20 >/dev/null 2>&1 || echo no GPU'
expect_eq "owner of the file" "$(owner home/t.grt)" 65534:65534:600
expect_eq "the command's user" "$(sed -n 1p out)" 65534
grep -q '^CapEff:[[:space:]]*0*$' out || fail "the command has rights: $(cat out)"
expect_eq control "$(cat "$GRT_DIR/control")" stopped

workload --scenario batch --jobs 800 >workload.txt 2>&1 &
as_sudo expect_status 0 grtrace record -q --rotate 64K -o home/r.grt -d 3
[ -e home/r-0002.grt ] || fail "only one file, so this run proves nothing: $(ls home)"
for file in home/r-*.grt; do
	expect_eq "owner of $file" "$(owner "$file")" 65534:65534:600
done

session_start
mock_run_jobs 20
session_stop
for name in victim home/up/x.conf; do
	as_sudo expect_status 3 grtrace extract -o $name
	grep -q 'Permission denied' out || fail "$name: $(cat out)"
done
[ "$(stat unread_bytes)" -gt 0 ] || fail "what could not be written is gone"
as_sudo expect_status 0 grtrace extract -q -o home/e.grt
expect_eq "owner of what was extracted" "$(owner home/e.grt)" 65534:65534:600

# The folder and the name change under record's feet.
mkdir home/real
chown 65534:65534 home/real
cat >race.sh <<'RACE'
cd home
while :; do
	ln -sfn .. cur; ln -sfn real cur
	ln -s ../../victim real/victim; rm -f real/victim
	mkfifo real/victim; rm -f real/victim
done
RACE
chmod 644 race.sh
su -s /bin/sh nobody -c 'exec sh race.sh' 2>/dev/null &
racer=$!
trap 'kill $racer 2>/dev/null || :' EXIT
for name in home/real/victim home/cur/victim; do
	for _ in 1 2 3 4 5 6; do
		as_sudo timeout -s KILL 20 grtrace record -q -o $name -d 10ms >out 2>&1 || [ $? -eq 3 ] ||
			fail "$name: $(cat out)"
	done
done
kill $racer
expect_eq "the victim" "$(cat victim) $(owner victim)" "precious 0:0:600"
expect_eq control "$(cat "$GRT_DIR/control")" stopped
