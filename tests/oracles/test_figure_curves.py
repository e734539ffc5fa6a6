"""The example's Figure 2 gives the corrected curves that an independent prototype computed."""

import runpy

import numpy as np
import pandas as pd
import pytest

from shared_data import ROOT, shared


@pytest.mark.parametrize(("part", "spread"), [("a", np.sqrt(0.5)), ("b", np.sqrt(1.5))])
def test_risk_of_a_turned_prediction_is_that_of_the_prototype(part, spread):
    expected = pd.read_csv(shared("fixtures", "figure2_curves.csv"))
    example = runpy.run_path(str(ROOT / "examples" / "uncertain_thresholds.py"))
    np.testing.assert_allclose(example["sd"], expected["sigma"])
    for x, name in ((1.0, "plus1"), (-1.0, "minus1")):
        found = example["called_0"](x, spread)
        np.testing.assert_allclose(found, expected[f"{part}_{name}"], atol=1e-8)
