#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Compares JSON documents with published schemas.  Each line of standard input is "SCHEMA
# DEFINITION FILE": FILE has one document a line, and each must be what DEFINITION in $defs of
# SCHEMA says.  Prints "FILE: what is wrong", a line for each fault.
use strict;
use warnings;

# The schemas are of 2020-12, which Debian 12 does not have.  What they use means the same in
# 2019-09.
use JSON::Validator::Schema::Draft201909;
use Mojo::File 'path';
use Mojo::JSON 'decode_json';

sub schema_of
{
	my ($file, $name) = @_;
	my $defs = decode_json(path($file)->slurp)->{'$defs'};

	die "$file has no definition '$name'\n" unless $defs->{$name};
	return JSON::Validator::Schema::Draft201909->new({ '$defs' => $defs, '$ref' => "#/\$defs/$name" });
}

sub faults_of
{
	my ($schema, $text) = @_;
	my $document = eval { decode_json($text) };

	return $@ ? "no JSON: $@" =~ s/ at \S+ line \d+\.\n$//r : $schema->validate($document);
}

my %schemas;
while (<STDIN>) {
	my ($schema, $name, $file) = split;
	my $validator = $schemas{$schema}{$name} //= schema_of($schema, $name);
	my @lines = split /\n/, path($file)->slurp;
	my @faults = map { faults_of($validator, $_) } @lines;

	print "$file: $_\n" for @lines ? @faults : "no document";
}
