// The search over time: schedules, rate, estimate with its spread, coverage.
(() => {
    const { el, svg } = page;
    const W = 640, H = 200, L = 70, B = 30;
    const AT_ONCE = 0.05; // seconds: too few for a curve

    function amount(n, unit) {
        return page.about(n).slice(1) + " " + (n === 1 ? unit.replace(/s\b/, "") : unit);
    }

    // Numbers beside the lines of the grid, from 0 to the most.
    function ticks(most) {
        return most <= 4 && Number.isInteger(most) ? [...Array(most + 1).keys()] : [0, most / 2, most];
    }

    // What is counted goes up at once, not by and by.
    function stairs(points) {
        return points.flatMap((p, i) => i ? [[p[0], points[i - 1][1]], p] : [p]);
    }

    // lines: [{ name, points: [[x, y]], band }]; y from 0.
    function chart(title, unit, lines, band) {
        const all = lines.flatMap((l) => l.points).concat(band ? band.flatMap(([x, lo, hi]) => [[x, lo], [x, hi]]) : []);
        if (all.length < 2)
            return null;
        const most = (k) => Math.max(...all.map((p) => p[k]), 1e-9);
        const mx = most(0), my = most(1);
        const x = (v) => L + v / mx * (W - L - 10), y = (v) => H - B - v / my * (H - B - 14);
        const words = title + ": " + lines.map((l) => (l.name ? l.name + " " : "") + "at the end " +
            amount(l.points[l.points.length - 1][1], unit)).join(", ");
        return el("figure", {}, el("figcaption", {}, words),
            svg("svg", { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": words },
                ticks(my).map((v) => [svg("line", { class: "grid", x1: L, x2: W - 10, y1: y(v), y2: y(v) }),
                    svg("text", { class: "tick right", x: L - 6, y: y(v) + 4 }, page.about(v).slice(1))]),
                [0, 0.5, 1].map((f) => svg("text", { class: f === 1 ? "tick right" : "tick", x: x(f * mx), y: H - 10 }, page.seconds(f * mx))),
                band ? svg("path", { class: "band", d: "M " + band.map(([a, , hi]) => x(a) + " " + y(hi)).join(" L ") +
                    " L " + band.slice().reverse().map(([a, lo]) => x(a) + " " + y(lo)).join(" L ") + " z" }) : null,
                lines.map((l, i) => svg("path", { class: "curve curve" + i,
                    d: "M " + l.points.map((p) => x(p[0]) + " " + y(p[1])).join(" L ") }))));
    }

    // What is counted begins with nothing.
    function from0(points) {
        return [[0, 0], ...points];
    }

    function rates(course) {
        const out = [];
        for (let i = 1; i < course.length; i++) {
            const dt = course[i][0] - course[i - 1][0];
            if (dt > 0.02)
                out.push([course[i][0], Math.max(course[i][1] - course[i - 1][1], 0) / dt]);
        }
        return out;
    }

    function render(to) {
        const t = page.test(), c = t.course || [];
        const end = c[c.length - 1];
        if (c.length < 2 || end[0] < AT_ONCE) {
            to.append(el("p", {}, end ? "The search was over at once: " + amount(end[1], "schedules") + " in " +
                page.seconds(end[0]) + (end[3] ? ", " + amount(end[3], "bugs") : "") + "." : "No course of this test is kept."));
            return;
        }
        const whole = (t.results || []).some((r) => r.complete);
        const estimates = c.filter((p) => p[4] !== null && p[4] > 0).map((p) => [p[0], p[4]]);
        // Between these the number lies, nine times of ten.
        const band = c.filter((p) => typeof p[8] === "number").map((p) => [p[0], p[7], p[8]]);
        const last = band[band.length - 1];
        const covered = c.some((p) => p[6]);
        to.append(...[
            chart("Schedules", "schedules", [{ name: "", points: from0(c.map((p) => [p[0], p[1]])) }]),
            chart("Rate", "schedules per second", [{ name: "", points: rates(c) }].filter((l) => l.points.length > 1)),
            estimates.length > 1 ? chart("Estimate of all schedules", "schedules", [{ name: "", points: estimates }], band.length > 1 ? band : null) : null,
            last && !whole ? el("p", { class: "note" }, "Nine times of ten the number lies between " + page.about(last[1]).slice(1) +
                " and " + page.about(last[2]).slice(1) + ".") : null,
            covered ? chart("Orders of receives", "orders", [{ name: "covered", points: from0(c.map((p) => [p[0], p[5]])) },
                { name: "possible", points: from0(c.map((p) => [p[0], p[6]])) }]) : null,
            c.some((p) => p[3]) ? chart("Bugs", "bugs", [{ name: "", points: stairs(from0(c.map((p) => [p[0], p[3]]))) }]) : null,
        ].filter((x) => x));
    }
    page.views.push({ id: "course", title: "Course", render, there: () => !!(page.test() && (page.test().course || []).length) });
})();
