#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0
#
# Stands in for ClickHouse: writes each request into the folder DIR, and answers what is there.  The file "port" has
# its port, "log" a line per request: its query, or the SQL of its body; "body.N" its body; "user.N" who it says
# he is.  "answer" is a status and a text, "answer.WORD" one for requests with this word.
use strict;
use warnings;
use IO::Socket::INET;
use MIME::Base64;

my ($dir) = @ARGV;
my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', ReuseAddr => 1) or die "no port: $@\n";
my $nr = 0;

sub put
{
	my ($mode, $name, $text) = @_;

	open(my $file, $mode, "$dir/$name") or die "$name: $!\n";
	print $file $text;
	close($file) or die "$name: $!\n";
}

sub body_of
{
	my ($client, $headers) = @_;
	my ($body, $line) = ('', '');

	if ($headers =~ /^Transfer-Encoding: chunked/mi) {
		while (defined($line = <$client>) && (my $size = hex($line =~ s/\s+//gr))) {
			read($client, $body, $size, length($body));
			<$client>;
		}
		<$client>;
	} elsif ($headers =~ /^Content-Length: (\d+)/mi) {
		read($client, $body, $1);
	}
	return $body;
}

# What every user of this machine sees of the sender.
sub is_seen
{
	my ($text) = @_;

	for my $path (glob('/proc/[0-9]*/cmdline')) {
		open(my $file, '<', $path) or next;
		return 1 if index(do { local $/; <$file> } // '', $text) >= 0;
	}
	return 0;
}

sub answer_to
{
	my ($what) = @_;

	for my $path (glob("$dir/answer.*"), "$dir/answer") {
		next unless -e $path && ($path =~ /answer$/ || $what =~ /\Q@{[$path =~ s{.*answer\.}{}r]}\E/);
		open(my $file, '<', $path) or die "$path: $!\n";
		my ($status, @text) = <$file>;
		return ($status =~ s/\s+//gr, join('', @text));
	}
	return (200, '');
}

put('>', 'port', $server->sockport);
while (my $client = $server->accept) {
	my ($headers, $first) = ('', scalar(<$client>) // '');

	while (defined(my $line = <$client>)) {
		last if $line =~ /^\r?$/;
		$headers .= $line;
	}
	my $body = body_of($client, $headers);
	my ($query) = $first =~ /[?&]query=([^& ]*)/;
	my $what = ($query // $body) =~ s/%20/ /gr =~ s/\s+/ /gr;

	$nr++;
	if ($headers =~ /^Authorization: Basic (\S+)/mi) {
		my $user = decode_base64($1);

		put('>', "user.$nr", $user . (is_seen($user =~ s/.*?://r) ? ' is seen' : '') . "\n");
	}
	put('>', "body.$nr", $body);
	put('>>', 'log', "$first" =~ s/ HTTP.*//sr . " $what\n");
	my ($status, $text) = answer_to($what);
	print $client "HTTP/1.1 $status Answer\r\nContent-Length: ", length($text), "\r\nConnection: close\r\n\r\n$text";
	close($client);
}
