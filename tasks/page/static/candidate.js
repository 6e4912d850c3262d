// One candidate: verdict, probes, and its code whole or against the baseline's.

const CONTEXT_LINES = 3;

function verdict(candidate) {
  return candidate.passed ? el("span", { class: "verdict pass" }, "passes")
    : el("span", { class: "verdict fail" }, candidate.cause);
}

function probeList(candidate) {
  return el("ul", { class: "probes" }, candidate.probes.map(([probe, status, error]) =>
    el("li", { class: status === "pass" ? "ok" : "bad" }, `${probe} `,
      el("b", {}, status === "pass" ? "passes" : error || status))));
}

function factsOf(candidate) {
  const parts = [
    `${plural(candidate.tokens[0], "prompt token")}, ${candidate.tokens[1].toLocaleString("en")} new`,
    candidate.finish === "stop" ? null : `ended by ${candidate.finish}`,
    candidate.logprob === null ? null : `mean log-probability ${signed(candidate.logprob, 3)}`,
    candidate.origin,
    candidate.as_written ? null : "shown in normal form",
    candidate.raw_passed === candidate.passed ? null
      : `the text as written ${candidate.raw_passed ? "passes" : "fails"}`,
    candidate.isolation.length ? `ran under ${candidate.isolation.join(", ")}` : null,
  ];
  return el("p", { class: "note" }, parts.filter(Boolean).join(" \u00b7 "));
}

function diffTable(rows, before, after) {
  const body = el("tbody");
  const [oldRuns, newRuns] = [decodeRuns(before[1]), decodeRuns(after[1])];
  const [oldStarts, newStarts] = [lineStarts(before[0]), lineStarts(after[0])];
  const line = (kind, i, j, cells) => el("tr", { class: kind },
    el("td", { class: "no" }, i === null ? "" : String(i + 1)),
    el("td", { class: "no" }, j === null ? "" : String(j + 1)),
    el("td", { class: "sign" }, { add: "+", remove: "\u2212", same: " " }[kind]),
    el("td", {}, cells));
  rows.forEach(([op, i, ...rest], index) => {
    if (op === "-") body.append(line("remove", i, null, paintLine(before[0], oldRuns, oldStarts, i, rest[0], "word")));
    else if (op === "+") body.append(line("add", null, i, paintLine(after[0], newRuns, newStarts, i, rest[0], "word")));
    else {
      const [j, count] = rest;
      const [head, tail] = [index === 0 ? 0 : CONTEXT_LINES, index === rows.length - 1 ? 0 : CONTEXT_LINES];
      const same = (k) => line("same", i + k, j + k, paintLine(after[0], newRuns, newStarts, j + k, [], ""));
      if (count <= head + tail + 1) for (let k = 0; k < count; k += 1) body.append(same(k));
      else {
        for (let k = 0; k < head; k += 1) body.append(same(k));
        const hidden = count - head - tail;
        const gap = el("tr", { class: "gap" }, el("td", { colspan: "4" },
          el("button", { type: "button", class: "quiet", onclick: () => gap.replaceWith(
            ...Array.from({ length: hidden }, (_, k) => same(head + k))) }, `${plural(hidden, "equal line")}`)));
        body.append(gap);
        for (let k = count - tail; k < count; k += 1) body.append(same(k));
      }
    }
  });
  return el("div", { class: "code scroll", tabindex: "0", role: "region", "aria-label": "Difference to none" },
    el("table", { class: "diff" }, body));
}

function candidateView(candidate, body, several) {
  const code = body.texts[candidate.text];
  const whole = () => codeBlock(code, [], "Candidate");
  const parts = [several ? el("h5", {}, `Sample ${candidate.sample} `, verdict(candidate)) : null,
    el("div", { class: "line" }, probeList(candidate),
      candidate.selected_by.map((selector) => el("span", { class: "picked" }, `chosen by ${selector}`)))];
  if (candidate.diff === null) parts.push(whole());
  else if (!candidate.diff.length) parts.push(el("p", { class: "note" }, "Equal to the candidate of none."),
    el("details", {}, el("summary", {}, "Candidate"), whole()));
  else parts.push(diffTable(candidate.diff, body.texts[candidate.base], code),
    el("details", {}, el("summary", {}, "Candidate without the diff"), whole()));
  parts.push(factsOf(candidate));
  return el("div", { class: "candidate" }, ...parts);
}
