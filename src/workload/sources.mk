core_sources += \
	src/workload/arch.c \
	src/workload/arch.h \
	src/workload/strategy.c \
	src/workload/strategy.h \
	src/workload/traits.h

unit_tests += tests/check_arch
