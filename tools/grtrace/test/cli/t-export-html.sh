#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# description: the HTML page shows what report says, in a browser, offline
# Tests call these functions through ok().
# shellcheck disable=SC2317
# shellcheck source=SCRIPTDIR/tap.sh
. "$(dirname "$0")/tap.sh"

# A user who is root needs --no-sandbox; nothing is to be looked up in a network.
browser()	# page
{
	timeout -k 10 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-sync \
		--disable-background-networking --disable-component-update --user-data-dir="$PWD/browser" \
		--enable-logging=stderr --virtual-time-budget=60000 --dump-dom "$1" 2> browser.err
}

# ask PAGE: appends a script to a copy of the page, which prints lines into it; prints these lines.
# The script has the functions of the page as grtrace.
ask()
{
	{
		cat "$1"
		printf '<script>(async () => { const lines = []; const put = (...words) => lines.push(words.join(" "));\n'
		printf 'while (!window.grtrace) await new Promise(r => setTimeout(r, 20)); const g = grtrace;\n'
		cat
		printf '; const pre = document.createElement("pre"); pre.id = "answer"; pre.textContent = lines.join("\\n");\n'
		printf 'document.body.append(pre); })().catch(e => console.error(e));</script>\n'
	} > asked.html
	browser "file://$PWD/asked.html" > dom && ! grep -q CONSOLE browser.err || return 1
	sed -n '/<pre id="answer">/,/<\/pre>/p' dom |
		sed 's/.*<pre id="answer">//; s/<\/pre>.*//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' > answer
	[ -s answer ]
}

# What the page says of all jobs, in its tables and on its first screen.
look()
{
	ask page.html <<-'END'
		for (let n = 0; n < g.jobs.count; n++) {
			const ref = await g.jobs.get(n), short = await g.inShort(ref), chain = await g.chainOf(ref);
			const say = (...words) => put("why", ref.block.key(ref.i), ...words);
			for (const l of short.lines)
				say(g.formatTime(l.ns, l.isBound), Number.isNaN(short.total) ? "" : g.formatShare(l.ns, short.total), l.words);
			if (short.note)
				say(short.note);
			if (chain.hops.length)
				say("CHAIN");
			for (const hop of chain.hops)
				say(await g.hopWords(hop));
			if (chain.hasMore)
				say("and so on");
		}
		for (const tab of document.querySelectorAll("[role=tab]"))
			if (tab.id !== "tab-jobs")
				tab.click();
		for (const name of ["time", "idle", "blame", "roots", "results"])
			for (const row of document.querySelectorAll(`#table-${name} tbody tr`))
				put(name, [...row.cells].filter(c => c.matches(".n:not(:has(.meter))")).map(c => c.dataset.value)
					.filter(v => /^[0-9.-]+$/.test(v)).map(Number).sort((a, b) => a - b).join(" "));
		for (const row of document.querySelectorAll("#table-processes tbody tr"))
			put("processes", [...row.cells].filter(c => c.classList.contains("n")).map(c => c.dataset.value)
				.filter(v => /^[0-9.-]+$/.test(v)).map(Number).sort((a, b) => a - b).join(" "));
		for (const line of document.getElementById("screen").textContent.split("\n"))
			put("screen", line);
	END
}

# The same from report --why: each line of the short answers, and of the chains.
whys()		# trace
{
	"$grtrace" report -j -f json "$1" 2> err | jq -r '"\(.ctx):\(.seqno)"' | while read -r key; do
		"$grtrace" report --why "$key" "$1" 2> err | sed -n '/^IN SHORT/,$p' | sed "1d; /^hint:/d; s/^/why $key /"
	done
}

# Every number of a table of the page is that of the report, in its row.  Keys of jobs are texts there,
# and shares are made from two of these numbers.
numbers()	# trace
{
	"$grtrace" report -f json --blame --idle --roots --per-process --hist lat,result "$1" 2> err > report.json || return 1
	jq -r '
		def row($name): [.[] | numbers] | sort | [$name] + map(tostring) | join(" ");
		. as $all | ("time", "idle", "blame", "roots", "results") as $name | $all[$name][]? |
			with_entries(select(.key | test("^(pid|by_pid|worst_ctx|worst_seqno|ctx|seqno|client_id|by_client_id|share)$") | not)) |
			row($name)' report.json
	jq -r '.processes[]? | [.jobs, .failed, .killed, .cut, .stages.t_exec.sum_ns, .stages.total.p50_ns, .stages.total.p90_ns,
		.stages.total.p99_ns, .stages.total.max_ns] | map(numbers) | sort | ["processes"] + map(tostring) | join(" ")' report.json
}

# Lines without their blanks, sorted: equal times may stand in another order.
lines() { sed 's/  */ /g; s/ $//; s/^ //; /^$/d' | sort; }

says_what_report_says()	# trace
{
	"$grtrace" export --to html -o page.html "$1" > out 2> err && look || return 1
	grep -v '^screen' answer | lines > page.txt
	{ whys "$1"; numbers "$1"; } | lines > report.txt
	[ -s report.txt ] && diff page.txt report.txt > err || return 1
	sed -n 's/^screen//p' answer | lines > page.txt
	COLUMNS=110 "$grtrace" report "$1" 2> /dev/null | lines > report.txt
	diff page.txt report.txt > err
}

alone()		# nothing is loaded from anywhere
{
	"$grtrace" export --to html -o page.html "$1" 2> err &&
		grep -q "default-src 'none'" page.html && ! grep -qiE '(src|href)="?(https?:)?//|@import|url\(' page.html
}

# A job by its link: the page shows its chain.
link()
{
	"$grtrace" export --to html -o page.html "$1" 2> err || return 1
	browser "file://$PWD/page.html#$2" > dom && ! grep -q CONSOLE browser.err &&
		grep -q "<h2 id=\"job-key\">$2</h2>" dom && grep -q 'which HUNG' dom
}

# Names from a trace never become markup, and the page says the same as the report.
harmless()
{
	for trace in "$golden"/names/*.grt; do
		"$grtrace" export --to html -o page.html "$trace" 2> err || return 1
		ask page.html <<-'END' || return 1
			for (const tab of document.querySelectorAll("[role=tab]"))
				tab.click();
			put(document.querySelectorAll("script:not([type])").length, document.querySelectorAll("img, iframe, object, svg").length);
		END
		[ "$(cat answer)" = "2 0" ] || return 1
	done
}

empty()
{
	: > empty.raw
	"$gen" example 0 > example.raw && "$grtrace" export --to html -o page.html --since 0s --until 1ns example.raw 2> err || return 1
	ask page.html <<-'END'
		put("jobs", g.jobs.count);
	END
}

ok "Chromium is installed"		sh -c 'command -v chromium > /dev/null'
for scene in $("$gen" scenes | cut -d' ' -f1); do
	has_turn || continue
	"$gen" scene "$scene" "$scene.grt" 2> err || "$gen" scene "$scene" > "$scene.grt"
	ok "$scene: jobs, tables and screen"	says_what_report_says "$scene.grt"
done
"$gen" pair pair.grt
"$gen" scene story-hang story-hang.grt 2> err || "$gen" scene story-hang > story-hang.grt
ok "two passes over a larger trace"	says_what_report_says pair.grt
# What is drawn of clocks, power and temperature, with the words of a tip: lane, from, to, tip; in ms.
drawn()
{
	"$grtrace" export --to html -o page.html "$1" 2> err && ask page.html <<-'END'
		const { lanes } = g, width = 1000, pixels = new g.Pixels(width, lanes.height);
		lanes.draw(pixels, { from: 0, to: 10e9, labelScale: 0 }, 1);
		for (const row of lanes.rows.filter(r => r.kind === "gauge"))
			for (const box of lanes.boxes.filter(b => b.gauge && row.gauge.values.includes(b.gauge)))
				put(row.title ?? "-", row.band, Math.round(box.x0 / width * 100) / 10, Math.round(box.x1 / width * 100) / 10, g.tipOf(box));
	END
}
# Worked out by hand from the scene, whose comment says what there is; the view has ten seconds.
expected='compute MHz 5 10 frequency 300 MHz
GPU MHz 1 2 frequency 1000 MHz
GPU MHz 2 4 frequency 2000 MHz
GPU MHz 6 8 frequency 500 MHz
- memory clock, MHz 3 7 memory clock 875 MHz
- power, W 1 5 power 40.0 W
- power, W 5 10 power 80.0 W
- temperature, °C 0 9 temperature 61.0 °C
- temperature, °C 9 10 temperature -2.5 °C'
"$gen" scene gauges gauges.grt
ok "clocks, power and temperature"	drawn gauges.grt
ok "as long as they are known"		[ "$(cat answer)" = "$expected" ]
# The lane of a display, with the words of its tips.  A blank is where the hardware began it, 0.1 ms before its record.
blanks()
{
	"$grtrace" export --to html -o page.html "$1" 2> err && ask page.html <<-'END'
		const { lanes } = g, width = 10000, pixels = new g.Pixels(width, lanes.height);
		lanes.draw(pixels, { from: 0, to: 50e6, labelScale: 0 }, 1);
		for (const row of lanes.rows.filter(r => r.kind === "vblank"))
			for (const box of lanes.boxes.filter(b => b.event && row.crtc.kinds.flat().includes(b.event)))
				put(row.title, Math.round((box.x0 + 3) / width * 500) / 10, g.tipOf(box));
	END
}
seen='CRTC 0 9.9 vertical blank 2 of CRTC 0
CRTC 0 19.9 vertical blank 3 of CRTC 0
CRTC 0 39.9 vertical blank 5 of CRTC 0
CRTC 0 49.9 vertical blank 6 of CRTC 0
CRTC 0 2 client 5 asks to be told of vertical blank 2 of CRTC 0
CRTC 0 11 client 5 asks to be told of vertical blank 3 of CRTC 0
CRTC 0 22 client 6 asks to be told of vertical blank 4 of CRTC 0
CRTC 0 41 client 5 asks to be told of vertical blank 5 of CRTC 0
CRTC 0 10 client 5 is told of vertical blank 2 of CRTC 0'
"$gen" scene asked asked.grt
ok "displays"				blanks asked.grt
ok "with their blanks and clients"	[ "$(head -9 answer)" = "$seen" ]
"$gen" scene two-displays two.grt
ok "displays of two GPUs"		blanks two.grt
ok "each with its name"			[ "$(sed 's/ [0-9.]* vertical.*//' answer | sort -u)" = "CRTC 0 of 0000:0b:00.0
CRTC 0 of 0000:0c:00.0
CRTC 1 of 0000:0b:00.0" ]
# From far, a ring's share of busy time has the bounds of the report, to a 255th of the time that its buckets have.
far()
{
	"$grtrace" export --to html -o page.html "$1" 2> err && ask page.html <<-'END'
		g.lanes.lods.forEach((lod, ring) => put(g.meta.rings[ring].name, lod.at(-1).busy[0], lod.at(-1).unsure[0], g.meta.lod.buckets * g.meta.lod.bucket_ns));
	END
}
bounds()
{
	far "$1" && "$grtrace" report --idle -f json "$1" 2> err | jq -r '.time[] | select(.scope == "ring") |
		[.ring, (.busy_ns // .occupied_ns) * 255, (.wall_ns - .known_ns) * 255] | join(" ")' > report.txt
	paste -d ' ' answer report.txt > out && awk '
		function near(a, b) { return a - b <= 1 && b - a <= 1 }
		$1 != $5 || !near($2, $6 / $4) || !near($3, $7 / $4) { bad = 1 }
		$3 { unsure = 1 }
		END { exit bad || !unsure }' out
}
"$gen" scene lossy lossy-far.grt 2> err || "$gen" scene lossy > lossy-far.grt
ok "busy, from far: what is not known is a bound"	bounds lossy-far.grt
# A job behind many others has sums in the page, which are those of the report, and the page says so.
deep()		# kind of trace, job
{
	"$build/test/make/gen-scale" "$1" 150 deep.grt && "$grtrace" export --to html -o page.html deep.grt 2> err || return 1
	ask page.html <<-END || return 1
		const ref = await g.jobs.get(await g.jobs.find("$2")), short = await g.inShort(ref);
		for (const l of short.lines)
			put(g.formatNs(l.ns), g.formatShare(l.ns, short.total), l.words);
		put("note", short.note);
		for (const hop of (await g.chainOf(ref)).hops)
			put("hop", await g.hopWords(hop));
	END
	grep -v -e '^note' -e '^hop' -e '<.*pre' answer | lines > page.txt
	"$grtrace" report --why "$2" deep.grt 2> err | sed '1,/^IN SHORT/d; /^$/,$d; /^CHAIN/,$d; /^hint:/d' | lines > report.txt
	[ -s report.txt ] && diff page.txt report.txt > err
}
is_summed()
{
	grep -q "^note.*more than 64 jobs and fences" answer && grep -q "^hop.* waited .* in all " answer
}
for kind in ordered alternate full fullctx; do
	case $kind in
	ordered|fullctx)	key=10:150 ;;
	alternate)		key=11:75 ;;
	*)			key=159:1 ;;
	esac
	ok "a job behind many: $kind"	deep $kind $key
	ok "its sums are called so"	is_summed
done
ok "the last one of a chain"		deep chain 159:1
ok "which has no sums"			[ "$(grep -c '^hop' answer)" -gt 1 ] && ! grep -q '^note.*more than' answer
# Times that are upper bounds: of job 20:10 its run and its total.
bounds()
{
	"$grtrace" export --to html -o page.html "$golden/bounds/mixed.txt" 2> err && ask page.html <<-'END'
		const ref = await g.jobs.get(await g.jobs.find("20:10")), short = await g.inShort(ref);
		put(g.tipOf({ block: ref.block, i: ref.i }).split("\n").slice(1).join(", "));
		for (const l of short.lines)
			put(g.formatTime(l.ns, l.isBound), l.words);
		for (const hop of (await g.chainOf(ref)).hops)
			put(await g.hopWords(hop));
		await g.showJob(ref);
		for (const row of document.querySelectorAll("#job table:last-of-type tr"))
			if (row.cells[0].textContent.match(/t_exec|t_queue|total/))
				put(row.cells[0].textContent, row.cells[1].textContent);
		for (const id of ["processes", "histograms", "jobs"])
			document.getElementById(`tab-${id}`).click();
		for (const row of document.querySelectorAll("#table-processes thead tr, #table-processes tbody tr"))
			put([...row.cells].map(c => c.textContent).join("|"));
		for (const row of document.querySelectorAll("#hist-total tbody tr"))
			put([...row.cells].slice(2).map(c => c.textContent).join("|"));
		while (!document.querySelector("#table-jobs tbody tr"))
			await new Promise(r => setTimeout(r, 20));
		put([...document.querySelector("#table-jobs tbody tr").cells].slice(8, 12).map(c => c.textContent).join("|"));
		put(document.getElementById("screen").textContent.split("\n").filter(l => /^ rcs0 .* 3 |at the latest/.test(l)).join("\n"));
	END
}
ok "upper bounds"			bounds
ok "have their sign, or are left out"	diff "$golden/bounds/page.golden" answer
ok "nothing is loaded"			alone pair.grt
ok "a link to a job"			link story-hang.grt 17:9
ok "hostile names"			harmless
ok "a time without jobs"		empty
end
