"""
Where missing values go
=======================

A row whose value is missing goes down every branch of the condition, in the shares that the rows
with known values took. No value is filled in, and no row is left out.
"""

# sphinx_gallery_thumbnail_path = 'images/missing_values.svg'

import clearwood as cw
from clearwood.table import load_heart_disease

heart = load_heart_disease()
X = heart.X[["oldpeak", "thal"]]
print(f"missing: {X.isna().mean().round(2).to_dict()}")
model = cw.CARTClassifier(max_leaf_nodes=4, columns={"oldpeak": heart.columns["oldpeak"]})
tree = model.fit(X, heart.y).tree_
picture = tree.to_svg(title="Two columns with gaps", event="disease")

# %%
# Dashed lines are the branches that a missing value takes, with its share of each:
#
# .. image:: /images/missing_values.svg
#    :alt: A tree of four leaves over oldpeak and thal.
#
# A path tells what becomes of one patient. Here the thallium scan was not made, so the patient is
# divided, and the probabilities of two leaves are averaged by the shares.

print(tree.path({"oldpeak": 0.4, "thal": None}))

# %%
# The same patient with either result of the scan, and a patient of whom nothing is known: the tree
# then gives the share of the disease among all patients.

for patient in (
    {"oldpeak": 0.4, "thal": "normal"},
    {"oldpeak": 0.4, "thal": "reversable defect"},
    {"oldpeak": None, "thal": None},
):
    disease, _ = tree.path(patient).probabilities
    print(f"{patient}: {disease:.2f}")
