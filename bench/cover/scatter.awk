# Criteria compared in pairs, as Bita's figure 3: a point per bug and seed.
#   awk -v by=executions|seconds -v most=N -f scatter.awk bugs.csv
# Both axes are logarithmic; points on the dashed lines are misses.
function e(x) { x = log(x) / log(10); return x < low ? low : x > up ? up : x }
function px(x) { return left + side * (e(x) - low) / (up - low) }
function py(y) { return top + side - side * (e(y) - low) / (up - low) }
function panel(a, b, number,    k, i, x, y, v) {
    left = 60 + (number - 1) * (side + 70)
    for (i = low; i <= up; i++) {
        v = px(10 ^ i)
        printf "<path d=\"M%.1f %dv%d\" stroke=\"#ddd\"/>\n", v, top, side
        printf "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
            v, top + side + 16, 10 ^ i
        v = py(10 ^ i)
        printf "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/>\n", left, v, side
        printf "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
            left - 5, v + 4, 10 ^ i
    }
    printf "<path d=\"M%d %dL%d %d\" stroke=\"#999\"/>\n", left, top + side,
        left + side, top
    printf "<path d=\"M%d %dv%dh%d\" fill=\"none\" stroke=\"black\"/>\n", left,
        top, side, side
    printf "<path d=\"M%.1f %dv%dM%d %.1fh%d\" stroke=\"black\"" \
        " stroke-dasharray=\"4 3\"/>\n", px(miss), top, side, left, py(miss),
        side
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s, %s</text>\n",
        left + side / 2, top + side + 34, a, by
    printf "<text transform=\"translate(%d %d) rotate(-90)\"" \
        " text-anchor=\"middle\">%s, %s</text>\n", left - 42, top + side / 2, b,
        by
    for (k = 1; k <= n; k++)
        if ((key[k], a) in value && (key[k], b) in value)
            printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"" \
                " fill=\"#1f77b4\" fill-opacity=\"0.45\"/>\n",
                px(value[key[k], a]), py(value[key[k], b])
}
BEGIN {
    FS = ","
    top = 40
    side = 260
}
FNR == 1 { next }
$3 == "pr" || $3 == "pmr" || $3 == "pcr" {
    id = $1 "," $4
    if (!(id in seen)) {
        seen[id] = 1
        key[++n] = id
    }
    x = by == "seconds" ? $7 : $6
    value[id, $3] = $5 ? x : -1
    if (x > longest)
        longest = x
}
END {
    miss = by == "seconds" ? (longest > 0 ? longest : 1) : most
    low = by == "seconds" ? -4 : 0
    up = int(log(miss) / log(10) + 0.999999)
    if (up <= low)
        up = low + 1
    for (k in value)
        if (value[k] < 0)
            value[k] = miss
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\"" \
        " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n" \
        "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n" \
        "<text x=\"60\" y=\"22\" font-size=\"14\">Each criterion alone: a" \
        " point above the diagonal was found sooner by the criterion" \
        " below</text>\n", 3 * (side + 70) + 30, top + side + 50
    panel("pr", "pcr", 1)
    panel("pr", "pmr", 2)
    panel("pmr", "pcr", 3)
    print "</svg>"
}
