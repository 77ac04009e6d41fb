core_sources += \
	src/comm/coll.c \
	src/comm/net.c \
	src/comm/net.h \
	src/comm/net_build.c \
	src/comm/net_build.h

unit_tests += tests/check_net
