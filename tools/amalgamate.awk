# Copies a header with every #include "..." of the project put in its place: headers the
# first time they are named, .def tables each time.  Usage:
#   awk -v src=src -f tools/amalgamate.awk src/railyard.h >railyard.h
function copy(path,    line, name, first) {
    while ((getline line <path) > 0) {
        if (line !~ /^#include "/) {
            print line
            continue
        }
        split(line, parts, "\"")
        name = src "/" parts[2]
        first = !(name in seen)
        seen[name] = 1
        if (first || name ~ /\.def$/)
            copy(name)
    }
    close(path)
}
BEGIN {
    copy(ARGV[1])
    exit
}
