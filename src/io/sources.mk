host_sources += src/io/quote_file.c src/io/quote_file.h
host_sources += \
	src/io/corrections.c \
	src/io/corrections.h \
	src/io/published.c \
	src/io/published.h \
	src/io/published_strategy.c \
	src/io/published_strategy.h \
	src/io/run_machine.c \
	src/io/run_machine.h \
	src/io/run_models.h \
	src/io/run_net.c \
	src/io/run_resolve.c \
	src/io/run_resolve.h \
	src/io/stated.c \
	src/io/stated.h \
	src/io/trace.c \
	src/io/trace.h \
	src/io/traits_file.c \
	src/io/traits_file.h

host_sources += \
	src/io/hf_config.c \
	src/io/hf_config.h \
	src/io/hf_families.def \
	src/io/hf_family.c \
	src/io/hf_family.h \
	src/io/hf_reading.c \
	src/io/hf_reading.h \
	src/io/model_file.c \
	src/io/model_file.h \
	src/io/catalog_csv.c \
	src/io/catalog_csv.h \
	src/io/catalog_exchange.c \
	src/io/catalog_exchange.h \
	src/io/catalog_quotes.c \
	src/io/catalog_quotes.h \
	src/io/catalog_taking.c \
	src/io/catalog_taking.h \
	src/io/csv.c \
	src/io/csv.h \
	src/io/data.c \
	src/io/data.h \
	src/io/file.c \
	src/io/file.h \
	src/io/json.c \
	src/io/json.h \
	src/io/json_node.h \
	src/io/json_open.c \
	src/io/json_scan.c \
	src/io/json_scan.h \
	src/io/json_tree.c \
	src/io/json_tree.h \
	src/io/outfile.c \
	src/io/outfile.h \
	src/io/problems_print.c \
	src/io/problems_print.h

unit_tests += tests/check_json

host_sources += \
	src/io/design_fabric.c \
	src/io/design_file.c \
	src/io/design_file.h \
	src/io/design_keys.c \
	src/io/design_keys.h \
	src/io/design_reader.c \
	src/io/design_reader.h \
	src/io/design_site.c \
	src/io/json_family.c \
	src/io/json_family.h \
	src/io/library.c \
	src/io/library.h \
	src/io/library_compute.c \
	src/io/part_file.c \
	src/io/part_file.h \
	src/io/plan_file.c \
	src/io/plan_file.h \
	src/io/strategy_file.c \
	src/io/strategy_file.h \
	src/io/workload_file.c \
	src/io/workload_file.h
unit_tests += tests/check_family tests/check_design

host_sources += \
	src/io/nccl_constants.c \
	src/io/nccl_constants.h

host_sources += \
	src/io/comm_model.c \
	src/io/comm_model.h

host_sources += \
	src/io/bench.c \
	src/io/bench.h \
	src/io/bench_csv.c \
	src/io/bench_draft.c \
	src/io/bench_draft.h \
	src/io/bench_infer.c \
	src/io/bench_json.c \
	src/io/bench_json.h \
	src/io/bench_json_nccl.c \
	src/io/bench_json_tree.c \
	src/io/bench_layout.c \
	src/io/bench_layout.h \
	src/io/bench_match.c \
	src/io/bench_match.h \
	src/io/bench_nccl.c \
	src/io/bench_osu.c \
	src/io/bench_ratio.c \
	src/io/bench_ratio.h \
	src/io/bench_readers.def \
	src/io/bench_rows.c \
	src/io/bench_rows.h \
	src/io/bench_perftest.c \
	src/io/text.c \
	src/io/text.h

host_sources += src/io/sha256.c src/io/sha256.h
unit_tests += tests/check_comm_model

unit_tests += tests/check_model tests/check_outfile

host_sources += \
	src/io/findings.c \
	src/io/findings.h \
	src/io/fabric_match.c \
	src/io/fabric_match.h \
	src/io/ibnetdiscover.c \
	src/io/ibnetdiscover.h \
	src/io/topo_findings.c \
	src/io/topo_findings.h \
	src/io/topo_m.c \
	src/io/topo_m.h \
	src/io/nccl_check.c \
	src/io/nccl_check.h \
	src/io/nccl_findings.c \
	src/io/nccl_findings.def \
	src/io/nccl_findings.h \
	src/io/nccl_log.c \
	src/io/nccl_log.h \
	src/io/nccl_message.c \
	src/io/nccl_message.h \
	src/io/nccl_network.c \
	src/io/nccl_nics.c
unit_tests += tests/check_bench tests/check_nccl_log tests/check_fabric_files

host_sources += \
	src/io/fabric_hosts.c \
	src/io/fabric_import.c \
	src/io/fabric_import.h \
	src/io/fabric_survey.c \
	src/io/fabric_survey.h

host_sources += \
	src/io/launch_facts.c \
	src/io/launch_facts.h \
	src/io/settings.c \
	src/io/settings.h \
	src/io/what_if.c \
	src/io/what_if.h

host_sources += \
	src/io/peer.c \
	src/io/peer.h \
	src/io/peer_astra.c \
	src/io/peer_calculon.c \
	src/io/peer_simai.c \
	src/io/peers.def
host_sources += src/io/peer_read.c
host_sources += src/io/plan_findings.c src/io/plan_findings.h
