#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# records.pl BEFORE AFTER [EXCEPTION...]: compares two outputs of "grtrace dump -d --format csv" record by
# record and field by field, whatever the order of their definitions.  It prints "TYPE.field" for each that
# differs, or "TYPE" for records that are missing or too many, and exits with 1.  An exception is such a word,
# with * for any type or field; one that is met nowhere is printed with "unused" before it.
use strict;
use warnings;

# The cells of a row; a cell in quotes may have commas.
sub cells {
	my @cells;
	push @cells, $1 while $_[0] =~ /\G("(?:[^"]|"")*"|[^,]*)(?:,|$)/g;
	return @cells;
}

sub records {
	my ($path) = @_;
	my %records;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	chomp(my $head = <$in> // '');
	my @names = cells($head);
	while (my $line = <$in>) {
		chomp $line;
		my %record;
		@record{@names} = cells($line);
		push @{ $records{$record{type}} }, \%record;
	}
	return \%records, [grep { $_ ne '' && $_ ne 'type' } @names];
}

my ($from, $to, @exceptions) = @ARGV;
my ($before, $names) = records($from);
my ($after, $names_after) = records($to);
my %used;

sub is_excepted {
	my ($what) = @_;
	my $found = 0;
	for my $e (@exceptions) {
		my $pattern = join('.*', map { quotemeta } split(/\*/, $e, -1));
		$used{$e} = $found = 1 if $what =~ /^$pattern$/;
	}
	return $found;
}

# Compares first what no exception hides, so that records meet their like.
sub key {
	my ($type, $record, $hidden) = @_;
	return join("\0", map { $hidden->{$_} ? '' : $record->{$_} // '' } @$names);
}

my %differs;
die "the columns differ\n" if "@$names" ne "@$names_after";
for my $type (sort keys %{ { %$before, %$after } }) {
	my ($was, $is) = ($before->{$type} // [], $after->{$type} // []);
	if (@$was != @$is) {
		$differs{$type} = scalar(@$was) . ' became ' . scalar(@$is) unless is_excepted($type);
		next;
	}
	my %hidden = map { $_ => 1 } grep {
		my $pattern = "$type.$_";
		grep { my $p = join('.*', map { quotemeta } split(/\*/, $_, -1)); $pattern =~ /^$p$/ } @exceptions
	} @$names;
	my @was = sort { key($type, $a, \%hidden) cmp key($type, $b, \%hidden) } @$was;
	my @is = sort { key($type, $a, \%hidden) cmp key($type, $b, \%hidden) } @$is;
	for my $i (0 .. $#was) {
		for my $name (@$names) {
			my ($x, $y) = ($was[$i]{$name} // '', $is[$i]{$name} // '');
			next if $x eq $y || is_excepted("$type.$name");
			$differs{"$type.$name"} //= "'$x' became '$y'";
		}
	}
}
print "$_: $differs{$_}\n" for sort keys %differs;
print "unused exception $_\n" for grep { !$used{$_} } @exceptions;
exit(%differs || grep { !$used{$_} } @exceptions);
