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

unit_tests += tests/check_compute_model tests/check_kernel_fit
EXTRA_DIST += tests/measured
dist_check_SCRIPTS += tests/compute_models.test
TESTS += tests/compute_models.test

## What reads and writes the models of this layer.

host_sources += \
	src/io/compute_model.c \
	src/io/compute_model.h \
	src/io/kernel_bench.c \
	src/io/kernel_bench.h \
	src/io/kernel_rows.c \
	src/io/kernel_rows.h \
	src/report/compute_model_write.c \
	src/report/compute_model_write.h
cli_sources += src/cli/cmd_calibrate_kernels.c
