core_sources +=
