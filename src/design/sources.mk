core_sources += \
	src/design/design.c \
	src/design/design.h
