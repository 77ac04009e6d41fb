core_sources += \
	src/cost/finance.c \
	src/cost/finance.h

unit_tests += tests/check_finance
