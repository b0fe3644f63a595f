// SPDX-License-Identifier: GPL-2.0
// Names and numbers as the report prints them.

// As printf("%.*f"): of two numbers that are equally near, the even one.
function fixed(value, digits)
{
	const exact = value.toFixed(40), end = exact.indexOf(".") + 1 + digits;

	if (/^50*$/.test(exact.slice(end)) && Number(exact[end - 1] === "." ? exact[end - 2] : exact[end - 1]) % 2 === 0)
		return exact.slice(0, digits ? end : end - 1);
	return value.toFixed(digits);
}

// As grt_format_ns().
function formatNs(ns)
{
	if (ns >= 1e9)
		return `${fixed(ns / 1e9, 3)} s`;
	if (ns >= 1e6)
		return `${fixed(ns / 1e6, 1)} ms`;
	if (ns >= 1e3)
		return `${fixed(ns / 1e3, 0)} us`;
	return `${Math.round(ns)} ns`;
}

// As grt_word_ns().
function formatTime(ns, isBound) { return `${isBound ? "<=" : ""}${formatNs(ns)}`; }

function formatCount(n) { return String(n).replace(/\B(?=(\d{3})+$)/g, ","); }

// As grt_word_share().
function formatShare(part, whole)
{
	if (!whole)
		return "-";
	const percent = 100 * part / whole;
	if (part && percent < 0.5)
		return "<1%";
	return part < whole && percent >= 99.5 ? ">99%" : `${fixed(percent, 0)}%`;
}

function plural(n, one, many) { return n === 1 ? one : many; }

// Characters that control a terminal, or the direction of text, become "?", as in the report.
function clean(text)
{
	return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]/g, "?");
}

const names = {
	meta: null,

	ring(row)
	{
		const ring = row >= 0 ? this.meta.rings[row] : null;
		if (!ring)
			return "-";
		const name = clean(ring.name ?? `ring ${ring.id}`);
		return this.meta.rings.some(r => r !== ring && r.name === ring.name) ?
			`${name}@${clean(ring.device ?? "unnamed GPU")}` : name;
	},

	process(row)
	{
		const process = row >= 0 ? this.meta.processes[row] : null;
		if (!process)
			return "-";
		if (!process.pid)
			return "kernel";
		return `${clean(process.comm ?? "")}[${process.pid}]`;
	},

	// Who has the client, and on which ring.
	client(client)
	{
		const [ring, process] = client >= 0 ? this.meta.clients[client] : [null, null];
		return {
			on: ring === null ? "an unknown ring" : this.ring(ring),
			of: process === null ? "an unknown process" : this.process(process),
		};
	},

	flags(bits)
	{
		return this.meta.words.flags.map((f, i) => [f[0], i]).filter(([, i]) => bits / 2 ** i & 1)
			.map(([word]) => word);
	},

	command(row)
	{
		return row ? this.meta.commands[row - 1] : "";
	},

	labels(bits)
	{
		return this.meta.labels.filter((_, i) => Math.floor(bits / 2 ** i) % 2);
	},
};

// An element with attributes, text and children; text never becomes markup.
function make(tag, attributes = {}, ...children)
{
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.filter(c => c !== null && c !== undefined));
	return element;
}
