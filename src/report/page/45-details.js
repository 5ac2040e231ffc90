// One step in detail: source, message, state before and after, mailbox, what
// else could have been received.
(() => {
    const { el } = page;

    function goTo(trace, i, go) {
        return el("button", { type: "button", class: "link", onclick: () => go(i) }, "step " + i);
    }

    function fieldTable(caption, before, after) {
        const was = new Map(page.fields(before)), is = page.fields(after);
        if (!is.length && !was.size)
            return null;
        return el("table", { class: "fields" }, el("caption", {}, caption),
            el("thead", {}, el("tr", {}, ["field", "before", "after"].map((h) => el("th", { scope: "col" }, h)))),
            el("tbody", {}, is.map(([name, value]) => {
                const changed = was.has(name) && was.get(name) !== value;
                return el("tr", { class: changed ? "changed" : null }, el("th", { scope: "row" }, name),
                    el("td", {}, page.cut(was.has(name) ? was.get(name) : "", 4000)),
                    el("td", {}, page.cut(value, 4000), changed ? el("span", { class: "unseen" }, " changed") : null));
            })));
    }

    function messageTable(fields) {
        const list = page.fields(fields);
        if (!list.length)
            return null;
        return el("table", { class: "fields" }, el("caption", {}, "message"),
            el("tbody", {}, list.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name),
                el("td", {}, page.cut(value, 4000))))));
    }

    const AROUND = 4;
    page.excerpt = (file, line, note) => {
        const text = (page.test().sources || {})[file];
        if (!line)
            return null;
        const head = el("p", { class: "place" }, file + ":" + line, note ? " " + note : "");
        if (text === undefined)
            return head;
        const lines = text.split("\n"), out = [];
        for (let n = Math.max(line - AROUND, 1); n <= Math.min(line + AROUND + 2, lines.length); n++)
            out.push(el("span", { class: "source" + (n === line ? " here" : "") },
                String(n).padStart(5) + (n === line ? " > " : "   ") + page.cut(lines[n - 1], 400) + "\n"));
        return el("div", {}, head, el("pre", { class: "excerpt", tabindex: "0", "aria-label": "source" }, out));
    };

    function sends(trace, s, go) {
        if (!s.sends.length)
            return null;
        return el("section", {}, el("h4", {}, "sends"), el("ul", {}, s.sends.slice(0, 200).map((x) =>
            el("li", {}, "#" + x.number + " " + x.message + (x.fields ? " " + page.cut(x.fields, 200) : "") + " to " + x.to +
                (x.line ? " (line " + x.line + ")" : "") + ": ",
            x.received_at === null ? "in flight at the end" : goTo(trace, x.received_at, go)))));
    }

    function mailbox(c, step, go) {
        const trace = c.trace, s = trace.steps[step];
        if (s.message === null)
            return null;
        const list = page.mailbox(trace, step);
        return el("section", {}, el("h4", {}, "mailbox of " + trace.actors[s.actor].title + " before this step"),
            list.length ? el("ul", {}, list.slice(0, 100).map((x) => el("li",
                { class: x.send.number === s.number ? "taken" : null },
                "#" + x.send.number + " " + x.send.message + (x.send.fields ? " " + page.cut(x.send.fields, 120) : "") +
                " from " + trace.actors[x.send.by].title + (x.send.number === s.number ? " (received now)" : ""),
                " ", goTo(trace, x.at, go)))) : el("p", {}, "empty"));
    }

    function others(s) {
        if (!s.others)
            return null;
        return el("section", {}, el("h4", {}, "what else could have been received here"),
            s.others.length ? el("ul", {}, s.others.map((o) => {
                const [, to, what, from] = /^(\S+) ([^<]*)(?:<(.*))?$/.exec(o) || [null, "", o, ""];
                return el("li", {}, to + ": " + what + (from ? " from " + from : ""));
            }), s.more_others ? el("li", {}, "and more") : null) : el("p", {}, "nothing"));
    }

    function bugs(s) {
        return (s.bugs || []).map((b) => el("section", { class: "bad" }, el("h4", {}, b.kind),
            el("p", {}, b.text), b.values ? el("p", {}, el("code", {}, page.cut(b.values, 4000))) : null,
            b.file ? page.excerpt(b.file, b.line) : null));
    }

    function keptWords(s) {
        if (s.kept === "deferred")
            return "Deferred: the behaviour " + s.from + " keeps it for a later one.";
        if (s.kept === "held")
            return "Held: it is handled when the answer is there that this actor waits for.";
        return "Then " + s.kept + ".";
    }

    // How all actors stand at the end.
    function actors(c) {
        const waits = (a) => a.waits.length ? "waits for " + a.waits.join(", ") : "";
        return [el("h4", {}, "the actors at the end"), el("dl", { class: "ends" }, c.trace.actors.slice(1).map((a) => [
                el("dt", {}, a.title, el("span", { class: "note" }, a.stopped ? " stopped" : a.behaviour ? " " + a.behaviour : "")),
                el("dd", {}, [waits(a), a.kept ? "keeps " + a.kept : ""].filter((x) => x).join("; "),
                    a.state ? el("div", { class: "state" }, page.cut(a.state, 400)) : null)]))];
    }

    // A bug of no step.
    function theEnd(c) {
        return [el("section", { class: "bad" }, el("h4", {}, c.kind), el("p", {}, c.text)), actors(c)];
    }

    // Does a bug of the last step say something about all actors?
    function aboutAll(trace, step) {
        const s = trace.steps[step];
        return step === trace.steps.length - 1 &&
            (s.bugs || []).some((b) => s.message === null || b.kind === "invariant");
    }

    // Of a handler that failed: the state at the failure.
    function stateAfter(trace, step) {
        const failed = (trace.steps[step].bugs || []).find((b) => b.state);
        return failed ? failed.state : page.stateAfter(trace, step);
    }

    page.stepDetails = (to, c, step, go) => {
        const trace = c.trace, s = trace.steps[step], actor = trace.actors[s.actor];
        const m = page.model(trace), before = page.past(trace, step).size - 1;
        to.replaceChildren(...[
            el("h3", {}, "Step " + step + ": " + page.stepWords(trace, step)),
            el("p", { class: "note" }, s.number ? "message #" + s.number : "",
                s.sent_at !== null && s.message !== null ? [", sent in ", goTo(trace, s.sent_at, go)] : "",
                s.from && s.to && s.from !== s.to ? "; behaviour " + s.from + " \u2192 " + s.to
                    : s.to ? "; behaviour " + s.to : ""),
            s.kept ? el("p", { class: "kept" }, keptWords(s)) : "",
            page.atEnd(c, step) ? theEnd(c) : bugs(s), aboutAll(trace, step) ? actors(c) : "",
            messageTable(s.fields),
            s.message === null ? null : fieldTable("state of " + actor.title, m.before[step], stateAfter(trace, step)),
            s.output ? el("section", {}, el("h4", {}, "prints"), el("pre", { tabindex: "0", "aria-label": "what it prints" },
                page.cut(s.output, 20000))) : null,
            (s.births || []).length ? el("p", {}, "creates " + s.births.map((b) => trace.actors[b].title).join(", ")) : null,
            (s.picks || []).length ? el("p", {}, "choices: " + s.picks.join(", ")) : null,
            sends(trace, s, go), mailbox(c, step, go), others(s),
            s.file ? page.excerpt(s.file, s.line, "the handler") : null,
            el("p", { class: "note" }, page.atEnd(c, step) ? "" : "depends on " + before +
                (before === 1 ? " earlier step" : " earlier steps")),
        ].flat(Infinity).filter((x) => x));
    };

    page.raceLine = (c) => {
        const r = c.race;
        if (!r)
            return c.kind ? el("p", { class: "note" }, "Swapping two messages does not make this test pass.") : "";
        const steps = c.trace.steps, first = steps[r.pair.first];
        const name = (s) => s.number ? "#" + s.number + " " + s.message : "its timer (" + s.fields + ")";
        const who = c.trace.actors[first.actor].title;
        const second = r.pair.second !== null ? name(steps[r.pair.second])
            : r.unsent ? r.unsent + ", which was not sent yet" : "#" + r.pair.waiting + ", which is still in flight";
        return el("p", { class: "raceline" }, "The race: " + who + " received " + name(first) + " before " + second +
            (r.more ? ". If the latter and " + r.more + " other message" + (r.more > 1 ? "s" : "") +
                " arrive first, the test passes" : ". Swapping these two makes the test pass") +
            ": see the view Compare.");
    };
})();
