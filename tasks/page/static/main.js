// Starts the page. Bodies of problems are unpacked in the background and built when opened.

const facts = JSON.parse(byId("facts").textContent);
const entries = new Map(facts.problems.map((problem) => [problem.id, problem]));
const controls = makeControls(facts);
const items = makeList(facts);
let bodies = null;
let drawn = null;
let left = [];

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function step(by) {
  if (!left.length) return;
  const at = left.indexOf(state.problem);
  const next = at < 0 ? (by > 0 ? 0 : left.length - 1) : Math.min(Math.max(at + by, 0), left.length - 1);
  show({ problem: left[next] });
}

function draw() {
  const place = byId("problem");
  if (!bodies || drawn === state.problem) return;
  drawn = state.problem;
  place.replaceChildren(...(state.problem
    ? problemView(bodies.get(state.problem), entries.get(state.problem), facts.solvers, step)
    : [el("p", { class: "note screen" }, "Choose a problem, or step with j and k.")]));
}

function refresh() {
  left = refreshList(items, facts);
  refreshControls(controls, facts);
  draw();
}

function fromAddress() {
  const target = location.hash.length > 1 && byId(decodeURIComponent(location.hash.slice(1)));
  if (target) return; // a section of the page
  Object.assign(state, readAddress(entries));
  refresh();
  if (location.hash.length > 1) byId("problems").scrollIntoView();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape" && event.target === controls.search) controls.search.blur();
  if (typing) return;
  const inside = byId("list").contains(event.target);
  const by = { j: 1, k: -1, ...(inside ? { ArrowDown: 1, ArrowUp: -1 } : {}) }[event.key];
  if (by) {
    event.preventDefault();
    step(by);
    if (inside && state.problem) items.get(state.problem).firstChild.focus({ preventScroll: true });
    else if (byId("problems").getBoundingClientRect().top > innerHeight) byId("problems").scrollIntoView();
  } else if (event.key === "/") {
    event.preventDefault();
    byId("problems").scrollIntoView();
    controls.search.focus();
  }
});
document.addEventListener("chart", ({ detail }) => chartClicked(detail.name, detail.datum, facts));
window.addEventListener("hashchange", fromAddress);

startTheme();
fromAddress();
unpack(byId("bodies").textContent).then((found) => {
  bodies = new Map(found.map((body) => [body.id, body]));
  indexTexts(found);
  refresh();
  document.documentElement.dataset.ready = "";
}, (error) => {
  byId("problem").replaceChildren(el("p", { class: "note" }, `The problems could not be unpacked: ${error}`));
});
