core_sources += \
	src/design/design.c \
	src/design/design.h
core_sources += src/design/terms.h
