// SPDX-License-Identifier: GPL-2.0
//
// node engines.mjs MODULES chdb|duckdb DATABASE SQL...: runs SQL, or what is in a file of that name, in today's
// ClickHouse or DuckDB, and prints the rows as sqlite3 does.  MODULES is the folder of node_modules.
import fs from 'fs';
import { createRequire } from 'module';

const [modules, engine, database, ...texts] = process.argv.slice(2);
const require = createRequire(modules + '/');
const sqls = texts.map(text => fs.existsSync(text) ? fs.readFileSync(text, 'utf8') : text);

async function duckdb() {
	const { DuckDBInstance } = require('@duckdb/node-api');
	const connection = await (await DuckDBInstance.create(database, { threads: '2' })).connect();

	for (const sql of sqls) {
		const rows = (await connection.runAndReadAll(sql)).getRowsJson();

		for (const row of rows)
			console.log(row.map(value => value ?? '').join('|'));
	}
}

function chdb() {
	const { Session } = require('chdb');
	const session = new Session(database);

	for (const sql of sqls) {
		for (const part of sql.replace(/--.*/g, '').split(';').filter(part => part.trim())) {
			const rows = String(session.query(part, 'TSV'));

			process.stdout.write(rows.replaceAll('\\N', '').replaceAll('\t', '|'));
		}
	}
}

try {
	await (engine === 'duckdb' ? duckdb() : chdb());
} catch (error) {
	console.error(error.message);
	process.exit(1);
}
process.exit(0);
