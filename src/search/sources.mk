core_sources += \
	src/search/best.c \
	src/search/case.c \
	src/search/case.h \
	src/search/costs.c \
	src/search/costs.h \
	src/search/best.h \
	src/search/objectives.def \
	src/search/pareto.c \
	src/search/pareto.h \
	src/search/pick.c \
	src/search/pick.h \
	src/search/rank.c \
	src/search/rank.h \
	src/search/search.c \
	src/search/search.h \
	src/search/size.c \
	src/search/size.h \
	src/search/space.c \
	src/search/space.h \
	src/search/variants.c \
	src/search/variants.h
unit_tests += tests/check_space
unit_tests += tests/check_search tests/check_size
unit_tests += tests/check_questions tests/check_peers tests/check_examples
