core_sources += \
	src/facility/cable_run.c \
	src/facility/cable_run.h \
	src/facility/circuit.c \
	src/facility/circuit.h \
	src/facility/heat.c \
	src/facility/heat.h \
	src/facility/pack.c \
	src/facility/pack.h \
	src/facility/redundancy.c \
	src/facility/redundancy.h \
	src/facility/reliability.c \
	src/facility/reliability.h \
	src/facility/round.c \
	src/facility/round.h \
	src/facility/storage.c \
	src/facility/storage.h

unit_tests += tests/check_facility
