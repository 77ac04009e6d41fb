host_sources += \
	src/report/number.c \
	src/report/number.h \
	src/report/table.c \
	src/report/table.h

unit_tests += tests/check_table
host_sources += src/report/validate.c src/report/validate.h
