// Colours as the system has them, or as the reader chose.

function startTheme() {
  const button = byId("theme");
  const choices = ["auto", "light", "dark"];
  const apply = (choice) => {
    if (choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    button.textContent = { auto: "Auto", light: "Light", dark: "Dark" }[choice];
    button.setAttribute("aria-label", `Colours: ${choice}`);
    button.dataset.choice = choice;
  };
  let kept = null;
  try { kept = localStorage.getItem("codegraft-theme"); } catch { /* no storage, no memory */ }
  apply(choices.includes(kept) ? kept : "auto");
  button.hidden = false;
  button.addEventListener("click", () => {
    const next = choices[(choices.indexOf(button.dataset.choice) + 1) % choices.length];
    apply(next);
    try { localStorage.setItem("codegraft-theme", next); } catch { /* see above */ }
  });
}
