core_sources += \
	src/cost/bom.h \
	src/cost/finance.c \
	src/cost/finance.h \
	src/cost/tco.h

unit_tests += tests/check_finance
