# What suites that check the tool share.  A suite begins with
#
#     . "$(dirname "$0")/../suite.sh"
#
# and is then in an empty folder of its own, $work; $root is the tree, $tool the
# tool.  It ends with `finish`.
set -u
suite=${0##*/}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
tool=$root/${TROUPE:-build/troupe}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0

# One check: the command's words go to `log`, and are shown if it fails.
check() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >log 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAILED $suite: $what"
        tail -n 25 log
    fi
}
# A suite may say otherwise what a command gets.
limit() { "$@"; } # COMMAND...
exits() { # STATUS COMMAND...
    local want=$1 got
    shift
    limit "$@"
    got=$?
    [ $got = "$want" ] || { echo "exit $got, not $want"; return 1; }
}
# The command's words, which stay in `said`, have this text.
says() { # TEXT COMMAND...
    local text=$1
    shift
    limit "$@" >said 2>&1
    grep -qF -- "$text" said || { cat said; return 1; }
}
finish() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}
