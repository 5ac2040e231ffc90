// The failing execution beside the nearest passing one, aligned.
(() => {
    const { el } = page;

    function name(trace, s) {
        return s.message === null ? "test body" :
            trace.actors[s.actor].name + " " + s.message + "<" + trace.actors[s.sender].name;
    }

    const CELLS_MOST = 4e6;

    // Pairs [i, k] of equal steps, in order: the longest there are between the
    // common beginning and the common end.
    function align(a, b) {
        let from = 0, till = 0;
        while (from < a.length && from < b.length && a[from] === b[from])
            from++;
        while (till < a.length - from && till < b.length - from &&
            a[a.length - 1 - till] === b[b.length - 1 - till])
            till++;
        const n = a.length - from - till, m = b.length - from - till, pairs = [];
        for (let i = 0; i < from; i++)
            pairs.push([i, i]);
        if (n && m && (n + 1) * (m + 1) <= CELLS_MOST)
            middle(a, b, from, n, m, pairs);
        for (let i = till; i > 0; i--)
            pairs.push([a.length - i, b.length - i]);
        return pairs;
    }

    function middle(a, b, from, n, m, pairs) {
        const best = new Uint32Array((n + 1) * (m + 1)), w = m + 1;
        for (let i = n - 1; i >= 0; i--)
            for (let k = m - 1; k >= 0; k--)
                best[i * w + k] = a[from + i] === b[from + k] ? best[(i + 1) * w + k + 1] + 1
                    : Math.max(best[(i + 1) * w + k], best[i * w + k + 1]);
        let i = 0, k = 0;
        while (i < n && k < m) {
            if (a[from + i] === b[from + k]) {
                pairs.push([from + i, from + k]);
                i++;
                k++;
            } else if (best[(i + 1) * w + k] >= best[i * w + k + 1]) {
                i++;
            } else {
                k++;
            }
        }
    }

    // Lines [left or null, right or null].
    page.aligned = (fail, pass) => {
        const a = fail.steps.map((s) => name(fail, s)), b = pass.steps.map((s) => name(pass, s));
        const lines = [];
        let i = 0, k = 0;
        for (const [x, y] of [...align(a, b), [a.length, b.length]]) {
            while (i < x)
                lines.push([i++, null]);
            while (k < y)
                lines.push([null, k++]);
            if (x < a.length && y < b.length)
                lines.push([i++, k++]);
        }
        return lines;
    };

    function cell(trace, i, bad, go) {
        if (i === null)
            return el("td", { class: "nothing" }, "");
        const s = trace.steps[i];
        const words = page.stepWords(trace, i) + (s.fields ? " " + page.cut(s.fields, 80) : "");
        return el("td", { class: i === bad ? "bad" : null },
            go ? el("button", { type: "button", class: "link", onclick: () => go(i) }, String(i)) : String(i),
            " ", words, s.change ? el("div", { class: "note" }, page.cut(s.change, 160)) : null,
            i === bad ? el("strong", {}, " FAILED") : null);
    }

    const EQUAL_MOST = 6;

    function render(to) {
        const c = page.case();
        if (!c || !c.passes) {
            to.append(el("p", {}, "No passing execution near this one is known: swapping two messages " +
                "does not make the test pass."));
            return;
        }
        const lines = page.aligned(c.trace, c.passes), bad = page.badStep(c);
        const same = (l) => l[0] !== null && l[1] !== null;
        const first = lines.findIndex((l) => !same(l));
        const go = (i) => page.go({ view: "trace", step: i });
        const body = el("tbody", {});
        const add = (l, n) => el("tr", { class: (same(l) ? "same" : "different") + (n === first ? " first" : "") },
            el("th", { scope: "row" }, n === first ? "first difference" : ""),
            cell(c.trace, l[0], bad, go), cell(c.passes, l[1], -1, null));
        for (let n = 0; n < lines.length;) {
            let end = n;
            while (end < lines.length && same(lines[end]))
                end++;
            const keep = end - n > 2 * EQUAL_MOST;
            for (let i = n; i < end; i++) {
                if (keep && i === n + EQUAL_MOST) {
                    const rest = [i, end - EQUAL_MOST];
                    const row = el("tr", { class: "folded" }, el("td", { colspan: 3 },
                        el("button", { type: "button", onclick: () =>
                            row.replaceWith(...lines.slice(...rest).map((l, k) => add(l, rest[0] + k))) },
                        page.number(rest[1] - rest[0]) + " equal steps")));
                    body.append(row);
                    i = end - EQUAL_MOST;
                }
                body.append(add(lines[i], i));
            }
            for (n = end; n < lines.length && !same(lines[n]); n++)
                body.append(add(lines[n], n));
        }
        to.append(page.raceLine(c), el("div", { class: "wide" }, el("table", { class: "compare" },
            el("caption", {}, "The failing execution, and the same with the race the other way round"),
            el("thead", {}, el("tr", {}, ["", "fails", "passes"].map((h) => el("th", { scope: "col" }, h)))), body)));
        const mark = body.querySelector(".first");
        if (mark)
            mark.scrollIntoView({ block: "center" });
    }
    page.views.push({ id: "compare", title: "Compare", render, there: () => !!(page.case() && page.case().passes) });
})();
