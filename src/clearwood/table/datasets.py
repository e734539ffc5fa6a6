"""Data sets that are shipped with the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from types import MappingProxyType
from typing import Any

from clearwood.table.column import Column
from clearwood.table.files import read_file

HEART_COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "age": Column(unit="years"),
        "trestbps": Column(unit="mm Hg"),
        "chol": Column(unit="mg/dL"),
        "thalch": Column(unit="bpm"),
        "oldpeak": Column(unit="mm"),
    }
)
FIRST_HUNGARIAN_ID = 304

HEART_DESCRIPTION = """\
Heart disease in patients sent to coronary angiography at four centres
(Cleveland, Hungary, Switzerland, VA Long Beach): {n_rows} patients, {n_columns} predictors.
Predicted: disease (a coronary artery narrowed by more than half), seen in {n_disease}.

age       age (years)                        restecg   resting electrocardiogram
sex       sex                                thalch    highest heart rate reached (bpm)
cp        kind of chest pain                 exang     angina during exercise
trestbps  resting blood pressure (mm Hg)     oldpeak   ST depression by exercise (mm)
chol      serum cholesterol (mg/dL)          slope     slope of the ST segment in exercise
fbs       fasting blood sugar > 120 mg/dL    ca        large vessels coloured by fluoroscopy (0–3)
                                             thal      thallium scan

Repaired when loading:
- chol of 0 in {zero_chol} rows and trestbps of 0 in {zero_trestbps} row are impossible: read as
  missing.
- fbs and exang are written as yes and no.
- The row with id 304 carries the centre Cleveland but is Hungary's first: the centre is mended.
Kept as they are: {n_duplicates} rows that repeat another in every value; they may be two patients.
Not predictors: id; the centre, which alone tells much of the outcome (its share of disease goes
from {lowest:.0%} to {highest:.0%}): it is returned as groups, for validation by centre.

Janosi, Steinbrunn, Pfisterer, Detrano (1989). Heart Disease. UCI Machine Learning Repository.
doi 10.24432/C52P4X. Licence CC BY 4.0."""


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A table to learn from. Unpacks as ``X, y, description``.

    Parameters
    ----------
    X : pandas.DataFrame of shape (n_rows, n_columns)
        Predictors.
    y : pandas.Series of shape (n_rows,)
        Labels.
    description : str
        What the data are, what was repaired in loading, source and licence.
    groups : pandas.Series of shape (n_rows,)
        What keeps rows together in a validation by group.
    columns : mapping of column name to Column
        Units of the columns.
    """

    X: Any
    y: Any
    description: str
    groups: Any
    columns: Mapping[str, Column]

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y, self.description))


def load_heart_disease() -> Dataset:
    """The UCI heart disease table of four centres: 920 patients, 13 predictors.

    Returns
    -------
    Dataset
        `y` is "disease" or "no disease"; `groups` is the centre. Missing cells are NaN.

    References
    ----------
    Janosi, Steinbrunn, Pfisterer, Detrano (1989), Heart Disease, UCI Machine Learning
    Repository, doi 10.24432/C52P4X; CC BY 4.0.
    """
    with as_file(files("clearwood.table") / "data" / "heart_disease.csv") as path:
        raw = read_file(path)
    y = (raw["num"] > 0).map({True: "disease", False: "no disease"}).rename("diagnosis")
    groups = raw["dataset"].mask(raw["id"] == FIRST_HUNGARIAN_ID, "Hungary").rename("centre")
    X = raw.drop(columns=["id", "dataset", "num"])
    zeros = {name: X[name] == 0 for name in ("chol", "trestbps")}
    for name, is_zero in zeros.items():
        X[name] = X[name].mask(is_zero)
    for name in ("fbs", "exang"):
        X[name] = X[name].map({"TRUE": "yes", "FALSE": "no"}).astype("str")
    share = (y == "disease").groupby(groups).mean()
    description = HEART_DESCRIPTION.format(
        n_rows=len(X),
        n_columns=X.shape[1],
        n_disease=f"{(y == 'disease').mean():.0%}",
        zero_chol=int(zeros["chol"].sum()),
        zero_trestbps=int(zeros["trestbps"].sum()),
        n_duplicates=int(raw.drop(columns="id").duplicated().sum()),
        lowest=share.min(),
        highest=share.max(),
    )
    return Dataset(X, y, description, groups, HEART_COLUMNS)
