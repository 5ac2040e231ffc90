# Trials to a table in the form of Bita's table II:
#   awk -v what=executions|seconds -v ways="cover random" -v most=N
#       -f table.awk bugs.csv
# Seconds are shown as milliseconds.
function quantile(n) { # of Student's t, two-sided 95 %, n values
    return n < 2 ? 0 : n <= 11 ? t[n - 1] : n <= 21 ? 2.1 : 2
}
function number(x) { return sprintf(x < 10 ? "%.1f" : "%.0f", x) }
function cell(b, w,    n, m, v) {
    n = runs[b, w]
    if (!n)
        return "-"
    m = sum[b, w] / n
    v = n > 1 ? (squares[b, w] - n * m * m) / (n - 1) : 0
    if (!found[b, w])
        return what == "seconds" ? "none in " number(m) : "none"
    return number(m) "±" number(quantile(n) * sqrt(v > 0 ? v / n : 0)) \
        (found[b, w] < n ? " (" n - found[b, w] " missed)" : "")
}
function row(title, values, form,    i) {
    printf "| %s | |%s", title, shown ? " |" : ""
    for (i = 1; i <= n_ways; i++)
        printf " " form " |", values[way[i]]
    print ""
}
BEGIN {
    FS = ","
    split("12.71 4.30 3.18 2.78 2.57 2.45 2.36 2.31 2.26 2.23", t, " ")
    n_ways = split(ways, way, " ")
    for (i = 1; i <= n_ways; i++)
        wanted[way[i]] = 1
    shown = what == "executions"
}
FNR == 1 || !($3 in wanted) { next }
{
    if (!($1 in model))
        bug[++n_bugs] = $1
    model[$1] = $2
    x = what == "seconds" ? 1000 * $7 : $5 || $3 == "threads" ? $6 : most
    runs[$1, $3]++
    found[$1, $3] += $5
    sum[$1, $3] += x
    squares[$1, $3] += x * x
    total[$3] += x
    bugs_found[$3] += $5
    trials[$3]++
    c = $8 == "" ? "-" : $8
    if ($3 == "cover" && $5 && index(" " tried[$1] " ", " " c " ") == 0)
        tried[$1] = tried[$1] (tried[$1] == "" ? "" : " ") c
}
END {
    printf "| bug | model |%s", shown ? " criteria |" : ""
    for (i = 1; i <= n_ways; i++)
        printf " %s |", way[i]
    printf "\n|---|---|%s", shown ? "---|" : ""
    for (i = 1; i <= n_ways; i++)
        printf "--:|"
    print ""
    for (k = 1; k <= n_bugs; k++) {
        printf "| %s | %s |%s", bug[k], model[bug[k]],
            shown ? " " tried[bug[k]] " |" : ""
        for (i = 1; i <= n_ways; i++)
            printf " %s |", cell(bug[k], way[i])
        print ""
    }
    for (w in wanted) {
        mean[w] = bugs_found[w] ? total[w] / bugs_found[w] : 0
        missed[w] = trials[w] - bugs_found[w]
    }
    for (w in wanted)
        slower[w] = bugs_found[w] && mean[way[1]] ? mean[w] / mean[way[1]] : 0
    row("in all", total, "%.0f")
    row("bugs found, of " trials[way[1]], bugs_found, "%d")
    row("missed", missed, "%d")
    row("per bug found", mean, "%.1f")
    row("against " way[1], slower, "%.1fx")
}
