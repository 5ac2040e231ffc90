// The trace player: a column an actor, time downwards.  Only the rows in view
// are drawn, so that ten thousand steps scroll like ten.
(() => {
    const { el, svg } = page;
    const ROW = 30, GUTTER = 56, HEAD = 44, FOLDED = 30, MARGIN = 8;

    let now = null; // the player on the screen

    // As wide as there is room for, within reason.
    function columnWidth(p) {
        const room = p.scroller.clientWidth - GUTTER - MARGIN - FOLDED * p.folded.size;
        const n = Math.max(p.order.length - p.folded.size, 1);
        return Math.max(Math.min(Math.floor(room / n), 260), 84);
    }

    // ---- columns ------------------------------------------------------------

    function place(p) {
        const wide = columnWidth(p);
        let x = GUTTER;
        p.at = new Map();
        for (const a of p.order) {
            const w = p.folded.has(a) ? FOLDED : wide;
            p.at.set(a, { x, w, middle: x + w / 2 });
            x += w;
        }
        p.width = x + MARGIN;
    }

    function fold(p, actor) {
        if (p.folded.has(actor))
            p.folded.delete(actor);
        else
            p.folded.add(actor);
        page.say(p.trace.actors[actor].title + (p.folded.has(actor) ? " folded" : " unfolded"));
        heads(p);
        draw(p);
    }

    function move(p, actor, by) {
        const i = p.order.indexOf(actor), k = i + by;
        if (k < 0 || k >= p.order.length)
            return;
        p.order.splice(i, 1);
        p.order.splice(k, 0, actor);
        heads(p);
        draw(p);
        p.heads.querySelector(`[data-actor="${actor}"]`).focus();
    }

    function headKey(p, actor, e) {
        if (!e.shiftKey || (e.key !== "ArrowLeft" && e.key !== "ArrowRight"))
            return;
        e.preventDefault();
        e.stopPropagation();
        move(p, actor, e.key === "ArrowLeft" ? -1 : 1);
    }

    // A title in so many characters, with its number.
    function headWords(title, most) {
        const at = title.lastIndexOf("#"), end = at > 0 ? title.slice(at) : "";
        return title.length <= most || end.length + 2 > most ? page.cut(title, Math.max(most, 4))
            : title.slice(0, most - end.length - 1) + "\u2026" + end;
    }

    function heads(p) {
        place(p);
        p.heads.replaceChildren();
        for (const a of p.order) {
            const at = p.at.get(a), actor = p.trace.actors[a];
            const b = el("button", {
                type: "button", class: "head " + page.hue(actor.class || "") + (p.folded.has(a) ? " folded" : ""),
                draggable: "true", "data-actor": a, "aria-expanded": String(!p.folded.has(a)),
                title: actor.title + ": click to fold, drag or Shift+arrow to move",
                "aria-label": "column " + actor.title,
                onclick: () => fold(p, a), onkeydown: (e) => headKey(p, a, e),
                ondragstart: (e) => { p.dragged = a; e.dataTransfer.setData("text/plain", String(a)); },
                ondragover: (e) => e.preventDefault(),
                ondrop: (e) => {
                    e.preventDefault();
                    if (p.dragged !== undefined && p.dragged !== a)
                        move(p, p.dragged, p.order.indexOf(a) - p.order.indexOf(p.dragged));
                },
            }, p.folded.has(a) ? "\u2026" : headWords(actor.title, Math.floor((at.w - 16) / 8.2)));
            b.style.left = at.x + 2 + "px";
            b.style.width = at.w - 4 + "px";
            p.heads.append(b);
        }
        p.inner.style.width = p.heads.style.width = p.width + "px";
    }

    // ---- rows ---------------------------------------------------------------

    function rowClass(p, step) {
        const s = p.trace.steps[step];
        return (step === page.state.step ? " chosen" : "") + (step === p.bad ? " bad" : "") +
            (p.racing.has(step) ? " race" : "") + (p.dependsOn.has(step) ? "" : " apart") +
            (s.kept === "deferred" || s.kept === "held" ? " put-off" : "") + (s.message === null ? " body" : "");
    }

    // A row is in two layers: what lies under the arrows, and the box over them.
    function drawRow(p, under, over, step, y) {
        const s = p.trace.steps[step], at = p.at.get(s.actor), cls = rowClass(p, step);
        const label = s.message === null ? (step ? "goes on" : "test body") : s.message;
        const room = Math.floor((at.w - 20) / 7.6);
        const text = (cls.includes("put-off") ? s.kept + ": " : "") + label +
            (s.fields && !p.folded.has(s.actor) ? " " + s.fields : "");
        const words = "step " + step + ": " + page.stepWords(p.trace, step) +
            (s.kept ? ", " + s.kept : "") + (step === p.bad ? ", failed" : "") +
            (p.racing.has(step) ? ", one of the racing pair" : "");
        under.append(svg("g", { class: "row" + cls, role: "option", id: "step" + step,
            "aria-selected": String(step === page.state.step), "aria-label": words, onclick: () => choose(p, step) },
        svg("rect", { class: "line", x: 0, y, width: p.width, height: ROW }),
        svg("text", { class: "number", x: GUTTER - 12, y: y + ROW / 2 + 4 }, step)));
        over.append(svg("g", { class: "cell" + cls, "data-step": step, onclick: () => choose(p, step) },
            svg("rect", { class: "box " + page.hue(p.trace.actors[s.actor].class || ""), x: at.x + 4, y: y + 4,
                width: at.w - 8, height: ROW - 8, rx: 4 }),
            p.folded.has(s.actor) ? null : svg("text", { class: "message", x: at.x + 10, y: y + ROW / 2 + 4 },
                page.cut(page.plain(text), Math.max(room, 3))),
            svg("title", {}, words + (s.change ? "; " + page.cut(s.change, 300) : ""))));
    }

    // From the send to the receive, of which one is in view.
    function drawArrow(p, to, x) {
        const a = p.rowOf.get(x.at), b = x.send.received_at === null ? undefined : p.rowOf.get(x.send.received_at);
        const start = p.at.get(x.send.by), end = p.at.get(x.to);
        const y1 = (a === undefined ? b - 0.5 : a) * ROW + ROW / 2;
        const flying = b === undefined;
        const y2 = (flying ? a + 0.8 : b) * ROW + ROW / 2;
        const right = end.middle >= start.middle;
        const self = end === start && !flying;
        const x1 = start.middle + (self ? start.w / 2 - 4 : (right ? 1 : -1) * Math.min(start.w / 2 - 12, 60));
        const x2 = flying ? x1 + Math.sign(end.middle - start.middle) * 14
            : end.middle + (end === start ? end.w / 2 - 4 : (right ? -1 : 1) * (end.w / 2 - 4));
        const lit = x.at === page.state.step || x.send.received_at === page.state.step;
        to.append(svg("path", { class: "arrow" + (lit ? " lit" : "") + (flying ? " flying" : ""),
            d: self ? `M ${x1} ${y1} C ${x1 + 26} ${y1} ${x2 + 26} ${y2} ${x2} ${y2}`
                : `M ${x1} ${y1} L ${x2} ${y2}`, "marker-end": "url(#tip)" }));
    }

    const ARROWS_MOST = 400;

    function draw(p) {
        const top = Math.max(p.scroller.scrollTop - HEAD, 0), height = p.scroller.clientHeight;
        const from = Math.max(Math.floor(top / ROW) - 4, 0);
        const till = Math.min(Math.ceil((top + height) / ROW) + 4, p.rows.length);
        const picture = svg("svg", { class: "trace", width: p.width, height: Math.max(p.rows.length * ROW, ROW),
            viewBox: `0 ${from * ROW} ${p.width} ${Math.max((till - from) * ROW, ROW)}`, "aria-hidden": null },
        svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9,
            markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { d: "M 0 0 L 8 4 L 0 8 z" }))));
        picture.setAttribute("height", Math.max((till - from) * ROW, ROW));
        picture.style.top = HEAD + from * ROW + "px";
        const m = page.model(p.trace), lives = svg("g", { "aria-hidden": "true" });
        for (const a of p.order) {
            const born = m.born.has(a) ? p.rowOf.get(m.born.get(a)) : 0;
            const y = Math.max(born === undefined ? 0 : born, from) * ROW;
            if (y < till * ROW)
                lives.append(svg("line", { class: "life", x1: p.at.get(a).middle, x2: p.at.get(a).middle,
                    y1: y, y2: till * ROW }));
        }
        const rows = svg("g", {}), arrows = svg("g", { "aria-hidden": "true" });
        const boxes = svg("g", { "aria-hidden": "true" });
        for (let r = from; r < till; r++)
            drawRow(p, rows, boxes, p.rows[r], r * ROW);
        const seen = new Set();
        for (let r = from; r < till; r++)
            for (const x of p.ends[r] || [])
                if (seen.size < ARROWS_MOST && !seen.has(x)) {
                    seen.add(x);
                    drawArrow(p, arrows, x);
                }
        picture.append(rows, lives, arrows, boxes);
        p.inner.replaceChildren(picture);
        p.scroller.setAttribute("aria-activedescendant", "step" + page.state.step);
    }

    // ---- choosing -----------------------------------------------------------

    function show(p, step) {
        const r = p.rowOf.get(step);
        if (r === undefined)
            return;
        const y = r * ROW, s = p.scroller;
        if (y < s.scrollTop)
            s.scrollTop = Math.max(y - ROW, 0);
        else if (y + 2 * ROW + HEAD > s.scrollTop + s.clientHeight)
            s.scrollTop = y + 3 * ROW + HEAD - s.clientHeight;
        const at = p.at.get(p.trace.steps[step].actor);
        if (at.x + at.w > s.scrollLeft + s.clientWidth)
            s.scrollLeft = at.x + at.w - s.clientWidth;
        else if (at.x - GUTTER < s.scrollLeft)
            s.scrollLeft = at.x - GUTTER;
    }

    function choose(p, step) {
        if (step < 0 || step >= p.trace.steps.length)
            return;
        page.state.step = step;
        p.dependsOn = page.atEnd(page.case(), step) ? new Set(p.trace.steps.keys()) : page.past(p.trace, step);
        p.slider.value = String(step);
        p.count.textContent = "step " + step + " of " + (p.trace.steps.length - 1);
        if (p.onlyPast.checked)
            refilter(p);
        show(p, step);
        draw(p);
        page.stepDetails(p.details, page.case(), step, (i) => choose(p, i));
        page.say("step " + step + ": " + page.stepWords(p.trace, step));
        page.remember();
    }

    function step(p, by) {
        const r = p.rowOf.get(page.state.step);
        if (r === undefined) {
            const next = p.rows.find((i) => i > page.state.step);
            choose(p, next === undefined ? p.rows[p.rows.length - 1] : next);
            return;
        }
        const k = Math.min(Math.max(r + by, 0), p.rows.length - 1);
        choose(p, p.rows[k]);
    }

    function play(p) {
        if (p.timer) {
            clearInterval(p.timer);
            p.timer = 0;
        } else {
            if (page.state.step >= p.rows[p.rows.length - 1])
                choose(p, p.rows[0]);
            p.timer = setInterval(() => {
                if (now !== p || page.state.step >= p.rows[p.rows.length - 1])
                    play(p);
                else
                    step(p, 1);
            }, 600);
        }
        p.playButton.textContent = p.timer ? "pause" : "play";
        p.playButton.setAttribute("aria-pressed", String(!!p.timer));
    }

    function refilter(p) {
        p.filter.past = p.onlyPast.checked ? page.state.step : null;
        p.rows = page.shown(p.trace, p.filter);
        p.rowOf = new Map(p.rows.map((s, r) => [s, r]));
        p.ends = []; // sends that begin or end in a row
        for (const x of page.model(p.trace).sends)
            for (const at of x.to === undefined ? [] : [x.at, x.send.received_at])
                if (p.rowOf.has(at))
                    (p.ends[p.rowOf.get(at)] = p.ends[p.rowOf.get(at)] || []).push(x);
        p.inner.style.height = HEAD + p.rows.length * ROW + "px";
        p.left.textContent = p.rows.length === p.trace.steps.length ? ""
            : page.number(p.rows.length) + " of " + page.number(p.trace.steps.length) + " steps shown";
    }

    // ---- controls -----------------------------------------------------------

    function button(text, title, act) {
        return el("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    }

    function select(label, all, values, act) {
        return el("label", {}, label + " ", el("select", { onchange: (e) => act(e.target.value) },
            el("option", { value: "" }, all), values.map((v) => el("option", { value: v }, page.cut(v, 60)))));
    }

    function controls(p) {
        const t = p.trace, c = page.case();
        const again = () => { refilter(p); show(p, page.state.step); draw(p); };
        p.slider = el("input", { type: "range", min: 0, max: t.steps.length - 1, value: page.state.step,
            "aria-label": "step", oninput: (e) => choose(p, Number(e.target.value)) });
        p.count = el("output", {});
        p.left = el("span", { class: "note" });
        p.onlyPast = el("input", { type: "checkbox", onchange: again });
        p.playButton = button("play", "play (Space)", () => play(p));
        p.playButton.setAttribute("aria-pressed", "false");
        const messages = [...new Set(t.steps.map((s) => s.message).filter((x) => x))].sort();
        const classes = [...new Set(t.actors.map((a) => a.class).filter((x) => x))].sort();
        return el("div", { class: "controls" },
            button("|\u25c0", "first step (Home)", () => choose(p, p.rows[0])),
            button("\u25c0", "back (k, arrow up)", () => step(p, -1)), p.playButton,
            button("\u25b6", "forward (j, arrow down)", () => step(p, 1)),
            button("\u25b6|", "last step (End)", () => choose(p, p.rows[p.rows.length - 1])),
            p.slider, p.count,
            c.kind ? button("failure", "go to the failing step (f)", () => choose(p, p.bad)) : null,
            c.race ? button("race", "go to the racing pair (r)", () => nextRacing(p)) : null,
            select("class", "all", classes, (v) => { p.filter.cls = v; again(); }),
            select("message", "all", messages, (v) => { p.filter.message = v; again(); }),
            el("label", {}, "text ", el("input", { type: "search", size: 12, "aria-label": "text in a step",
                oninput: (e) => { p.filter.words = e.target.value; again(); } })),
            el("label", {}, p.onlyPast, " only what this step depends on"), p.left);
    }

    function nextRacing(p) {
        const list = [...p.racing].sort((a, b) => a - b);
        const next = list.find((s) => s > page.state.step);
        choose(p, next === undefined ? list[0] : next);
    }

    // ---- the view -----------------------------------------------------------

    function racing(c) {
        const pair = c.race && c.race.pair, out = new Set();
        if (pair) {
            out.add(pair.first);
            if (pair.second !== null)
                out.add(pair.second);
        }
        return out;
    }

    function render(to) {
        const c = page.case();
        if (!c || !c.trace) {
            to.append(el("p", {}, "No execution is kept of this test: nothing failed."));
            return;
        }
        const p = now = { trace: c.trace, bad: c.kind ? page.badStep(c) : -1, racing: racing(c), folded: new Set(),
            order: c.trace.actors.map((_, i) => i), filter: { cls: "", message: "", words: "", past: null },
            dependsOn: new Set(), timer: 0 };
        if (page.state.step === null || page.state.step >= c.trace.steps.length)
            page.state.step = Math.max(p.bad, 0);
        p.heads = el("div", { class: "heads" });
        p.inner = el("div", { class: "inner" });
        p.details = el("aside", { class: "details", "aria-label": "the chosen step" });
        p.scroller = el("div", { class: "scroller", tabindex: "0", role: "listbox",
            "aria-label": "steps of the execution" }, p.heads, p.inner);
        let waiting = false;
        p.scroller.addEventListener("scroll", () => {
            if (waiting)
                return;
            waiting = true;
            requestAnimationFrame(() => { waiting = false; draw(p); });
        });
        to.append(page.raceLine(c), controls(p), el("div", { class: "player" }, p.scroller, p.details));
        addEventListener("resize", () => { if (now === p) { heads(p); draw(p); } });
        refilter(p);
        heads(p);
        choose(p, page.state.step);
    }

    function key(e) {
        const p = now;
        if (!p)
            return false;
        const keys = {
            j: () => step(p, 1), ArrowDown: () => step(p, 1), k: () => step(p, -1), ArrowUp: () => step(p, -1),
            PageDown: () => step(p, 10), PageUp: () => step(p, -10),
            Home: () => choose(p, p.rows[0]), End: () => choose(p, p.rows[p.rows.length - 1]),
            " ": () => play(p), f: () => p.bad >= 0 && choose(p, p.bad), r: () => p.racing.size && nextRacing(p),
            d: () => { p.onlyPast.checked = !p.onlyPast.checked; refilter(p); show(p, page.state.step); draw(p); },
        };
        if (!keys[e.key])
            return false;
        keys[e.key]();
        return true;
    }

    page.views.push({ id: "trace", title: "Trace", render, key,
        leave: () => { if (now && now.timer) play(now); now = null; },
        there: () => !!(page.case() && page.case().trace) });
})();
