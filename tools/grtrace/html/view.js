// SPDX-License-Identifier: GPL-2.0
// The part of the time that is seen, and what the user does with it.

const LEAST_NS = 100;		// the nearest view

const view = {
	from: 0, to: 1, labelScale: 1,
	chosen: null,		// { ref, waits: [{ ref, charge }] }
	isQueued: false,
	frames: 0,		// drawn so far

	async begin(meta)
	{
		this.span = Math.max(meta.span_ns, 1);
		this.begin_ns = BigInt(meta.from_ns ?? 0);
		this.since_ns = Number(this.begin_ns - BigInt(meta.first_ns ?? 0));
		this.canvas = document.getElementById("lanes");
		this.overview = document.getElementById("overview");
		this.tip = document.getElementById("tip");
		this.from = 0;
		this.to = this.span;
		this.listen();
		this.resize();
	},

	resize()
	{
		const width = this.canvas.parentElement.clientWidth;

		this.scale = Math.min(window.devicePixelRatio || 1, 2);
		this.labelScale = width < 500 ? 0.6 : 1;
		lanes.layout(width < 500);
		this.canvas.width = Math.max(200, Math.round(width * this.scale));
		this.canvas.height = Math.round(lanes.height * this.scale);
		this.canvas.style.height = `${lanes.height}px`;
		this.pixels = new Pixels(this.canvas.width, this.canvas.height);
		this.overview.width = Math.round(this.overview.clientWidth * this.scale);
		this.overview.height = Math.round(40 * this.scale);
		this.drawOverview();
		this.draw();
	},

	left() { return Math.round(LABEL * this.labelScale * this.scale); },

	// Draws once, at the next frame.
	queue()
	{
		if (this.isQueued)
			return;
		this.isQueued = true;
		requestAnimationFrame(() => this.draw());
	},

	set(from, to)
	{
		const width = Math.min(Math.max(to - from, LEAST_NS), this.span);

		from = Math.min(Math.max(from, 0), this.span - width);
		this.from = from;
		this.to = from + width;
		this.queue();
	},

	zoom(factor, at = (this.from + this.to) / 2)
	{
		const width = Math.min((this.to - this.from) * factor, this.span);
		this.set(at - (at - this.from) / (this.to - this.from) * width, at + (this.to - at) / (this.to - this.from) * width);
	},

	pan(part) { this.set(this.from + part * (this.to - this.from), this.to + part * (this.to - this.from)); },

	nsAt(x) { return this.from + (x - this.left()) / (this.canvas.width - this.left()) * (this.to - this.from); },

	draw()
	{
		const context = this.canvas.getContext("2d");

		this.isQueued = false;
		const isWhole = lanes.draw(this.pixels, this, this.scale);
		context.putImageData(this.pixels.image, 0, 0);
		this.drawAxis(context);
		this.drawNames(context);
		if (this.chosen)
			this.drawChosen(context);
		this.drawWindow();
		this.showSpan();
		this.frames++;
		if (!isWhole)
			this.loadSeen();
	},

	// Unpacks the blocks that are seen, then draws again.
	async loadSeen()
	{
		const blocks = (lanes.blocksIn(this.from, this.to) ?? []).filter(b => !b.block);

		await Promise.all(blocks.slice(0, 8).map(b => jobs.load(b)));
		this.queue();
	},

	showSpan()
	{
		const seconds = ns => ((this.since_ns + ns) / 1e9).toFixed(6);
		document.getElementById("span").textContent =
			`${seconds(this.from)} s to ${seconds(this.to)} s: ${formatNs(this.to - this.from)}`;
	},

	drawAxis(context)
	{
		const width = this.canvas.width - this.left(), span = this.to - this.from;
		const least = span / Math.max(2, width / this.scale / 110);
		let step = 10 ** Math.floor(Math.log10(least));

		step = [1, 2, 5, 10].map(f => f * step).find(s => s >= least) ?? step * 10;
		context.fillStyle = THEMES[lanes.theme].soft;
		context.font = `${Math.round(11 * this.scale)}px system-ui, sans-serif`;
		context.textBaseline = "top";
		const digits = Math.max(0, Math.min(9, 9 - Math.floor(Math.log10(step))));
		// Steps are of the time since the first event of the trace.
		const first = Math.ceil((this.from + this.since_ns) / step) * step - this.since_ns;
		for (let ns = first; ns <= this.to; ns += step) {
			const x = this.left() + (ns - this.from) / span * width;
			context.fillRect(x, 16 * this.scale, 1, 4 * this.scale);
			context.fillText(`${((ns + this.since_ns) / 1e9).toFixed(digits)} s`, x + 3, 2 * this.scale);
		}
	},

	drawNames(context)
	{
		const theme = THEMES[lanes.theme];

		context.font = `${Math.round(12 * this.scale)}px system-ui, sans-serif`;
		context.textBaseline = "middle";
		context.fillStyle = theme.fore;
		for (const row of lanes.rows)
			this.drawName(context, row, theme);
		context.fillStyle = theme.text;
		context.font = `${Math.round(11 * this.scale)}px system-ui, sans-serif`;
		for (const b of lanes.boxes) {
			if (!b.isRun || b.x1 - b.x0 < 30 * this.scale)
				continue;
			const process = names.meta.processes[b.block.process[b.i]];
			const text = `${process ? clean(process.comm ?? "-") : "-"} ${b.block.key(b.i)}`;
			context.save();
			context.beginPath();
			context.rect(b.x0, b.y0, b.x1 - b.x0 - 2, b.y1 - b.y0);
			context.clip();
			context.fillText(text, b.x0 + 3 * this.scale, (b.y0 + b.y1) / 2);
			context.restore();
		}
	},

	// The name of a lane at the left, and at the right what it shows, where there is room.
	drawName(context, row, theme)
	{
		const middle = (row.y + row.height / 2) * this.scale, right = this.left() - 5 * this.scale;

		context.save();
		context.beginPath();
		context.rect(0, 0, right, this.canvas.height);
		context.clip();
		context.font = `600 ${Math.round(12 * this.scale)}px system-ui, sans-serif`;
		context.fillStyle = theme.fore;
		if (row.title)
			context.fillText(row.title, 4 * this.scale, middle);
		const used = row.title ? context.measureText(row.title).width + 10 * this.scale : 0;
		context.font = `${Math.round(10 * this.scale)}px system-ui, sans-serif`;
		context.fillStyle = theme.soft;
		if (row.band && used + context.measureText(row.band).width < right) {
			context.textAlign = "right";
			context.fillText(row.band, right, middle);
		}
		context.restore();
	},

	xOf(ns) { return this.left() + (ns - this.from) / (this.to - this.from) * (this.canvas.width - this.left()); },

	middleOf(ring, kind)
	{
		const row = lanes.rows.find(r => r.ring === ring && r.kind === kind);
		return row ? (row.y + row.height / 2) * this.scale : null;
	},

	// Frames the chosen job, and draws an arrow from the end of each job that it waited for.
	drawChosen(context)
	{
		const theme = THEMES[lanes.theme], { ref, waits } = this.chosen;

		context.strokeStyle = theme.fore;
		context.lineWidth = 2 * this.scale;
		for (const b of lanes.boxes)
			if (b.block === ref.block && b.i === ref.i)
				context.strokeRect(b.x0 - 1, b.y0 - 1, Math.max(b.x1 - b.x0, 2) + 2, b.y1 - b.y0 + 2);
		context.lineWidth = 1.5 * this.scale;
		for (const { ref: by, charge } of waits) {
			const end = stampOf(by, AT.complete), from = this.middleOf(by.block.ring[by.i], "runs");
			const to = this.middleOf(ref.block.ring[ref.i], "waiting");
			if (from === null || to === null || Number.isNaN(end))
				continue;
			this.arrow(context, this.xOf(Math.min(end, charge.from + charge.ns)), from,
				   this.xOf(charge.from + charge.ns), to);
		}
	},

	arrow(context, x0, y0, x1, y1)
	{
		const size = 5 * this.scale, down = y1 > y0 ? 1 : -1, bend = 24 * this.scale;

		context.beginPath();
		context.moveTo(x0, y0);
		context.bezierCurveTo(x0 + bend, y0, x1 + bend, (y0 + y1) / 2, x1, y1);
		context.moveTo(x1 - size, y1 - down * size);
		context.lineTo(x1, y1);
		context.lineTo(x1 + size, y1 - down * size);
		context.stroke();
	},

	// The whole time: a line per ring, as high as it was busy.
	drawOverview()
	{
		const width = this.overview.width, height = this.overview.height, pixels = new Pixels(width, height);
		const rings = lanes.lods.map((lod, ring) => lod ? ring : -1).filter(ring => ring >= 0);

		pixels.words.fill(lanes.colours.band);
		rings.forEach((ring, i) => {
			const y0 = Math.round(i * height / rings.length), y1 = Math.round((i + 1) * height / rings.length) - 1;
			const level = lanes.levelFor(ring, width / this.span);
			for (let k = 0; k < level.count; k++) {
				if (!level.busy[k])
					continue;
				const x0 = k * level.bucket / this.span * width, x1 = (k + 1) * level.bucket / this.span * width;
				const colour = lanes.colourOf(level.process(k));
				pixels.fill(x0, Math.round(y1 - (y1 - y0) * Math.max(level.busy[k] / 255, 0.15)), x1, y1, colour);
			}
		});
		this.overviewPixels = pixels;
	},

	drawWindow()
	{
		const context = this.overview.getContext("2d"), width = this.overview.width, height = this.overview.height;
		const x0 = this.from / this.span * width, x1 = this.to / this.span * width;

		context.putImageData(this.overviewPixels.image, 0, 0);
		context.fillStyle = lanes.theme === "dark" ? "rgba(0,0,0,.55)" : "rgba(255,255,255,.65)";
		context.fillRect(0, 0, x0, height);
		context.fillRect(x1, 0, width - x1, height);
		context.strokeStyle = THEMES[lanes.theme].fore;
		context.lineWidth = 2;
		context.strokeRect(Math.min(x0, width - 4) + 1, 1, Math.max(x1 - x0, 4) - 2, height - 2);
	},

	// --- what the user does ---

	listen()
	{
		const byId = id => document.getElementById(id);

		this.pointers = new Map();
		this.canvas.addEventListener("wheel", e => {
			e.preventDefault();
			if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
				this.pan((e.deltaX || e.deltaY) / 800);
			else
				this.zoom(1.0015 ** e.deltaY, this.nsAt(e.offsetX * this.scale));
		}, { passive: false });
		this.canvas.addEventListener("pointerdown", e => this.press(e));
		this.canvas.addEventListener("pointermove", e => this.move(e));
		this.canvas.addEventListener("pointerup", e => this.release(e));
		this.canvas.addEventListener("pointercancel", e => this.pointers.delete(e.pointerId));
		this.canvas.addEventListener("pointerleave", () => { this.tip.hidden = true; });
		const drag = e => {
			if (e.buttons !== 1)
				return;
			const ns = e.offsetX / this.overview.clientWidth * this.span, half = (this.to - this.from) / 2;
			this.set(ns - half, ns + half);
		};
		this.overview.addEventListener("pointerdown", drag);
		this.overview.addEventListener("pointermove", drag);
		window.addEventListener("resize", () => this.resize());
		document.addEventListener("keydown", e => this.key(e));
		byId("zoom-in").onclick = () => this.zoom(0.5);
		byId("zoom-out").onclick = () => this.zoom(2);
		byId("fit").onclick = () => this.set(0, this.span);
		byId("late").onclick = () => this.nextLate(1);
		byId("help").onclick = () => this.help();
		byId("theme").onclick = () => setTheme(lanes.theme === "dark" ? "light" : "dark");
		byId("search").addEventListener("submit", e => {
			e.preventDefault();
			location.hash = `#${byId("find").value.trim()}`;
		});
	},

	help(isOpen)
	{
		const keys = document.getElementById("keys");

		keys.hidden = isOpen === undefined ? !keys.hidden : !isOpen;
		document.getElementById("help").setAttribute("aria-expanded", String(!keys.hidden));
	},

	press(e)
	{
		this.canvas.setPointerCapture(e.pointerId);
		this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
		this.pressed = { x: e.offsetX, y: e.offsetY, from: this.from, to: this.to, isZoom: e.shiftKey, hasMoved: false };
		this.tip.hidden = true;
	},

	move(e)
	{
		const last = this.pointers.get(e.pointerId);

		if (!last) {
			this.hover(e);
			return;
		}
		if (this.pointers.size === 2) {
			this.pinch(e, last);
		} else if (this.pressed.hasMoved || Math.abs(e.offsetX - this.pressed.x) > 3) {
			this.pressed.hasMoved = true;
			if (!this.pressed.isZoom) {
				const perPixel = (this.pressed.to - this.pressed.from) / (this.canvas.clientWidth - this.left() / this.scale);
				const by = (this.pressed.x - e.offsetX) * perPixel;
				this.set(this.pressed.from + by, this.pressed.to + by);
			}
		}
		this.pointers.set(e.pointerId, { x: e.offsetX, y: e.offsetY });
	},

	pinch(e, last)
	{
		const other = [...this.pointers].find(([id]) => id !== e.pointerId)[1];
		const before = Math.abs(last.x - other.x), now = Math.abs(e.offsetX - other.x);

		this.pressed.hasMoved = true;
		if (before > 5 && now > 5)
			this.zoom(before / now, this.nsAt((e.offsetX + other.x) / 2 * this.scale));
	},

	release(e)
	{
		const pressed = this.pressed;

		this.pointers.delete(e.pointerId);
		if (!pressed || this.pointers.size)
			return;
		if (pressed.isZoom && pressed.hasMoved) {
			const a = this.nsAt(pressed.x * this.scale), b = this.nsAt(e.offsetX * this.scale);
			this.set(Math.min(a, b), Math.max(a, b));
		} else if (!pressed.hasMoved) {
			this.click(e);
		}
	},

	click(e)
	{
		const box = lanes.hit(e.offsetX * this.scale, e.offsetY * this.scale);

		if (box?.block)
			showJob({ block: box.block, i: box.i, number: box.block.first + box.i });
		else if (box?.frame && box.frame.key !== "0:0")
			location.hash = `#${box.frame.key}`;
	},

	hover(e)
	{
		const box = lanes.hit(e.offsetX * this.scale, e.offsetY * this.scale);
		const text = box ? tipOf(box) : this.farTip(e);

		this.tip.hidden = !text;
		if (!text)
			return;
		this.tip.textContent = text;
		this.tip.style.left = `${Math.max(0, Math.min(e.offsetX + 12, this.canvas.clientWidth - this.tip.offsetWidth))}px`;
		this.tip.style.top = `${e.offsetY + 14}px`;
	},

	// Of a ring where no single job is drawn.
	farTip(e)
	{
		const row = lanes.rowAt(e.offsetY), ns = this.nsAt(e.offsetX * this.scale);

		if (!row || !(row.ring >= 0) || !lanes.lods[row.ring] || ns < this.from || ns >= this.to)
			return "";
		const level = lanes.levelFor(row.ring, (this.canvas.width - this.left()) / (this.to - this.from));
		const i = Math.min(level.count - 1, Math.floor(ns / level.bucket));
		const process = level.process(i);
		const least = Math.round(level.busy[i] / 2.55);
		const most = Math.min(100, Math.round((level.busy[i] + level.unsure[i]) / 2.55));
		let text = `${names.ring(row.ring)}: busy ${least}${most > least ? `..${most}` : ""}%`;

		if (process >= 0)
			text += `, mostly ${names.process(process)}`;
		if (level.cause[i])
			text += `\nidle: ${names.meta.words.idles[level.cause[i] - 1][1]}`;
		return `${text}\nwaiting: ${(level.waiting[i] / 8).toFixed(1)}, on the ring: ${(level.onRing[i] / 8).toFixed(1)} jobs`;
	},

	nextLate(direction)
	{
		const late = names.meta.words.verdicts.findIndex(v => v[0] === "late");
		const middle = (this.from + this.to) / 2;
		const frames = events.frame.filter(f => f.verdict === late);
		const next = direction > 0 ? frames.find(f => f.from + f.ns / 2 > middle + 1) :
			frames.findLast(f => f.from + f.ns / 2 < middle - 1);

		if (!next) {
			say(frames.length ? "no further late frame" : "no late frame");
			return;
		}
		this.set(next.from - next.ns, next.from + 2 * next.ns);
		say(`frame ${next.number} of ${lanes.processName(next.pid)}: ${formatNs(next.ns)}; ${next.cause}`);
	},

	key(e)
	{
		if (e.target.matches("input, textarea, select") || e.ctrlKey || e.metaKey || e.altKey) {
			if (e.key === "Escape")
				e.target.blur();
			return;
		}
		const keys = {
			w: () => this.zoom(0.5), s: () => this.zoom(2), a: () => this.pan(-0.25), d: () => this.pan(0.25),
			ArrowLeft: () => this.pan(-0.1), ArrowRight: () => this.pan(0.1),
			"+": () => this.zoom(0.5), "-": () => this.zoom(2),
			f: () => this.set(0, this.span), n: () => this.nextLate(1), p: () => this.nextLate(-1),
			"/": () => document.getElementById("find").focus(), "?": () => this.help(),
			"[": () => stepJob(-1), "]": () => stepJob(1),
			Escape: () => { this.help(false); closeJob(); },
		};
		// Arrows belong to the tabs when one of them has the focus.
		if (!keys[e.key] || (e.key.startsWith("Arrow") && e.target.matches("[role=tab]")))
			return;
		e.preventDefault();
		keys[e.key]();
	},
};
