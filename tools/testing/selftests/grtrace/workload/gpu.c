// SPDX-License-Identifier: GPL-2.0
/* The mock GPU from user space: raw ioctls, no library. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include "workload.h"

#define WAIT_NS		60000000000ull
/* From <drm/drm.h>, which many systems do not have. */
#define IOCTL_SYNCOBJ_CREATE	_IOWR('d', 0xbf, struct syncobj)
#define IOCTL_SYNCOBJ_DESTROY	_IOWR('d', 0xc0, struct syncobj)
#define SYNCOBJ_SIGNALED	1

struct syncobj {
	uint32_t handle;
	uint32_t flags;
};

#define FIRST_RENDER	128
#define LAST_RENDER	191

const char * const ring_names[GRTRACE_MOCK_RINGS] = {
	[GRTRACE_MOCK_RING_GFX]		= "gfx",
	[GRTRACE_MOCK_RING_COMPUTE]	= "compute",
	[GRTRACE_MOCK_RING_COPY]	= "copy",
};

uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/* A signal from the test harness must not look like a failure of the device. */
static int gpu_ioctl(int fd, unsigned long request, void *arg)
{
	int err;

	do {
		err = ioctl(fd, request, arg);
	} while (err < 0 && (errno == EINTR || errno == EAGAIN));
	return err;
}

/* Recognised by the driver's name: on another GPU our ioctls would mean something else. */
static bool is_mock(int fd)
{
	char link[64], driver[256];
	struct stat st;
	ssize_t len;

	if (fstat(fd, &st) || !S_ISCHR(st.st_mode))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device/driver",
		 major(st.st_rdev), minor(st.st_rdev));
	len = readlink(link, driver, sizeof(driver) - 1);
	if (len < 0)
		return false;
	driver[len] = '\0';
	return !strcmp(strrchr(driver, '/') ?: driver, "/grtrace_mock");
}

/* Finds the render node of the mock among other GPUs. */
const char *gpu_find(void)
{
	static char path[32];

	for (int i = FIRST_RENDER; i <= LAST_RENDER; i++) {
		int fd;

		snprintf(path, sizeof(path), "/dev/dri/renderD%d", i);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_mock(fd)) {
			close(fd);
			return path;
		}
		close(fd);
	}
	fprintf(stderr, "workload: no mock GPU in /dev/dri\n"
			"hint: load it, and run as root: modprobe grtrace_mock\n");
	return NULL;
}

int gpu_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		fprintf(stderr, "workload: cannot open '%s': %s\n", path,
			strerror(errno));
		fprintf(stderr, errno == EACCES ?
			"hint: run as root, or join the group that owns it\n" :
			"hint: modprobe grtrace_mock\n");
		return -1;
	}
	if (!is_mock(fd)) {
		fprintf(stderr, "workload: '%s' is not a mock GPU\n"
				"hint: leave --device out to search for it\n", path);
		close(fd);
		return -1;
	}
	return fd;
}

static int make_context(struct worker *w, uint32_t ring)
{
	struct drm_grtrace_mock_ctx_create args = { .ring = ring };

	if (gpu_ioctl(w->fd, DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &args)) {
		fprintf(stderr, "workload: cannot create a context on '%s': %s\n",
			ring_names[ring], strerror(errno));
		return -1;
	}
	w->handles[ring] = args.handle;
	return 0;
}

/* splitmix64: a seed gives the same workload on every machine. */
static uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint32_t pick_flags(const struct worker *w, uint32_t job_index)
{
	static const uint32_t faults[] = {
		GRTRACE_MOCK_JOB_FAIL,
		GRTRACE_MOCK_JOB_RUN_ERROR,
		GRTRACE_MOCK_JOB_NO_HW,
	};
	const uint32_t every = w->run->fault_every;

	if (job_index == w->run->hang_job)
		return GRTRACE_MOCK_JOB_HANG;
	if (every && job_index % every == every - 1)
		return faults[job_index / every % 3];
	return 0;
}

/* The status that WAIT must return for a job, according to pick_flags(). */
int job_expected_status(const struct job *job)
{
	switch (job->flags) {
	case GRTRACE_MOCK_JOB_FAIL:
		return -EIO;
	case GRTRACE_MOCK_JOB_RUN_ERROR:
		return -EINVAL;
	case GRTRACE_MOCK_JOB_HANG:
		return -ETIME;
	default:
		return 0;
	}
}

struct job *gpu_submit(struct worker *w, uint32_t ring, const struct job **deps,
		       uint32_t dep_count)
{
	const uint32_t index = w->self->first_job + w->submitted;
	const uint64_t span = w->run->longest_ns - w->run->shortest_ns + 1;
	struct job *job = &w->run->jobs[index];
	struct drm_grtrace_mock_submit args = {
		.deps = (uintptr_t)job->deps,
		.dep_count = dep_count,
	};

	if (!w->handles[ring] && make_context(w, ring))
		return NULL;

	job->ring = ring;
	job->flags = pick_flags(w, index);
	job->duration_ns = w->run->shortest_ns + random_next(&w->random) % span;
	job->dep_count = dep_count;
	for (uint32_t i = 0; i < dep_count; i++)
		job->deps[i] = deps[i]->key;

	args.handle = w->handles[ring];
	args.flags = job->flags;
	args.duration_ns = job->duration_ns;
	if (gpu_ioctl(w->fd, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &args)) {
		fprintf(stderr, "workload: %s: submit to '%s' failed: %s\n",
			w->self->comm, ring_names[ring], strerror(errno));
		return NULL;
	}
	job->key.fence_ctx = args.fence_ctx;
	job->key.seqno = args.seqno;
	job->is_submitted = true;
	w->submitted++;
	return job;
}

int gpu_wait(struct worker *w, struct job *job)
{
	struct drm_grtrace_mock_wait args = {
		.handle = w->handles[job->ring],
		.seqno = job->key.seqno,
		.deadline_ns = (int64_t)(clock_ns() + WAIT_NS),
	};

	if (job->is_waited)
		return 0;
	if (gpu_ioctl(w->fd, DRM_IOCTL_GRTRACE_MOCK_WAIT, &args)) {
		fprintf(stderr, "workload: %s: waiting for job %llu:%llu on '%s': %s\n",
			w->self->comm, (unsigned long long)job->key.fence_ctx,
			(unsigned long long)job->key.seqno,
			ring_names[job->ring], strerror(errno));
		if (errno == ETIME)
			fprintf(stderr, "hint: is it in manual mode? echo 0 > "
				"/sys/kernel/debug/grtrace_mock/manual\n");
		return -1;
	}
	job->status = args.status;
	job->is_waited = true;
	return 0;
}

int gpu_fence_create(struct worker *w, struct drm_grtrace_mock_job_key *key)
{
	struct drm_grtrace_mock_fence_create args = { 0 };

	if (gpu_ioctl(w->fd, DRM_IOCTL_GRTRACE_MOCK_FENCE_CREATE, &args)) {
		fprintf(stderr, "workload: %s: cannot create a fence: %s\n",
			w->self->comm, strerror(errno));
		return -1;
	}
	key->fence_ctx = args.fence_ctx;
	key->seqno = args.seqno;
	return 0;
}

int gpu_fence_signal(struct worker *w, const struct foreign *fence)
{
	struct drm_grtrace_mock_fence_signal args = {
		.fence_ctx = fence->key.fence_ctx,
		.seqno = fence->key.seqno,
		.status = fence->status,
	};

	if (!gpu_ioctl(w->fd, DRM_IOCTL_GRTRACE_MOCK_FENCE_SIGNAL, &args))
		return 0;
	fprintf(stderr, "workload: %s: signalling fence %llu:%llu: %s\n",
		w->self->comm, (unsigned long long)fence->key.fence_ctx,
		(unsigned long long)fence->key.seqno, strerror(errno));
	if (errno == EALREADY)
		fprintf(stderr, "hint: it was not signalled in time; is the machine that slow?\n");
	return -1;
}

/* A fence that is created signalled becomes a stub fence, which always has context 0. */
int gpu_signal_stub(struct worker *w)
{
	struct syncobj args = { .flags = SYNCOBJ_SIGNALED };

	if (!gpu_ioctl(w->fd, IOCTL_SYNCOBJ_CREATE, &args)) {
		args.flags = 0;
		if (!gpu_ioctl(w->fd, IOCTL_SYNCOBJ_DESTROY, &args))
			return 0;
	}
	fprintf(stderr, "workload: %s: sync object: %s\n", w->self->comm, strerror(errno));
	return -1;
}
