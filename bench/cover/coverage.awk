# Curves to a table: awk [-v at="10 100"] -f coverage.awk curve-NAME-WAY-SEED.csv...
#   at: what the ways covered after so many executions; without it: what each
#   criterion alone covered until its last gain, and random in the same time,
#   which is no longer than random was followed.  The curves of random are then
#   named twice: first, and last.
function mean(what, name, way, k, c,    s, n, sum) {
    for (s = 1; s <= most_seed; s++)
        if ((name, way, s) in there) {
            n++
            sum += what[name, way, s, k, c]
        }
    return n ? sum / n : 0
}
function ratio(a, b) { return b ? sprintf("%.1f", a / b) : "-" }
BEGIN {
    FS = ","
    n_at = split(at, points, " ")
    split("pr pmr pcr", criterion, " ")
    for (c in criterion)
        number[criterion[c]] = c
}
FNR == 1 {
    file = FILENAME
    sub(/.*curve-/, "", file)
    sub(/\.csv$/, "", file)
    split(file, part, "-")
    name = part[1]; way = part[2]; seed = part[3] + 0
    if (!(name in seen)) {
        seen[name] = 1
        names[++n_names] = name
    }
    there[name, way, seed] = 1
    again = read[file]++
    if (seed > most_seed)
        most_seed = seed
    next
}
n_at {
    for (i = 1; i <= n_at; i++)
        if ($1 <= points[i] + 0)
            for (c = 1; c <= 3; c++)
                value[name, way, seed, points[i], c] = $(2 + c)
    next
}
way == "random" && !again {
    ends[name, seed] = $2
    next
}
way == "random" {
    for (c = 1; c <= 3; c++)
        if ($2 + 0 <= until[name, criterion[c], seed, 0, c])
            value[name, way, seed, 0, c] = $(2 + c)
    next
}
$2 + 0 <= ends[name, seed] + 0 &&
    $(2 + number[way]) + 0 > value[name, way, seed, 0, number[way]] + 0 {
    value[name, way, seed, 0, number[way]] = $(2 + number[way])
    until[name, way, seed, 0, number[way]] = $2
}
function head(first, columns, line,    c) {
    printf "%s", first
    for (c = 1; c <= 3; c++)
        printf " %s %s | cover/random |", criterion[c], columns
    printf "\n%s", line
    for (c = 1; c <= 12; c++)
        printf "--:|"
    print ""
}
function over_executions(    j, i, c, a, r) {
    head("| program | executions |", "cover | random | delay64", "|---|--:|")
    for (j = 1; j <= n_names; j++)
        for (i = 1; i <= n_at; i++) {
            printf "| %s | %d |", names[j], points[i]
            for (c = 1; c <= 3; c++) {
                a = mean(value, names[j], "cover", points[i], c)
                r = mean(value, names[j], "random", points[i], c)
                printf " %.0f | %.0f | %.0f | %s |", a, r,
                    mean(value, names[j], "delay64", points[i], c), ratio(a, r)
            }
            print ""
        }
}
function over_time(    j, c, a, r) {
    head("| program |", "s | cover | random", "|---|")
    for (j = 1; j <= n_names; j++) {
        printf "| %s |", names[j]
        for (c = 1; c <= 3; c++) {
            a = mean(value, names[j], criterion[c], 0, c)
            r = mean(value, names[j], "random", 0, c)
            if (a && r) {
                logs[c] += log(a / r)
                counted[c]++
            }
            printf " %.2f | %.0f | %.0f | %s |",
                mean(until, names[j], criterion[c], 0, c), a, r, ratio(a, r)
        }
        print ""
    }
    printf "| geometric mean |"
    for (c = 1; c <= 3; c++)
        printf " | | | %s |",
            counted[c] ? sprintf("%.1f", exp(logs[c] / counted[c])) : "-"
    print ""
}
END {
    if (n_at)
        over_executions()
    else
        over_time()
}
