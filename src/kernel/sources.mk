core_sources += \
	src/kernel/attention.c \
	src/kernel/compute_model.c \
	src/kernel/compute_model.h \
	src/kernel/gemm.c \
	src/kernel/kinds.c \
	src/kernel/kinds.h \
	src/kernel/params.c \
	src/kernel/params.def \
	src/kernel/params.h \
	src/kernel/streams.def

unit_tests += tests/check_compute_model
