# Do several explorations of the same tests agree?  Reads the JSON files that
# `troupe explore --json` wrote, one per strategy, the reference first: complete
# searches must have the same final states, bugs, warnings and handler runs.  A
# search without an end is compared with nothing.
#
# Prints a line for each disagreement and, last, "COMPARED SKIPPED DIFFERENT".
# A test counts as skipped if no two of its searches were complete.
function text_of(line)
{
    sub(/^[^:]*: "?/, "", line)
    sub(/"?,?$/, "", line)
    return line
}
function close_bug()
{
    key = kind " " place " " class " " message
    set = test SUBSEP strategy SUBSEP warning
    if (!((set, key) in have)) {
        have[set, key] = 1
        names[set] = names[set] "\n" key
    }
}
function sorted(list,    n, i, j, t, part, out)
{
    n = split(list, part, "\n")
    for (i = 2; i <= n; i++) {
        t = part[i]
        for (j = i - 1; j >= 1 && part[j] > t; j--)
            part[j + 1] = part[j]
        part[j + 1] = t
    }
    for (i = 1; i <= n; i++)
        if (part[i] != "")
            out = out (out == "" ? "" : "; ") part[i]
    return out
}
FNR == 1 {
    strategy = FILENAME
    sub(/.*\//, "", strategy)
    sub(/\.json$/, "", strategy)
    order[++n_strategies] = strategy
}
/^ *"test": /         { test = text_of($0)
                        if (!(test in seen)) { seen[test] = 1
                                               tests[++n_tests] = test } }
/^ *"complete": /     { complete[test, strategy] = text_of($0) == "true" }
/^ *"final_states": / { finals[test, strategy] = text_of($0) }
/^ *"finals_hash": /  { hash[test, strategy] = text_of($0) }
/^ *"handler_runs": / { runs[test, strategy] = text_of($0) }
/^ *"workers_lost": / { lost[test, strategy] = text_of($0) }
/^ *"kind": /         { kind = text_of($0) }
/^ *"warning": /      { warning = text_of($0) }
/^ *"line": /         { place = text_of($0) }
/^ *"class": /        { class = text_of($0) }
/^ *"message": /      { message = text_of($0); close_bug() }
/^ *"confirmed": false/ { unconfirmed[test, strategy]++ }
function differ(what, one, other)
{
    printf "DIFFER %s %s: %s: %s is {%s}, %s is {%s}\n", test, model, what,
        base, one, strategy, other
    wrong[test] = 1
}
# Workers each run a handler once; `reduced` tries runs that no execution makes.
function more_runs(s)
{
    return s ~ /-j/ || s == "reduced"
}
function compare(    a, b)
{
    a = test SUBSEP base
    b = test SUBSEP strategy
    if (finals[a] != finals[b] || hash[a] != hash[b])
        differ("final states", finals[a] " " hash[a], finals[b] " " hash[b])
    if (sorted(names[a, "false"]) != sorted(names[b, "false"]))
        differ("bugs", sorted(names[a, "false"]), sorted(names[b, "false"]))
    if (sorted(names[a, "true"]) != sorted(names[b, "true"]))
        differ("warnings", sorted(names[a, "true"]), sorted(names[b, "true"]))
    if (!more_runs(strategy) && !more_runs(base) && runs[a] != runs[b])
        differ("handler runs", runs[a], runs[b])
    if (unconfirmed[b] + 0 > 0)
        differ("cases that do not replay", 0, unconfirmed[b])
    if (lost[b] + 0 > 0)
        differ("lost workers", 0, lost[b])
}
END {
    for (t = 1; t <= n_tests; t++) {
        test = tests[t]
        base = ""
        n = 0
        for (s = 1; s <= n_strategies; s++) {
            strategy = order[s]
            if (!complete[test, strategy])
                continue
            if (finals[test, strategy] == 0) {
                base = strategy
                differ("final states", "none", "none")
            }
            n++
            if (base == "")
                base = strategy
            else
                compare()
        }
        if (n < 2)
            skipped++
        else
            compared++
        if (test in wrong)
            different++
    }
    print compared + 0, skipped + 0, different + 0
}
