/* SPDX-License-Identifier: GPL-2.0 */
TRACE_EVENT(drm_sched_job_timedout,
	    TP_PROTO(struct drm_sched_job *sched_job),
	    TP_ARGS(sched_job),
	    TP_STRUCT__entry(
			     __string(name, sched_job->sched->name)
			     __field(u64, fence_context)
			     __field(u64, fence_seqno)
			     ),

	    TP_fast_assign(
			   __assign_str(name, sched_job->sched->name);
			   __entry->fence_context = sched_job->s_fence->finished.context;
			   __entry->fence_seqno = sched_job->s_fence->finished.seqno;
			   ),
	    TP_printk("fence=%llu:%llu, ring=%s",
		      __entry->fence_context, __entry->fence_seqno, __get_str(name))
);

TRACE_EVENT(drm_sched_stop,
	    TP_PROTO(struct drm_gpu_scheduler *sched, struct drm_sched_job *bad),
	    TP_ARGS(sched, bad),
	    TP_STRUCT__entry(
			     __string(name, sched->name)
			     __field(u64, fence_context)
			     __field(u64, fence_seqno)
			     ),

	    TP_fast_assign(
			   __assign_str(name, sched->name);
			   __entry->fence_context = bad ? bad->s_fence->finished.context : 0;
			   __entry->fence_seqno = bad ? bad->s_fence->finished.seqno : 0;
			   ),
	    TP_printk("guilty fence=%llu:%llu, ring=%s",
		      __entry->fence_context, __entry->fence_seqno, __get_str(name))
);

DECLARE_EVENT_CLASS(drm_sched,
	    TP_PROTO(struct drm_gpu_scheduler *sched),
	    TP_ARGS(sched),
	    TP_STRUCT__entry(
			     __string(name, sched->name)
			     ),

	    TP_fast_assign(
			   __assign_str(name, sched->name);
			   ),
	    TP_printk("ring=%s", __get_str(name))
);

DEFINE_EVENT(drm_sched, drm_sched_start,
	    TP_PROTO(struct drm_gpu_scheduler *sched),
	    TP_ARGS(sched)
);

DEFINE_EVENT(drm_sched, drm_sched_timeout_handled,
	    TP_PROTO(struct drm_gpu_scheduler *sched),
	    TP_ARGS(sched)
);

DEFINE_EVENT(drm_sched, drm_sched_fini,
	    TP_PROTO(struct drm_gpu_scheduler *sched),
	    TP_ARGS(sched)
);
