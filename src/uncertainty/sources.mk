gsl_sources += \
	src/uncertainty/confidence.c \
	src/uncertainty/confidence.h \
	src/uncertainty/effect.h \
	src/uncertainty/study.c \
	src/uncertainty/tornado.c \
	src/uncertainty/tornado.h \
	src/uncertainty/unknown.c \
	src/uncertainty/unknown.h \
	src/uncertainty/vary.c \
	src/uncertainty/vary.h
unit_tests += tests/check_confidence
