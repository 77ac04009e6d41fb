core_sources += \
	src/reference/clos_counts.c \
	src/reference/clos_counts.h \
	src/reference/direct_counts.c \
	src/reference/direct_counts.h \
	src/reference/interop.c \
	src/reference/interop.h \
	src/reference/levels.c \
	src/reference/levels.h \
	src/reference/money.c \
	src/reference/money.h \
	src/reference/nccl_tuning.c \
	src/reference/nccl_tuning.h \
	src/reference/site.c \
	src/reference/site.h \
	src/reference/superpod.c \
	src/reference/superpod.h
