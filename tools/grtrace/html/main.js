// SPDX-License-Identifier: GPL-2.0
// Reads the data of this page, and shows it.

const byId = id => document.getElementById(id);

function say(text) { byId("found").textContent = text; }

function setTheme(theme)
{
	document.documentElement.dataset.theme = theme;
	lanes.setTheme(theme);
	showLegend();
	if (view.canvas)
		view.resize();
}

function showLegend()
{
	const { idles, bad } = THEMES[lanes.theme], words = names.meta.words.idles;
	const colour = pixel => `rgb(${pixel & 255} ${pixel >> 8 & 255} ${pixel >> 16 & 255})`;
	const entry = (back, text) => {
		const box = make("i");
		box.style.background = back;
		return make("span", {}, box, text);
	};
	const legend = byId("legend"), used = new Map();

	for (const p of names.meta.tables.processes ?? [])
		if (used.size < 12)
			used.set(p.pid, p);
	legend.replaceChildren(
		make("span", {}, "Each ring, from above: jobs that wait, jobs on the ring, the job that runs, and what an idle ring waits for."),
		...[...used.values()].map(p => entry(colour(lanes.colourOf(names.meta.processes.findLastIndex(q => q.pid === p.pid))),
						     lanes.processName(p.pid))),
		...words.map(([name, text], i) => entry(idles[i], `idle, ${name}: ${text}`)),
		entry(bad, "failed, hung, late, or events are missing"));
}

// --- a job ---

function tipOf(box)
{
	if (box.block) {
		const ref = { block: box.block, i: box.i }, total = box.block.stage(box.i, "total");
		const lines = [jobWords(ref)];

		lines.push(Number.isNaN(total) ? "total not known" :
			`${box.block.stageWords(box.i, "total")} from submit to complete`);
		for (const name of Object.keys(STAGE)) {
			const ns = box.block.stage(box.i, name);
			if (ns > 0 && !["t_submit_host", "t_hw", "total"].includes(name))
				lines.push(`${name} ${box.block.stageWords(box.i, name)}`);
		}
		return lines.join("\n");
	}
	if (box.frame) {
		const f = box.frame, verdict = names.meta.words.verdicts[f.verdict][0].replace("_", " ");
		return `frame ${f.number} of ${lanes.processName(f.pid)}: ${formatNs(f.ns)}, ${verdict}` +
			`${f.cause ? `\n${f.isBound ? "at most " : ""}${formatNs(f.causeNs)}: ${f.cause}` : ""}`;
	}
	if (box.run)
		return `thread ${box.run.tid} on CPU ${box.run.cpu}: ${formatNs(box.run.ns)}`;
	if (box.gauge) {
		const { name, unit, per, digits } = names.meta.gauges[box.gauge.gauge];
		return `${name} ${(box.gauge.value / per).toFixed(digits)} ${unit}`;
	}
	const e = box.event;
	if (e.crtc !== undefined) {
		const client = e.client ? `client ${e.client}` : "a client";
		return `${["", `${client} asks to be told of `, `${client} is told of `][e.kind]}vertical blank ${e.frame} of CRTC ${e.crtc}`;
	}
	return e.text !== undefined ? `${e.pid ? `[${e.pid}] ` : ""}${e.text}` :
		e.cmd !== undefined ? `thread ${e.tid} enters ioctl 0x${e.cmd.toString(16)}` : `thread ${e.tid} wakes up`;
}

function statusWords(block, i)
{
	const status = block.status[i];
	return Number.isNaN(status) ? "" : status === 0 ? "ok" : `status ${status}`;
}

function firstLine(ref)
{
	const { block, i } = ref, total = block.stage(i, "total");
	const flags = names.flags(block.flags[i]), labels = names.labels(block.labels[i]);

	return [`${names.process(block.process[i])}  ${names.ring(block.ring[i])}`, names.command(block.command[i]),
		Number.isNaN(total) ? "total not known" : `${block.stageWords(i, "total")} from submit to complete`,
		block.status[i] ? statusWords(block, i) : "", labels.join("|"), flags.length ? `(${flags.join("|")})` : ""]
		.filter(Boolean).join("  ");
}

function stageTable(ref)
{
	const rows = Object.keys(STAGE).map(name => [name, ref.block.stage(ref.i, name)])
		.filter(([, ns]) => !Number.isNaN(ns));
	const text = Object.fromEntries(names.meta.words.stages);

	return make("table", {}, make("caption", {}, "Stages"), make("tbody", {}, ...rows.map(([name, ns]) =>
		make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "n", title: `${ns} ns` }, ref.block.stageWords(ref.i, name)),
		     make("td", { class: "wide note" }, text[name])))));
}

// Text with links for the keys of jobs in it.
function withLinks(text)
{
	return text.split(/(\b\d+:\d+\b)/).map((part, i) => i % 2 ?
		make("a", { href: `#${part}` }, part) : part);
}

async function showJob(ref)
{
	const panel = byId("job"), { block, i } = ref, key = block.key(i);
	const [answer, chain] = [await inShort(ref), await chainOf(ref)];
	const hops = [];

	for (const hop of chain.hops)
		hops.push(await hopWords(hop));
	if (chain.hasMore)
		hops.push("and so on");
	const submit = stampOf(ref, AT.submit);
	const head = `${key}  ${firstLine(ref)}`;
	const when = Number.isNaN(submit) ? "" :
		`submitted ${((view.since_ns + submit) / 1e9).toFixed(6)} s after the first event`;
	const share = ns => Number.isNaN(answer.total) ? "" : formatShare(ns, answer.total);
	const text = [head, when, "IN SHORT", ...answer.lines.map(l => ` ${formatTime(l.ns, l.isBound).padStart(10)}  ${share(l.ns).padStart(4)}  ${l.words}`),
		      ...(answer.note ? [` ${answer.note}`] : []), "CHAIN", ...hops.map(h => ` ${h}`)].join("\n");

	view.chosen = { ref, waits: [] };
	for (const charge of block.chargesOf(i))
		if (charge.job >= 0 && charge.reason === REASON.fence)
			view.chosen.waits.push({ ref: await jobs.get(charge.job), charge });
	panel.replaceChildren(
		make("div", { class: "controls" },
		     make("button", { onclick: () => zoomTo(ref) }, "Zoom to it"), " ",
		     make("button", { onclick: () => copy(text) }, "Copy as text"), " ",
		     make("button", { onclick: closeJob, "aria-label": "Close" }, "Close")),
		make("h2", { id: "job-key" }, key), make("p", {}, firstLine(ref)), make("p", { class: "note" }, when),
		make("h3", {}, "In short"),
		make("table", { id: "in-short" }, make("tbody", {}, ...answer.lines.map(l => make("tr", {},
			make("td", { class: "n", title: `${l.ns} ns`, "data-ns": l.ns }, formatTime(l.ns, l.isBound)),
			make("td", { class: "n" }, share(l.ns)), make("td", { class: "wide" }, ...withLinks(l.words)))))),
		make("p", { class: "note" }, answer.note),
		make("h3", {}, "Chain"),
		make("ol", { id: "chain" }, ...hops.map(h => make("li", {}, ...withLinks(h)))),
		stageTable(ref));
	panel.hidden = false;
	history.replaceState(null, "", `#${key}`);
	view.resize();
}

function closeJob()
{
	view.chosen = null;
	byId("job").hidden = true;
	view.resize();
}

function zoomTo(ref)
{
	const from = ref.block.from[ref.i], to = ref.block.to[ref.i], edge = Math.max((to - from) / 4, 500);
	view.set(from - edge, to + edge);
}

// To the job before or behind on the same ring.
async function stepJob(direction)
{
	if (!view.chosen)
		return;
	const ring = view.chosen.ref.block.ring[view.chosen.ref.i];
	for (let n = view.chosen.ref.number + direction; n >= 0 && n < jobs.count; n += direction) {
		const ref = await jobs.get(n);
		if (ref.block.ring[ref.i] !== ring)
			continue;
		await showJob(ref);
		if (ref.block.from[ref.i] < view.from || ref.block.to[ref.i] > view.to)
			zoomTo(ref);
		return;
	}
}

async function copy(text)
{
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = make("textarea", {}, text);
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	say("copied");
}

// A link to a job: #401:78.
async function followHash()
{
	const key = decodeURIComponent(location.hash.slice(1));

	if (!key || (view.chosen && view.chosen.ref.block.key(view.chosen.ref.i) === key))
		return;
	if (!/^\d+:\d+$/.test(key)) {
		say(`'${key.slice(0, 40)}' is no job: write it like 401:78`);
		return;
	}
	say("searching ...");
	const number = await jobs.find(key);
	if (number < 0) {
		say(`no job ${key} in this page`);
		return;
	}
	say("");
	const ref = await jobs.get(number);
	zoomTo(ref);
	await showJob(ref);
}

function showHead(meta)
{
	const t = meta.report.trace, lost = Object.values(t.lost).reduce((a, b) => a + b, 0);
	const title = [t.name, t.host && `host ${t.host}`, t.kernel && `Linux ${t.kernel}`].filter(Boolean).map(clean).join(" · ");

	document.title = `${clean(t.name ?? "trace")}: grtrace`;
	byId("title").textContent = title;
	byId("headline").textContent = [
		formatNs(t.wall_ns), `${formatCount(t.jobs)} ${plural(t.jobs, "job", "jobs")}`,
		`${t.processes} ${plural(t.processes, "process", "processes")}`,
		t.uncounted_losses || t.is_cut ? "an unknown number of events lost" : `${formatCount(lost)} events lost`,
		t.only_time ? "a part of the trace" : "", t.source && `source: ${clean(t.source)}`, meta.program,
	].filter(Boolean).join(" · ");
}

// Rows that a page leaves out are named, not dropped in silence.
function showLeftOut(meta)
{
	const kinds = Object.entries(meta.events).filter(([, k]) => k.left_out);

	if (kinds.length)
		byId("legend").append(make("span", { class: "bad" }, `Not in this page: ${kinds.map(([name, k]) =>
			`${formatCount(k.left_out)} of ${formatCount(k.left_out + k.rows)} rows of ${name}`).join(", ")}`));
}

async function begin()
{
	const started = performance.now();

	if (typeof DecompressionStream === "undefined")
		throw new Error("this browser is too old for this page; it needs DecompressionStream (2023)");
	const meta = JSON.parse(new TextDecoder().decode(await unpack("meta0", true)));
	names.meta = meta;
	showHead(meta);
	jobs.begin(meta);
	await events.begin(meta);
	await lanes.begin(meta);
	setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
	await view.begin(meta);
	const firstPicture = performance.now();
	byId("late").hidden = !events.frame.length;
	showLeftOut(meta);
	showTables(meta);
	window.addEventListener("hashchange", followHash);
	await followHash();
	// For tests and for the curious: grtrace.times in the console.
	window.grtrace = { meta, jobs, events, lanes, view, Pixels, tipOf, showJob, inShort, chainOf, hopWords, formatNs, formatTime, formatShare,
			   times: { scriptMs: started, firstPictureMs: firstPicture } };
}

begin().catch(e => {
	byId("headline").textContent = `This page cannot be shown: ${e.message}`;
	console.error(e);
});
