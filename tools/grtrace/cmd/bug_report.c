// SPDX-License-Identifier: GPL-2.0
/* The text of grtrace doctor --bug-report. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "control.h"
#include "doctor.h"
#include "error.h"
#include "io.h"
#include "number.h"

#define LOG_LINES	50
#define FILE_BYTES	(1 << 17)
#define LOG_READ_ALL	3	/* see syslog(2) */
#define LOG_SIZE	10

static void begin(FILE *f, const char *title)
{
	fprintf(f, "\n## %s\n\n", title);
}

static void print_distribution(FILE *f)
{
	char text[8192];
	char *at;

	if (grt_read_text(AT_FDCWD, "/etc/os-release", text, sizeof(text)) < 0)
		return;
	at = !strncmp(text, "PRETTY_NAME=", 12) ? text : strstr(text, "\nPRETTY_NAME=");
	if (!at)
		return;
	at = strchr(at, '=') + 1;
	at += *at == '"';
	fprintf(f, "distribution  %.*s\n", (int)strcspn(at, "\"\n"), at);
}

static void print_versions(const struct doctor *d, FILE *f)
{
	char version[64], bytes[GRT_NUMBER_MAX];
	struct utsname u;
	struct sysinfo info;

	begin(f, "versions");
	fprintf(f, "grtrace       %s\n", GRT_VERSION);
	if (grt_kernel_read_line(&d->look, "/sys/module/grtrace/version", version, sizeof(version)))
		fprintf(f, "module        %s\n", version);
	else
		fprintf(f, "module        %s\n",
			grt_kernel_has_module(&d->look, "grtrace") ? "loaded, version unknown" : "not loaded");
	if (!uname(&u))
		fprintf(f, "kernel        %s %s %s\n", u.release, u.version, u.machine);
	print_distribution(f);
	if (!sysinfo(&info))
		fprintf(f, "machine       %d CPUs, %s of memory\n", get_nprocs(),
			grt_format_bytes(bytes, (uint64_t)info.totalram * info.mem_unit));
}

static int is_ours(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "grtrace", 7);
}

static void print_modules(const struct doctor *d, FILE *f)
{
	struct dirent **names;
	int count = scandir("/sys/module", &names, is_ours, alphasort);
	char path[320], version[64];

	begin(f, "modules of grtrace");
	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "/sys/module/%s/version", names[i]->d_name);
		grt_kernel_read_line(&d->look, path, version, sizeof(version));
		fprintf(f, "%s %s\n", names[i]->d_name, version);
		free(names[i]);
	}
	if (count <= 0)
		fputs("none is loaded\n", f);
	if (count >= 0)
		free(names);
}

/* The options of the kernel that matter, from the file that distributions install. */
static void print_options(FILE *f)
{
	static const char * const options[] = {
		"CONFIG_BPF_SYSCALL", "CONFIG_DEBUG_FS", "CONFIG_DEBUG_INFO_BTF", "CONFIG_DEBUG_INFO_BTF_MODULES",
		"CONFIG_DRM_I915_LOW_LEVEL_TRACEPOINTS", "CONFIG_DRM_SCHED", "CONFIG_FPROBE", "CONFIG_FTRACE",
		"CONFIG_KPROBE_EVENTS", "CONFIG_MODULE_SIG_FORCE", "CONFIG_PREEMPT_RT", "CONFIG_RELAY",
		"CONFIG_TRACEPOINTS",
	};
	static char text[1 << 20];
	char path[128], line[128];
	struct utsname u;
	const char *at;

	begin(f, "options of the kernel");
	snprintf(path, sizeof(path), "/boot/config-%.100s", uname(&u) ? "" : u.release);
	if (grt_read_text(AT_FDCWD, path, text, sizeof(text)) < 0) {
		fputs("there is no file of /boot for this kernel, or it cannot be read\n", f);
		return;
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		snprintf(line, sizeof(line), "\n%s=", options[i]);
		at = strstr(text, line);
		if (at)
			fprintf(f, "%.*s\n", (int)strcspn(at + 1, "\n"), at + 1);
		else
			fprintf(f, "%s is not set\n", options[i]);
	}
}

/* Filters by process and user say only that they are set.  An empty list is none; user 0 is root. */
static void print_file(FILE *f, const char *file, char *room)
{
	begin(f, file);
	if (grt_control_read(file, room, FILE_BYTES) < 0) {
		fprintf(f, "cannot be read: %s\n", grt_cause());
		return;
	}
	for (const char *line = room; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		int len = strcspn(line, "\n"), name = strcspn(line, "=");

		if (!strncmp(line, "filter_pid=", 11) || !strncmp(line, "filter_uid=", 11) ||
		    !strncmp(line, "filter_cgroup=", 14))
			fprintf(f, "%.*s=%s\n", name, line, len > name + 1 ? "(set)" : "(not set)");
		else
			fprintf(f, "%.*s\n", len, line);
	}
}

/* "<6>[   12.345678] grtrace: text": the part behind the time; NULL: another one's line. */
static const char *our_line(const char *line)
{
	const char *at = *line == '<' ? strchr(line, '>') : NULL;

	line = at ? at + 1 : line;
	if (*line == '[') {
		at = strchr(line, ']');
		line = at && at[1] ? at + 2 : line;
	}
	return strncmp(line, "grtrace:", 8) ? NULL : line;
}

static void print_log(FILE *f)
{
	const char *lines[LOG_LINES];
	int bytes = klogctl(LOG_SIZE, NULL, 0), count = 0;
	char *text = bytes > 0 ? malloc(bytes + 1) : NULL, *save = NULL;

	begin(f, "the kernel's log: the last lines that begin with grtrace:");
	bytes = text ? klogctl(LOG_READ_ALL, text, bytes) : -1;
	if (bytes < 0) {
		fputs("it cannot be read\n", f);
		free(text);
		return;
	}
	text[bytes] = '\0';
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (our_line(line))
			lines[count++ % LOG_LINES] = our_line(line);
	for (int i = count > LOG_LINES ? count - LOG_LINES : 0; i < count; i++)
		fprintf(f, "%s\n", lines[i % LOG_LINES]);
	if (!count)
		fputs("none\n", f);
	free(text);
}

/* Its files, or why they cannot be read; without the module there is nothing to say. */
static void print_module(const struct doctor *d, FILE *f)
{
	static const char * const files[] = { "control", "config", "stats", "metadata", "rings", "error" };
	int dir = grt_control_open();
	char *room = malloc(FILE_BYTES);

	if (dir >= 0)
		close(dir);
	if (dir >= 0 || grt_kernel_has_module(&d->look, "grtrace"))
		for (size_t i = 0; room && i < sizeof(files) / sizeof(*files); i++)
			print_file(f, files[i], room);
	free(room);
}

static void print_all(const struct doctor *d, FILE *f)
{
	fputs("# Bug report of grtrace\n\n"
	      "What happened, what was expected, and how to make it happen again:\n\n\n"
	      "'grtrace doctor --bug-report' collected the rest. It contains no names of hosts, users or\n"
	      "processes, no serial numbers and no kernel addresses.\n", f);
	print_versions(d, f);
	begin(f, "doctor");
	doctor_print(d, "text", f);
	print_modules(d, f);
	print_options(f);
	print_module(d, f);
	print_log(f);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

#define NR_SECRETS	5

/* A word, and what stands in its place. */
struct secret {
	const char *word;	/* NULL: none */
	const char *instead;
};

/* The secret that @text begins with; NULL: none. */
static const struct secret *secret_at(const char *text, const struct secret *secrets)
{
	size_t len;

	for (size_t i = 0; i < NR_SECRETS; i++) {
		len = secrets[i].word ? strlen(secrets[i].word) : 0;
		if (len && !strncmp(text, secrets[i].word, len) && !is_word(text[len]))
			return &secrets[i];
	}
	return NULL;
}

/* 64 bits in the upper half, with or without 0x. */
static bool is_address(const char *word, size_t len)
{
	const char *digits = word + len - 16;

	return len >= 16 && strspn(digits, "0123456789abcdefABCDEF") >= 16 &&
	       !strncasecmp(digits, "ffff", 4);
}

static void print_scrubbed(FILE *f, const char *text, const struct secret *secrets)
{
	const struct secret *secret;
	size_t len;

	for (; *text; text += len) {
		secret = secret_at(text, secrets);
		if (secret) {
			fputs(secret->instead, f);
			len = strlen(secret->word);
			continue;
		}
		for (len = 0; is_word(text[len]); )
			len++;
		if (is_address(text, len))
			fputs("(address)", f);
		else
			fprintf(f, "%.*s", (int)(len ? len : 1), text);
		len += !len;
	}
}

/* A name that everybody has tells nothing. */
static const char *user_in(const char *variable)
{
	const char *name = getenv(variable);

	return name && strcmp(name, "root") ? name : NULL;
}

/* What @d's text may contain only by accident: the kernel's messages may quote what somebody wrote. */
static int scrub(const char *raw, char **text)
{
	struct utsname u = { 0 };
	char host[sizeof(u.nodename)];
	struct secret secrets[NR_SECRETS] = {
		{ u.nodename, "(host)" }, { host, "(host)" }, { user_in("SUDO_USER"), "(user)" },
		{ user_in("USER"), "(user)" }, { user_in("LOGNAME"), "(user)" },
	};
	size_t bytes;
	FILE *f = open_memstream(text, &bytes);

	if (!f)
		return grt_fail_memory();
	uname(&u);
	snprintf(host, sizeof(host), "%.*s", (int)strcspn(u.nodename, "."), u.nodename);
	print_scrubbed(f, raw, secrets);
	return fclose(f) ? grt_fail_memory() : 0;
}

int doctor_bug_report(const struct doctor *d, char **text)
{
	char *raw = NULL;
	size_t bytes;
	FILE *f = open_memstream(&raw, &bytes);
	int err;

	if (!f)
		return grt_fail_memory();
	print_all(d, f);
	err = fclose(f) ? grt_fail_memory() : scrub(raw, text);
	free(raw);
	return err;
}
