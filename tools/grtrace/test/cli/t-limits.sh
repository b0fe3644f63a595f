#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: what has no room in a table is told, and a text that is too long is an error
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

export LC_ALL=C.UTF-8 GRTRACE_DIR="$dir/debugfs"
scale=$build/test/make/gen-scale

# More rings than the picture has lanes, which are 128.
"$scale" rings 140 rings || exit 1
ok "a picture of many rings"		run 0 "$grtrace" timeline rings
ok "tells how many are missing"		grep -q "12 more rings are not drawn" out
ok "a table of its cells"		run 0 "$grtrace" timeline -f csv rings
ok "tells it, too"			grep -q "^grtrace: warning: 12 more rings are left out: there is room for 128" err
rows_of_rings() { [ "$(awk -F, 'NR > 1 && !seen[$4]++ { n++ } END { print n }' out)" = 128 ]; }
ok "and has the others"			rows_of_rings
ok "one of them is drawn alone"		run 0 "$grtrace" timeline --ring 140 rings
ok "without such a line"		sh -c '! grep "more rings" out'

# Counters of the module that are longer than any reader has room for: their end would be a cut number.
mkdir "$GRTRACE_DIR"
echo 0 > "$GRTRACE_DIR/enabled"
echo stopped > "$GRTRACE_DIR/control"
printf 'buffer_size=4194304\n' > "$GRTRACE_DIR/config"
printf 'version=1\nformat_version=1\n' > "$GRTRACE_DIR/version"
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "counter_%04d=1234567890\n", i }' > "$GRTRACE_DIR/stats"
ok "counters that are too long"		complains 3 "stats has 16383 bytes or more" "report this as a bug" "$grtrace" status
head -n 600 "$GRTRACE_DIR/stats" > some && cp some "$GRTRACE_DIR/stats"
ok "long ones are read"			run 0 "$grtrace" status
end
