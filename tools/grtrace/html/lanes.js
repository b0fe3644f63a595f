// SPDX-License-Identifier: GPL-2.0
// Draws rings and jobs into the pixels of a canvas.  From far away it draws the levels of detail that
// lib/export/lod.c made; from near, each job.

const MAX_JOBS = 8000;		// in view; with more, the levels of detail are drawn
const LABEL = 120;		// width of the names at the left, in CSS pixels
const GAP = 2;

const THEMES = {
	light: {
		back: "#ffffff", band: "#f3f5f8", fore: "#1b1f24", soft: "#57606a", line: "#c3cad3", bad: "#b3261e",
		text: "#ffffff",
		// Told apart also by people who do not see all colours.
		processes: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7a5195", "#8c6d00", "#3d85c6", "#a0522d",
			    "#2f7f7f", "#b03060", "#556b2f", "#5b5bd6"],
		idles: ["#e3e7ec", "#e69f00", "#cc3311", "#56b4e9", "#7f1d1d", "#b9bec5"],
	},
	dark: {
		back: "#14171c", band: "#1b2027", fore: "#e6e9ed", soft: "#9ca5b0", line: "#343b45", bad: "#ff8a80",
		text: "#0c0e11",
		processes: ["#56b4e9", "#ff9f45", "#3ddc97", "#ee9fca", "#c3a6f7", "#e3c64b", "#8ab8ff", "#d8a07a",
			    "#7fd1d1", "#ff8fab", "#b6cc7a", "#a9a9ff"],
		idles: ["#262c35", "#e69f00", "#ff6b52", "#56b4e9", "#ff4d6d", "#4a525e"],
	},
};

const pixelOf = hex => {
	const n = parseInt(hex.slice(1), 16);
	return (255 << 24 | (n & 255) << 16 | (n >> 8 & 255) << 8 | n >> 16) >>> 0;
};

// @part of @a over @b, both pixels.
function mix(a, b, part)
{
	let out = 255 << 24;
	for (let shift = 0; shift < 24; shift += 8)
		out |= Math.round((a >> shift & 255) * part + (b >> shift & 255) * (1 - part)) << shift;
	return out >>> 0;
}

// "0000:03:00.0": see GRTRACE_PCI_ADDRESS.
function pciName(address)
{
	const hex = (n, digits) => n.toString(16).padStart(digits, "0"), a = address - 1;

	return `${hex(Math.floor(a / 65536), 4)}:${hex(a >> 8 & 255, 2)}:${hex(a >> 3 & 31, 2)}.${a & 7}`;
}

// A rectangle of pixels, in device pixels.
class Pixels {
	constructor(width, height)
	{
		this.width = width;
		this.height = height;
		this.image = new ImageData(width, height);
		this.words = new Uint32Array(this.image.data.buffer);
	}

	fill(x0, y0, x1, y1, pixel)
	{
		x0 = Math.max(0, Math.floor(x0));
		x1 = Math.min(this.width, Math.ceil(x1));
		y1 = Math.min(this.height, y1);
		y0 = Math.max(0, y0);
		if (x0 >= x1)
			return;
		// fill() is slow for a few pixels, and far away most boxes are narrow.
		if (x1 - x0 > 12) {
			for (let y = y0; y < y1; y++)
				this.words.fill(pixel, y * this.width + x0, y * this.width + x1);
			return;
		}
		const words = this.words, width = this.width;
		for (let y = y0, row = y0 * width; y < y1; y++, row += width)
			for (let at = row + x0, end = row + x1; at < end; at++)
				words[at] = pixel;
	}

	// Thin lines across, for what is not known.
	hatch(x0, y0, x1, y1, pixel)
	{
		x0 = Math.max(0, Math.floor(x0));
		x1 = Math.min(this.width, Math.ceil(x1));
		for (let y = Math.max(0, y0); y < Math.min(this.height, y1); y++)
			for (let x = x0; x < x1; x++)
				if ((x + y) % 4 === 0)
					this.words[y * this.width + x] = pixel;
	}
}

const lanes = {
	meta: null,
	lods: [],		// by ring: [level]: { count, busy, process, cause, share, waiting, onRing, unsure }
	rows: [],		// { kind, ring or pid or tid, y, height, title }
	height: 0,
	theme: "light",
	processColours: [],	// by row of the names

	async begin(meta)
	{
		this.meta = meta;
		this.lods = await Promise.all(meta.rings.map(async (_, ring) =>
			this.unpackLod(await unpack(`lod${ring}`, true))));
		this.setTheme(this.theme);
	},

	unpackLod(bytes)
	{
		const levels = [];
		let at = 0;

		if (!bytes)
			return null;
		for (let count = this.meta.lod.buckets; count >= 1; count /= 2) {
			const column = () => bytes.subarray(at, at += count);
			const busy = column(), low = column(), middle = column(), high = column();
			const process = i => (low[i] | middle[i] << 8 | high[i] << 16) - 1;	// -1: none
			const level = { count, busy, process, cause: column(), share: column(),
					waiting: column(), onRing: column(), unsure: column() };
			levels.push(level);
		}
		return levels;
	},

	// The busiest processes get the first colours.
	setTheme(theme)
	{
		const palette = THEMES[theme].processes.map(pixelOf), rank = new Map();

		this.theme = theme;
		this.colours = Object.fromEntries(Object.entries(THEMES[theme])
			.map(([name, value]) => [name, Array.isArray(value) ? value.map(pixelOf) : pixelOf(value)]));
		(this.meta.tables.processes ?? []).forEach((p, i) => rank.set(p.pid, i));
		const bright = [...this.meta.processes.map(p => palette[(rank.get(p.pid) ?? p.pid) % palette.length]),
				this.colours.soft];
		const faded = part => bright.map(colour => mix(colour, this.colours.band, part));

		// The last one is for an unknown process.
		this.processColours = { runs: bright, waiting: faded(0.45), onRing: faded(0.65) };
		this.depthColour = mix(this.colours.soft, this.colours.band, 0.6);
		this.frameColour = mix(this.colours.soft, this.colours.band, 0.35);
		this.idleColours = this.colours.idles.map(colour => Array.from({ length: 256 }, (_, share) =>
			mix(colour, this.colours.band, Math.max(0.25, share / 255))));
	},

	colourOf(process, kind = "runs") { return this.processColours[kind].at(process); },

	// Which lanes there are, from the top to the bottom.
	layout(isNarrow)
	{
		const rows = [];
		let y = 22;
		const add = (kind, height, more) => {
			rows.push({ kind, y, height, ...more });
			y += height;
		};

		for (const pid of new Set(events.frame.map(f => f.pid)))
			add("frames", 18, { pid, title: this.processName(pid), band: "frames" });
		if (events.mark.length)
			add("marks", 12, { band: "marks" });
		for (const crtc of this.crtcs())
			add("vblank", 12, { crtc, title: crtc.title, band: "blanks" });
		const devices = [...new Set(this.meta.rings.map(r => r.device))], gauges = this.gauges();
		this.meta.rings.forEach((ring, row) => {
			if (!this.lods[row])
				return;
			const device = devices.length > 1 ? `${clean(ring.device ?? "")} ` : "";
			y += 6;
			const depth = isNarrow ? 20 : 28;
			add("waiting", depth, { ring: row, title: `${device}${clean(ring.name ?? `ring ${ring.id}`)}`, band: "waiting" });
			add("onRing", depth / 2, { ring: row, band: "on ring" });
			add("runs", 20, { ring: row, band: ring.is_fifo ? "runs" : "occupied" });
			add("idle", 9, { ring: row, band: "idle for" });
			for (const gauge of gauges.filter(g => g.ring === row))
				add("gauge", 22, { gauge, band: this.gaugeBand(gauge) });
		});
		const others = gauges.filter(g => !this.lods[g.ring]), gpus = new Set(others.map(g => g.gpu).filter(Boolean));
		let before = "";
		for (const gauge of others) {
			const title = gauge.ring >= 0 ? clean(this.meta.rings[gauge.ring].name ?? "ring") :
				gpus.size > 1 && gauge.gpu ? pciName(gauge.gpu) : "GPU";
			add("gauge", 22, { gauge, title: title === before ? undefined : title, band: this.gaugeBand(gauge) });
			before = title;
		}
		y += 4;
		for (const tid of this.threads().slice(0, 32))
			add("thread", 13, { tid, title: `thread ${tid}`, band: "on CPU" });
		this.rows = rows;
		this.height = y + 4;
	},

	// The displays, with what is known of each in order of time.  Blanks often do not name their GPU.
	crtcs()
	{
		const found = new Map(), named = new Map();

		for (const v of events.vblank.filter(v => v.gpu))
			named.set(v.crtc, (named.get(v.crtc) ?? new Set()).add(v.gpu));
		const gpus = new Set([...named.values()].flatMap(some => [...some]));
		for (const v of events.vblank) {
			const some = [...named.get(v.crtc) ?? []], gpu = v.gpu || (some.length === 1 ? some[0] : 0);
			const title = `CRTC ${v.crtc}${gpus.size > 1 && gpu ? ` of ${pciName(gpu)}` : ""}`;
			if (!found.has(title))
				found.set(title, { gpu, crtc: v.crtc, title, kinds: [[], [], []] });
			found.get(title).kinds[v.kind].push(v);
		}
		// Rows are in the order of their records, which may come long after the blanks began.
		found.forEach(display => display.kinds[0].sort((a, b) => a.at - b.at));
		return [...found.values()].sort((a, b) => a.gpu - b.gpu || a.crtc - b.crtc);
	},

	// What clocks, powers and temperatures there are, with the values of each in order of time.
	gauges()
	{
		const found = new Map();

		for (const f of events.frequency) {
			const key = `${f.ring} ${f.gpu} ${f.gauge}`;
			if (!found.has(key))
				found.set(key, { ring: f.ring, gpu: f.gpu, gauge: f.gauge, values: [], top: 1 });
			found.get(key).values.push(f);
		}
		const all = [...found.values()].filter(g => g.values.some(f => f.isKnown));
		for (const g of all)
			g.top = g.values.reduce((top, f) => Math.max(top, f.value), 1);
		return all.sort((a, b) => a.gpu - b.gpu || a.gauge - b.gauge);
	},

	// "MHz" is enough for the clock of a ring.
	gaugeBand(g)
	{
		const { name, unit } = this.meta.gauges[g.gauge];
		return g.gauge ? `${name}, ${unit}` : unit;
	},

	// Threads of which events of CPUs are known, those that ran longest first.
	threads()
	{
		const ns = new Map();

		for (const c of events.cpu)
			ns.set(c.tid, (ns.get(c.tid) ?? 0) + c.ns);
		for (const e of [...events.ioctl, ...events.wake])
			ns.set(e.tid, ns.get(e.tid) ?? 0);
		return [...ns].sort((a, b) => b[1] - a[1]).map(([tid]) => tid);
	},

	processName(pid)
	{
		const p = this.meta.processes.findLast(q => q.pid === pid);
		return p ? `${clean(p.comm ?? "-")}[${pid}]` : `[${pid}]`;
	},

	// Blocks whose jobs may be seen; null: there are too many, so none is drawn by itself.
	blocksIn(from, to)
	{
		const found = jobs.touching(from, to);
		let count = 0;

		for (const b of found) {
			const span = Math.max(b.to - b.from, 1);
			const seen = Math.min(b.to, to) - Math.max(b.from, from);
			count += b.count * Math.min(1, Math.max(seen / span, 0.02));
		}
		return count > MAX_JOBS ? null : found;
	},

	// Draws the time from @view.from to @view.to into @pixels.  False: some jobs come later.
	draw(pixels, view, scale)
	{
		const blocks = this.blocksIn(view.from, view.to);
		const p = { pixels, view, scale, left: Math.round(LABEL * view.labelScale * scale) };

		p.perNs = (pixels.width - p.left) / (view.to - view.from);
		p.x = ns => p.left + (ns - view.from) * p.perNs;
		pixels.words.fill(this.colours.back);
		for (const row of this.rows)
			pixels.fill(p.left, Math.round(row.y * scale), pixels.width,
				    Math.round((row.y + row.height - GAP / 2) * scale), this.colours.band);
		this.boxes = [];
		for (const row of this.rows)
			this.drawRow(p, row, !blocks);
		const isWhole = !blocks || this.drawJobs(p, blocks);
		this.drawLosses(p);
		return isWhole;
	},

	drawRow(p, row, isFar)
	{
		switch (row.kind) {
		case "idle":
			return this.drawLod(p, row);
		case "waiting": case "onRing": case "runs":
			return isFar ? this.drawLod(p, row) : undefined;
		case "frames":
			return this.drawFrames(p, row);
		case "marks":
			return this.drawTicks(p, row, events.mark, this.colours.soft);
		case "vblank":
			return [this.colours.soft, this.colours.idles[3], this.colours.fore].forEach((colour, kind) =>
				this.drawTicks(p, row, row.crtc.kinds[kind], colour));
		case "gauge":
			return this.drawGauge(p, row);
		case "thread":
			return this.drawThread(p, row);
		}
		return undefined;
	},

	// The level whose buckets are about as wide as a pixel.
	levelFor(ring, perNs)
	{
		const levels = this.lods[ring];
		let i = 0, bucket = this.meta.lod.bucket_ns;

		while (i + 1 < levels.length && bucket * perNs < 0.75) {
			bucket *= 2;
			i++;
		}
		return { ...levels[i], bucket };
	},

	drawLod(p, row)
	{
		const level = this.levelFor(row.ring, p.perNs);
		const y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height - GAP / 2) * p.scale);
		const first = Math.max(0, Math.floor(p.view.from / level.bucket));
		const last = Math.min(level.count - 1, Math.ceil(p.view.to / level.bucket));

		for (let i = first; i <= last; i++) {
			const x0 = Math.max(p.left, p.x(i * level.bucket)), x1 = p.x((i + 1) * level.bucket);
			if (row.kind === "idle") {
				if (level.cause[i])
					p.pixels.fill(x0, y0, x1, y1, this.idleColours[level.cause[i] - 1][level.share[i]]);
			} else if (row.kind === "runs") {
				const colour = this.colourOf(level.process(i));
				const busy = level.busy[i] / 255;
				if (busy)
					p.pixels.fill(x0, Math.round(y1 - (y1 - y0) * Math.max(busy, 0.08)), x1, y1, colour);
			} else {
				const depth = (row.kind === "waiting" ? level.waiting[i] : level.onRing[i]) / 8;
				const height = Math.min(1, depth / 8) * (y1 - y0);
				if (depth)
					p.pixels.fill(x0, Math.round(y1 - Math.max(height, 1)), x1, y1, this.depthColour);
			}
		}
	},

	// False: blocks that are not unpacked yet are missing; they come.
	drawJobs(p, blocks)
	{
		const byRing = new Map();
		let isWhole = true;

		for (const row of this.rows)
			if (row.ring >= 0)
				byRing.set(row.ring, { ...byRing.get(row.ring), [row.kind]: row });
		for (const b of blocks) {
			if (b.block)
				this.drawBlock(p, b.block, byRing);
			else
				isWhole = false;
		}
		return isWhole;
	},

	drawBlock(p, block, byRing)
	{
		const { from, to } = p.view;

		for (let i = 0; i < block.count; i++) {
			if (block.from[i] > to || block.to[i] < from)
				continue;
			const rows = byRing.get(block.ring[i]);
			if (rows)
				this.drawJob(p, block, i, rows);
		}
	},

	drawJob(p, block, i, rows)
	{
		const at = i * STAMPS, submit = block.at[at], commit = block.at[at + AT.commit];
		const start = block.at[at + AT.start], end = block.at[at + AT.end], complete = block.at[at + AT.complete];
		const process = block.process[i];
		const flags = block.flags[i], isBad = Math.floor(flags / FLAG.hung) % 2 || block.status[i] < 0;

		if (submit < (Number.isNaN(commit) ? complete : commit))
			this.box(p, rows.waiting, submit, Number.isNaN(commit) ? complete : commit, this.colourOf(process, "waiting"),
				 { block, i, slot: block.waitingSlot[i], isBad });
		const leaves = block.stages[i] >> STAGE.t_exec & 1 ? start : end;
		if (commit < leaves)
			this.box(p, rows.onRing, commit, leaves, this.colourOf(process, "onRing"),
				 { block, i, slot: block.ringSlot[i], isBad });
		if (block.stages[i] >> STAGE.t_exec & 1)
			this.box(p, rows.runs, start, end, this.colourOf(process), { block, i, slot: -1, isBad, isRun: true });
		else if (block.stages[i] >> STAGE.t_hw & 1)
			this.box(p, rows.runs, commit, end, this.colourOf(process, "waiting"),
				 { block, i, slot: -1, isBad, isRun: true, isHatched: true });
	},

	box(p, row, from, to, colour, job)
	{
		const x0 = Math.max(p.left, p.x(from)), x1 = p.x(to);
		let y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height - GAP / 2) * p.scale);

		if (x1 < p.left || x0 > p.pixels.width)
			return;
		if (job.slot >= 0) {
			const slots = row.kind === "waiting" ? 8 : 4, height = (y1 - y0) / slots;
			const slot = Math.min(job.slot, slots - 1);
			y0 = Math.round(y1 - (slot + 1) * height);
			y1 = Math.max(y0 + 1, Math.round(y1 - slot * height) - (height > 3 ? 1 : 0));
		}
		p.pixels.fill(x0, y0, Math.max(x1, x0 + 1), y1, colour);
		if (job.isHatched)
			p.pixels.hatch(x0, y0, x1, y1, this.colours.back);
		if (job.isBad) {
			p.pixels.fill(x0, y0, Math.max(x1, x0 + 1), y0 + Math.ceil(2 * p.scale), this.colours.bad);
			p.pixels.fill(x0, y1 - Math.ceil(2 * p.scale), Math.max(x1, x0 + 1), y1, this.colours.bad);
		} else if (x1 - x0 > 4 && job.isRun) {
			p.pixels.fill(x1 - 1, y0, x1, y1, this.colours.back);	// where the next job begins
		}
		if (x1 - x0 > 1 || job.isBad)
			this.boxes.push({ x0, x1: Math.max(x1, x0 + 2), y0, y1, block: job.block, i: job.i, isRun: job.isRun });
	},

	// Frames of one process follow each other.
	drawFrames(p, row)
	{
		const y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height - GAP) * p.scale);
		const late = this.meta.words.verdicts.findIndex(v => v[0] === "late");

		row.frames ??= events.frame.filter(f => f.pid === row.pid);
		let i = Math.max(0, events.firstAt(row.frames, p.view.from, f => f.from) - 1);
		for (let drawn = -1; i < row.frames.length && row.frames[i].from <= p.view.to; i++) {
			const f = row.frames[i], isLate = f.verdict === late;
			const x0 = Math.max(p.left, p.x(f.from)), x1 = p.x(f.from + f.ns);
			if (x1 < p.left || (Math.floor(x1) === drawn && !isLate))
				continue;	// it is in one pixel with those before
			drawn = Math.floor(x1);
			p.pixels.fill(x0, y0, x1, y1, isLate ? this.colours.bad : this.frameColour);
			if (x1 - x0 < 3)
				continue;
			p.pixels.fill(x0, y0, x0 + 1, y1, this.colours.back);
			this.boxes.push({ x0, x1, y0, y1, frame: f });
		}
	},

	drawTicks(p, row, rows, colour, at = r => r.at)
	{
		const y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height - GAP) * p.scale);

		for (let i = events.firstAt(rows, p.view.from, at), drawn = -1; i < rows.length && at(rows[i]) <= p.view.to; i++) {
			const x = p.x(at(rows[i]));
			if (Math.floor(x) === drawn)
				continue;
			drawn = Math.floor(x);
			p.pixels.fill(x, y0, x + Math.max(1, p.scale), y1, colour);
			this.boxes.push({ x0: x - 3, x1: x + 4, y0, y1, event: rows[i] });
		}
	},

	drawThread(p, row)
	{
		const y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height - GAP) * p.scale);
		const mine = rows => rows.filter(r => r.tid === row.tid);

		row.cpu ??= mine(events.cpu);
		row.ioctls ??= mine(events.ioctl);
		row.wakes ??= mine(events.wake);
		let i = Math.max(0, events.firstAt(row.cpu, p.view.from, c => c.from) - 1);
		for (let drawn = -1; i < row.cpu.length && row.cpu[i].from <= p.view.to; i++) {
			const c = row.cpu[i];
			if (Math.floor(p.x(c.from + c.ns)) === drawn)
				continue;
			drawn = Math.floor(p.x(c.from + c.ns));
			const x0 = Math.max(p.left, p.x(c.from)), x1 = Math.max(p.x(c.from + c.ns), x0 + 1);
			p.pixels.fill(x0, y0 + 2, x1, y1, mix(this.colours.fore, this.colours.band, 0.45));
			this.boxes.push({ x0, x1, y0, y1, run: c });
		}
		this.drawTicks(p, row, row.wakes, this.colours.idles[3]);
		this.drawTicks(p, row, row.ioctls, this.colours.bad);
	},

	drawGauge(p, row)
	{
		const { values, top } = row.gauge;
		const y0 = Math.round(row.y * p.scale), y1 = Math.round((row.y + row.height) * p.scale);
		const thick = Math.max(1, Math.round(p.scale));
		let drawn = -1;

		for (let i = Math.max(0, events.firstAt(values, p.view.from) - 1); i < values.length && values[i].at <= p.view.to; i++) {
			const f = values[i], until = f.isSample ? f.at + this.meta.gauge_hold_ns : Infinity;
			const to = Math.min(values[i + 1]?.at ?? Infinity, until, p.view.to);
			const x0 = Math.max(p.left, p.x(f.at)), x1 = p.x(to);
			if (!f.isKnown || x1 < p.left || Math.floor(x1) === drawn)
				continue;	// it is in one pixel with those before
			drawn = Math.floor(x1);
			const y = Math.round((row.y + row.height - GAP - Math.max(0, f.value) / top * (row.height - GAP - 1)) * p.scale);
			p.pixels.fill(x0, y, Math.max(x1, x0 + 1), y + thick, this.colours.fore);
			this.boxes.push({ x0, x1, y0, y1, gauge: f });
		}
	},

	// Where events are missing, everything is hatched.
	drawLosses(p)
	{
		for (const l of events.loss)
			if (l.from <= p.view.to && l.to >= p.view.from)
				p.pixels.hatch(Math.max(p.left, p.x(l.from)), Math.round(18 * p.scale),
					       Math.max(p.x(l.to), p.x(l.from) + 2), p.pixels.height, this.colours.bad);
	},

	// What is at a point, in device pixels: the smallest box there.
	hit(x, y)
	{
		let found = null;

		for (const b of this.boxes)
			if (x >= b.x0 && x <= b.x1 && y >= b.y0 && y < b.y1 &&
			    (!found || b.x1 - b.x0 < found.x1 - found.x0))
				found = b;
		return found;
	},

	rowAt(y) { return this.rows.find(r => y >= r.y && y < r.y + r.height) ?? null; },
};
