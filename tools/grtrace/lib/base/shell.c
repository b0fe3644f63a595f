// SPDX-License-Identifier: LGPL-2.1
#include "shell.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void put(struct grt_shell *s, const char *text, size_t bytes)
{
	if (s->is_cut || bytes >= sizeof(s->text) - s->at) {
		s->is_cut = true;
		return;
	}
	memcpy(s->text + s->at, text, bytes);
	s->at += bytes;
	s->text[s->at] = '\0';
}

void grt_shell_plain(struct grt_shell *s, const char *text)
{
	put(s, text, strlen(text));
}

static bool is_plain(const char *word)
{
	if (!*word)
		return false;
	for (; *word; word++)
		if (!isalnum((unsigned char)*word) && !strchr("_@%+=:,./-", *word))
			return false;
	return true;
}

/* Bytes that control a terminal, and all bytes that are not ASCII. */
static bool has_odd_bytes(const char *word)
{
	for (; *word; word++)
		if ((unsigned char)*word < ' ' || (unsigned char)*word >= 0x7f)
			return true;
	return false;
}

/* $'a\x1b': one harmless line, from which the shell makes the same bytes. */
static void put_escaped(struct grt_shell *s, const char *word)
{
	char octal[8];

	put(s, "$'", 2);
	for (; *word; word++) {
		if (*word == '\'' || *word == '\\')
			put(s, "\\", 1);
		if ((unsigned char)*word < ' ' || (unsigned char)*word >= 0x7f) {
			snprintf(octal, sizeof(octal), "\\%03o", (unsigned char)*word);
			put(s, octal, 4);
		} else {
			put(s, word, 1);
		}
	}
	put(s, "'", 1);
}

static void put_quoted(struct grt_shell *s, const char *word)
{
	put(s, "'", 1);
	for (; *word; word++) {
		if (*word == '\'')
			put(s, "'\\''", 4);
		else
			put(s, word, 1);
	}
	put(s, "'", 1);
}

static void put_word(struct grt_shell *s, const char *word)
{
	if (is_plain(word))
		put(s, word, strlen(word));
	else if (has_odd_bytes(word))
		put_escaped(s, word);
	else
		put_quoted(s, word);
}

void grt_shell_word(struct grt_shell *s, const char *word)
{
	put(s, " ", 1);
	put_word(s, word);
}

void grt_shell_file(struct grt_shell *s, const char *name)
{
	put(s, *name == '-' ? " ./" : " ", *name == '-' ? 3 : 1);
	put_word(s, name);
}
