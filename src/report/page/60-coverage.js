// Coverage: orders of receives per actor, behaviours with their messages, lines.
(() => {
    const { el } = page;
    const reasons = {
        causality: ["c", "one causes the other"],
        "sender-receiver": ["s", "one sender, one receiver, in order"],
        timer: ["t", "one timer is due before the other"],
        queues: ["q", "no order of the queues has it"],
        explored: ["e", "no execution has it"],
    };

    // How a cell looks: its class, its mark, its words.
    function kind(cell) {
        if (cell === null)
            return ["never", "", "never in one schedule"];
        if (cell === "yes")
            return ["seen", "\u2713", "seen"];
        if (cell === "-")
            return ["left", "\u00b7", "not seen"];
        const [letter, why] = reasons[cell] || ["", cell];
        return ["ruled", "\u00d7" + letter, "impossible: " + why];
    }

    // "cut:2<room#1": the message, which one of its sender, the sender.
    function parts(name) {
        const [, message, nth, sender] = /^([^<:]*)(?::(\d+))?(?:<(.*))?$/.exec(name) || [null, name, "1", ""];
        return { message, nth: Number(nth || 1), sender: sender || "" };
    }

    // Receives by sender, those of one sender in their order.
    function bySender(receives) {
        const at = receives.map(parts);
        return receives.map((_, i) => i).sort((x, y) =>
            at[x].sender.localeCompare(at[y].sender, "en", { numeric: true }) ||
            at[x].message.localeCompare(at[y].message) || at[x].nth - at[y].nth);
    }

    function matrix(a) {
        if (!a.receives.length)
            return null;
        const order = bySender(a.receives);
        return el("div", { class: "wide" }, el("table", { class: "matrix" },
            el("caption", {}, a.actor + ": the receive of a row before that of a column (" + a.matrix + ")"),
            el("thead", {}, el("tr", {}, el("td", {}), order.map((x) =>
                el("th", { scope: "col" }, el("span", {}, page.cut(a.receives[x], 40)))))),
            el("tbody", {}, order.map((y) => el("tr", {}, el("th", { scope: "row" }, page.cut(a.receives[y], 60)),
                order.map((x) => {
                    const [cls, mark, words] = x === y ? ["self", "", ""] : kind(a.before[y][x]);
                    const title = words ? a.receives[y] + " before " + a.receives[x] + ": " + words : null;
                    return el("td", { class: cls, title, "aria-label": title }, mark);
                }))))),
        a.more_receives ? el("p", { class: "note" }, "and " + a.more_receives + " more receives") : null);
    }

    // What a name with a number means, by one of this page.
    function example(r) {
        const name = (r.actors || []).flatMap((a) => a.receives).find((n) => parts(n).nth === 2 && parts(n).sender);
        const at = name ? parts(name) : null;
        return at ? ". " + name + ": the second " + at.message + " that comes from " + at.sender : "";
    }

    const criteria = { pr: "any two receives of an actor", pmr: "two of which one changes the behaviour",
        pcr: "two with nothing between them" };

    function numbers(r) {
        return el("table", {}, el("caption", {}, "Orders of receives"),
            el("thead", {}, el("tr", {}, ["criterion", "orders of", "covered", "possible", "impossible", ""].map((h) =>
                el("th", { scope: "col" }, h)))),
            el("tbody", {}, Object.entries(r.criteria).map(([id, c]) => {
                const possible = c.goals - c.impossible;
                const bar = el("meter", { min: 0, max: possible || 1, value: c.covered,
                    "aria-label": id + " covered" });
                return el("tr", {}, el("th", { scope: "row" }, id), el("td", {}, criteria[id] || ""), el("td", { class: "right" }, page.number(c.covered)),
                    el("td", { class: "right" }, page.number(possible)),
                    el("td", { class: "right" }, page.number(c.impossible)), el("td", {}, bar, " ",
                        possible ? (100 * c.covered / possible).toFixed(1) + " %" : ""));
            })));
    }

    function left(r) {
        if (!r.left || !r.left.length)
            return null;
        return el("details", {}, el("summary", {}, page.number(r.left.length + (r.more_left || 0)) + " orders left"),
            el("ul", {}, r.left.slice(0, 500).map((g) => el("li", {}, g.criterion + " " + g.actor + ": " + g.first +
                " before " + g.second + " (" + g.reason + ")"))));
    }

    // Which rows the executions on this page have used: "class behaviour message".
    function used(t) {
        const out = new Map();
        for (const c of t.cases || []) {
            if (!c.trace)
                continue;
            for (const s of c.trace.steps) {
                // The message of a timer stands before its fields.
                const name = s.message === "timer" && s.fields ? s.fields.split(" ")[0] : s.message;
                const key = c.trace.actors[s.actor].class + " " + (s.from || "") + " " + name;
                out.set(key, (out.get(key) || 0) + 1);
            }
        }
        return out;
    }

    function table(cls, uses) {
        const messages = [...new Set(cls.behaviours.flatMap((b) => b.rows.map((r) => r.message)))];
        if (!messages.length)
            return null;
        return el("div", { class: "wide" }, el("table", { class: "matrix rows" },
            el("caption", {}, cls.name + ": behaviours and messages", uses.size
                ? el("span", { class: "note" }, " (n\u00d7: in the cases on this page)") : null),
            el("thead", {}, el("tr", {}, el("td", {}), messages.map((m) => el("th", { scope: "col" }, el("span", {}, m))))),
            el("tbody", {}, cls.behaviours.map((b) => el("tr", {}, el("th", { scope: "row" }, b.name +
                (b.start ? " (start)" : "") + (b.hot ? " (hot)" : "")), messages.map((m) => {
                const row = b.rows.find((r) => r.message === m);
                const n = uses.get(cls.name + " " + b.name + " " + m) || 0;
                const word = row ? { on: "handled", defer: "deferred", ignore: "ignored" }[row.policy] : "no row";
                const title = b.name + ", " + m + ": " + word + (n ? ", " + n + " times on this page" : "");
                return el("td", { class: "row-" + (row ? row.policy : "none") + (n ? " used" : ""), title,
                    "aria-label": title }, word, n ? " " + n + "\u00d7" : "");
            }))))));
    }

    function render(to) {
        const t = page.test(), r = (t.results || []).find((x) => x.criteria);
        if (r)
            to.append(...[numbers(r), el("p", { class: "note" }, "\u2713 seen, \u00b7 not seen, \u00d7 impossible, by causality (c), " +
                "sender and receiver (s), timers (t), queues (q), or not seen in any execution (e); empty: never in one schedule" +
                example(r)),
            ...(r.actors || []).map(matrix), left(r)].filter((x) => x));
        else
            to.append(el("p", { class: "note" }, "Orders of receives are measured by troupe cover."));
        const uses = used(t);
        to.append(...(t.classes || []).map((c) => table(c, uses)).filter((x) => x));
        to.append(page.lines() || el("p", { class: "note" }, "Lines and blocks are measured by troupe test --html."));
    }
    page.views.push({ id: "coverage", title: "Coverage", render, there: () => true });
})();
