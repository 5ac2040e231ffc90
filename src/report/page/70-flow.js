// The flow graph: classes and the messages between them, and the behaviours of
// each class.  What the chosen case did is lit.
(() => {
    const { el, svg } = page;
    const W = 150, H = 40, DX = 320, DY = 140, SIDE = 150;

    // Nodes and edges: those that the analysis found, else what the cases show.
    function graph(t) {
        const edges = new Map(), nodes = new Map();
        const node = (n) => nodes.get(n) || nodes.set(n, { name: n }).get(n);
        const edge = (from, to, kind, message) => {
            const key = JSON.stringify([from, to]);
            const e = edges.get(key) || edges.set(key, { from: node(from), to: node(to), creates: false,
                messages: new Set() }).get(key);
            if (kind === "create")
                e.creates = true;
            else if (message)
                e.messages.add(message);
            return e;
        };
        if (page.data.graph) {
            for (const c of page.data.graph.classes)
                node(c.name).receptionist = c.receptionist;
            for (const e of page.data.graph.edges)
                edge(e.from, e.to, e.kind, e.message);
        } else {
            for (const c of t.classes || [])
                node(c.name);
            for (const c of t.cases || [])
                seen(c, (from, to, message, kind) => edge(from, to, kind, message));
        }
        return { nodes: [...nodes.values()], edges: [...edges.values()] };
    }

    // What an execution did, class by class.
    function seen(c, use) {
        if (!c || !c.trace)
            return;
        const cls = (i) => i === 0 ? "environment" : c.trace.actors[i].class;
        const names = new Map(c.trace.actors.map((a, i) => [a.name, i]));
        for (const s of c.trace.steps) {
            for (const b of s.births || [])
                use(cls(s.actor), cls(b), null, "create");
            for (const x of s.sends)
                if (names.has(x.to))
                    use(cls(x.by), cls(names.get(x.to)), x.message, "send");
        }
    }

    // Rows by distance from where messages begin; within a row, near those
    // above.
    function layout(g) {
        const root = g.nodes.find((n) => n.name === "environment") || g.nodes[0];
        const depth = new Map([[root, 0]]);
        const spread = (carries) => {
            const queue = [...depth.keys()];
            while (queue.length) {
                const n = queue.shift();
                for (const e of g.edges)
                    if (e.from === n && carries(e) && !depth.has(e.to)) {
                        depth.set(e.to, depth.get(n) + 1);
                        queue.push(e.to);
                    }
            }
        };
        spread((e) => e.messages.size);
        spread(() => true);
        const rows = [];
        for (const n of g.nodes) {
            const d = depth.has(n) ? depth.get(n) : 1;
            (rows[d] = rows[d] || []).push(n);
        }
        const compact = rows.filter((r) => r);
        const widest = Math.max(...compact.map((r) => r.length), 1);
        compact.forEach((row, y) => {
            const near = (n) => {
                const up = g.edges.filter((e) => e.to === n && e.from.x !== undefined && e.from !== n).map((e) => e.from.x);
                return up.length ? up.reduce((a, b) => a + b) / up.length : 0;
            };
            row.sort((a, b) => near(a) - near(b));
            row.forEach((n, x) => {
                n.x = SIDE + ((widest - row.length) / 2 + x) * DX + W / 2;
                n.y = 30 + y * DY + H / 2;
            });
        });
        return { width: (widest - 1) * DX + W + 2 * SIDE, height: (compact.length - 1) * DY + H + 60 };
    }

    // The point that bends the way from a to b.
    function knee(a, b, bend) {
        const dx = b.x - a.x, dy = b.y - a.y, n = Math.hypot(dx, dy) || 1;
        return [(a.x + b.x) / 2 - dy / n * bend, (a.y + b.y) / 2 + dx / n * bend];
    }

    // Where the way from the middle of a node to x, y leaves it.
    function border(n, x, y) {
        const ux = x - n.x, uy = y - n.y;
        const k = Math.min(W / 2 / (Math.abs(ux) || 1e-9), H / 2 / (Math.abs(uy) || 1e-9));
        return { x: n.x + ux * k, y: n.y + uy * k };
    }

    // The first bend with which an edge passes all other nodes, and the words of
    // the edges drawn before it, if there is one.
    function free(g, e, bends) {
        const passes = (bend, words) => {
            const [mx, my] = knee(e.from, e.to, bend), a = border(e.from, mx, my), b = border(e.to, mx, my);
            for (let k = 1; k < 20; k++) {
                const t = k / 20, x = (1 - t) * (1 - t) * a.x + 2 * t * (1 - t) * mx + t * t * b.x;
                const y = (1 - t) * (1 - t) * a.y + 2 * t * (1 - t) * my + t * t * b.y;
                if (g.nodes.some((n) => n !== e.from && n !== e.to && Math.abs(x - n.x) < W / 2 + 8 && Math.abs(y - n.y) < H / 2 + 8))
                    return false;
                if (words.some((w) => x > w.x && x < w.x + w.wide && y > w.y && y < w.y + w.high))
                    return false;
            }
            return true;
        };
        return bends.find((b) => passes(b, g.words)) || bends.find((b) => passes(b, [])) || bends[0];
    }

    // The way of an edge, and where its words stand: beside it, outside of the bend.
    function path(g, e, back) {
        const a = e.from, b = e.to;
        if (a === b) {
            const x = a.x + W / 2;
            return { d: `M ${x} ${a.y - 8} C ${x + 44} ${a.y - 26} ${x + 44} ${a.y + 26} ${x} ${a.y + 8}`, x: x + 38, y: a.y + 4,
                anchor: "start" };
        }
        const dx = b.x - a.x, dy = b.y - a.y;
        const bend = back ? 44 : free(g, e, a.y === b.y ? [44, -44, 90, -90] : [14, -14, 60, -60, 120, -120, 200, -200, 285, -285, 340, -340, 400, -400]);
        const [mx, my] = knee(a, b, bend);
        const s = border(a, mx, my), t = border(b, mx, my);
        const x = (mx * 2 + s.x + t.x) / 4, y = (my * 2 + s.y + t.y) / 4, steep = Math.abs(dy) > Math.abs(dx) / 2;
        const left = mx < (a.x + b.x) / 2;
        return { d: `M ${s.x} ${s.y} Q ${mx} ${my} ${t.x} ${t.y}`, x: x + (!steep ? 0 : left ? -7 : 7),
            y: y + (steep ? 4 : -5), anchor: !steep ? "middle" : left ? "end" : "start" };
    }

    // Words of at most so many characters a line.
    function lines(messages) {
        const out = [];
        for (const m of messages) {
            const last = out[out.length - 1];
            if (last !== undefined && last.length + m.length < 18)
                out[out.length - 1] = last + " " + m + ",";
            else
                out.push(m + ",");
        }
        const all = out.slice(0, 4).map((l) => page.cut(page.plain(l), 30));
        if (all.length)
            all[all.length - 1] = out.length > 4 ? all[3] + " \u2026" : all[all.length - 1].replace(/,$/, "");
        return all;
    }

    function drawEdge(g, e, lit) {
        const back = g.edges.some((o) => o.from === e.to && o.to === e.from && o !== e);
        const p = path(g, e, back), messages = [...e.messages].sort();
        const on = messages.filter((m) => lit.has(JSON.stringify([e.from.name, e.to.name, m])));
        const made = lit.has(JSON.stringify([e.from.name, e.to.name, null]));
        const words = e.from.name + " to " + e.to.name + ": " + (e.creates ? "creates; " : "") + messages.join(", ");
        const label = lines(messages), wide = 7 * Math.max(...label.map((l) => l.length), 0);
        g.words.push({ x: p.x - (p.anchor === "start" ? 0 : p.anchor === "end" ? wide : wide / 2), wide,
            y: p.y - 7 * label.length - 5, high: 14 * label.length });
        return svg("g", { class: "edge" + (on.length || made ? " lit" : "") + (messages.length ? "" : " create"),
            role: "img", "aria-label": words },
        svg("title", {}, words + (on.length ? "; in this case: " + on.join(", ") : "")),
        svg("path", { d: p.d, "marker-end": "url(#end)" }),
        svg("text", { "text-anchor": p.anchor }, label.map((l, i) => svg("tspan", { x: p.x,
            y: p.y + (i - (label.length - 1) / 2) * 14 }, l))));
    }

    function picture(g, lit, nodes) {
        const size = layout(g), span = (e) => Math.hypot(e.to.x - e.from.x, e.to.y - e.from.y);
        g.words = []; // where they stand
        g.edges.sort((a, b) => span(a) - span(b));
        return svg("svg", { class: "graph", viewBox: `0 0 ${size.width} ${size.height}`, width: size.width,
            height: size.height, role: "group", "aria-label": "flow graph" },
        svg("defs", {}, svg("marker", { id: "end", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 11, markerHeight: 11,
            markerUnits: "userSpaceOnUse",
            orient: "auto" }, svg("path", { d: "M 0 0 L 8 4 L 0 8 z" }))),
        g.edges.map((e) => drawEdge(g, e, lit)),
        g.nodes.map((n) => svg("g", { class: "node " + page.hue(n.name === "environment" ? "" : n.name) +
            (nodes.has(n.name) ? " lit" : "") + (n.receptionist ? " receptionist" : ""), role: "img",
        "aria-label": (n.receptionist ? "receptionist " : "") + n.name },
        svg("title", {}, n.name),
        svg("rect", { x: n.x - W / 2, y: n.y - H / 2, width: W, height: H, rx: 6 }),
        n.receptionist ? svg("rect", { x: n.x - W / 2 + 4, y: n.y - H / 2 + 4, width: W - 8, height: H - 8, rx: 4 }) : null,
        svg("text", { x: n.x, y: n.y + 5 }, page.cut(page.plain(n.name), 19)))));
    }

    function behaviours(cls, way) {
        const g = { nodes: cls.behaviours.map((b) => ({ name: b.name, receptionist: b.start })), edges: [] };
        const find = (n) => g.nodes.find((x) => x.name === n);
        const edges = new Map();
        const add = (from, to, on) => {
            if (!find(from) || !find(to) || from === to)
                return;
            const key = JSON.stringify([from, to]);
            if (!edges.has(key))
                edges.set(key, { from: find(from), to: find(to), messages: new Set() });
            edges.get(key).messages.add(on || "init");
        };
        const known = page.data.graph && page.data.graph.classes.find((c) => c.name === cls.name);
        for (const b of known ? known.becomes : [])
            add(b.from, b.to, b.on);
        for (const [from, to, on] of way)
            add(from, to, on);
        g.edges = [...edges.values()];
        return g;
    }

    function taken(c, cls) {
        return c && c.trace ? c.trace.steps.filter((s) => c.trace.actors[s.actor].class === cls && s.from && s.to &&
            s.from !== s.to).map((s) => [s.from, s.to, s.message]) : [];
    }

    function render(to) {
        const t = page.test(), c = page.case(), lit = new Set(), nodes = new Set();
        seen(c, (from, into, message) => {
            lit.add(JSON.stringify([from, into, message]));
            nodes.add(from).add(into);
        });
        const g = graph(t);
        to.append(el("p", { class: "note" }, page.data.graph ? "Every creation (dashed) and send that a run can make; "
            : "Creations (dashed) and sends of the cases on this page; ",
        "what the chosen case did is lit. A double border: a receptionist."));
        to.append(el("div", { class: "wide" }, picture(g, lit, nodes)));
        for (const cls of t.classes || []) {
            if (cls.behaviours.length < 2)
                continue;
            const way = taken(c, cls.name), on = new Set(), in_ = new Set();
            for (const [a, b, m] of way) {
                on.add(JSON.stringify([a, b, m]));
                in_.add(a).add(b);
            }
            to.append(el("h3", {}, "behaviours of " + cls.name),
                el("div", { class: "wide" }, picture(behaviours(cls, way), on, in_)));
        }
    }
    page.views.push({ id: "flow", title: "Flow", render, there: () => !!(page.test() && (page.test().classes || []).length) });
})();
