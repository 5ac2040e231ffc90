# Trials to tables, and the goals:
#   awk -v seconds=LIMIT -v ways="auto random..." -v engines="auto optimal..."
#       -v names="all bugs in order" -f table.awk bugs.csv twins.csv
# Lines are NAME,WAY,SEED,FOUND,SCHEDULES,SECONDS,...  A trial that found
# nothing counts as longer than any other.
function median(list,    n, v, i, j, x) { # of numbers with blanks between
    n = split(list, v, " ")
    for (i = 2; i <= n; i++) {
        x = v[i]
        for (j = i - 1; j > 0 && v[j] + 0 > x + 0; j--)
            v[j + 1] = v[j]
        v[j + 1] = x
    }
    return v[int((n + 1) / 2)] + 0
}
function time(x) {
    return x >= never ? "-" : x < 0.1 ? sprintf("%.0f ms", 1000 * x) \
        : sprintf("%.2f s", x)
}
function cell(b, w) {
    if (!trials[b, w])
        return ""
    if (t[b, w] >= never)
        return found[b, w] ? sprintf("- (%d of %d)", found[b, w], trials[b, w]) : "-"
    return sprintf("%d, %s%s", median(schedules[b, w]), time(t[b, w]), \
        found[b, w] < trials[b, w] \
        ? sprintf(" (%d of %d)", found[b, w], trials[b, w]) : "")
}
function heading(first, list,    n, name, i, under) {
    n = split(list, name, " ")
    printf "\n| %s |", first
    for (i = 1; i <= n; i++) {
        printf " %s |", name[i]
        under = under "--:|"
    }
    print "\n|---|" under
}
function line(b, list,    n, name, i) {
    n = split(list, name, " ")
    printf "| %s |", b
    for (i = 1; i <= n; i++)
        printf " %s |", cell(b, name[i])
    print ""
}
function best(b, list,    n, name, i, x) {
    n = split(list, name, " ")
    x = never
    for (i = 1; i <= n; i++)
        if (name[i] != "auto" && trials[b, name[i]] && t[b, name[i]] < x)
            x = t[b, name[i]]
    return x
}
function others_find(b, list,    n, name, i) {
    n = split(list, name, " ")
    for (i = 1; i <= n; i++)
        if (name[i] != "auto" && found[b, name[i]])
            return 1
    return 0
}
# Less than two milliseconds cannot be told apart.
function at_least(x) { return x < 0.002 ? 0.002 : x }
# How hard a bug is: by the time that random takes.
function class_of(x) { return x < 0.002 ? 1 : x < 0.01 ? 2 : 3 }
function add_ratio(class, x) {
    ratios[class]++
    ratio_sum[class] += x
}
function by_class(    c, name) {
    split("less than 2 ms|2 to 10 ms|more than 10 ms", name, "|")
    printf "\nauto against random, geometric mean over all, by what random takes:"
    for (c = 1; c <= 3; c++)
        if (ratios[c])
            printf "%s %s: %.1f (%d bugs)", (c > 1 ? "," : ""), name[c], \
                exp(ratio_sum[c] / ratios[c]), ratios[c]
    print "."
}
function bugs_of(third,    k, b, n, near, sum, missed, far, x, r) {
    for (k = 1; k <= n_bugs; k++) {
        b = bug[k]
        if (!(b in measured) || (k % 3 == 0) != third)
            continue
        line(b, ways)
        n++
        if (at_least(t[b, "auto"]) <= 2 * at_least(best(b, ways)))
            near++
        else
            far = far " " b
        if (found[b, "auto"] < trials[b, "auto"] && others_find(b, ways))
            missed = missed " " b
        r = at_least(t[b, "random"] < never ? t[b, "random"] : seconds)
        x = log(r / at_least(t[b, "auto"] < never ? t[b, "auto"] : seconds))
        sum += x
        add_ratio(class_of(t[b, "random"]), x)
    }
    if (!n)
        return
    printf "\n- auto within 2 times the best of the others: %d of %d%s\n", \
        near, n, far == "" ? "" : "; not:" far
    printf "- bugs that auto missed with some seed and others find: %s\n", \
        missed == "" ? "none" : substr(missed, 2)
    printf "- auto against random, geometric mean: %.1f times as fast\n", \
        exp(sum / n)
}
function twins_of(third,    k, b, n, i, name, whole, near, far, of) {
    for (k = 1; k <= n_bugs; k++) {
        b = bug[k]
        if (!(b "~" in measured) || (k % 3 == 0) != third)
            continue
        line(b "~", engines)
        of++
        for (i = split(engines, name, " "); i > 0; i--)
            whole[name[i]] += found[b "~", name[i]] > 0
        if (best(b "~", engines) >= never)
            continue
        n++
        if (t[b "~", "auto"] <= 2 * best(b "~", engines) + 0.5)
            near++
        else
            far = far " " b
    }
    if (!of)
        return
    printf "| seen whole, of %d |", of
    for (i = 1; i in name; i++)
        printf " %d |", whole[name[i]]
    printf "\n\n- auto within 2 times the best of the others + 0.5 s: %d of %d%s\n", \
        near, n, far == "" ? "" : "; not:" far
}
BEGIN {
    FS = ","
    never = 1e9
    n_bugs = split(names, bug, " ")
}
FNR == 1 { file++ }
{
    b = file == 1 ? $1 : $1 "~"
    measured[b] = 1
    trials[b, $2]++
    found[b, $2] += $4
    times[b, $2] = times[b, $2] " " ($4 ? $6 : never)
    if ($4)
        schedules[b, $2] = schedules[b, $2] " " $5
}
END {
    for (i in times)
        t[i] = median(times[i])
    for (b in measured)
        if (!trials[b, "auto"])
            t[b, "auto"] = never
    print "\nSchedules and time to the first bug."
    heading("bug", ways)
    bugs_of(0)
    print "\nHeld out:"
    heading("bug", ways)
    bugs_of(1)
    by_class()
    print "\nRepaired twins: schedules and time until all was seen."
    heading("twin", engines)
    twins_of(0)
    print "\nHeld out:"
    heading("twin", engines)
    twins_of(1)
}
