gsl_sources +=

gsl_sources += \
	src/calibrate/link_fit.c \
	src/calibrate/link_fit.h
unit_tests += tests/check_link_fit
