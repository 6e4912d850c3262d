// One problem: prompt, selection, and for each condition what was shown and what came of it.

let opened = null; // conditions that the reader opened; null until a reader opens or closes one

function contextView(context, body) {
  const where = [context.source, context.path, context.qualname, context.licence].filter(Boolean);
  const facts = [`score ${signed(context.score, 3)}`, plural(context.tokens, "token"),
    context.cut ? `${plural(context.cut, "token")} cut by the budget` : null].filter(Boolean);
  return el("div", { class: "context" },
    el("p", { class: "note" }, where.join(" \u00b7 "), el("br"), facts.join(" \u00b7 ")),
    codeBlock(body.texts[context.text], context.marks, "Retrieved context"));
}

function conditionView(name, condition, body, entry, open) {
  const effect = entry.helped.includes(name) ? "helped" : entry.hurt.includes(name) ? "hurt" : "";
  const single = condition.samples === 1;
  const summary = el("summary", {}, el("b", {}, name),
    single ? verdict(condition.candidates[0])
      : el("span", { class: "verdict" }, `${condition.passing} of ${condition.samples} pass`),
    effect ? el("span", { class: `effect ${effect}` }, effect) : null,
    condition.candidates.flatMap((c) => c.selected_by).map((s) => el("span", { class: "picked" }, `chosen by ${s}`)));
  const details = el("details", { class: "condition", open }, summary);
  const fill = () => {
    if (details.childElementCount > 1) return;
    const contexts = condition.contexts.map((context) => contextView(context, body));
    const shown = condition.candidates.map((c) => candidateView(c, body, !single));
    const hidden = condition.samples - condition.candidates.length;
    if (contexts.length) details.append(el("h4", {}, "Context"), ...contexts);
    else if (name !== "none") details.append(el("p", { class: "note" }, "Nothing was retrieved."));
    details.append(el("h4", {}, name === "none" ? "Candidate" : "Candidate, against none"), ...shown);
    if (hidden > 0) details.append(el("p", { class: "note" }, `${plural(hidden, "more sample")} not shown.`));
  };
  if (open) fill();
  details.addEventListener("toggle", fill);
  summary.addEventListener("click", () => {
    opened = opened || new Set(currentlyOpen());
    if (details.open) opened.delete(name); else opened.add(name);
  });
  details.dataset.condition = name;
  return details;
}

const currentlyOpen = () =>
  [...document.querySelectorAll("details.condition[open]")].map((node) => node.dataset.condition);

// Unasked, the baseline and the condition that the filters are about, or the first that differs.
function openAtFirst(entry, solvers) {
  if (opened) return opened;
  const asked = [state.filters.helped, state.filters.hurt, state.filters.in].filter(Boolean);
  const changed = solvers.find((s) => entry.helped.includes(s) || entry.hurt.includes(s));
  return new Set([...asked, ...(asked.length ? [] : [changed || solvers[0]])]);
}

function selectionView(body, entry) {
  if (!body.picks.length) return [];
  const lines = body.picks.map((pick) => el("li", {}, el("b", {}, pick.selector),
    ` chose ${pick.condition}${pick.sample ? `, sample ${pick.sample}` : ""} (score ${signed(pick.score, 3)}): `,
    { right: "right.", wrong: `wrong; a right candidate came from ${entry.members.split("+").join(", ")}.`,
      hopeless: "wrong, as all candidates are." }[entry.selected[pick.selector]]));
  return [el("h3", {}, "Selection"), el("ul", { class: "plain" }, lines)];
}

function auditView(body) {
  if (!body.matches.length) return [];
  return [el("h3", {}, "Contamination"), el("ul", { class: "plain" }, body.matches.map((match) =>
    el("li", {}, `${match.source} ${match.path} holds a near-copy of the ${match.what} (${match.how}, ${match.score.toFixed(2)}).`)))];
}

function stepButtons(step) {
  return el("span", { class: "steps screen" },
    el("button", { type: "button", class: "quiet", title: "Previous problem (k)", onclick: () => step(-1) }, "\u2190 previous"),
    el("button", { type: "button", class: "quiet", title: "Next problem (j)", onclick: () => step(1) }, "next \u2192"));
}

function problemView(body, entry, solvers, step) {
  const open = openAtFirst(entry, solvers);
  return [
    el("header", {}, el("h3", {}, body.id, " ", el("span", {}, body.name)), stepButtons(step)),
    codeBlock(body.texts[body.prompt], [], "Prompt"),
    ...selectionView(body, entry), ...auditView(body),
    el("h3", {}, "Conditions"),
    ...solvers.map((solver) => conditionView(solver, body.conditions[solver], body, entry, open.has(solver))),
  ];
}
