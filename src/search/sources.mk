core_sources += \
	src/search/best.c \
	src/search/best.h \
	src/search/space.c \
	src/search/space.h
unit_tests += tests/check_space
