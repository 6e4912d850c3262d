// What is shown, kept in the address: page.html#HumanEval/12&helped=block-pkg&q=sort

const KEYS = ["q", "helped", "hurt", "solved", "exactly", "error", "in", "selected"];
const state = { problem: null, filters: {} };

function readAddress(known) {
  let hash = location.hash.slice(1);
  try { hash = decodeURIComponent(hash.replace(/\+/g, "%2B")); } catch { /* as it stands */ }
  const found = { problem: null, filters: {} };
  for (const part of hash.split("&")) {
    const [key, ...rest] = part.split("=");
    if (KEYS.includes(key) && rest.length && rest.join("=")) found.filters[key] = rest.join("=");
    else if (known.has(part)) found.problem = part;
  }
  return found;
}

function address({ problem, filters }) {
  const escape = (text) => encodeURIComponent(text).replace(/%2F|%3A|%2B|%20/g, decodeURIComponent);
  const parts = KEYS.filter((key) => filters[key]).map((key) => `${key}=${escape(filters[key])}`);
  return "#" + [problem && escape(problem), ...parts].filter(Boolean).join("&");
}

// Typing and stepping replace the entry in the history, opening from elsewhere adds one.
function show(change, { push = false } = {}) {
  Object.assign(state, change);
  const wanted = address(state);
  if (wanted !== location.hash) {
    history[push ? "pushState" : "replaceState"](null, "", wanted === "#" ? location.pathname : wanted);
  }
  refresh();
}

function setFilter(key, value) {
  const filters = { ...state.filters, [key]: value };
  for (const name of Object.keys(filters)) if (!filters[name]) delete filters[name];
  show({ filters });
}
