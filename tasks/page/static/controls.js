// The filters as controls. Each choice says how many problems it would leave.

const LABELS = {
  helped: (v) => `helped by ${v}`,
  hurt: (v) => `hurt by ${v}`,
  solved: (v) => v === "nobody" ? "solved by no condition"
    : v === "everybody" ? "solved by all conditions" : `solved by ${v}`,
  exactly: (v) => `solved by exactly ${v.split("+").join(", ")}`,
  error: (v) => `fails with ${v}`,
  in: (v) => `fails in ${v}`,
  selected: (v) => {
    const [selector, how] = v.split(":");
    return `${selector}: ${{ right: "picks a right one", wrong: "picks a wrong one though there is a right one", hopeless: "nothing right to pick" }[how]}`;
  },
  q: (v) => `contains “${v}”`,
};

function makeControls(facts) {
  const others = facts.solvers.filter((solver) => solver !== "none");
  const names = [...new Set(facts.problems.flatMap((p) => Object.values(p.errors).flat()))].sort();
  const effects = facts.solvers.includes("none")
    ? others.flatMap((c) => [["helped", c], ["hurt", c]]).sort((a, b) => a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)
    : [];
  const groups = [
    ["Effect", effects],
    ["Solved", [["solved", "nobody"], ["solved", "everybody"], ...facts.solvers.map((c) => ["solved", c])]],
    ["Error", names.map((name) => ["error", name])],
    ["Fails in", facts.solvers.map((c) => ["in", c])],
    ["Selection", facts.selectors.flatMap((s) => ["right", "wrong", "hopeless"].map((how) => ["selected", `${s}:${how}`]))],
  ];
  const search = el("input", { type: "search", id: "search", autocomplete: "off", spellcheck: "false",
    placeholder: "Search prompt, name, code, context  ( / )", "aria-label": "Search problems" });
  search.addEventListener("input", () => setFilter("q", search.value.trim()));
  const selects = groups.filter(([, options]) => options.length).map(([title, options]) => {
    const keys = new Set(options.map(([key]) => key));
    const select = el("select", {}, el("option", { value: "" }, "any"),
      options.map(([key, value]) => el("option", { value: `${key}=${value}` })));
    select.addEventListener("change", () => {
      const filters = { ...state.filters };
      for (const key of keys) delete filters[key];
      const cut = select.value.indexOf("=");
      if (cut > 0) filters[select.value.slice(0, cut)] = select.value.slice(cut + 1);
      show({ filters });
    });
    return { select, keys, options, label: el("label", {}, el("span", {}, title), select) };
  });
  const chips = el("p", { class: "chips" });
  byId("filters").append(search, el("div", { class: "selects" }, selects.map((s) => s.label)), chips);
  byId("filters").addEventListener("submit", (event) => event.preventDefault());
  return { search, selects, chips };
}

function refreshControls({ search, selects, chips }, facts) {
  if (document.activeElement !== search) search.value = state.filters.q || "";
  for (const { select, keys, options } of selects) {
    const rest = Object.fromEntries(Object.entries(state.filters).filter(([key]) => !keys.has(key)));
    options.forEach(([key, value], i) => {
      const count = facts.problems.filter((p) => matches(p, { ...rest, [key]: value })).length;
      const option = select.options[i + 1];
      option.textContent = `${LABELS[key](value)} (${count})`;
      option.disabled = count === 0 && state.filters[key] !== value;
    });
    const active = [...keys].find((key) => state.filters[key]);
    select.value = active ? `${active}=${state.filters[active]}` : "";
    select.classList.toggle("active", Boolean(active));
  }
  const active = Object.entries(state.filters);
  chips.replaceChildren(...active.map(([key, value]) =>
    el("button", { type: "button", class: "chip", title: "Remove this filter", onclick: () => setFilter(key, "") },
      LABELS[key](value), el("span", { "aria-hidden": "true" }, " \u00d7"))),
  ...(active.length > 1 ? [el("button", { type: "button", class: "quiet", onclick: () => show({ filters: {} }) }, "clear all")] : []));
}
