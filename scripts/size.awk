# SPDX-License-Identifier: GPL-2.0
# Reports files over 600 lines and functions over 60 lines. A C function goes from the brace in the
# first column to its partner; shell functions likewise.
BEGIN { max_file = 600; max_function = 60 }

function end_file()
{
	if (lines > max_file)
		printf "%s:%d: file has over %d lines\n", file, lines, max_file
}

FNR == 1		{ end_file(); file = FILENAME; start = 0 }
			{ lines = FNR }
/^[A-Za-z_].*\(/	{ name = $0 }
/^\{/			{ start = FNR }
/^\}/ && start {
	if (FNR - start - 1 > max_function)
		printf "%s:%d: %d lines: %s\n", FILENAME, start, FNR - start - 1, name
	start = 0
}

END			{ end_file() }
