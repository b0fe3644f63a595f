# SPDX-License-Identifier: GPL-2.0
# Reads raw streams without any code of grtrace: only their description is from it, what list-format prints.
# For scripts that compare what another program reads in an export with what is in the trace.
use strict;
use warnings;

my %types;	# by number: { name, members: [{ name, at, bytes, kind }], text: { name, at } }
my %enums;	# by name, by number
my %flags;	# by type or 'all', by name: the bit

sub read_format {
	my ($path) = @_;
	my %by_struct;
	open(my $in, '<', $path) or die "$path: $!\n";
	while (<$in>) {
		my @w = split;
		if ($w[0] eq 'record') {
			$types{$w[1]} = $by_struct{$w[3]} = { name => $w[2], members => [] };
		} elsif ($w[0] eq 'member') {
			my ($struct, $name) = split /\./, $w[1], 2;
			push @{ $by_struct{$struct}{members} },
				{ name => $name, at => $w[3], bytes => $w[5], kind => $w[6] } if $by_struct{$struct};
		} elsif ($w[0] eq 'text') {
			my ($struct, $name) = split /\./, $w[1], 2;
			$by_struct{$struct}{text} = { name => $name, at => $w[3] };
		} elsif ($w[0] eq 'flag') {
			$flags{$w[4]}{$w[2]} = 1 << $w[1];
		} elsif (@w == 3 && $w[1] =~ /^\d+$/) {
			$enums{$w[0]}{$w[1]} = $w[2];
		}
	}
}

sub number_at {
	my ($record, $m) = @_;
	return '' if length($record) < $m->{at} + $m->{bytes};
	return unpack($m->{kind} eq 'sint' ? ($m->{bytes} == 8 ? 'q<' : 'l<') :
		      $m->{bytes} == 8 ? 'Q<' : $m->{bytes} == 4 ? 'L<' : 'S<', substr($record, $m->{at}));
}

sub text_at { return substr($_[0], $_[1], $_[2] // length $_[0]) =~ s/\0.*//sr }

sub decode {
	my ($bytes) = @_;
	my ($type, undef, $cpu, $flags, $ts, $gseq, $cseq) = unpack('S<4Q<3', $bytes);
	my $t = $types{$type} or return undef;
	my %r = (TYPE => $t->{name}, cpu => $cpu, FLAGS => $flags, ts => $ts, gseq => $gseq, cseq => $cseq);
	for my $m (@{ $t->{members} }) {
		$r{ $m->{name} } = $m->{kind} eq 'text' ? text_at($bytes, $m->{at}, $m->{bytes}) : number_at($bytes, $m);
	}
	$r{ $t->{text}{name} } = text_at($bytes, $t->{text}{at}) if $t->{text};
	return \%r;
}

# All records of the streams. A definition that comes again, on another CPU or later, is there once, as first.
sub read_streams {
	my (@records, %seen);
	for my $path (@_) {
		open(my $in, '<:raw', $path) or die "$path: $!\n";
		local $/;
		my $bytes = <$in>;
		for (my $at = 0; $at < length $bytes; ) {
			my $size = unpack('S<', substr($bytes, $at + 2, 2));
			die "$path: no record at $at\n" if $size < 32;
			my $r = decode(substr($bytes, $at, $size));
			$at += $size;
			next unless $r;
			push @records, $r if is_of_cpu($r) || !$seen{ identity($r) }++;
		}
	}
	return sort { $a->{ts} <=> $b->{ts} } @records;
}

sub identity {
	my ($r) = @_;
	my $less = $r->{TYPE} =~ /^(RING|PROCESS)$/ ? qr/^(cpu|ts|gseq|cseq)$/ : qr/^cpu$/;
	return join "\0", map { /$less/ ? "" : "$_=$r->{$_}" } sort keys %$r;
}

sub is_of_cpu { return $_[0]{TYPE} !~ /^(STREAM_INFO|METADATA|RING|PROCESS|CLOCK|STATS|STACK_TEXT|MACHINE|CGROUP|PEER|NOTE|SNAPSHOT)$/ }
sub members_of { my ($name) = @_; my ($t) = grep { $_->{name} eq $name } values %types; return $t }
sub enum_name { return $enums{$_[0]}{$_[1]} }
sub has_flag { my ($r, $name) = @_; return $r->{FLAGS} & ($flags{ $r->{TYPE} }{$name} // $flags{all}{$name} // 0) }

# --- texts, as the manual says that they are written ---

# Splits bytes into characters of UTF-8, [code, bytes]; the code of a byte that is none is undef.
sub characters {
	my ($bytes) = @_;
	my @chars;
	while ($bytes =~ /\G(?:([\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|
		\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})|(.))/gsx) {
		my ($char, $code) = ($1 // $2);
		if (defined $1) {
			my $text = $char;
			utf8::decode($text);
			$code = ord $text;
		}
		push @chars, [$code, $char];
	}
	return @chars;
}

sub is_hidden {
	my ($c) = @_;
	return $c < 0x20 || $c >= 0x7f && $c <= 0x9f || $c == 0x61c || $c == 0x200e || $c == 0x200f ||
		$c >= 0x2028 && $c <= 0x202e || $c >= 0x2066 && $c <= 0x2069;
}

# In JSON, and so in databases: a byte that is not UTF-8 is U+FFFD.
sub json_text { return join '', map { defined $_->[0] ? $_->[1] : "\xef\xbf\xbd" } characters($_[0]) }
# In pictures: a question mark for each byte that is not shown.
sub shown_text { return join '', map { defined $_->[0] && !is_hidden($_->[0]) ? $_->[1] : '?' x length $_->[1] } characters($_[0]) }
# In CTF: the number of each byte above 0x7f that is not shown; an empty text is a -.
sub ctf_text {
	my $text = join '', map { defined $_->[0] && ($_->[0] < 0x80 || !is_hidden($_->[0])) ? $_->[1] :
		join('', map { sprintf '\\x%02x', ord } split //, $_->[1]) } characters($_[0]);
	return length $text ? $text : '-';
}
# What a cell of CSV says, exactly.
sub csv_bytes { return $_[0] =~ s/\\(?:x([0-9a-f]{2})|(n)|(\\))/defined $1 ? chr hex $1 : $2 ? "\n" : "\\"/ger }

1;
