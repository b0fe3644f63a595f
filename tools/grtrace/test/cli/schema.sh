# SPDX-License-Identifier: GPL-2.0
# Sourced by tests of outputs that have a published schema, after tap.sh.  A test names its
# documents with keeps() and breaks(); compare_documents() then compares all of them at once,
# since a start of the validator takes longer than a comparison.
# shellcheck shell=sh disable=SC2154	# tap.sh sets them
for program in jq perl; do
	if ! command -v $program > /dev/null; then
		echo "1..0 # SKIP no $program on this machine"
		exit 0
	fi
done
if ! perl -MJSON::Validator -e 1 2> /dev/null; then
	echo "1..0 # SKIP no JSON::Validator on this machine"
	exit 0
fi

cp "$tools"/../../Documentation/*.schema.json . || exit 1
: > documents
nr_documents=0

# The output of the command follows the schema: no key more and no key less.
keeps()		# name, schema, definition, expected exit code, then the command
{
	nr_documents=$((nr_documents + 1))
	file=document-$nr_documents code=$4
	echo "is_kept $2 $3 $file $1" >> documents
	shift 4
	run "$code" "$@" || cp err "$file.failed"
	cp out "$file"
}

# The file does not follow the schema.
breaks()	# name, schema, definition, file
{
	echo "is_broken $2 $3 $4 $1" >> documents
}

# Writes the faults of the file into err.
look_up()	# file
{
	: > out
	sed -n "s/^$1: //p" faults > err
	cat validator >> err
}

is_kept()	# file
{
	look_up "$1"
	[ ! -e "$1.failed" ] || cat "$1.failed" >> err
	[ ! -s err ]
}

is_broken()	# file
{
	look_up "$1"
	[ -s err ] && [ ! -s validator ]
}

# A test for each document.
compare_documents()
{
	cut -d ' ' -f 2-4 documents | perl "$tools/test/cli/schema.pl" > faults 2> validator
	while read -r is _ _ file name; do
		ok "$name" "$is" "$file"
	done < documents
}
