host_sources += \
	src/par/par_search.c \
	src/par/par_search.h
host_sources += src/par/par_confidence.c src/par/par_confidence.h
host_sources += src/par/ranks.h
if WITH_MPI
host_sources += src/par/ranks_mpi.c
else
host_sources += src/par/ranks_one.c
endif
