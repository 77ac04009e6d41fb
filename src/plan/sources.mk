core_sources += \
	src/plan/workload.h
