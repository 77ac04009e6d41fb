core_sources += \
	src/base/arena.c \
	src/base/arena.h \
	src/base/err.c \
	src/base/err.def \
	src/base/err.h \
	src/base/names.c \
	src/base/names.h \
	src/base/normal.h \
	src/base/order.c \
	src/base/order.h \
	src/base/problems.c \
	src/base/problems.h \
	src/base/units.c \
	src/base/units.def \
	src/base/units.h

unit_tests += tests/check_units
core_sources += src/base/date.c src/base/date.h src/base/hash.c src/base/hash.h
