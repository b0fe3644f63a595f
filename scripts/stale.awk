# SPDX-License-Identifier: GPL-2.0
#
# Finds what a script reads too early.  The shell empties the file of a program in the background some time
# after it starts it, so a script that waits for words in that file may find those of the program before.
# It must empty the file itself, before: ": >words".

# Whether one of the lines before this one empties or removes @name.
function is_emptied(name,    i)
{
	for (i = FNR - 6; i < FNR; i++)
		if (line[i] ~ /(^|[ \t;])(: ?> ?|rm -r?f )/ && index(line[i], name))
			return 1
	return 0
}

FNR == 1 {
	split("", line)
	started = 0
}

{ line[FNR] = $0 }

# Its end is waited for, and then its file is whole.
started && (FNR > started + 7 || /(^|[ \t;{])wait /) { started = 0 }

started && /(grep|sed|awk|wc|cat|await|(\[|test)( !)? -s) / && !/(fail|die) "/ {
	for (name in file)
		if (index($0, name)) {
			print FILENAME ":" started ": '" name "' may hold what was there before: ': >" name "' goes before this line"
			delete file[name]
		}
}

/[^&]&[ \t]*($|[a-z_]+=\$!)/ && !/^[ \t]*#/ {
	split("", file)
	started = FNR
	rest = $0
	while (match(rest, /> ?"?[A-Za-z$][^ &|;)"]*/)) {
		name = substr(rest, RSTART, RLENGTH)
		rest = substr(rest, RSTART + RLENGTH)
		sub(/^> ?"?/, "", name)
		if (!is_emptied(name))
			file[name] = 1
	}
}
