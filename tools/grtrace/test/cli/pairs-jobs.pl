#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
# pairs-jobs.pl WAY FORMAT ROWS STREAM...: compares rows of jobs, each a JSON object in a line, with the records of raw
# streams, column by column.  WAY says how texts are written: "csv", "json" or "ctf".  Prints "COLUMN: ..." for each that
# differs, and exits with 1.
use strict;
use warnings;
use FindBin;
use JSON::PP;
require "$FindBin::Bin/source.pl";

my ($way, $format, $rows, @streams) = @ARGV;
my %text_of = (csv => sub { $_[0] }, json => \&json_text, ctf => sub { length $_[0] ? ctf_text($_[0]) : '' });
my @stamps = qw(submit commit start end complete);
my (%jobs, %rings, %processes, %cgroups, @machines, %keyed);

# Lines "name=value" of a text.
sub value_in { my ($text, $name) = @_; return $text =~ /^\Q$name\E=(.*)$/m ? $1 : '' }

# Under the name that the process had then.
sub process_at {
	my ($tgid, $ns) = @_;
	my @known = grep { $_->{ts} <= $ns } @{ $processes{$tgid} // [] };
	return @known ? $known[-1] : $processes{$tgid}[0];
}

# Later definitions of its number come when its jobs are over.
sub ring_at {
	my ($id, $ns) = @_;
	return (grep { $_->{ts} <= $ns } @{ $rings{$id} })[-1];
}

# What each record says of its job.
sub learn {
	my ($r) = @_;
	my $type = $r->{TYPE};
	if ($type eq 'RING') { push @{ $rings{ $r->{ring} } }, $r }
	elsif ($type eq 'PROCESS') { push @{ $processes{ $r->{tgid} } }, $r }
	elsif ($type eq 'CGROUP') { $cgroups{ $r->{cgroup_id} } = $r }
	elsif ($type eq 'MACHINE') { $machines[$r->{boot}] = $r }
	elsif ($type =~ /^(SUBMIT|COMMIT|START|END|COMPLETE)$/) {
		my $job = $jobs{"$r->{ctx}:$r->{seqno}"} //= { ctx => $r->{ctx}, seqno => $r->{seqno} };
		$job->{lc($type) . '_ns'} = $r->{ts};
		$job->{submit} = $r if $type eq 'SUBMIT';
		$job->{status} = has_flag($r, 'NO_STATUS') ? '' : $r->{status} if $type eq 'COMPLETE';
		$job->{is_synthetic} = 1 if has_flag($r, 'SYNTHETIC');
	} elsif ($type eq 'JOB') {
		$jobs{"$r->{ctx}:$r->{seqno}"} = { submit => $r, status => has_flag($r, 'NO_STATUS') ? '' : $r->{status},
			map { $_ => $r->{$_} } qw(ctx seqno), map { "${_}_ns" } @stamps };
	}
}

# The columns that are known of a job by its records alone.
sub expected {
	my ($job) = @_;
	my $is_kernel = has_flag($job->{submit}, 'KERNEL_JOB');
	my ($ring, $process) = (ring_at($job->{submit}{ring}, $job->{complete_ns}), process_at($job->{submit}{tgid}, $job->{submit_ns}));
	my $cgroup = $cgroups{ $process->{cgroup_id} };
	my ($path) = split /\n/, $cgroup->{text};
	my %row = (
		(map { $_ => $job->{$_} } qw(ctx seqno status), map { "${_}_ns" } @stamps),
		device => $ring->{device}, ring => $ring->{name}, engine => enum_name('engine', $ring->{engine}),
		host => value_in($machines[0]{text}, 'host'), boot_id => value_in($machines[0]{text}, 'boot_id'),
		pid => 0, comm => 'kernel', map { $_ => '' } qw(pidns cgroup_id cgroup namespace pod container),
	);
	@row{qw(pid comm pidns cgroup_id cgroup namespace pod container)} = (@$process{qw(tgid comm pidns cgroup_id)}, $path,
		map { value_in($cgroup->{text}, $_) } qw(namespace pod container)) unless $is_kernel;
	my @spans = (t_submit_host => 'submit', 'commit', t_queue => 'commit', 'start', t_exec => 'start', 'end',
		     t_hw => 'commit', 'end', t_complete => 'end', 'complete', total => 'submit', 'complete');
	while (my ($name, $from, $to) = splice @spans, 0, 3) {
		$row{"${name}_ns"} = $job->{"${to}_ns"} - $job->{"${from}_ns"};
	}
	return \%row;
}

read_format($format);
learn($_) for read_streams(@streams);
my (%differs, $compared, %met);
my %is_number = map { $_ => 1 } qw(ctx seqno pid pidns cgroup_id status), grep { /_ns$/ } map { ("${_}_ns") } @stamps;
my $json = JSON::PP->new->utf8;

open(my $in, '<:raw', $rows) or die "$rows: $!\n";
while (my $line = <$in>) {
	my $row = $json->decode($line);
	next if ($row->{row} // 'job') ne 'job';
	my $key = ($row->{ctx} // '') . ':' . ($row->{seqno} // '');
	my $job = $jobs{$key};
	$differs{job} //= $job ? "$key comes twice" : "$key is no job" if !$job || $met{$key}++;
	next unless $job;
	my $expected = expected($job);
	for my $name (sort keys %$expected) {
		my ($is, $was) = ($row->{$name} // '', $expected->{$name} // '');
		utf8::encode($is);
		if ($way eq 'ctf') {
			$is = '' if $is eq '-' && $was ne '-' || $name eq 'status' && $is eq '-2147483648' || $name ne 'status' && $is eq '-1';
		}
		$was = $text_of{$way}->($was);
		$is = csv_bytes($is) if $way eq 'csv';
		# A stage that follows from an inferred stamp may be left out, but never be another one.
		next if $is eq '' && $name =~ /^(t_|total)/;
		$compared++;
		$differs{$name} //= "'$was' of $key became '$is'" if "$is" ne "$was";
	}
}
$differs{job} //= scalar(grep { !$met{$_} } keys %jobs) . ' are missing, like ' . (grep { !$met{$_} } keys %jobs)[0]
	if grep { !$met{$_} } keys %jobs;
print "$_: $differs{$_}\n" for sort keys %differs;
print "compared ", $compared // 0, " values of ", scalar(keys %met), " jobs\n";
exit(%differs || !$compared ? 1 : 0);
