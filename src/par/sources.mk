host_sources += \
	src/par/par_search.c \
	src/par/par_search.h
