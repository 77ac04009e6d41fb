# shellcheck shell=sh
# What `./dev soak` runs; read by dev, after tools/more.sh whose functions it uses.
# doc/soak.md has the last results.

# A test that speaks TAP, with variables before it; its status says whether it passed.
tapped() { # [NAME=VALUE...] TEST
    log_of_test=$(mktemp)
    ran=0
    env RAILYARD="$PWD/$build/railyard" srcdir="$PWD" "$@" >"$log_of_test" || ran=$?
    grep -E '^(not )?ok|^#' "$log_of_test"
    grep -qE '^not ok' "$log_of_test" && ran=1
    grep -qE '^ok' "$log_of_test" || ran=1
    rm -f "$log_of_test"
    return $ran
}

soak_all() { # SECONDS of fuzzing a target
    shown=yes
    step 'a hundred kills of each writer' tapped KILLS=100 tests/kill.test
    step 'build the fuzz targets' built build-fuzz fuzzers \
        --enable-fuzzer --enable-sanitizers CC=clang CFLAGS='-O1 -g'
    step "fuzz each target $1 s" fuzz_each "$1"
}
