core_sources += \
	src/search/space.c \
	src/search/space.h
unit_tests += tests/check_space
