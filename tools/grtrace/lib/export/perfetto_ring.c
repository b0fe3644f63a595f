// SPDX-License-Identifier: LGPL-2.1
#include "perfetto_ring.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "domain.h"
#include "error.h"
#include "gauge.h"
#include "key_names.h"
#include "quote.h"
#include "ring_name.h"

/* Who makes the GPUs of a driver. */
static const struct {
	const char *driver, *vendor;
} vendors[] = {
	{ "amdgpu", "AMD" }, { "radeon", "AMD" }, { "i915", "Intel" }, { "xe", "Intel" },
	{ "nouveau", "NVIDIA" }, { "v3d", "Broadcom" }, { "vc4", "Broadcom" },
	{ "lima", "Arm" }, { "panfrost", "Arm" }, { "panthor", "Arm" },
	{ "etnaviv", "Vivante" }, { "msm", "Qualcomm" }, { "powervr", "Imagination" },
};

static const char *vendor_of(const char *driver)
{
	for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++)
		if (!strcmp(vendors[i].driver, driver))
			return vendors[i].vendor;
	return NULL;
}

/* "0000:0b:00.0" */
static bool is_pci(const char *device)
{
	static const char form[] = "xxxx:xx:xx.x";

	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'x' ? !isxdigit((unsigned char)device[i]) : device[i] != form[i])
			return false;
	return !device[sizeof(form) - 1];
}

static uint32_t row_of(const struct grt_names *names, uint32_t id)
{
	return !id ? GRT_NONE : id < GRT_LOW_RINGS ? names->low_rings[id] - 1 :
	       grt_keymap_get(&names->ring_rows, id, 0);
}

static const struct grt_ring *of(const struct grt_pf_ring *ring, const struct grt_names *names)
{
	return ring->row == GRT_NONE ? NULL : grt_names_ring_at(names, ring->row);
}

static const struct grt_pf_gpu *gpu_at(const struct grt_pf_rings *r, size_t i)
{
	return grt_vec_at(&r->gpus, struct grt_pf_gpu, i);
}

static const char *gpu_name(char *buf, size_t bytes, const struct grt_pf_gpu *gpu)
{
	snprintf(buf, bytes, "%s%s%s", gpu->driver, *gpu->driver ? " " : "",
		 grt_ring_is_named(gpu->device) ? gpu->device : "unnamed GPU");
	return buf;
}

struct gpu_text {
	Grtpf__GpuInfo__Gpu gpu;
	Grtpf__GpuInfo__KeyValue driver, *extra[1];
	char name[128], driver_name[64], device[64];
};

static void set_gpu(struct gpu_text *t, const struct grt_pf_gpu *gpu)
{
	char raw[128];

	grtpf__gpu_info__gpu__init(&t->gpu);
	grt_quote_text(t->driver_name, sizeof(t->driver_name), gpu->driver);
	t->gpu.name = (char *)grt_quote_text(t->name, sizeof(t->name),
					     gpu_name(raw, sizeof(raw), gpu));
	t->gpu.vendor = (char *)vendor_of(gpu->driver);
	if (is_pci(gpu->device))
		t->gpu.pci_bdf = (char *)grt_quote_text(t->device, sizeof(t->device), gpu->device);
	if (!*gpu->driver)
		return;
	grtpf__gpu_info__key_value__init(&t->driver);
	t->driver.key = "driver";
	t->driver.value = t->driver_name;
	t->extra[0] = &t->driver;
	t->gpu.extra_info = t->extra;
	t->gpu.n_extra_info = 1;
}

/* Describes all GPUs: the place in the list is the number of a GPU. */
static void put_gpus(const struct grt_pf_rings *r, struct grt_pf_out *o)
{
	Grtpf__TracePacket packet = GRTPF__TRACE_PACKET__INIT;
	Grtpf__GpuInfo info = GRTPF__GPU_INFO__INIT;
	size_t count = grt_vec_count(&r->gpus, struct grt_pf_gpu);
	struct gpu_text *texts = calloc(count, sizeof(*texts));
	Grtpf__GpuInfo__Gpu **list = calloc(count, sizeof(*list));

	if (texts && list) {
		for (size_t i = 0; i < count; i++) {
			set_gpu(&texts[i], gpu_at(r, i));
			list[i] = &texts[i].gpu;
		}
		info.n_gpus = count;
		info.gpus = list;
		packet.gpu_info = &info;
		grt_pf_put(o, &packet);
	} else {
		o->err = grt_fail_memory();
	}
	free(texts);
	free(list);
}

/* The number of the GPU; describes it if it was not seen before. */
static uint32_t gpu_of(struct grt_pf_rings *r, struct grt_pf_out *o, const char *device,
		       const char *driver)
{
	size_t count = grt_vec_count(&r->gpus, struct grt_pf_gpu);
	struct grt_pf_gpu *gpu;
	bool is_others;

	for (size_t i = 0; i < count; i++)
		if (!strcmp(gpu_at(r, i)->device, device))
			return i;
	if (count == GRT_PF_MAX_GPUS)
		return count - 1;
	gpu = grt_vec_grow(&r->gpus, sizeof(*gpu));
	if (!gpu) {
		o->err = grt_fail_memory();
		return 0;
	}
	is_others = count == GRT_PF_MAX_GPUS - 1;
	snprintf(gpu->device, sizeof(gpu->device), "%s", is_others ? "other GPUs" : device);
	snprintf(gpu->driver, sizeof(gpu->driver), "%s", is_others ? "" : driver);
	put_gpus(r, o);
	return count;
}

static struct grt_pf_ring *add_ring(struct grt_pf_rings *r, struct grt_pf_out *o,
				    const struct grt_names *names, uint32_t id)
{
	size_t index = grt_pf_ring_count(r);
	const struct grt_ring *defined;
	struct grt_pf_ring *ring;

	ring = grt_vec_grow(&r->rings, sizeof(*ring));
	if (!ring || grt_keymap_put(&r->rows, id, 0, index)) {
		o->err = grt_fail_memory();
		return NULL;
	}
	*ring = (struct grt_pf_ring){
		.id = id, .index = index, .row = row_of(names, id),
		.track = grt_pf_track_id(GRT_PF_RING, id, 0),
	};
	defined = of(ring, names);
	ring->gpu = defined ? gpu_of(r, o, defined->device, defined->driver) : gpu_of(r, o, "", "");
	return ring;
}

/* Any ring of the device; NULL: it has none. */
static const struct grt_ring *ring_of_device(const struct grt_names *names, const char *device)
{
	for (size_t i = 0; i < grt_vec_count(&names->rings, struct grt_ring); i++)
		if (!strcmp(grt_names_ring_at(names, i)->device, device))
			return grt_names_ring_at(names, i);
	return NULL;
}

/* The device of all rings; "": they are of several, or there is none. */
static const char *only_device(const struct grt_names *names)
{
	size_t count = grt_vec_count(&names->rings, struct grt_ring);
	const char *device = count ? grt_names_ring_at(names, 0)->device : "";

	for (size_t i = 1; i < count; i++)
		if (strcmp(grt_names_ring_at(names, i)->device, device))
			return "";
	return device;
}

static uint64_t describe_gpu(const struct grt_pf_rings *r, struct grt_pf_out *o, uint32_t gpu)
{
	uint64_t track = grt_pf_track_id(GRT_PF_GPU, gpu, 0);
	char name[128];

	gpu_name(name, sizeof(name), gpu_at(r, gpu));
	grt_pf_track_describe(o, track, &(struct grt_pf_track_info){
		.name = name, .rank = gpu, .is_one = true });
	return track;
}

uint32_t grt_pf_gpu(struct grt_pf_rings *r, struct grt_pf_out *o, const struct grt_names *names,
		    uint32_t pci_address)
{
	char name[GRT_PCI_NAME_MAX];
	const char *device = pci_address ? grt_pci_name(name, pci_address) : only_device(names);
	const struct grt_ring *ring = ring_of_device(names, device);
	uint32_t gpu = gpu_of(r, o, device, ring ? ring->driver : "");

	if (!o->err)
		describe_gpu(r, o, gpu);
	return gpu;
}

static const char *ring_text(char *buf, size_t bytes, const struct grt_ring *ring, uint32_t id)
{
	char name[GRT_RING_NAME_MAX];

	if (ring)
		snprintf(buf, bytes, "%s", grt_ring_name(ring, name));
	else if (id)
		snprintf(buf, bytes, "ring %u", id);
	else
		snprintf(buf, bytes, "ring not known");
	return buf;
}

static void describe(const struct grt_pf_rings *r, struct grt_pf_ring *ring, struct grt_pf_out *o,
		     const struct grt_names *names)
{
	char text[64];

	if (grt_pf_is_known(o, GRT_PF_KIND_TRACK, ring->track))
		return;
	grt_pf_track_describe(o, ring->track, &(struct grt_pf_track_info){
		.parent = describe_gpu(r, o, ring->gpu), .name = ring_text(text, sizeof(text), of(ring, names), ring->id),
		.rank = ring->index, .is_one = true });
}

struct grt_pf_ring *grt_pf_ring(struct grt_pf_rings *r, struct grt_pf_out *o,
				const struct grt_names *names, uint32_t id)
{
	uint32_t index = grt_keymap_get(&r->rows, id, 0);
	struct grt_pf_ring *ring = index == GRT_NONE ? add_ring(r, o, names, id) :
						       grt_pf_ring_at(r, index);

	if (!ring || o->err)
		return NULL;
	if (ring->row == GRT_NONE)
		ring->row = row_of(names, id);
	describe(r, ring, o, names);
	return ring;
}

uint64_t grt_pf_ring_spec(const struct grt_pf_ring *ring, struct grt_pf_out *o,
			  const struct grt_names *names)
{
	Grtpf__InternedGpuRenderStageSpecification spec =
		GRTPF__INTERNED_GPU_RENDER_STAGE_SPECIFICATION__INIT, *list = &spec;
	Grtpf__InternedData data = GRTPF__INTERNED_DATA__INIT;
	const struct grt_ring *defined = of(ring, names);
	char raw[64], name[128], text[128];

	spec.iid = GRT_PF_SPEC_RING + (uint64_t)ring->index;
	if (!grt_pf_is_new(o, GRT_PF_KIND_RING, ring->index))
		return spec.iid;
	spec.has_iid = 1;
	spec.name = (char *)grt_quote_text(name, sizeof(name),
					   ring_text(raw, sizeof(raw), defined, ring->id));
	if (defined) {
		const struct grt_table *orders = &grt_enums[GRT_KIND_ORDER - GRT_KIND_ENGINE];
		const char *order = grt_value_name(orders, defined->order);

		snprintf(text, sizeof(text), "%s, order %s", grt_engine_name(defined->engine),
			 order ? order : "not known");
		spec.description = text;
	}
	data.n_gpu_specifications = 1;
	data.gpu_specifications = &list;
	grt_pf_put_interned(o, &data);
	return spec.iid;
}

uint64_t grt_pf_ring_track(const struct grt_pf_ring *ring, struct grt_pf_out *o,
			   enum grt_pf_track kind, uint32_t lane)
{
	static const struct grt_pf_track_info infos[] = {
		[GRT_PF_JOBS] = { .name = "jobs", .rank = 1 },
		[GRT_PF_QUEUED] = { .name = "queued", .rank = 2, .unit = "jobs",
			.description = "jobs that were submitted and not committed" },
		[GRT_PF_ON_RING] = { .name = "in flight", .rank = 3, .unit = "jobs",
			.description = "jobs that were committed and have not ended" },
		[GRT_PF_IDLES] = { .name = "idle", .rank = 4,
			.description = "why the ring had nothing to run" },
		[GRT_PF_TROUBLE] = { .name = "hangs and errors", .rank = 5 },
	};
	uint64_t track = grt_pf_track_id(kind, ring->id, lane);
	struct grt_pf_track_info info = infos[kind];

	info.parent = ring->track;
	grt_pf_track_describe(o, track, &info);
	return track;
}

uint64_t grt_pf_gauge_track(const struct grt_pf_ring *ring, uint32_t gpu, struct grt_pf_out *o,
			    uint32_t gauge)
{
	uint64_t parent = ring ? ring->track : grt_pf_track_id(GRT_PF_GPU, gpu, 0);
	uint64_t track = grt_pf_track_id(GRT_PF_GAUGE, parent, gauge);

	/* Behind the rings of a GPU, and behind the other tracks of a ring. */
	grt_pf_track_describe(o, track, &(struct grt_pf_track_info){
		.parent = parent, .name = grt_gauges[gauge].name, .unit = grt_gauges[gauge].counter_unit,
		.rank = (ring ? 6 : 1000000) + gauge });
	return track;
}

void grt_pf_rings_free(struct grt_pf_rings *r)
{
	grt_vec_free(&r->rings);
	grt_vec_free(&r->gpus);
	grt_keymap_free(&r->rows);
}
