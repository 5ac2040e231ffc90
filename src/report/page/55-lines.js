// Lines and blocks that native runs of each test passed, on the sources.
(() => {
    const { el } = page;

    // Of each line the most that one of its blocks ran, and whether a block of it
    // did not: "line" -> { hits, missed, tests }.
    function by_line(blocks) {
        const out = new Map();
        for (const b of blocks) {
            const l = out.get(b.line) || { hits: 0, missed: 0, tests: new Set() };
            l.hits = Math.max(l.hits, b.hits);
            l.missed += b.hits ? 0 : 1;
            b.tests.forEach((t) => l.tests.add(t));
            out.set(b.line, l);
        }
        return out;
    }

    function words(l) {
        if (!l.hits)
            return "did not run";
        return page.number(l.hits) + " times, by " + [...l.tests].slice(0, 5).join(", ") +
            (l.missed ? "; a part of it did not run" : "");
    }

    function line(text, n, l) {
        const cls = !l ? "" : !l.hits ? " missed" : l.missed ? " partly" : " ran";
        return el("span", { class: "source" + cls, title: l ? words(l) : null },
            String(n).padStart(5), " ", (l ? page.number(l.hits) : "").padStart(8), "  ", page.cut(text, 300));
    }

    function file(name, blocks) {
        const lines = by_line(blocks), ran = blocks.filter((b) => b.hits).length;
        const source = (page.data.sources || {})[name];
        const head = name + ": " + page.number(ran) + " of " + page.number(blocks.length) + " blocks, " +
            page.number([...lines.values()].filter((l) => l.hits).length) + " of " + page.number(lines.size) + " lines";
        if (source === undefined)
            return el("p", {}, head);
        return el("details", { open: ran < blocks.length ? "" : null }, el("summary", {}, head),
            el("pre", { class: "excerpt lines", tabindex: "0", "aria-label": "lines of " + name },
                source.split("\n").slice(0, 20000).map((text, i) => line(text, i + 1, lines.get(i + 1)))));
    }

    // As the run says of itself.
    function runs() {
        const r = page.data.run;
        return r.manager === "random" ? "of each test up to ten in random orders, to the first that fails"
            : "of each test one, on one thread";
    }

    // What the view Coverage has below the orders; null where nothing was measured.
    page.lines = () => {
        const blocks = page.data.run && page.data.run.blocks;
        if (!blocks || !blocks.length)
            return null;
        const ran = blocks.filter((b) => b.hits).length;
        return el("section", { class: "covered" }, el("h2", {}, "Lines and blocks"),
            el("p", { class: "note" }, page.number(ran) + " of " + page.number(blocks.length) + " blocks (" +
                Math.floor(100 * ran / blocks.length) + " %) ran in native runs, " + runs() + "; " +
                "other orders may run others. The first line of each block is marked; its title names the tests."),
            [...new Set(blocks.map((b) => b.file))].map((name) => file(name, blocks.filter((b) => b.file === name))));
    };
})();
