// SPDX-License-Identifier: GPL-2.0
// The tables of the report, and the list of jobs.  All numbers but those of the list are the report's own.

const PAGE_ROWS = 50;

// How a value of the report's JSON is shown; the cell keeps the exact one.
function cellOf(name, value)
{
	const exact = { "data-value": String(value) };

	if (value === null || value === undefined)
		return make("td", { class: "n", "data-value": "null" }, "-");
	if (typeof value !== "number")
		return make("td", exact, clean(String(value)));
	if (name.endsWith("_ns"))
		return make("td", { ...exact, class: "n", title: `${value} ns` }, formatNs(value));
	if (name === "share")
		return make("td", { ...exact, class: "n" }, make("span", { class: "meter", style: `width:${Math.round(60 * value)}px` }),
			    ` ${formatShare(value, 1)}`);
	return make("td", { ...exact, class: "n" }, /^(pid|ctx|seqno|by_pid|by_ctx|by_seqno|worst_ctx|worst_seqno|status|client_id|by_client_id)$/.test(name) ?
		String(value) : formatCount(value));
}

// One column for what two of the JSON's columns say, where a person reads them as one.
const JOINED = {
	comm: row => row.pid === null && row.comm === null ? null : row.pid === 0 ? "kernel" : `${row.comm ?? "-"}[${row.pid ?? "-"}]`,
	by_comm: row => row.by_pid === null && row.by_comm === null ? null :
		row.by_pid === 0 ? "kernel" : `${row.by_comm ?? "-"}[${row.by_pid ?? "-"}]`,
	worst_seqno: row => row.worst_ctx === null ? null : `${row.worst_ctx}:${row.worst_seqno}`,
	seqno: row => row.ctx === null ? null : `${row.ctx}:${row.seqno}`,
};
const HIDDEN = new Set(["pid", "by_pid", "worst_ctx", "ctx", "client_id", "by_client_id"]);
const TITLES = { comm: "process", by_comm: "for process", by_ring: "for ring", by_device: "for GPU", device: "GPU",
		 worst_seqno: "worst job", seqno: "job", worst_ns: "worst", waited_ns: "waited", idle_ns: "idle", root: "because" };

function titleOf(name) { return TITLES[name] ?? name.replace(/_ns$/, "").replaceAll("_", " "); }

// A table of rows of the JSON; columns in which nothing is known are left out.
function tableOf(caption, rows, id)
{
	const columns = Object.keys(rows[0] ?? {}).filter(name => typeof rows[0][name] !== "object" || rows[0][name] === null)
		.filter(name => !HIDDEN.has(name) && rows.some(row => row[name] !== null));
	const isNumber = name => rows.some(row => typeof row[name] === "number") && !JOINED[name];
	const cell = (name, row) => {
		const joined = JOINED[name]?.(row);
		if (joined === undefined)
			return cellOf(name, row[name]);
		return make("td", { "data-value": String(row[name]) }, ...(joined === null ? ["-"] : withLinks(clean(joined))));
	};

	if (!rows.length)
		return make("p", { class: "note", id }, `${caption}: none`);
	return make("table", { id }, make("caption", {}, caption),
		    make("thead", {}, make("tr", {}, ...columns.map(name =>
			make("th", { scope: "col", class: isNumber(name) ? "n" : null }, titleOf(name))))),
		    make("tbody", {}, ...rows.slice(0, 2000).map(row => make("tr", {}, ...columns.map(name => cell(name, row))))));
}

function more(rows, command)
{
	return rows.length <= 2000 ? null : make("p", { class: "note" },
		`the first 2,000 of ${formatCount(rows.length)} rows; all: ${command}`);
}

// The stages of groups: quantiles, and the share of each stage.
function stageTables(caption, groups, id)
{
	const flat = groups.map(g => ({ device: g.device, ring: g.ring, pid: g.pid, comm: g.comm, jobs: g.jobs, failed: g.failed, killed: g.killed,
					cut: g.cut, exec_sum_ns: g.stages.t_exec?.sum_ns ?? null,
					p50_ns: g.stages.total?.p50_ns ?? null, p90_ns: g.stages.total?.p90_ns ?? null,
					p99_ns: g.stages.total?.p99_ns ?? null, max_ns: g.stages.total?.max_ns ?? null,
					upper_bounds: g.upper_bounds || null }));
	const names = ["t_order", "t_dep", "t_ring", "t_sched", "t_queue", "t_exec", "t_complete"];
	const shares = groups.map(g => ({ device: g.device, ring: g.ring, pid: g.pid, comm: g.comm,
					  ...Object.fromEntries(names.map(n => [`${n}_sum_ns`, g.stages[n]?.sum_ns ?? null])) }));
	const drop = rows => rows.map(r => Object.fromEntries(Object.entries(r).filter(([, v]) => v !== undefined)));

	return [tableOf(`${caption}: jobs, and the time from submit to complete`, drop(flat), id),
		tableOf(`${caption}: where the time of jobs went`, drop(shares), `${id}-stages`)];
}

function histograms(rows)
{
	const groups = Map.groupBy ? Map.groupBy(rows, r => r.stage ?? r.what ?? "") :
		rows.reduce((map, r) => map.set(r.stage ?? "", [...(map.get(r.stage ?? "") ?? []), r]), new Map());

	return [...groups].map(([stage, part]) => tableOf(stage ? `Histogram of ${stage}` : "Histogram", part,
							  `hist-${stage}`));
}

function reportPanel(meta)
{
	const pre = make("pre", { id: "screen" });

	pre.append(...withLinks(meta.screen.split("\n").map(clean).join("\n")));
	return [pre];
}

const TABS = [
	["report", "Report", meta => reportPanel(meta)],
	["time", "Time of rings", meta => [tableOf("What rings did", meta.tables.time ?? meta.report.time, "table-time"),
					   tableOf("Idle, and what for", meta.tables.idle, "table-idle")]],
	["roots", "Roots and blame", meta => [
		tableOf("Who waited, and what really happened then", meta.tables.roots, "table-roots"),
		more(meta.tables.roots, "grtrace report --roots"),
		tableOf("Who waited for whom", meta.tables.blame, "table-blame"),
		more(meta.tables.blame, "grtrace report --blame"),
		make("p", { class: "note" }, "Jobs wait in parallel, so sums may be greater than the trace.")]],
	["processes", "Processes", meta => [...stageTables("Processes", meta.tables.processes, "table-processes"),
					    ...stageTables("Rings and processes", meta.report.ring_processes, "table-ring-processes")]],
	["histograms", "Histograms", meta => [...histograms(meta.tables.latencies ?? []),
					      tableOf("How jobs ended", meta.tables.results ?? [], "table-results")]],
	["jobs", "Jobs", () => jobsPanel()],
];

function showTables(meta)
{
	const tabs = byId("tabs"), panels = byId("panels");

	for (const [id, title] of TABS) {
		tabs.append(make("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => choose(id) }, title));
		panels.append(make("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`, tabindex: "0", hidden: true }));
	}
	tabs.addEventListener("keydown", e => {
		const at = TABS.findIndex(([id]) => `tab-${id}` === document.activeElement.id);
		const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[e.key];
		if (next === undefined || at < 0)
			return;
		e.preventDefault();
		choose(TABS[(next + TABS.length) % TABS.length][0], true);
	});
	// Paper has no tabs: all tables are printed but the list of jobs.
	window.addEventListener("beforeprint", () => TABS.forEach(([id]) => id === "jobs" || fill(id, meta)));
	choose("report");

	function choose(chosen, hasFocus)
	{
		for (const [id] of TABS) {
			const isChosen = id === chosen, tab = byId(`tab-${id}`);
			tab.setAttribute("aria-selected", String(isChosen));
			tab.tabIndex = isChosen ? 0 : -1;
			byId(`panel-${id}`).hidden = !isChosen;
			if (isChosen && hasFocus)
				tab.focus();
		}
		fill(chosen, meta);
	}
}

function fill(id, meta)
{
	const panel = byId(`panel-${id}`);

	if (!panel.firstChild)
		panel.append(...TABS.find(([other]) => other === id)[2](meta).filter(Boolean));
}

// --- the list of jobs ---

const LIST = [
	["job", b => (i => b.key(i)), (b, i) => b.ctx[i]],
	["process", b => (i => names.process(b.process[i])), (b, i) => b.process[i]],
	["ring", b => (i => names.ring(b.ring[i])), (b, i) => b.ring[i]],
	["submit", b => (i => Number.isNaN(b.at[i * STAMPS]) ? "-" : `${((view.since_ns + b.at[i * STAMPS]) / 1e9).toFixed(6)} s`),
	 (b, i) => b.at[i * STAMPS]],
	...["t_order", "t_dep", "t_ring", "t_sched", "t_queue", "t_exec", "t_complete", "total"].map(name =>
		[name, b => (i => b.stageWords(i, name)), (b, i) => b.stage(i, name)]),
	["status", b => (i => statusWords(b, i) || "-"), (b, i) => b.status[i]],
	["flags", b => (i => [names.command(b.command[i]), ...names.labels(b.labels[i]), ...names.flags(b.flags[i])]
		.filter(Boolean).join("|")), (b, i) => b.flags[i]],
];

function jobsPanel()
{
	const state = { order: null, column: -1, isDown: true, page: 0, text: "" };
	const body = make("tbody"), note = make("output", { "aria-live": "polite" });
	const input = make("input", { type: "search", id: "filter", placeholder: "process, ring, flag, key" });
	const heads = LIST.map(([title], column) => make("th", { scope: "col" },
		make("button", { onclick: () => sortBy(column) }, title)));

	// All jobs, as numbers in the order in which they are shown.
	async function collect()
	{
		const found = new Float64Array(jobs.count), words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
		const keys = state.column < 0 ? null : new Float64Array(jobs.count);
		let count = 0;

		for (const b of jobs.blocks) {
			const block = b.block ?? await jobs.load(b);
			if (jobs.loaded % 65536 < b.count)
				note.value = `reading ${formatCount(b.first)} of ${formatCount(jobs.count)} jobs`;
			for (let i = 0; i < block.count; i++) {
				if (words.length && !matches(block, i, words))
					continue;
				if (keys)
					keys[b.first + i] = LIST[state.column][2](block, i);
				found[count++] = b.first + i;
			}
		}
		state.order = found.subarray(0, count);
		if (keys)
			state.order = sorted(state.order, keys, state.isDown);
		state.page = 0;
		await show();
	}

	async function show()
	{
		const from = state.page * PAGE_ROWS, rows = [];

		for (const number of state.order.subarray(from, from + PAGE_ROWS)) {
			const ref = await jobs.get(number), { block, i } = ref;
			rows.push(make("tr", { class: view.chosen?.ref.number === number ? "chosen" : null }, ...LIST.map(([title, text], column) =>
				make("td", { class: column > 2 && column < 12 ? "n" : null }, column ? text(block)(i) :
					make("button", { class: "link", onclick: () => { zoomTo(ref); showJob(ref); byId("picture").scrollIntoView(); } }, text(block)(i))))));
		}
		body.replaceChildren(...rows);
		note.value = state.order.length ? `${formatCount(from + 1)} to ${formatCount(from + rows.length)} of ${formatCount(state.order.length)} jobs` : "no such job";
		heads.forEach((head, column) => head.setAttribute("aria-sort", column !== state.column ? "none" : state.isDown ? "descending" : "ascending"));
	}

	function sortBy(column)
	{
		state.isDown = state.column === column ? !state.isDown : true;
		state.column = column;
		collect();
	}

	function turn(pages)
	{
		const last = Math.max(0, Math.ceil(state.order.length / PAGE_ROWS) - 1);
		state.page = Math.min(Math.max(state.page + pages, 0), last);
		show();
	}

	input.addEventListener("change", () => { state.text = input.value; collect(); });
	state.column = LIST.findIndex(([title]) => title === "total");
	collect();
	return [make("p", { class: "controls" }, make("label", { for: "filter" }, "Search "), input, " ",
		     make("button", { onclick: () => turn(-1) }, "Before"), " ", make("button", { onclick: () => turn(1) }, "Next"), " ", note),
		make("table", { id: "table-jobs" }, make("thead", {}, make("tr", {}, ...heads)), body)];
}

// Whether all @words are in the names, flags or key of a job.
function matches(block, i, words)
{
	const text = `${block.key(i)} ${names.process(block.process[i])} ${names.ring(block.ring[i])} ` +
		`${names.command(block.command[i])} ${names.labels(block.labels[i]).join(" ")} ${names.flags(block.flags[i]).join(" ")} ${statusWords(block, i)}`;
	return words.every(word => text.toLowerCase().includes(word));
}

// Unknown values come last, whatever the direction.
function sorted(numbers, keys, isDown)
{
	const sign = isDown ? -1 : 1;

	return numbers.slice().sort((a, b) => {
		const x = keys[a], y = keys[b];
		if (Number.isNaN(x) || Number.isNaN(y))
			return Number.isNaN(x) - Number.isNaN(y) || a - b;
		return x < y ? -sign : x > y ? sign : a - b;
	});
}
