core_sources += \
	src/sim/machine.h \
	src/sim/memory_parts.def \
	src/sim/parts.def \
	src/sim/step.h
