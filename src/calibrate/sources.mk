gsl_sources += \
	src/calibrate/kernel_data.c \
	src/calibrate/kernel_data.h \
	src/calibrate/kernel_direct.c \
	src/calibrate/kernel_direct.h \
	src/calibrate/kernel_fit.c \
	src/calibrate/kernel_fit.h \
	src/calibrate/kernel_judge.c \
	src/calibrate/kernel_judge.h \
	src/calibrate/kernel_note.c \
	src/calibrate/kernel_note.h \
	src/calibrate/kernel_power.c \
	src/calibrate/kernel_power.h \
	src/calibrate/kernel_stage.c \
	src/calibrate/kernel_stage.h \
	src/calibrate/ratios.c \
	src/calibrate/ratios.h

gsl_sources += \
	src/calibrate/link_fit.c \
	src/calibrate/link_fit.h \
	src/calibrate/link_line.c \
	src/calibrate/link_line.h
unit_tests += tests/check_link_fit
gsl_sources += \
	src/calibrate/collective_fit.c \
	src/calibrate/collective_fit.h
gsl_sources += src/calibrate/fabric_fit.c src/calibrate/fabric_fit.h
gsl_sources += src/calibrate/fabric_move.c src/calibrate/fabric_move.h
gsl_sources += src/calibrate/judge.c src/calibrate/judge.h
unit_tests += tests/check_fabric_fit
