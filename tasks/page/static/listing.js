// The list of problems: a square a condition, coloured where retrieval changed the outcome.

function outcomeOf(problem, condition) {
  const share = problem.share[condition];
  const kind = share === 1 ? "pass" : share === 0 ? "fail" : "part";
  const effect = problem.helped.includes(condition) ? " helped" : problem.hurt.includes(condition) ? " hurt" : "";
  const word = { pass: "passes", fail: "fails", part: `passes in ${Math.round(100 * share)}%` }[kind];
  return { style: kind + effect, text: `${condition} ${word}${effect ? `,${effect}` : ""}` };
}

function squares(problem, solvers) {
  const all = solvers.map((solver) => outcomeOf(problem, solver));
  return el("span", { class: "squares", role: "img", "aria-label": all.map((o) => o.text).join("; "),
    title: all.map((o) => o.text).join("\n") }, all.map((o) => el("i", { class: o.style })));
}

function makeList(facts) {
  const items = new Map();
  for (const problem of facts.problems) {
    const link = el("a", { href: `#${problem.id}` }, el("b", {}, problem.id),
      el("span", { class: "name" }, problem.name), squares(problem, facts.solvers));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      show({ problem: problem.id }, { push: true });
      if (getComputedStyle(byId("list").parentElement).display === "block") byId("problem").scrollIntoView();
    });
    items.set(problem.id, el("li", {}, link));
  }
  byId("list").append(...items.values());
  const mark = (style, meaning) => [el("i", { class: style }), ` ${meaning}  `];
  byId("legend").append(el("span", { class: "squares legend" }, `${facts.solvers.join(", ")}: `, mark("pass", "passes"),
    mark("fail", "fails"), facts.solvers.includes("none") ? [mark("pass helped", "helped"), mark("fail hurt", "hurt")] : []));
  return items;
}

function refreshList(items, facts) {
  const left = facts.problems.filter((p) => matches(p, state.filters)).map((p) => p.id);
  const shown = new Set(left);
  for (const [id, item] of items) {
    item.hidden = !shown.has(id);
    const current = id === state.problem;
    item.firstChild.toggleAttribute("aria-current", current);
    if (current) keepInView(byId("list"), item);
  }
  byId("count").textContent = left.length === items.size ? `${plural(items.size, "problem")}`
    : `${left.length} of ${plural(items.size, "problem")}`;
  return left;
}

// Scrolls the list only, never the page.
function keepInView(list, item) {
  const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}
