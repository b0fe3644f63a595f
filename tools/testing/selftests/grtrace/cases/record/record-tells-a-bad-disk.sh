#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: on a disk that accepts data and then fails to store them, record and slice end with an error, and old files stay
# kernels: 6.1
# debug: no, it has neither loop nor ext4
# requires: mock grtrace
cd "$CASE_TMP" || exit
for module in loop crc32c_generic ext4; do
	modprobe $module || skip "this kernel has no module $module"
done
undo()
{
	umount "$CASE_TMP/mnt" 2>/dev/null
	losetup -d /dev/loop0 2>/dev/null
	umount "$CASE_TMP/img" 2>/dev/null
	rmmod ext4 loop 2>/dev/null
}
trap 'undo || :' EXIT
expect_status 0 grtrace record -q -o good.grt -- workload --scenario batch --jobs 200

# The file system believes in 16 MiB; there is room for less.
mkdir img mnt
mount -t tmpfs -o size=1m tmpfs img
truncate -s 16M img/disk
mke2fs -F img/disk >mke2fs.txt 2>&1 || fail "mke2fs: $(cat mke2fs.txt)"
losetup /dev/loop0 img/disk
mount -t ext4 /dev/loop0 mnt
echo precious >mnt/t.grt
echo precious >mnt/s.grt
sync
dd if=/dev/zero of=img/rest bs=4k 2>/dev/null && fail "the small disk has no end"

# refused COMMAND...
refused()
{
	expect_status 3 "$@"
	expect_eq "errors of $2" "$(grep '^grtrace:' out | grep -vc '^grtrace: warning:')" 1
	grep -q '^grtrace: cannot write .*: Input/output error' out || fail "$2: $(cat out)"
	grep -q '^hint: check the disk' out || fail "$2: $(cat out)"
}

refused grtrace record -q -o mnt/t.grt -- workload --scenario batch --jobs 200
expect_eq control "$(cat "$GRT_DIR/control")" stopped
cut=$(cd mnt && echo t-cut-*.grt)
grep -q "'mnt/t.grt' stays as it was; what was recorded is in 'mnt/$cut'" out || fail "$(cat out)"
refused grtrace slice --since 0 -o mnt/s.grt good.grt
expect_eq "files" "$(cd mnt && echo *.grt*)" "s.grt $cut t.grt"
echo 3 >/proc/sys/vm/drop_caches
expect_eq "what was there" "$(cat mnt/t.grt mnt/s.grt | paste -s -d ' ')" "precious precious"
