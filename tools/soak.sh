# shellcheck shell=sh
# What `./dev soak` runs; read by dev, after tools/more.sh whose functions it uses.
# doc/soak.md has the last results.

soak_all() { # SECONDS of fuzzing a target
    shown=yes
    step 'a hundred kills of each writer' tapped KILLS=100 JOB_KILLS=100 \
        tests/kill.test
    step 'build the fuzz targets' built build-fuzz fuzzers \
        --enable-fuzzer --enable-sanitizers CC=clang CFLAGS='-O1 -g'
    step "fuzz each target $1 s" fuzz_each "$1"
}
