// Highlighted text. Runs say which class how many characters have, marks what became of them.

function decodeRuns(runs) {
  return runs.split(" ").filter(Boolean).map((run) => {
    const letter = /^[a-z]/.test(run) ? run[0] : "";
    return [letter, Number(run.slice(letter.length))];
  });
}

// Cuts [kind, length] sequences where either ends: [[start, end, class, mark], ...] in [from, to).
function segments(runs, marks, from, to) {
  const edges = new Set([from, to]);
  const spans = (pairs) => {
    let position = 0;
    return pairs.map(([kind, length]) => {
      const span = [position, position + length, kind];
      position += length;
      for (const edge of span.slice(0, 2)) if (edge > from && edge < to) edges.add(edge);
      return span;
    });
  };
  const [classes, kinds] = [spans(runs), spans(marks)];
  const ordered = [...edges].sort((a, b) => a - b);
  const at = (list, index, start) => {
    while (index < list.length - 1 && list[index][1] <= start) index += 1;
    return index;
  };
  let [c, k] = [0, 0];
  return ordered.slice(0, -1).map((start, i) => {
    c = at(classes, c, start);
    k = at(kinds, k, start);
    return [start, ordered[i + 1], classes.length ? classes[c][2] : "", kinds.length ? kinds[k][2] : ""];
  });
}

const MARK_TAGS = { pruned: "del", cut: "del", added: "ins" };
const MARK_TITLES = {
  pruned: "removed by pruning",
  cut: "cut by the token budget",
  added: "added after retrieval: a filler or the body of a called function",
};

function paint(text, runs, marks, from = 0, to = text.length) {
  return segments(runs, marks, from, to).map(([start, end, letter, mark]) => {
    const piece = text.slice(start, end);
    const inner = letter ? el("span", { class: `t-${letter}` }, piece) : piece;
    if (!mark || mark === "kept") return inner;
    return el(MARK_TAGS[mark] || "mark", { class: mark, title: MARK_TITLES[mark] || null }, inner);
  });
}

function codeBlock([text, runs], marks = [], label = "Code") {
  const pre = el("pre", { class: "code", tabindex: "0", "aria-label": label });
  pre.append(...paint(text, decodeRuns(runs), marks));
  return pre;
}

function lineStarts(text) {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  return starts;
}

// A line of a text, its marked stretches given by positions in the line.
function paintLine(text, runs, starts, line, stretches, kind) {
  const from = starts[line];
  const to = line + 1 < starts.length ? starts[line + 1] - 1 : text.length;
  const marks = [];
  let position = 0;
  for (const [start, end] of stretches) {
    marks.push(["", from + start - position], [kind, end - start]);
    position = from + end;
  }
  if (marks.length) marks.push(["", Math.max(0, text.length - position)]);
  return from === to ? [] : paint(text, runs, marks, from, to);
}
