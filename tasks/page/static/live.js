// Makes the charts live (tooltips, clicks) when they come into view; until then they are drawings.

const node = document.getElementById("facts");
const specs = JSON.parse(node.textContent).charts;
const options = { actions: false, renderer: "svg", ast: true, defaultStyle: false, tooltip: { theme: "custom" } };

async function enliven(place) {
  const name = place.dataset.chart;
  const fresh = document.createElement("div");
  try {
    const { view } = await window.vegaEmbed(fresh, specs[name], options);
    view.addEventListener("click", (_, item) => {
      if (item && item.datum) document.dispatchEvent(new CustomEvent("chart", { detail: { name, datum: item.datum } }));
    });
    place.replaceChildren(fresh);
  } catch (error) {
    console.warn(`chart ${name} stays a drawing: ${error}`);
  }
}

if (window.vegaEmbed && window.IntersectionObserver) {
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      enliven(target);
    }
  }, { rootMargin: "200px" });
  for (const place of document.querySelectorAll("[data-chart]")) observer.observe(place);
}
