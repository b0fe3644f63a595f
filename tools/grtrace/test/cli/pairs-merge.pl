#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# pairs-merge.pl FIRST SECOND MERGED SHIFT_NS HOST: compares dumps (grtrace dump -d --format csv) of two traces of two machines
# with that of the trace that "grtrace merge" made of them.  Each record of both must be there, once, with the same
# members but for what grtrace-merge(1) says: units that are added to numbers of the second, its times, and its rings.
# Prints "TYPE.member: ..." for each that differs, and exits with 1.
use strict;
use warnings;
use bigint;

my ($first, $second, $merged, $shift, $host) = @ARGV;	# the host of the second, as in a cell of CSV
my %unit = ((map { $_ => 2**48 } qw(ctx dep_ctx from_ctx)), (map { $_ => 10000000 } qw(tgid tid prev_tid next_tid)),
	    (map { $_ => 1024 } qw(cpu target_cpu)), cgroup_id => 2**56);
my %is_time = map { $_ => 1 } qw(ts hw_done_ns signaled_ns vblank_ns submit_ns commit_ns start_ns end_ns complete_ns
	window_start_ns from_ns to_ns mono_ns boot_ns own_ns);
# Definitions belong to no CPU; METADATA and STREAM_INFO are made of both.
my %has_cpu = map { $_ => 0 } qw(RING PROCESS MACHINE CGROUP STACK_TEXT CLOCK STATS PEER NOTE SNAPSHOT POLICY);
my %differs;

sub cells { my @c; push @c, $1 while $_[0] =~ /\G("(?:[^"]|"")*"|[^,]*)(?:,|$)/g; return @c }

sub records {
	my ($path) = @_;
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	chomp(my $head = <$in>);
	my @names = grep { $_ ne '' } cells($head);
	my @records;
	while (my $line = <$in>) {
		chomp $line;
		my %r;
		@r{@names} = cells($line);
		delete @r{qw(ring_name process_name gseq)};
		push @records, \%r if $r{type} !~ /^(STREAM_INFO|METADATA)$/;
	}
	return @records;
}

my @merged = records($merged);
my %there;
$there{ line($_) }++ for @merged;
sub line { my ($r) = @_; return join ',', map { "$_=$r->{$_}" } grep { ($r->{$_} // '') ne '' } sort keys %$r }

# Rings get numbers in the order of their definitions.
my (%ring, $last);
for my $r (grep { $_->{type} eq 'RING' } records($first)) { $last = $r->{ring} if !defined $last || $r->{ring} > $last }
$ring{ $_->{ring} } //= ++$last for grep { $_->{type} eq 'RING' } records($second);

# The bytes of a cell of CSV as they are written: a quote twice, some as \x1b.
sub bytes_of { return $_[0] =~ /\\x[0-9a-f]{2}|\\.|""|[^\\"]/gs }

# The host, or the number of the trace where that has no room; 32 bytes in all.
sub device {
	my ($cell) = @_;
	my @name = bytes_of($cell =~ s/^"(.*)"$/$1/sr);
	my @prefix = (bytes_of($host), ':');
	@prefix = ('2', ':') if @prefix == 1 || @prefix + @name > 32;
	my @bytes = (@prefix, @name);
	my $name = join '', @bytes[0 .. ($#bytes < 31 ? $#bytes : 31)];
	return $name =~ /[",]/ ? "\"$name\"" : $name;
}

sub moved {
	my ($r, $name) = @_;
	my $value = $r->{$name};
	return $value if $value eq '' || $value eq '0' && $name ne 'cpu' && $name ne 'boot' && $name ne 'target_cpu';
	return device($value) if $name eq 'device';
	return $ring{$value} if $name eq 'ring' || $name eq 'hw_ring';
	return $value + $unit{$name} if $unit{$name} && ($name ne 'cpu' || ($has_cpu{ $r->{type} } // 1));
	return $value + $shift if $is_time{$name};
	return $value + 1 if $name eq 'boot';
	return $value;
}

sub take {
	my ($r, $who) = @_;
	my $line = line($r);
	return if $there{$line} && $there{$line}-- > 0;
	# The nearest one tells what differs.
	my ($best, $fewest);
	for my $m (grep { $_->{type} eq $r->{type} } @merged) {
		my $n = grep { ($m->{$_} // '') ne ($r->{$_} // '') } keys %$r;
		($best, $fewest) = ($m, $n) if !defined $fewest || $n < $fewest;
	}
	for my $name (sort keys %$r) {
		$differs{"$who $r->{type}.$name"} //= "'$r->{$name}' became '" . ($best->{$name} // '') . "'"
			if $best && ($best->{$name} // '') ne $r->{$name};
	}
	$differs{"$who $r->{type}"} //= 'is missing' unless $best;
}

my $count = 0;
for my $r (records($first)) { take($r, 'first'); $count++ }
for my $r (records($second)) {
	my %m = map { $_ => '' . moved($r, $_) } keys %$r;
	take(\%m, 'second');
	$count++;
}
my @more = grep { $there{$_} > 0 } sort keys %there;
$differs{more} = scalar(@more) . " records, like $more[0]" if @more;
print "$_: $differs{$_}\n" for sort keys %differs;
print "compared $count records\n";
exit(%differs ? 1 : 0);
