core_sources += \
	src/sim/attention.c \
	src/sim/bound.c \
	src/sim/bound.h \
	src/sim/build.c \
	src/sim/build.h \
	src/sim/ends.c \
	src/sim/event.c \
	src/sim/event.h \
	src/sim/event_pipeline.c \
	src/sim/event_step.c \
	src/sim/ffn.c \
	src/sim/goodput.c \
	src/sim/goodput.h \
	src/sim/gradients.c \
	src/sim/gradients.h \
	src/sim/interval.c \
	src/sim/layout.c \
	src/sim/layout.h \
	src/sim/machine.h \
	src/sim/memory.c \
	src/sim/memory_parts.def \
	src/sim/parts.def \
	src/sim/shape.c \
	src/sim/stage.c \
	src/sim/stage.h \
	src/sim/step.c \
	src/sim/step.h

unit_tests += tests/check_sim tests/check_step tests/check_step_costs

EXTRA_DIST += doc/model.md

core_sources += src/sim/costs.h
