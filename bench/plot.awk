# Lines from CSV to SVG: awk -v title=... -v xlabel=... -v ylabel=...
#   [-v line=Y -v line_name=TEXT] [-v logx=1] -f bench/plot.awk FILE
# Input: series,x,y.  Both axes start at 0; with logx the x axis is logarithmic
# and begins with the smallest x.
function esc(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); return s }
function lg(x) { return log(x) / log(10) }
function px(x) {
    if (logx)
        return left + (lg(x > xmin ? x : xmin) - lg(xmin)) / \
            (lg(xmax) - lg(xmin)) * width
    return left + x / xmax * width
}
# A power of ten, at most x, or at least x if up.
function power(x, up,    e) {
    e = int(lg(x))
    while (10 ^ e > x * 1.000001) e--
    while (up && 10 ^ e < x * 0.99) e++
    return 10 ^ e
}
function py(y) { return top + height - y / ymax * height }
function nice(m,    p) {
    if (m <= 0)
        return 1
    p = 10 ^ int(log(m) / log(10))
    if (p > m)
        p /= 10
    return m / p <= 1 ? p : m / p <= 2 ? 2 * p : m / p <= 5 ? 5 * p : 10 * p
}
function short(v) {
    return v >= 1e6 ? sprintf("%gM", v / 1e6) : v >= 1e4 ? sprintf("%gk", v / 1e3) : sprintf("%g", v)
}
function tick(v) {
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
        px(v), top + height + 16, short(v)
}
BEGIN {
    FS = ","
    left = 70; top = 34; width = 460; height = 250
    split("#1f77b4 #d62728 #2ca02c #9467bd #ff7f0e #17becf", colour, " ")
}
{
    if (!($1 in number)) {
        number[$1] = ++n
        name[n] = $1
    }
    k = number[$1]
    count[k]++
    x[k, count[k]] = $2 + 0
    y[k, count[k]] = $3 + 0
    if ($2 + 0 > xmax) xmax = $2 + 0
    if ($2 + 0 > 0 && (!xmin || $2 + 0 < xmin)) xmin = $2 + 0
    if ($3 + 0 > ymax) ymax = $3 + 0
}
END {
    if (line + 0 > ymax)
        ymax = line + 0
    if (logx) {
        xmin = xmin ? power(xmin, 0) : 1
        xmax = xmax > xmin ? power(xmax, 1) : 10 * xmin
    } else {
        xmax = nice(xmax)
    }
    ymax = nice(ymax)
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\"" \
        " height=\"340\" font-family=\"sans-serif\" font-size=\"12\">"
    print "<rect width=\"720\" height=\"340\" fill=\"white\"/>"
    printf "<text x=\"%d\" y=\"20\" font-size=\"14\">%s</text>\n", left,
        esc(title)
    printf "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n", left,
        top, top + height, left + width
    for (i = 0; i <= 4; i++) {
        printf "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
            left - 6, py(ymax * i / 4) + 4, short(ymax * i / 4)
        if (!logx)
            tick(xmax * i / 4)
        printf "<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>\n", left,
            py(ymax * i / 4), left + width
    }
    for (v = xmin; logx && v <= xmax * 1.000001; v *= 10)
        tick(v)
    printf "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
        left + width / 2, top + height + 36, esc(xlabel)
    printf "<text transform=\"translate(14 %d) rotate(-90)\"" \
        " text-anchor=\"middle\">%s</text>\n", top + height / 2, esc(ylabel)
    if (line != "") {
        printf "<path d=\"M%d %.1fH%d\" stroke=\"black\"/>\n", left, py(line),
            left + width
        printf "<text x=\"%d\" y=\"%.1f\">%s</text>\n", left + width + 6,
            py(line) + 4, esc(line_name)
    }
    for (k = 1; k <= n; k++) {
        c = colour[(k - 1) % 6 + 1]
        printf "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"" \
            " points=\"", c
        for (i = 1; i <= count[k]; i++)
            printf "%.1f,%.1f ", px(x[k, i]), py(y[k, i])
        print "\"/>"
        printf "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
            left + width + 6, top + 60 + 16 * k, c, esc(name[k])
    }
    print "</svg>"
}
