// A generated test: the objects that a function is given and what it leaves, as
// boxes with arrows, the lines it takes, and the test in C.
(() => {
    const { el, svg } = page;
    const W = 210, LINE = 20, GAP = 26;

    // The object that a pointer leads to: "&b", "b", "&b.next", "&b[2]".
    function target(value, names) {
        const m = /^[&*(]*\s*([A-Za-z_]\w*)/.exec(value);
        return m && names.has(m[1]) ? m[1] : null;
    }

    // Fields of each object: as given, or as the call leaves them.
    function state(call, after) {
        const later = new Map(call.after.map((v) => [v.place, v]));
        return call.objects.map((o) => {
            const fields = o.fields.map((f) => {
                const now = later.get(o.name + f.place);
                return { place: f.place || "=", value: after && now ? now.value : f.value, pointer: f.pointer,
                    changed: !!(after && now && now.value !== f.value) };
            });
            if (after)
                for (const v of call.after)
                    if (v.place.startsWith(o.name) && /^(\.|->|\[)/.test(v.place.slice(o.name.length)) &&
                        !o.fields.some((f) => o.name + f.place === v.place))
                        fields.push({ place: v.place.slice(o.name.length), value: v.value, pointer: v.pointer, changed: true });
            return { name: o.name, title: page.cut(o.declaration, 28), fields, freed: after && o.freed };
        });
    }

    function picture(call, after) {
        const objects = state(call, after), names = new Map();
        const names_of = call.parameters || [];
        const roots = call.arguments.map((a, i) => ({ place: names_of[i] || "", value: a, pointer: true }));
        if (after && call.end === "return")
            for (const v of call.after)
                if (v.place === "result" || v.place.startsWith("result"))
                    roots.push({ place: v.place, value: v.value, pointer: v.pointer });
        let y = 10;
        for (const o of objects) {
            o.y = y;
            o.h = (o.fields.length + 1) * LINE + 8;
            y += o.h + GAP;
            names.set(o.name, o);
        }
        const height = Math.max(y, roots.length * (LINE + 8) + 20), x0 = 10, x1 = 260;
        const label = (after ? "after" : "before") + " the call: " + (objects.length
            ? objects.map((o) => o.title + (o.freed ? ", freed" : "") + " " +
                o.fields.map((f) => f.place + " " + f.value).join(", ")).join("; ") : "no objects");
        const arrows = [];
        const arrow = (x, fy, value, lit) => {
            const o = names.get(target(value, names));
            if (o)
                arrows.push(svg("path", { class: "edge-line" + (lit ? " lit" : ""), "marker-end": "url(#to)",
                    d: x < x1 ? `M ${x} ${fy} L ${x1} ${o.y + LINE / 2 + 4}`
                        : `M ${x} ${fy} C ${x + 60} ${fy} ${x + 60} ${o.y + LINE / 2} ${x1 + W} ${o.y + LINE / 2}` }));
        };
        const parts = [
            roots.map((r, i) => {
                const ry = 14 + i * (LINE + 8);
                arrow(x0 + 150, ry + LINE / 2, r.value, false);
                return svg("g", {}, svg("rect", { class: "root", x: x0, y: ry, width: 150, height: LINE, rx: 4 }),
                    svg("text", { x: x0 + 6, y: ry + 14 }, page.cut(page.plain((r.place ? r.place + " = " : "") + r.value), 20)));
            }),
            objects.map((o) => svg("g", { class: "object" + (o.freed ? " freed" : "") },
                svg("rect", { x: x1, y: o.y, width: W, height: o.h, rx: 5 }),
                svg("text", { class: "title", x: x1 + 8, y: o.y + 16 }, page.plain(o.title) + (o.freed ? " (freed)" : "")),
                o.fields.map((f, i) => {
                    const fy = o.y + (i + 1) * LINE + 16;
                    if (f.pointer)
                        arrow(x1 + W, fy - 4, f.value, f.changed);
                    return svg("text", { class: f.changed ? "changed" : null, x: x1 + 14, y: fy },
                        page.cut(page.plain(f.place + "  " + f.value), 28));
                }))),
        ];
        return el("figure", {}, el("figcaption", {}, after ? "After" : "Before"),
            svg("svg", { class: "heap", viewBox: `0 0 560 ${height}`, width: 560, height, role: "img", "aria-label": label },
                svg("defs", {}, svg("marker", { id: "to", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7,
                    markerHeight: 7, orient: "auto" }, svg("path", { d: "M 0 0 L 8 4 L 0 8 z" }))), parts, arrows));
    }

    function ending(c) {
        if (c.end === "return")
            return "returns";
        const how = { trap: "ends by " + c.signal + ": " + c.kind, report: "a sanitizer reports: " + c.kind,
            exit: "exits with " + c.signal };
        return how[c.end] + " at " + c.at + ":" + c.at_line;
    }

    function render(to) {
        const c = page.test().call;
        to.append(...[
            el("h2", {}, c.function + "(" + c.arguments.join(", ") + ") " + ending(c)),
            el("div", { class: "heaps" }, picture(c, false), c.end === "return" ? picture(c, true) : null),
            c.lines.length ? el("table", {}, el("caption", {}, "Sides taken"), el("tbody", {}, c.lines.map((l) => el("tr", {},
                el("th", { scope: "row" }, String(l.line)), el("td", {}, l.condition), el("td", {}, l.side))))) : null,
            el("ul", {}, c.notes.map((n) => el("li", {}, n))),
            el("h3", {}, "The test ", page.copyButton(c.source)),
            el("pre", { tabindex: "0", "aria-label": "the test in C" }, page.cut(c.source, 100000)),
        ].filter((x) => x));
    }
    page.views.push({ id: "call", title: "Call", seldom: true, render, there: () => !!(page.test() && page.test().call) });
})();
