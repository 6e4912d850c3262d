// Which problems the filters leave. Each filter narrows; all hold together.

const texts = new Map(); // problem -> all of its text in lower case, once it is unpacked

const TESTS = {
  q: (p, words) => words.toLowerCase().split(/\s+/).filter(Boolean).every((word) =>
    `${p.id} ${p.name}`.toLowerCase().includes(word) || (texts.get(p.id) || "").includes(word)),
  helped: (p, condition) => p.helped.includes(condition),
  hurt: (p, condition) => p.hurt.includes(condition),
  solved: (p, by) => by === "nobody" ? p.members === ""
    : by === "everybody" ? Object.values(p.share).every((share) => share > 0)
      : (p.share[by] || 0) > 0,
  exactly: (p, members) => p.members === members,
  error: (p, name, filters) => Object.entries(p.errors).some(([condition, names]) =>
    (!filters.in || filters.in === condition) && names.includes(name)),
  in: (p, condition, filters) => filters.error ? true : (p.share[condition] ?? 1) < 1,
  selected: (p, wanted) => {
    const cut = wanted.lastIndexOf(":");
    return p.selected[wanted.slice(0, cut)] === wanted.slice(cut + 1);
  },
};

function matches(problem, filters) {
  return Object.entries(filters).every(([key, value]) => TESTS[key](problem, value, filters));
}

function indexTexts(bodies) {
  for (const body of bodies) {
    texts.set(body.id, body.texts.map(([text]) => text).join("\n").toLowerCase());
  }
}
