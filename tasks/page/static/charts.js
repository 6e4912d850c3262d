// Which problems a mark of a chart stands for.

const CHART_FILTERS = {
  helped_hurt: (datum, facts) => datum.kind && facts.solvers.includes(datum.name) && { [datum.kind]: datum.name },
  which_solve: (datum) => datum.members === undefined ? null
    : datum.members === "" ? { solved: "nobody" } : { exactly: datum.members },
  error_types: (datum) => datum.error && datum.error !== "other" && { error: datum.error, in: datum.condition },
};

function chartClicked(name, datum, facts) {
  const filters = datum && CHART_FILTERS[name] && CHART_FILTERS[name](datum, facts);
  if (!filters) return;
  show({ filters, problem: null }, { push: true });
  byId("problems").scrollIntoView();
}
