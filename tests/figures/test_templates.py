import json

import pytest
import vl_convert
import yaml
from dvc_render.vega import VegaRenderer

from tasks.core.files import read_json
from tasks.figures.charts import CHARTS, template_path
from tasks.figures.draw import load_rows
from tasks.figures.templates import template
from tests.page.site import write_site
from tests.test_code_deps import ROOT


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    root = tmp_path_factory.mktemp("site")
    write_site(root)
    return load_rows(root / "reports/tiny/fake")


@pytest.mark.parametrize("name", CHARTS)
def test_the_committed_template_is_the_chart(name):
    assert read_json(template_path(name)) == template(name), "run python -m tasks.figures templates"


@pytest.mark.parametrize("name", CHARTS)
def test_dvc_draws_two_revisions(name, tiny):
    points = [{**row, "rev": rev} for rev in ("workspace", "main") for row in tiny[name]]
    renderer = VegaRenderer(points, name, template=str(template_path(name)), title="the title")
    spec = json.loads(renderer.partial_html())
    assert "<DVC" not in json.dumps(spec)
    drawn = vl_convert.vegalite_to_svg(spec, vl_version="5.8")  # DVC's page has an older one
    assert all(f">{word}<" in drawn for word in ("workspace", "main", "the title"))


def test_dvc_yaml_names_every_chart():
    stage = yaml.safe_load((ROOT / "dvc.yaml").read_text(encoding="utf-8"))["stages"]["figures"]
    found = {}
    for entry in stage["plots"]:
        ((path, options),) = entry.items()
        found[path.rpartition("/")[2].removesuffix(".json")] = ROOT / options["template"]
    assert found == {name: ROOT / template_path(name) for name in CHARTS}
