core_sources += \
	src/cost/bill.c \
	src/cost/bill.h \
	src/cost/bom.c \
	src/cost/bom.h \
	src/cost/bom_part.c \
	src/cost/bom_part.h \
	src/cost/finance.c \
	src/cost/finance.h \
	src/cost/owning.c \
	src/cost/owning.h \
	src/cost/plant.c \
	src/cost/plant.h \
	src/cost/reconcile.c \
	src/cost/tco.c \
	src/cost/tco.h

unit_tests += tests/check_finance tests/check_quote tests/check_tco

tests_check_quote_CPPFLAGS = $(AM_CPPFLAGS) -D_GNU_SOURCE
