#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the module's queue of sub-buffers keeps its order on any machine, and the test notices a missing barrier
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# The plain build is needed, because two sanitizers do not work together.
case $build in
*/asan)	echo "1..0 # SKIP the plain build is tested"; exit 0 ;;
esac

top=$tools/../..
queue=$top/drivers/gpu/grtrace/transport/queue.h

# race FOLDER: runs the race with the queue.h in FOLDER
race()
{
	${CC:-gcc} -std=gnu11 -O1 -g -fsanitize=thread -pthread "-I$1" -I"$tools/test/unit/kernel" \
		-I"$top/include" -I"$top/include/uapi" -o race "$tools/test/make/fixture-queue.c" > out 2> err || return 9
	# its address space has no room for libtsan where it is laid out at random
	setarch -R ./race > out 2> err
}

# weak SED-SCRIPT: runs the race with one barrier removed
weak()
{
	mkdir -p weak
	sed "$1" "$queue" > weak/queue.h
	! cmp -s "$queue" weak/queue.h && ! race weak && grep -q 'data race' err
}

ok "the CPU and its reader never race" race "${queue%/*}"
ok "a count that is stored without release is seen" \
	weak 's/smp_store_release(&q->produced, q->produced + 1)/q->produced++/'
ok "a count that is loaded without acquire is seen" \
	weak 's/smp_load_acquire(&q->produced)/__atomic_load_n(\&q->produced, __ATOMIC_RELAXED)/'
ok "room that is given back without release is seen" \
	weak 's/smp_store_release(&q->consumed, q->consumed + 1)/__atomic_store_n(\&q->consumed, q->consumed + 1, __ATOMIC_RELAXED)/'
ok "room that is taken without acquire is seen" \
	weak 's/smp_load_acquire(&q->consumed)/__atomic_load_n(\&q->consumed, __ATOMIC_RELAXED)/'
end
