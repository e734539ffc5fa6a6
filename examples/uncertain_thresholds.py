"""
Where noise moves a threshold
=============================

Nunes and colleagues (2019) explain soft search, soft propagation and soft evaluation with four
figures, drawn here anew: the gain of every threshold of a toy; the risk that noise turns a
prediction around; ejection fractions without and with noise; and the gain of every threshold there.
"""

# sphinx_gallery_thumbnail_path = 'images/uncertain_thresholds.svg'

import altair as alt
import numpy as np
from scipy.special import ndtr

import clearwood as cw
from clearwood.noise import LogNormal, Normal, Rounding
from clearwood.report.charts import chart_svg

BLUE, ORANGE = "#0072B2", "#D55E00"


def entropy(masses):
    """Times the mass, in bits; masses (n_thresholds, n_classes)."""
    total = masses.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        parts = np.where(masses > 0, masses * np.log2(masses / total), 0.0)
    return -parts.sum(axis=1)


def gains(x, y, sd, thresholds):
    """Information gain of each threshold, values below it counted by their probability."""
    below = Normal(sd).probability_at_most(thresholds[:, None], x)
    left = np.stack([below[:, y == k].sum(axis=1) for k in (0, 1)], axis=1)
    whole = np.bincount(y)[None, :]
    return (entropy(whole) - entropy(left) - entropy(whole - left)) / len(y)


def curves(x, values, labels, by, titles, *, width=250, dash=False):
    """A line for each of `values`, named in `labels`; `titles` of the chart and both axes."""
    records = [
        {"x": round(float(a), 4), "y": round(float(b), 6), by: label}
        for line, label in zip(values, labels, strict=True)
        for a, b in zip(x, line, strict=True)
    ]
    style = {"strokeDash": alt.StrokeDash(f"{by}:N", sort=None, title=by)} if dash else {}
    chart = alt.Chart(alt.InlineData(values=records), title=titles[0], width=width, height=170)
    return chart.encode(
        x=alt.X("x:Q", title=titles[1], scale=alt.Scale(nice=False)),
        y=alt.Y("y:Q", title=titles[2]),
        color=alt.Color(f"{by}:N", sort=None, title=by),
        **style,
    ).mark_line(strokeWidth=1.6)  # fmt: skip


# %%
# Two patients of each class, at −2 and 2. Without noise every threshold between them gains the
# same. Noise makes the middle the best; where the two middle values changed places (b), much noise
# is needed to see through it.

y4 = np.array([0, 0, 1, 1])
thresholds = np.linspace(-5, 5, 201)
sds = (0.01, 0.5, 1, 2, 4)
toys = {"1 (a) certain": [-2.0, -2, 2, 2], "1 (b) two changed places": [-2, 0.2, -0.2, 2]}
figure_1 = alt.hconcat(*(
    curves(thresholds, [gains(np.array(x), y4, sd, thresholds) for sd in sds],
           [f"{sd:g}" for sd in sds], "σ", (title, "threshold", "gain (bit)"))
    for title, x in toys.items()
))  # fmt: skip

# %%
# The threshold is put in the middle of two noisy training values, −2 and 2. How likely is a new
# patient at 1 or −1 to be called class 0? The paper's formula divides by 2σ where the standard
# deviation of the difference is √2 σ; these are the corrected ones.

sd = np.arange(0.05, 10.01, 0.05)
in_order = ndtr(4 / (np.sqrt(2) * sd))


def called_0(x, spread):
    """Probability that a patient at `x` is called class 0, if the threshold is `spread` σ off."""
    below = ndtr(-x / (spread * sd))
    return in_order * below + (1 - in_order) * (1 - below)


spreads = {"2 (a) certain patient": np.sqrt(0.5), "2 (b) uncertain patient": np.sqrt(1.5)}
figure_2 = alt.hconcat(*(
    curves(sd, [called_0(x, spread) for x in (1, -1)], ["1", "−1"], "patient at",
           (title, "σ", "P(called class 0)"), dash=True)
    for title, spread in spreads.items()
))  # fmt: skip

# %%
# Five hundred ejection fractions, simulated; below 35 % a device is advised. Noise of a tenth of
# the mean sends some of them across.

rng = np.random.default_rng(2019)
ef = np.where(rng.random(500) < 0.1, rng.normal(33, 9.5, 500), rng.normal(61, 8.5, 500)).clip(5, 88)
needs_device = (ef < 35).astype(int)
sd_ef = 0.1 * ef.mean()
measured = ef + rng.normal(0, sd_ef, 500)
crossed = [int(((measured >= 35) & (ef < 35)).sum()), int(((measured < 35) & (ef >= 35)).sum())]
print(f"crossed 35 %: {crossed[0]} up, {crossed[1]} down")


def histogram(values, title):
    """Numbers of patients by class."""
    bins = np.arange(0, 100.1, 2.5)
    no, yes = (np.histogram(values[needs_device == k], bins)[0].tolist() for k in (0, 1))
    records = [
        {"from": bins[i], "to": bins[i + 1], "low": low, "high": high, "device": device}
        for i in range(len(no))
        for low, high, device in ((0, yes[i], "yes"), (yes[i], yes[i] + no[i], "no"))
        if high > low
    ]
    chart = alt.Chart(alt.InlineData(values=records), title=title, width=250, height=170)
    bars = chart.mark_bar(opacity=0.75).encode(
        x=alt.X("from:Q", title="ejection fraction (%)"), x2="to:Q",
        y=alt.Y("low:Q", title="patients"), y2="high:Q",
        color=alt.Color("device:N", scale=alt.Scale(domain=["no", "yes"], range=[BLUE, ORANGE])),
    )  # fmt: skip
    rule = alt.Chart(alt.InlineData(values=[{"x": 35}])).mark_rule(strokeDash=[4, 3])
    return bars + rule.encode(x="x:Q")


figure_3 = alt.hconcat(
    histogram(ef, "3 (a) without noise"), histogram(measured, "3 (b) with noise")
)

# %%
# The gain of every threshold there. Hard search follows each single patient. Soft search is smooth,
# and leans towards the class that has more patients.

at = np.linspace(10, 90, 321)
lines = {
    title: [gains(x, needs_device, 1e-9, at), gains(x, needs_device, sd_ef, at)]
    for title, x in {"4 (a) without noise": ef, "4 (b) with noise": measured}.items()
}
figure_4 = alt.hconcat(*(
    curves(at, two, ["hard", "soft"], "search", (title, "threshold (%)", "gain (bit)"))
    for title, two in lines.items()
))  # fmt: skip
for name, x in {"clean": ef, "noisy": measured}.items():
    found = [
        cw.TreeClassifier(max_depth=1, search_noise=noise).fit(x[:, None], needs_device)
        .tree_.threshold[0]
        for noise in (None, {"x0": Normal(sd_ef)})
    ]  # fmt: skip
    print(f"{name}: cut at {found[0]:.1f} by hard search, at {found[1]:.1f} by soft search")

# %%
# What a reading of 35 says of the true value, by the noise model: a normal error, one that grows
# with the value, and a reading rounded to tens.

models = {"Normal(sd=5.8)": Normal(5.8), "LogNormal(cv=0.2)": LogNormal(0.2),
          "Rounding(10)": Rounding(10.0)}  # fmt: skip
true = np.linspace(15, 60, 181)
figure_5 = curves(
    true, [model.probability_at_most(true, 35.0) for model in models.values()], models, "noise",
    ("5 A reading of 35", "t", "P(true value ≤ t)"), dash=True,
)  # fmt: skip

picture = chart_svg(
    alt.vconcat(figure_1, figure_2, figure_3, figure_4, figure_5)
    .resolve_scale(color="independent", strokeDash="independent")
    .configure_axis(gridColor="#e6e6e6", titleFontWeight="normal")
    .configure_view(stroke=None)
)

# %%
# .. image:: /images/uncertain_thresholds.svg
#    :alt: The four figures of the paper, and the curves of three noise models.
