core_sources += \
	src/topology/clos.c \
	src/topology/clos.h \
	src/topology/direct.c \
	src/topology/direct.h \
	src/topology/slurm.c \
	src/topology/slurm.h \
	src/topology/superpod.c \
	src/topology/superpod.h
