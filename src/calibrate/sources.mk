gsl_sources +=

gsl_sources += \
	src/calibrate/link_fit.c \
	src/calibrate/link_fit.h
unit_tests += tests/check_link_fit
gsl_sources += \
	src/calibrate/collective_fit.c \
	src/calibrate/collective_fit.h
gsl_sources += src/calibrate/fabric_fit.c src/calibrate/fabric_fit.h
gsl_sources += src/calibrate/judge.c src/calibrate/judge.h
unit_tests += tests/check_fabric_fit
