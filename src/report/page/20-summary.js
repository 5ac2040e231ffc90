// The summary: verdicts of all tests, why each search ended, and the bugs with
// the text that the terminal shows.
(() => {
    const { el } = page;

    function sure(t) {
        const r = t.results && t.results[0];
        if (t.command === "test" && t.words && t.verdict !== "failed")
            return t.words;
        if (!r)
            return "";
        if (r.complete)
            return "complete";
        if (t.verdict === "failed")
            return "a bug was found";
        if (r.criteria)
            return coverage(r);
        if (r.estimate > r.executions)
            return page.number(r.executions) + " of " + page.about(r.estimate);
        return r.executions === undefined ? "" : page.number(r.executions) + " schedules";
    }

    function coverage(r) {
        let covered = 0, possible = 0;
        for (const c of Object.values(r.criteria)) {
            covered += c.covered;
            possible += c.goals - c.impossible;
        }
        return possible ? (100 * covered / possible).toFixed(1) + " % of the possible orders"
            : "no orders to cover";
    }

    function any(what) {
        return page.data.tests.some((t) => t[what]);
    }

    function row(t, i) {
        const r = t.results && t.results[0];
        const open = () => page.go({ test: i, case: 0, view: t.cases && t.cases.length ? "trace" : "summary" });
        return el("tr", { class: i === page.state.test ? "chosen" : null },
            el("td", {}, el("button", { type: "button", class: "link", onclick: open,
                "aria-label": "test " + t.test }, t.test)),
            any("params") ? el("td", {}, t.params || "") : null,
            el("td", { class: "verdict " + t.verdict }, t.verdict),
            el("td", {}, sure(t)),
            el("td", {}, r ? r.strategy || t.command : t.command),
            el("td", {}, t.delivery),
            el("td", { class: "right" }, r && r.seconds !== undefined ? page.seconds(r.seconds) : ""),
            el("td", {}, t.seed === undefined ? "" : "0x" + Number(t.seed).toString(16)),
            el("td", {}, (t.cases || []).map((c, k) => [el("button", { type: "button", class: "link",
                onclick: () => page.go({ test: i, case: k, view: "trace", step: null }) },
            c.kind ? c.kind + (c.id ? " " + c.id : "") : "schedule"), " "])));
    }

    function figures(t) {
        const r = t.results && t.results[0];
        if (!r)
            return null;
        const shown = Object.entries(r).filter(([, v]) => v === null || typeof v !== "object");
        return el("details", {}, el("summary", {}, "all figures of " + t.test),
            el("dl", { class: "figures" }, shown.map(([k, v]) =>
                [el("dt", {}, k), el("dd", {}, typeof v === "number" ? page.number(v) : String(v))])));
    }

    function weakened(t) {
        const r = t.results && t.results[0];
        const list = r && t.verdict !== "failed" && r.weakened || []; // a bug that was found is certain
        return list.length ? el("section", {}, el("h3", {}, "What makes the verdict weaker"),
            el("ul", {}, list.map((w) => el("li", {}, w)))) : null;
    }

    function bug(c, k, i) {
        return el("article", { class: "bug" },
            el("h3", {}, c.kind ? (c.known ? "known: " : c.warning ? "warning: " : "") + c.kind + ": " + c.text : "schedule",
                " ", el("button", { type: "button", onclick: () =>
                    page.go({ test: i, case: k, view: "trace", step: null }) }, "step through"),
                " ", page.copyButton(c.report)),
            el("pre", { class: "report", tabindex: "0", "aria-label": "report of bug " + (c.id || "") },
                page.cut(c.report, 200000)));
    }

    function render(to) {
        const d = page.data, t = page.test();
        const n = (v) => d.tests.filter((x) => x.verdict === v).length;
        to.append(
            el("p", { class: "counts" }, ["failed", "passed", "incomplete", "refused"].filter(n).map((v, i) =>
                [i ? ", " : "", el("span", { class: "verdict " + v }, n(v) + " " + v)])),
            el("div", { class: "wide" }, el("table", { class: "tests" },
                el("caption", {}, "Tests"),
                el("thead", {}, el("tr", {}, ["test", any("params") && "parameters", "verdict", "how sure", "strategy",
                    "delivery", "time", "seed", "cases"].filter((h) => h).map((h) => el("th", { scope: "col" }, h)))),
                el("tbody", {}, d.tests.map(row)))));
        if (!t)
            return;
        to.append(el("h2", {}, t.test));
        if (t.words && t.command !== "test") // its words are in the table
            to.append(el("pre", { class: "words" }, page.cut(t.words, 20000)));
        to.append(el("div", {}, weakened(t), figures(t)));
        (t.cases || []).forEach((c, k) => to.append(bug(c, k, page.state.test)));
        to.append(el("section", {}, el("h3", {}, "How this page was made"),
            el("dl", { class: "figures" },
                el("dt", {}, "command"), el("dd", {}, el("code", {}, d.command_line || ""), " ",
                    page.copyButton(d.command_line || "")),
                el("dt", {}, "when"), el("dd", {}, d.made || ""),
                el("dt", {}, "versions"), el("dd", {}, el("pre", {}, d.versions || "")))));
    }
    page.views.push({ id: "summary", title: "Summary", render, there: () => true });
})();
