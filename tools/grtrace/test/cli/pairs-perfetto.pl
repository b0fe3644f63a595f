#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# pairs-perfetto.pl FORMAT FACTS TEXT NOT-WRITTEN STREAM...: compares a trace of Perfetto, as perfetto.awk lists it and
# protoc decodes it, with the records of raw streams.  NOT-WRITTEN has types, with commas, of which nothing is there.
# Prints what is missing or too much, "TYPE: ...", and types that are neither compared nor named; then it exits with 1.
use strict;
use warnings;
use FindBin;
require "$FindBin::Bin/source.pl";

my ($format, $facts, $text, $not_written, @streams) = @ARGV;
my $most = 1000000000000000000;	# of a counter, as the manual says
my %counters = (CORE => ['frequency', 'freq_hz', 1], MEMORY => ['memory clock', 'freq_hz', 1],
		POWER => ['power', 'power_uw', 1000], TEMPERATURE => ['temperature', 'temperature_mc', 1]);
my (%is, %met, %differs, %compared);

# As protoc prints a text; one that is too long is cut.
sub protoc_text {
	my ($text) = @_;
	$text = substr($text, 0, 2044) . '...' if length $text > 2047;
	return shown_text($text) =~ s/(["'\\])|([\x80-\xff])/defined $1 ? "\\$1" : sprintf '\\%03o', ord $2/ger;
}

# --- what the file has, by type of record ---

my (%name, %above, %open);
sub path { my ($track) = @_; return ($name{ $above{$track} // "" } // "") . "/" . ($name{$track} // "") }

sub take_slice {
	my ($at, $from, $to, $what) = @_;
	if ($what =~ /^ioctl /) { $met{IOCTL}{"$from $what"}++ }
	elsif ($at =~ m,/Machine$,) { $met{SUSPEND}{"$from $to"}++ }
	elsif ($at =~ m,/lost events$,) { $met{LOSS}{"$from $to " . ($what =~ s/,//gr =~ s/ events? .* on CPU / /r)}++ }
	elsif ($at =~ m,/fences$,) { $met{SYNC_WAIT_ENTER}{"$from $to"}++ }
	elsif ($at =~ m,/jobs$, && $what !~ /^t_/) { $met{SUBMIT}{"$from $to $at $what"}++ }
	elsif ($at =~ m,/CPU$,) { $met{CPU_SWITCH}{"$from $what"}++ }
}

sub take_instant {
	my ($at, $ts, $what) = @_;
	if ($at =~ m,^Display/,) { $met{VBLANK}{"$ts $what $at"}++ }
	elsif ($what =~ /^snapshot (\d+) /) { $met{SNAPSHOT}{"$ts $1"}++ }
	elsif ($at =~ m,/hangs and errors$,) { $met{ERROR}{"$ts $what $at"}++ }
	elsif ($what ne 'submit') { $met{MARK}{"$ts $what"}++ }
}

open(my $in, '<:raw', $facts) or die "$facts: $!\n";
my @lines = map { chomp; [split /\t/, $_, -1] } <$in>;
# A track has the name of the last description before; the end of a slice may come before its beginning in the file.
for my $line (@lines) {
	$name{ $line->[1] } = $line->[3], $above{ $line->[1] } = $line->[2] if $line->[0] eq 'track';
	push @$line, path($line->[1]) if $line->[0] =~ /^[BEIC]$/;
}
for (sort { $a->[2] <=> $b->[2] } grep { $_->[0] =~ /^[BEIC]$/ } @lines) {
	my ($kind, $track, $ts, undef, $what, $value, $at) = @$_;
	push @{ $open{$track} }, [$ts, $what, $at] if $kind eq 'B';
	take_slice($_->[2], $_->[0], $ts, $_->[1]) for $kind eq 'E' ? pop @{ $open{$track} } : ();
	take_instant($at, $ts, $what) if $kind eq 'I';
	$met{FREQUENCY}{"$ts $at $value"}++ if $kind eq 'C' && $at !~ m,/(queued|in flight)$,;
}
$met{END}{"$_->[4] $_->[5] $_->[2]"}++ for grep { $_->[0] eq 'work' && $_->[3] eq 'execution' } @lines;
my $decoded = do { local (@ARGV, $/) = ($text); <> };
while ($decoded =~ /clock_snapshot \{\n((?:    .*\n)*)/g) {
	my %clock = $1 =~ /clock_id: (\d+)\n +timestamp: (\d+)/g;
	$met{CLOCK}{ join ' ', map { $clock{$_} // '' } 3, 6, 1 }++ if defined $clock{6};
}

# --- what the trace has ---

read_format($format);
my (%rings, %comms, %jobs, %waits);

sub process_name {
	my ($r) = @_;
	return 'kernel' if has_flag($r, 'KERNEL_JOB');
	my @known = grep { $_->{ts} <= $r->{ts} } @{ $comms{ $r->{tgid} } };
	return protoc_text($known[-1]{comm}) . "[$r->{tgid}]";
}

# A later name of a ring comes when its jobs are over.
sub ring_name { my ($r, $ns) = @_; return protoc_text((grep { $_->{ts} <= $ns } @{ $rings{ $r->{ring} } })[-1]{name}) }
sub first_name { my ($r) = @_; return protoc_text($rings{ $r->{ring} }[0]{name}) }

sub expect_job {
	my ($submit, $from, $start, $end, $to) = @_;
	my $ring = ring_name($submit, $to);
	$is{SUBMIT}{"$from $to $ring/jobs " . process_name({ %$submit, ts => $from })}++;
	$is{END}{"$start $end $ring"}++;
}

my %expect = (
	SUBMIT => sub { $jobs{"$_[0]{ctx}:$_[0]{seqno}"}{SUBMIT} = $_[0] },
	COMMIT => sub { $jobs{"$_[0]{ctx}:$_[0]{seqno}"}{COMMIT} = $_[0] },
	START => sub { $jobs{"$_[0]{ctx}:$_[0]{seqno}"}{START} = $_[0] },
	END => sub { $jobs{"$_[0]{ctx}:$_[0]{seqno}"}{END} = $_[0] },
	COMPLETE => sub {
		my ($r) = @_;
		my $job = $jobs{"$r->{ctx}:$r->{seqno}"};
		expect_job($job->{SUBMIT}, map { $_->{ts} } @$job{qw(SUBMIT START END)}, $r);
	},
	JOB => sub { my ($r) = @_; expect_job($r, @$r{qw(submit_ns start_ns end_ns complete_ns)}) },
	RING => sub { push @{ $rings{ $_[0]{ring} } }, $_[0] },
	PROCESS => sub { push @{ $comms{ $_[0]{tgid} } }, $_[0] },
	IOCTL => sub { $is{IOCTL}{"$_[0]{ts} ioctl " . sprintf '0x%08x', $_[0]{cmd}}++ },
	SUSPEND => sub { $is{SUSPEND}{ ($_[0]{ts} - $_[0]{slept_ns}) . " $_[0]{ts}" }++ },
	SNAPSHOT => sub { $is{SNAPSHOT}{"$_[0]{ts} $_[0]{number}"}++ },
	MARK => sub { $is{MARK}{"$_[0]{ts} " . protoc_text($_[0]{text})}++ },
	ERROR => sub { $is{ERROR}{"$_[0]{ts} " . enum_name('error', $_[0]{code}) . ' ' . ring_name($_[0], $_[0]{ts}) . '/hangs and errors'}++ },
	CLOCK => sub { $is{CLOCK}{ join ' ', @{ $_[0] }{qw(mono_ns boot_ns real_ns)} }++ },
	SYNC_WAIT_ENTER => sub { $waits{ $_[0]{tid} } = $_[0] if has_flag($_[0], 'CPU_WAIT') },
	SYNC_WAIT_EXIT => sub {
		my $enter = $waits{ $_[0]{tid} };
		$is{SYNC_WAIT_ENTER}{"$enter->{ts} $_[0]{ts}"}++ if $enter && has_flag($_[0], 'CPU_WAIT');
	},
	LOSS => sub { $is{LOSS}{"$_[0]{from_ns} $_[0]{to_ns} $_[0]{count} $_[0]{cpu}"}++ },
	CPU_SWITCH => sub {
		$is{CPU_SWITCH}{"$_[0]{ts} on a CPU"}++ if has_flag($_[0], 'NEXT_FOLLOWED');
	},
	VBLANK => sub {
		my ($r) = @_;
		my $is_asked = has_flag($r, 'QUEUED') || has_flag($r, 'DELIVERED');
		my $pci = $r->{pci_address} - 1;	# 0 is not known
		my $at = sprintf 'Display/CRTC %u of %04x:%02x:%02x.%u%s', $r->{crtc}, $pci >> 16, $pci >> 8 & 0xff,
			$pci >> 3 & 0x1f, $pci & 7, $is_asked ? ', clients' : '';
		my $what = has_flag($r, 'QUEUED') ? "asks for $r->{frame}" : has_flag($r, 'DELIVERED') ? "is told of $r->{frame}" : 'vblank';
		$is{VBLANK}{ ($is_asked ? $r->{ts} : $r->{vblank_ns}) . " $what $at" }++;
	},
	FREQUENCY => sub {
		my ($r) = @_;
		my ($track, $member, $per) = @{ $counters{ enum_name('gauge', $r->{gauge}) } };
		my $value = $r->{$member} > $most ? $most : $r->{$member};
		$is{FREQUENCY}{"$r->{ts} " . ring_name($r, $r->{ts}) . "/$track " . int($value / $per)}++;
	},
);

my %all;
my @records = grep { $_->{TYPE} !~ /^(SUBBUF|STREAM_END)$/ } read_streams(@streams);
for my $r (@records) {
	$all{ $r->{TYPE} }++;
	$expect{ $r->{TYPE} }->($r) if $expect{ $r->{TYPE} };
}

# Losses between two sub-buffers are no records of the stream; those that are must all be there.
delete $met{LOSS}{$_} for grep { !$is{LOSS}{$_} } keys %{ $met{LOSS} };
# What a thread did until events were lost is not known.
delete $is{CPU_SWITCH}{$_} for grep { !$met{CPU_SWITCH}{$_} } keys %{ $is{CPU_SWITCH} };
delete $met{CPU_SWITCH}{$_} for grep { !/on a CPU$/ } keys %{ $met{CPU_SWITCH} };

for my $type (sort keys %{ { %is, %met } }) {
	my ($was, $now) = ($is{$type} // {}, $met{$type} // {});
	$compared{$type} = keys %$was;
	my @missing = grep { ($now->{$_} // 0) != $was->{$_} } sort keys %$was;
	my @more = grep { !$was->{$_} } sort keys %$now;
	$differs{$type} = "'" . ($missing[0] // '') . "' became '" . ($more[0] // '') . "', " . @missing . ' and ' . @more if @missing || @more;
}
my %named = map { $_ => 1 } split /,/, $not_written;
# Seen in others: a wait in arrows, a wake-up in what the thread does, the clock in the snapshots.
@expect{qw(DEPENDENCY CPU_WAKE STREAM_INFO)} = ();
for (sort keys %all) {
	$differs{$_} //= 'is neither compared nor named' if !exists $expect{$_} && !$named{$_};
	$differs{$_} //= 'is compared, and named as not written' if $expect{$_} && $named{$_};
}
print "$_: $differs{$_}\n" for sort keys %differs;
print 'compared ', join(' ', map { "$_ $compared{$_}" } sort keys %compared), "\n";
exit(%differs ? 1 : 0);
