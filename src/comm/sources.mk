core_sources += \
	src/comm/algo.c \
	src/comm/algo.h \
	src/comm/algo_direct.c \
	src/comm/algo_ring.c \
	src/comm/algo_sharp.c \
	src/comm/algo_tree.c \
	src/comm/algorithms.def \
	src/comm/coll.c \
	src/comm/coll.h \
	src/comm/links.c \
	src/comm/links.h \
	src/comm/net.c \
	src/comm/net.h \
	src/comm/net_build.c \
	src/comm/net_build.h

unit_tests += tests/check_net tests/check_nccl_tuning
EXTRA_DIST += models/comm models/facts models/data models/remake.sh tests/judge
dist_check_SCRIPTS += tests/models.test
TESTS += tests/models.test

## Make models/comm again from models/facts and models/data.
.PHONY: comm-models
comm-models: railyard$(EXEEXT)
	cd $(srcdir) && sh models/remake.sh $(abs_builddir)/railyard
