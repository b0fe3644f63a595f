// SPDX-License-Identifier: LGPL-2.1
/*
 * The events of other tracers that an import understands: the names of their fields in records,
 * and the lines that kernels and libtraceevent plugins print.  "a|b": the first field that exists.
 *  Sources, unless a comment says otherwise: include/trace/events and drivers/gpu of Linux 4.11,
 * 6.1, 6.12, 7.2.
 */
#include <string.h>

#include "import.h"
#include "import_private.h"

#define FENCE_TEXT	"driver={driver} timeline={ring} context={ctx} seqno={seqno}"
#define FENCE_FIELDS	"driver:driver ring:timeline ctx:context seqno:seqno"

#define SCHED_OLD	"entity={entity}, id={id}, fence={fence}, ring={ring}, job count:{queued},"
/* Patches of 2024, used in kernels of AMD's developers. */
#define SCHED_2024	"id={id}, fence=(context:{ctx}, seqno:{seqno}), ring={ring}, job count:{queued},"
#define SCHED_NEW	"dev={device}, fence={ctx}:{seqno}, ring={ring}, job count:{queued}, " \
			"hw job count:{}"
#define OLD_FIELDS	"entity:entity fence:fence ring:name id:id queued:job_count"
#define NEW_FIELDS	"device:dev ctx:fence_context seqno:fence_seqno ring:name queued:job_count " \
			"client:client_id"

#define AMDGPU_OLD	"sched_job={id}, timeline={ring}, context={ctx}, seqno={seqno},"
#define AMDGPU_CS_OLD	"sched_job={id}, timeline={ring}, context={ctx}, seqno={seqno}, " \
			"ring_name={}, num_ibs={ibs}"
#define AMDGPU_CS_NEW	"timeline={ring}, fence={ctx}:{seqno}, ring_name={}, num_ibs={ibs}"
#define AMDGPU_NEW	"timeline={ring}, fence={ctx}:{seqno},"
#define AMDGPU_FIELDS	"id:sched_job_id ring:timeline ctx:context|fence_context " \
			"seqno:seqno|fence_seqno"

/*
 * i915_trace.h: a number of the ring in older kernels, class and instance of the engine in newer ones; hw_id
 * in front of the ring (4.17) or behind the engine (4.19 to 5.3); prio and others where {} stands. Until 5.0 most
 * have a global seqno.
 */
#define I915_TEXT	"dev={card}, engine={class}:{engine}, {}ctx={ctx}, seqno={seqno}"
#define I915_RING	"dev={card}, {}ring={engine}, ctx={ctx}, seqno={seqno}"
#define I915_FIRST	"dev={card}, ring={engine}, seqno={seqno}"
#define I915_GLOBAL	"|, {}global={global}"
#define I915_FIELDS	"card:dev class:class engine:instance|ring ctx:ctx seqno:seqno global:global|global_seqno"
#define I915(name, handle) \
	{ name, handle, true, I915_FIELDS, { I915_TEXT I915_GLOBAL, I915_RING I915_GLOBAL, I915_FIRST } }
/* With one more number, which the oldest kernels do not print. */
#define I915_TAIL(text)	I915_GLOBAL ", {}" text "|, {}" text I915_GLOBAL
#define I915_WITH(name, handle, field, text) \
	{ name, handle, true, I915_FIELDS " " field, \
	  { I915_TEXT I915_TAIL(text), I915_RING I915_TAIL(text), I915_FIRST } }

#define I915_COPY_FIELDS "object:obj offset:offset bytes:len"
#define I915_COPY_TEXT	"obj={object}, offset={offset}, len={bytes}"
#define I915_VMA_FIELDS	"object:obj vm:vm offset:offset bytes:size"
#define I915_VMA_TEXT	"obj={object}, offset={offset} size={bytes}"

#define VIRTIO_TEXT(type) "vdev={card} vq={engine} name={ring} type={" type "} flags={flags} fence_id={id} " \
			"ctx_id={client}"
#define VIRTIO_FIELDS	"card:dev engine:vq ring:name flags:flags id:fence_id client:ctx_id seqno:seqno "
#define VIRTIO(name, handle, type) \
	{ name, handle, true, VIRTIO_FIELDS type ":type", \
	  { VIRTIO_TEXT(type) " num_free={} seqno={seqno}", VIRTIO_TEXT(type) } }

/* QEMU's own events of its virtio GPU: hw/display/trace-events of QEMU 5.2 to 10.0. */
#define QEMU(name, text) { name, grt_on_qemu_command, true, "", { text } }

/* GuC's half of a queue, and where the scheduler is in it. */
#define XE_QUEUE_FIELDS	"ctx:ctx work:guc work_at:sched_at"
#define XE_JOB_FIELDS	"ctx:ctx seqno:seqno sched:sched"
#define XE_VMA_FIELDS	"object:object vm:vm offset:offset bytes:bytes"
#define XE_VMA_TEXT	"asid={}, start={offset}, end={last}, userptr="
#define XE_VMA(name, handle) \
	{ name, handle, true, "vm:vm offset:start last:end", \
	  { "dev={}, vma={}, vm={vm}, " XE_VMA_TEXT, "dev={}, vma={}, " XE_VMA_TEXT } }
#define XE_BO(name, handle) \
	{ name, handle, true, "bytes:size", { "dev={}, size={bytes}, flags=" } }
/* What they tell of the job or the queue is no use. */
#define XE_ERROR(name, handle)	{ name, handle, true, "", { "dev=" } }

#define MSM_TEXT	"id={id} pid={} ring={engine}:{}"
#define V3D_TEXT	"dev={card}, seqno={seqno}"

/* Event probes "grtrace:submit" and so on, with the values that they read from the fence. */
#define PROBE_TEXT	"({}) ctx={ctx} seqno={seqno}"
#define PROBE_FIELDS	"ctx:ctx seqno:seqno id:id ring:ring|name queued:queued|job_count " \
			"status:err|status device:device driver:driver client:client sched:sched " \
			"credits:credits hw_credits:hw_credits limit:limit priority:priority " \
			"ops:ops sched_ops:sched_ops parent:parent parent_err:parent_err " \
			"stamped:stamped stamp:stamp"
#define DEPEND_FIELDS	"ctx:ctx seqno:seqno id:id ring:ring sched:sched ops:ops sched_ops:sched_ops " \
			"dep_ctx:dep_ctx dep_seqno:dep_seqno dep_ops:dep_ops dep_sched:dep_sched " \
			"dep_sched2:dep_sched2 dep_done:dep_done dep_done2:dep_done2 " \
			"dep_alone:dep_alone dep_err:dep_err stamped:stamped stamp:stamp"
#define TROUBLE_FIELDS	"ring:ring device:device sched:sched ctx:ctx seqno:seqno work:work " \
			"work_at:work_at job:job"

/* Trace events of grtrace's module: see drivers/gpu/grtrace/grtrace_trace.h. */
#define MODULE_KEY	"ctx={ctx} seqno={seqno} "
#define MODULE_JOB	"driver={driver} dev={device} ring={ring} engine={engine_name} " MODULE_KEY
#define MODULE_FLAGS	"flags={flag_names}"
#define MODULE_FIELDS	"driver:driver device:dev ring:ring engine:engine limit:credit_limit ctx:ctx " \
			"seqno:seqno flags:flags "
/* One that is over; an unknown status is "-", and a known one may have a name behind it. */
#define MODULE_OVER(before)	{ before "status={status} " MODULE_FLAGS, \
				  before "status={status} {} " MODULE_FLAGS, \
				  before "status={} " MODULE_FLAGS }
#define MODULE(name, fields, ...) \
	{ name, grt_on_module, true, MODULE_FIELDS fields, __VA_ARGS__ }
#define LIST(...)	{ __VA_ARGS__ }

const struct grt_event_kind grt_event_kinds[] = {
	/* Before other kinds with these names. */
	MODULE("submit", "pid:pid tid:tid client:client_id credits:credits hw_credits:hw_credits "
	       "queued:queue_depth ibs:num_ibs command:command",
	       LIST(MODULE_JOB "pid={pid} tid={tid} " MODULE_FLAGS)),
	MODULE("dependency", "dep_ctx:dep_ctx dep_seqno:dep_seqno",
	       LIST(MODULE_KEY "dep_ctx={dep_ctx} dep_seqno={dep_seqno} " MODULE_FLAGS)),
	MODULE("commit", "credits:credits hw_credits:hw_credits queued:queue_depth",
	       LIST(MODULE_JOB MODULE_FLAGS)),
	MODULE("start", "", LIST(MODULE_JOB MODULE_FLAGS)),
	MODULE("end", "status:status stamp:hw_done_ns", MODULE_OVER(MODULE_JOB)),
	MODULE("complete", "status:status", MODULE_OVER(MODULE_JOB)),
	MODULE("fence_signaled", "status:status stamp:signaled_ns", MODULE_OVER(MODULE_KEY)),
	MODULE("ctx_switch", "vmid:vmid from_ctx:from_ctx", LIST(MODULE_JOB MODULE_FLAGS)),
	{ "clock_sync", grt_on_clock_sync, false, "", { "mono_ns={} boot_ns=" } },
	MODULE("error", "code:code status:status driver_code:driver_code",
	       MODULE_OVER(MODULE_JOB "code={code_name} ")),

	{ "drm_sched_job", grt_on_sched_submit, true, OLD_FIELDS,
	  { SCHED_OLD, "dev={device}, " SCHED_2024, SCHED_2024 } },
	{ "drm_run_job", grt_on_sched_commit, true, OLD_FIELDS,
	  { SCHED_OLD, "dev={device}, " SCHED_2024, SCHED_2024 } },
	{ "drm_sched_process_job", grt_on_sched_end, true, "fence:fence",
	  { "fence=(context:{ctx}, seqno:{seqno}) signaled", "fence={fence} signaled" } },
	{ "drm_sched_job_wait_dep", grt_on_wait_dep, true,
	  "ring:name id:id dep_ctx:ctx dep_seqno:seqno",
	  { "job ring={ring}, id={id}, depends fence={}, context={dep_ctx}, seq={dep_seqno}" } },
	{ "drm_sched_job_queue", grt_on_sched_submit, true, NEW_FIELDS,
	  { SCHED_NEW ", client_id:{client}", SCHED_NEW } },
	{ "drm_sched_job_run", grt_on_sched_commit, true, NEW_FIELDS,
	  { SCHED_NEW ", client_id:{client}", SCHED_NEW } },
	{ "drm_sched_job_done", grt_on_sched_end, true, "ctx:fence_context seqno:fence_seqno",
	  { "fence={ctx}:{seqno} signaled" } },
	{ "drm_sched_job_add_dep", grt_on_add_dep, true,
	  "ctx:fence_context seqno:fence_seqno dep_ctx:ctx dep_seqno:seqno",
	  { "fence={ctx}:{seqno} depends on fence={dep_ctx}:{dep_seqno}" } },
	{ "drm_sched_job_unschedulable", grt_on_unschedulable, true,
	  "ctx:fence_context seqno:fence_seqno dep_ctx:ctx dep_seqno:seqno",
	  { "fence={ctx}:{seqno} depends on unsignalled fence={dep_ctx}:{dep_seqno}",
	    "fence={ctx}:{seqno} depends on unsignaled fence={dep_ctx}:{dep_seqno}" } },

	{ "submit", grt_on_sched_submit, true, PROBE_FIELDS,
	  { PROBE_TEXT " id={id} ring=\"{ring}\"", PROBE_TEXT } },
	{ "commit", grt_on_sched_commit, true, PROBE_FIELDS,
	  { PROBE_TEXT " id={id} ring=\"{ring}\"", PROBE_TEXT } },
	{ "end", grt_on_sched_end, true, PROBE_FIELDS,
	  { PROBE_TEXT " err={status}", PROBE_TEXT } },

	/* Probes that "record --source=tracefs" defines; they read more: see capture/tracefs_events.c. */
	{ "job_depend", grt_on_job_depend, true, DEPEND_FIELDS, { PROBE_TEXT } },
	{ "job_declare", grt_on_job_declare, true, DEPEND_FIELDS, { PROBE_TEXT } },
	{ "job_block", grt_on_job_block, true, DEPEND_FIELDS, { PROBE_TEXT } },
	{ "fence_end", grt_on_fence_end, true, PROBE_FIELDS, { PROBE_TEXT } },
	{ "fence_error", grt_on_fence_error, false, PROBE_FIELDS, { PROBE_TEXT } },
	{ "ring_timeout", grt_on_ring_timeout, true, TROUBLE_FIELDS, { "({}) ring=\"{ring}\"" } },
	{ "ring_reset", grt_on_ring_reset, true, TROUBLE_FIELDS, { "({}) ring=\"{ring}\"" } },
	{ "ring_recovered", grt_on_ring_recovered, true, TROUBLE_FIELDS,
	  { "({}) ring=\"{ring}\"" } },
	{ "ring_handled", grt_on_ring_handled, true, "", { "({} <- {})" } },

	{ "dma_fence_init", grt_on_fence_init, false, FENCE_FIELDS, { FENCE_TEXT } },
	{ "dma_fence_emit", grt_on_fence_emit, false, FENCE_FIELDS, { FENCE_TEXT } },
	{ "dma_fence_signaled", grt_on_fence_signaled, true, FENCE_FIELDS, { FENCE_TEXT } },
	{ "fence_signaled", grt_on_fence_signaled, true, FENCE_FIELDS, { FENCE_TEXT } },
	{ "dma_fence_wait_start", grt_on_fence_wait_start, false, FENCE_FIELDS, { FENCE_TEXT } },
	{ "dma_fence_wait_end", grt_on_fence_wait_end, false, FENCE_FIELDS, { FENCE_TEXT } },

	{ "amdgpu_cs_ioctl", grt_on_amdgpu_cs, true, AMDGPU_FIELDS " ibs:num_ibs",
	  { AMDGPU_CS_OLD, AMDGPU_CS_NEW, AMDGPU_OLD, AMDGPU_NEW } },
	{ "amdgpu_sched_run_job", grt_on_amdgpu_run, true, AMDGPU_FIELDS,
	  { AMDGPU_OLD, AMDGPU_NEW } },
	{ "amdgpu_vm_grab_id", grt_on_amdgpu_grab_id, true, "ring:ring vmid:vmid",
	  { "pasid={}, ring={ring}, id={vmid}, " } },
	{ "amdgpu_iv", grt_on_amdgpu_iv, true,
	  "ih:ih client:client_id source:src_id irq_ring:ring_id vmid:vmid gpu_stamp:timestamp pasid:pasid "
	  "data0:src_data[0] data1:src_data[1] data2:src_data[2] data3:src_data[3]",
	  { "ih:{ih} client_id:{client} src_id:{source} ring:{irq_ring} vmid:{vmid} "
	    "timestamp: {gpu_stamp} pasid:{pasid} src_data: {data0} {data1} {data2} {data3}" } },
	{ "amdgpu_bo_create", grt_on_amdgpu_bo_create, true,
	  "object:bo bytes:pages preferred:prefer allowed:allow flags:visible",
	  { "bo={object}, pages={bytes}, type={}, preferred={preferred}, allowed={allowed}, visible={flags}",
	    "bo={object}, pages={bytes}, type={}, prefered={preferred}, allowed={allowed}, visible={flags}" } },
	{ "amdgpu_bo_move", grt_on_amdgpu_bo_move, true,
	  "object:bo from:old_placement to:new_placement bytes:bo_size",
	  { "bo={object}, from={from}, to={to}, size={bytes}" } },

	I915("i915_request_queue", grt_on_i915_queue),
	I915("i915_request_guc_submit", grt_on_i915_guc_submit),
	I915("i915_request_wait_begin", grt_on_i915_wait_begin),
	I915("i915_request_wait_end", grt_on_i915_wait_end),
	I915("i915_request_add", grt_on_i915_add),
	I915("i915_gem_request_add", grt_on_i915_add),
	I915("i915_request_execute", grt_on_i915_execute),
	I915("i915_gem_request_execute", grt_on_i915_execute),
	I915_WITH("i915_request_in", grt_on_i915_in, "type:port", "port={type}"),
	I915_WITH("i915_gem_request_in", grt_on_i915_in, "type:port", "port={type}"),
	I915_WITH("i915_request_out", grt_on_i915_out, "status:completed", "completed?={status}"),
	I915("i915_gem_request_out", grt_on_i915_out),
	I915("i915_request_retire", grt_on_i915_retire),
	I915("i915_gem_request_retire", grt_on_i915_retire),
	I915("i915_gem_request_complete", grt_on_i915_retire),
	/* i915_trace.h: 4.16 prints the number of the ring, 4.19 class and instance; no such event since 5.1. */
	{ "intel_engine_notify", grt_on_i915_notify, true,
	  "card:dev class:class engine:instance|ring global:seqno",
	  { "dev={card}, engine={class}:{engine}, seqno={global}, waiters=", "dev={card}, ring={engine}, seqno={global}, waiters=" } },

	{ "i915_gem_object_create", grt_on_i915_create, true, "object:obj bytes:size",
	  { "obj={object}, size={bytes}" } },
	{ "i915_gem_object_destroy", grt_on_i915_destroy, true, "object:obj", { "obj={object}" } },
	{ "i915_gem_object_pwrite", grt_on_i915_pwrite, true, I915_COPY_FIELDS, { I915_COPY_TEXT } },
	{ "i915_gem_object_pread", grt_on_i915_pread, true, I915_COPY_FIELDS, { I915_COPY_TEXT } },
	{ "i915_gem_object_fault", grt_on_i915_fault, true,
	  "object:obj offset:index type:gtt flags:write", { "obj={object}, {} index={offset} " } },
	{ "i915_vma_bind", grt_on_i915_bind, true, I915_VMA_FIELDS " flags:flags",
	  { I915_VMA_TEXT ", mappable vm={vm}", I915_VMA_TEXT " vm={vm}" } },
	{ "i915_vma_unbind", grt_on_i915_unbind, true, I915_VMA_FIELDS, { I915_VMA_TEXT " vm={vm}" } },
	{ "i915_gem_shrink", grt_on_i915_shrink, true, "bytes:target",
	  { "dev={}, target={bytes}, " } },
	{ "i915_gem_evict", grt_on_i915_evict, true, "vm:vm bytes:size flags:flags",
	  { "dev={}, vm={vm}, size={bytes}, align={} " } },

	XE_ERROR("xe_sched_job_timedout", grt_on_xe_timeout),
	XE_ERROR("xe_sched_job_ban", grt_on_xe_ban),
	XE_ERROR("xe_exec_queue_reset", grt_on_xe_reset),
	XE_ERROR("xe_exec_queue_memory_cat_error", grt_on_xe_cat_error),
	XE_BO("xe_bo_create", grt_on_xe_create),
	XE_BO("xe_bo_cpu_fault", grt_on_xe_fault),
	{ "xe_bo_move", grt_on_xe_move, true,
	  "object:bo bytes:size from_name:old_placement_name to_name:new_placement_name "
	  "flags:move_lacks_source",
	  { "move_lacks_source:{}, migrate object {object} [size {bytes}] from {from_name} to {to_name} "
	    "device_id:" } },
	XE_VMA("xe_vma_bind", grt_on_xe_bind),
	XE_VMA("xe_vma_unbind", grt_on_xe_unbind),
	/* Probes that "record --source=tracefs" defines: they name the job, the queue or the object. */
	{ "xe_timeout", grt_on_xe_timeout, true, XE_JOB_FIELDS, { PROBE_TEXT } },
	{ "xe_ban", grt_on_xe_ban, true, XE_JOB_FIELDS, { PROBE_TEXT } },
	{ "xe_enable", grt_on_xe_enable, true, XE_QUEUE_FIELDS, { "({}) ctx={ctx}" } },
	{ "xe_disable", grt_on_xe_disable, true, XE_QUEUE_FIELDS, { "({}) ctx={ctx}" } },
	{ "xe_reset", grt_on_xe_reset, true, XE_QUEUE_FIELDS, { "({}) ctx={ctx}" } },
	{ "xe_cat_error", grt_on_xe_cat_error, true, XE_QUEUE_FIELDS, { "({}) ctx={ctx}" } },
	{ "xe_create", grt_on_xe_create, true, "object:object bytes:bytes", { "({}) object={object}" } },
	{ "xe_fault", grt_on_xe_fault, true, "object:object bytes:bytes", { "({}) object={object}" } },
	{ "xe_move", grt_on_xe_move, true, "object:object bytes:bytes from:from to:to flags:lacks",
	  { "({}) object={object}" } },
	{ "xe_bind", grt_on_xe_bind, true, XE_VMA_FIELDS, { "({}) offset={offset}" } },
	{ "xe_unbind", grt_on_xe_unbind, true, XE_VMA_FIELDS, { "({}) offset={offset}" } },

	VIRTIO("virtio_gpu_cmd_queue", grt_on_virtio_queue, "command"),
	VIRTIO("virtio_gpu_cmd_response", grt_on_virtio_response, "type"),

	{ "virtio_gpu_fence_ctrl", grt_on_qemu_fence, true, "", { "fence {id}, type {command}" } },
	{ "virtio_gpu_fence_resp", grt_on_qemu_done, true, "", { "fence {id}" } },
	QEMU("virtio_gpu_features", ""),
	QEMU("virtio_gpu_update_cursor", ""),
	QEMU("virtio_gpu_cmd_get_display_info", ""),
	QEMU("virtio_gpu_cmd_get_edid", ""),
	QEMU("virtio_gpu_cmd_ctx_create", "ctx {client}, name "),
	QEMU("virtio_gpu_cmd_ctx_destroy", "ctx {client}"),
	QEMU("virtio_gpu_cmd_ctx_res_attach", "ctx {client}, res "),
	QEMU("virtio_gpu_cmd_ctx_res_detach", "ctx {client}, res "),
	QEMU("virtio_gpu_cmd_ctx_submit", "ctx {client}, size "),
	QEMU("virtio_gpu_cmd_res_create_2d", "res "),
	QEMU("virtio_gpu_cmd_res_create_3d", "res "),
	QEMU("virtio_gpu_cmd_res_create_blob", "res "),
	QEMU("virtio_gpu_cmd_res_unref", "res "),
	QEMU("virtio_gpu_cmd_res_back_attach", "res "),
	QEMU("virtio_gpu_cmd_res_back_detach", "res "),
	QEMU("virtio_gpu_cmd_res_xfer_toh_2d", "res "),
	QEMU("virtio_gpu_cmd_res_xfer_toh_3d", "res "),
	QEMU("virtio_gpu_cmd_res_xfer_fromh_3d", "res "),
	QEMU("virtio_gpu_cmd_res_flush", "res "),
	QEMU("virtio_gpu_cmd_set_scanout", "id "),
	QEMU("virtio_gpu_cmd_set_scanout_blob", "id "),

	{ "msm_gpu_submit", grt_on_msm_submit, true, "id:id engine:ringid",
	  { "id={id} pid={} ring={engine} " } },
	{ "msm_gpu_submit_flush", grt_on_msm_flush, true, "id:id engine:ringid", { MSM_TEXT } },
	{ "msm_gpu_submit_retired", grt_on_msm_retired, true,
	  "id:id engine:ringid elapsed:elapsed", { MSM_TEXT " elapsed={elapsed} ns", MSM_TEXT } },
	{ "msm_gpu_freq_change", grt_on_frequency, false, "freq:freq", { "new_freq={freq}" } },
	{ "intel_gpu_freq_change", grt_on_frequency, false, "freq:freq", { "new_freq={freq}" } },

	{ "v3d_submit_cl", grt_on_v3d_submit, true, "card:dev type:is_render seqno:seqno",
	  { "dev={card}, {ring}, seqno={seqno}," } },
	{ "v3d_submit_tfu", grt_on_v3d_submit, true, "card:dev seqno:seqno", { V3D_TEXT } },
	{ "v3d_submit_csd", grt_on_v3d_submit, true, "card:dev seqno:seqno", { V3D_TEXT } },
	{ "v3d_bcl_irq", grt_on_v3d_irq, true, "card:dev seqno:seqno", { V3D_TEXT } },
	{ "v3d_rcl_irq", grt_on_v3d_irq, true, "card:dev seqno:seqno", { V3D_TEXT } },
	{ "v3d_tfu_irq", grt_on_v3d_irq, true, "card:dev seqno:seqno", { V3D_TEXT } },
	{ "v3d_csd_irq", grt_on_v3d_irq, true, "card:dev seqno:seqno", { V3D_TEXT } },

	{ "sched_switch", grt_on_switch, false,
	  "prev_tid:prev_pid prev_bits:prev_state next_tid:next_pid flags:flags",
	  { "prev_comm={} prev_pid={prev_tid} prev_prio={} prev_state={prev_state} ==> "
	    "next_comm={} next_pid={next_tid}",
	    "{}:{prev_tid} [{}] {prev_state} ==> {}:{next_tid} [" } },
	{ "sched_wakeup", grt_on_wakeup, false, "tid:pid target_cpu:target_cpu",
	  { "comm={} pid={tid} prio={} target_cpu={target_cpu}",
	    "comm={} pid={tid} prio={} success={} target_cpu={target_cpu}",
	    "{}:{tid} [{}] success={} CPU:{target_cpu}", "{}:{tid} [{}] CPU:{target_cpu}" } },
	{ "sched_wakeup_new", grt_on_wakeup, false, "tid:pid target_cpu:target_cpu",
	  { "comm={} pid={tid} prio={} target_cpu={target_cpu}",
	    "comm={} pid={tid} prio={} success={} target_cpu={target_cpu}",
	    "{}:{tid} [{}] success={} CPU:{target_cpu}", "{}:{tid} [{}] CPU:{target_cpu}" } },

	{ "drm_vblank_event", grt_on_vblank, false, "crtc:crtc frame:seq time:time high_prec:high_prec",
	  { "crtc={crtc}, seq={frame}, time={time}", "crtc={crtc}, seq={frame}" } },
	{ "drm_vblank_event_queued", grt_on_vblank_queued, false, "crtc:crtc frame:seq",
	  { "file={}, crtc={crtc}, seq={frame}" } },
	{ "drm_vblank_event_delivered", grt_on_vblank_delivered, false, "crtc:crtc frame:seq",
	  { "file={}, crtc={crtc}, seq={frame}" } },
	{ "irq_handler_entry", grt_on_irq_handler, false, "irq:irq handler:name",
	  { "irq={irq} name={handler}" } },
	{ "print", grt_on_print, false, "mark:buf", { "tracing_mark_write: {mark}", "{mark}" } },
	{ "tracing_mark_write", grt_on_print, false, "mark:buf", { "{mark}" } },
	{ "user_mark", grt_on_user_mark, false, "mark:mark bytes:bytes",
	  { "({}) mark=\"{mark}\" bytes={bytes}" } },
};

const size_t grt_nr_event_kinds = sizeof(grt_event_kinds) / sizeof(grt_event_kinds[0]);
_Static_assert(sizeof(grt_event_kinds) / sizeof(grt_event_kinds[0]) <= GRT_MAX_KINDS,
	       "arrays have a place for each kind");

bool grt_event_kind_is(const struct grt_event_kind *kind, struct grt_piece name)
{
	/* A name from a file may contain NULs. */
	return strlen(kind->name) == name.len && !memcmp(kind->name, name.at, name.len);
}

const struct grt_event_kind *grt_event_kind_find(const struct grt_event_kind *kinds, size_t count,
						 struct grt_piece name)
{
	for (size_t i = 0; i < count; i++)
		if (grt_event_kind_is(&kinds[i], name))
			return &kinds[i];
	return NULL;
}

/* Some names have several kinds: the first one counts. */
static bool is_first(size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(grt_event_kinds[k].name, grt_event_kinds[i].name))
			return false;
	return true;
}

const char *grt_import_event_name(size_t i)
{
	for (size_t k = 0; k < grt_nr_event_kinds; k++)
		if (is_first(k) && !i--)
			return grt_event_kinds[k].name;
	return NULL;
}
