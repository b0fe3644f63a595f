#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# pairs-ctf.pl FORMAT CTF STREAM...: compares what babeltrace2 --clock-cycles --no-delta printed with the records of
# raw streams, member by member.  Prints "TYPE.member: ..." for each that differs, or "TYPE: ..." for records that are
# missing or too many, and exits with 1.  The accounts of a stream are no events.
use strict;
use warnings;
no warnings 'portable';	# numbers have 64 bits
use FindBin;
require "$FindBin::Bin/source.pl";

my ($format, $ctf, @streams) = @ARGV;
my %letters = (a => "\a", b => "\b", e => "\e", f => "\f", n => "\n", r => "\r", t => "\t", v => "\x0b");
my %kernel = ('sched:sched_switch' => 'CPU_SWITCH', 'sched:sched_wakeup' => 'CPU_WAKE');

sub string_of { return $_[0] =~ s/\\(.)/$letters{$1} \/\/ $1/gesr }

sub value_of {
	my ($text) = @_;
	return string_of($1) if $text =~ /^"(.*)"$/s;
	return $1 if $text =~ /container = (-?\d+) \)$/;
	return hex $1 if $text =~ /^0x(.*)$/;
	return $text;
}

sub read_ctf {
	my ($path) = @_;
	my (%events, @jobs);
	open(my $in, '<:raw', $path) or die "$path: $!\n";
	while (<$in>) {
		/^\[0*(\d+)\].*? (grtrace:[A-Z_]+|sched:sched_\w+): (\{.*)$/ or next;
		my ($ts, $type, $rest) = ($1, $2, $3);
		my %r = (ts => $ts);
		$type = $kernel{$type} // $type =~ s/^grtrace://r;
		while ($rest =~ /([a-z_0-9]+) = ("(?:[^"\\]|\\.)*"|\( (?:<unknown>|"(?:[^"\\]|\\.)*") : container = -?\d+ \)|[^,} ]+)/g) {
			my ($name, $value) = ($1, value_of($2));
			$name = 'cpu' if $name eq 'cpu_id';
			$name =~ s/pid$/tid/ if $type =~ /^CPU_/ && $name ne 'tgid';
			$name = 'FLAGS' if $name eq 'flags' && $type ne 'JOB_DONE';
			$r{$name} = $value;
		}
		push @{ $events{$type} }, \%r;
	}
	return \%events;
}

read_format($format);
my %is;
push @{ $is{ $_->{TYPE} } }, $_ for grep { $_->{TYPE} !~ /^(SUBBUF|STREAM_END|LOSS)$/ } read_streams(@streams);
my $met = read_ctf($ctf);
my (%differs, $compared);

sub key { my ($r, $names) = @_; return join "\0", map { $r->{$_} // '' } @$names }

for my $type (sort keys %is) {
	my $t = members_of($type);
	my @text = $t->{text} ? ($t->{text}{name}) : ();
	my @names = ((map { $_->{name} } @{ $t->{members} }), @text);
	my %is_text = map { $_ => 1 } (map { $_->{name} } grep { $_->{kind} eq 'text' } @{ $t->{members} }), @text;
	push @names, qw(cpu FLAGS gseq cseq) if grep { defined $_->{FLAGS} } @{ $met->{$type} // [] };
	my @was = map { my $r = $_; +{ ts => $r->{ts}, map { $_ => $is_text{$_} ? ctf_text($r->{$_}) :
		$_ eq 'status' && has_flag($r, 'NO_STATUS') ? -2147483648 : $r->{$_} } @names } } @{ $is{$type} };
	my @now = @{ $met->{$type} // [] };
	if (@was != @now) {
		$differs{$type} = scalar(@was) . ' became ' . scalar(@now);
		next;
	}
	unshift @names, 'ts';
	@was = sort { key($a, \@names) cmp key($b, \@names) } @was;
	@now = sort { key($a, \@names) cmp key($b, \@names) } @now;
	for my $i (0 .. $#was) {
		for my $name (@names) {
			my ($x, $y) = ($was[$i]{$name}, $now[$i]{$name} // 'nothing');
			$compared++;
			$differs{"$type.$name"} //= "'$x' became '$y'" if "$x" ne "$y";
		}
	}
}
print "$_: $differs{$_}\n" for sort keys %differs;
print "compared ", $compared // 0, " members of ", scalar(keys %is), " types\n";
exit(%differs ? 1 : 0);
