// SPDX-License-Identifier: GPL-2.0
/* What paths of cgroups say, as runtimes and systemd make them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cgroup_path.h"

#define ID	"4b1f03de7f6cbf41b57dfe0f1e1dd2f6c3e4b1f03de7f6cbf41b57dfe0f1e1dd"
#define ID2	"00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define UID	"1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d"
#define UID_	"1a2b3c4d_5e6f_4a7b_8c9d_0e1f2a3b4c5d"
#define HASH	"d41d8cd98f00b204e9800998ecf8427e"

static const struct path_case {
	const char *path;
	enum grt_owner owner;
	const char *runtime, *pod_uid, *container, *slurm_job, *unit;
} cases[] = {
	/* Kubernetes with the systemd driver, in each class of quality of service. */
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" UID_ ".slice/cri-containerd-" ID ".scope",
	  GRT_OWNER_POD, "containerd", UID, ID, "", "cri-containerd-" ID ".scope" },
	{ "/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod" UID_ ".slice/crio-" ID ".scope/container",
	  GRT_OWNER_POD, "cri-o", UID, ID, "", "crio-" ID ".scope" },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice/docker-" ID ".scope",
	  GRT_OWNER_POD, "docker", UID, ID, "", "docker-" ID ".scope" },
	{ "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" HASH ".slice/cri-containerd-" ID ".scope",
	  GRT_OWNER_POD, "containerd", HASH, ID, "", "cri-containerd-" ID ".scope" },
	{ "/kubepods.slice/kubepods-pod" UID_ ".slice",
	  GRT_OWNER_POD, "", UID, "", "", "kubepods-pod" UID_ ".slice" },
	/* The driver cgroupfs. */
	{ "/kubepods/burstable/pod" UID "/" ID, GRT_OWNER_POD, "", UID, ID, "", "" },
	{ "/kubepods/pod" UID "/crio-" ID, GRT_OWNER_POD, "cri-o", UID, ID, "", "" },
	{ "/kubepods/besteffort/pod" HASH "/" ID, GRT_OWNER_POD, "", HASH, ID, "", "" },
	/* containerd without systemd's driver, but with its names. */
	{ "/system.slice/containerd.service/kubepods-burstable-pod" UID_ ".slice:cri-containerd:" ID,
	  GRT_OWNER_POD, "containerd", UID, ID, "", "containerd.service" },
	/* kind: a node is a container itself. */
	{ "/system.slice/docker-" ID ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/"
	  "kubelet-kubepods-besteffort-pod" UID_ ".slice/cri-containerd-" ID2 ".scope",
	  GRT_OWNER_POD, "containerd", UID, ID2, "", "cri-containerd-" ID2 ".scope" },
	{ "/docker/" ID "/kubelet/kubepods/besteffort/pod" UID "/" ID2, GRT_OWNER_POD, "", UID, ID2, "", "" },
	/* Docker. */
	{ "/system.slice/docker-" ID ".scope", GRT_OWNER_CONTAINER, "docker", "", ID, "", "docker-" ID ".scope" },
	{ "/docker/" ID, GRT_OWNER_CONTAINER, "docker", "", ID, "", "" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope/init",
	  GRT_OWNER_CONTAINER, "docker", "", ID, "", "docker-" ID ".scope" },
	{ "/system.slice:docker:" ID, GRT_OWNER_CONTAINER, "docker", "", ID, "", "system.slice" },
	/* Podman. */
	{ "/machine.slice/libpod-" ID ".scope/container", GRT_OWNER_CONTAINER, "podman", "", ID, "", "libpod-" ID ".scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope/container",
	  GRT_OWNER_CONTAINER, "podman", "", ID, "", "libpod-" ID ".scope" },
	{ "/system.slice/app.service/libpod-payload-" ID, GRT_OWNER_CONTAINER, "podman", "", ID, "", "app.service" },
	{ "/libpod_parent/libpod-" ID, GRT_OWNER_CONTAINER, "podman", "", ID, "", "" },
	{ "/machine.slice/libpod-conmon-" ID ".scope", GRT_OWNER_UNIT, "", "", "", "", "libpod-conmon-" ID ".scope" },
	/* containerd, nerdctl, LXC. */
	{ "/k8s.io/" ID, GRT_OWNER_CONTAINER, "containerd", "", ID, "", "" },
	{ "/system.slice/nerdctl-" ID ".scope", GRT_OWNER_CONTAINER, "containerd", "", ID, "", "nerdctl-" ID ".scope" },
	{ "/default/" ID, GRT_OWNER_CONTAINER, "", "", ID, "", "" },
	{ "/lxc.payload.web/system.slice/nginx.service", GRT_OWNER_CONTAINER, "lxc", "", "web", "", "nginx.service" },
	{ "/lxc/web", GRT_OWNER_CONTAINER, "lxc", "", "web", "", "" },
	/* Slurm. */
	{ "/system.slice/slurmstepd.scope/job_1234/step_0/user/task_0",
	  GRT_OWNER_SLURM_JOB, "", "", "", "1234", "slurmstepd.scope" },
	{ "/system.slice/node7_slurmstepd.scope/job_9/step_batch/user",
	  GRT_OWNER_SLURM_JOB, "", "", "", "9", "node7_slurmstepd.scope" },
	{ "/system.slice/slurmstepd.scope/sB9SJVMX7D0000/step_0",
	  GRT_OWNER_SLURM_JOB, "", "", "", "sB9SJVMX7D0000", "slurmstepd.scope" },
	{ "/slurm/uid_1000/job_77/step_0", GRT_OWNER_SLURM_JOB, "", "", "", "77", "" },
	{ "/system.slice/slurmstepd.scope/job_5/step_0/user/libpod-" ID ".scope",
	  GRT_OWNER_SLURM_JOB, "podman", "", ID, "5", "libpod-" ID ".scope" },
	{ "/system.slice/slurmstepd.scope/system", GRT_OWNER_UNIT, "", "", "", "", "slurmstepd.scope" },
	/* systemd. */
	{ "/system.slice/ssh.service", GRT_OWNER_UNIT, "", "", "", "", "ssh.service" },
	{ "/user.slice/user-1000.slice/session-2.scope", GRT_OWNER_UNIT, "", "", "", "", "session-2.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/app-gnome-firefox-4242.scope",
	  GRT_OWNER_UNIT, "", "", "", "", "app-gnome-firefox-4242.scope" },
	{ "/user.slice/user-1000.slice/user@1000.service/session.slice", GRT_OWNER_UNIT, "", "", "", "", "user@1000.service" },
	{ "/user.slice/user-1000.slice/user@1000.service/app.slice/dbus-:1.2-org.gnome.Maps@0.service",
	  GRT_OWNER_UNIT, "", "", "", "", "dbus-:1.2-org.gnome.Maps@0.service" },
	{ "/machine.slice", GRT_OWNER_UNIT, "", "", "", "", "machine.slice" },
	/* None of these, or nearly one. */
	{ "/", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "////", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/mine", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/docker/" ID "0", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/job_7", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/slurm/uid_1/job_7x", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/slurm/uid_1/job_", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/slurm/uid_1/job_111111111122222222223333333333444", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/pod" UID, GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/kubepods/burstable/podsomething", GRT_OWNER_NOBODY, "", "", "", "", "" },
	{ "/kubepods.slice/kubepods-pod1a2b3c4d_5e6f_4a7b_8c9d_0e1f2a3b4c5.slice",
	  GRT_OWNER_UNIT, "", "", "", "", "kubepods-pod1a2b3c4d_5e6f_4a7b_8c9d_0e1f2a3b4c5.slice" },
};

static void test_paths(void **state)
{
	struct grt_workload w;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct path_case *c = &cases[i];

		print_message("%s\n", c->path);
		grt_workload_read(&w, c->path);
		assert_int_equal(w.owner, c->owner);
		assert_string_equal(w.runtime, c->runtime);
		assert_string_equal(w.pod_uid, c->pod_uid);
		assert_string_equal(w.container, c->container);
		assert_string_equal(w.slurm_job, c->slurm_job);
		assert_string_equal(w.unit, c->unit);
	}
}

static void test_owner(void **state)
{
	struct grt_workload w;

	(void)state;
	grt_workload_read(&w, cases[0].path);
	assert_string_equal(grt_workload_owner(&w), UID);
	assert_string_equal(grt_owner_name(w.owner), "pod");
	grt_workload_read(&w, "/mine");
	assert_string_equal(grt_workload_owner(&w), "");
	assert_string_equal(grt_owner_name(w.owner), "nobody");
}

/* A trace may have any path. */
static void test_long(void **state)
{
	size_t bytes = 60000;
	char *path = malloc(bytes);
	static const char marks[] = "/:.-_aA0\n\033\200";
	struct grt_workload w;

	(void)state;
	assert_non_null(path);
	memset(path, 'a', bytes - 1);
	path[0] = '/';
	path[bytes - 1] = '\0';
	grt_workload_read(&w, path);
	assert_int_equal(w.owner, GRT_OWNER_NOBODY);
	memcpy(path + bytes - 9, ".service", 9);
	grt_workload_read(&w, path);
	assert_int_equal(w.owner, GRT_OWNER_UNIT);
	assert_int_equal(strlen(w.unit), sizeof(w.unit) - 1);
	for (unsigned int i = 0; i < 20000; i++) {
		for (size_t j = 0; j < 200; j++)
			path[j] = marks[(i * 31 + j * (i + 7) / 3) % (sizeof(marks) - 1)];
		path[200] = '\0';
		grt_workload_read(&w, path);
	}
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_long),
	};

	return cmocka_run_group_tests_name("workload", tests, NULL, NULL);
}
