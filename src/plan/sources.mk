core_sources += \
	src/plan/bill.c \
	src/plan/bill.h \
	src/plan/layout.c \
	src/plan/layout.h \
	src/plan/machine.c \
	src/plan/machine.h \
	src/plan/network.c \
	src/plan/network.h \
	src/plan/plan.c \
	src/plan/plan.h \
	src/plan/premises.c \
	src/plan/premises.h \
	src/plan/workload.h

unit_tests += tests/check_fabric_graph tests/check_network

core_sources += src/plan/fabric_graph.c src/plan/fabric_graph.h

core_sources += src/plan/contention.c src/plan/contention.h
core_sources += src/plan/contention_send.c
unit_tests += tests/check_contention

core_sources += src/plan/degrade.c src/plan/degrade.h src/plan/rank_map.c src/plan/rank_map.h

core_sources += src/plan/workload.c
