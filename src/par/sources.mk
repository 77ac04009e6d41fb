host_sources += \
	src/par/par_search.c \
	src/par/par_search.h
host_sources += src/par/par_confidence.c src/par/par_confidence.h
