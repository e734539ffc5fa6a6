"""
A ROC curve that one can act on
===============================

Every vertex of a tree's ROC curve is a leaf: from there on, its patients are called too. Here a
small tree is grown on the patients of three hospitals and shown on those of the fourth, beside its
own rows, which flatter it. In a notebook, or on the page that `chart_html` writes, each vertex
tells its rule, its counts, sensitivity, specificity, PPV and NPV with their intervals.
"""

# sphinx_gallery_thumbnail_path = 'images/curves_with_rules.svg'

import clearwood as cw
from clearwood.report import chart_svg, roc_chart
from clearwood.table import load_heart_disease

heart = load_heart_disease()
other = heart.groups == "Cleveland"
model = cw.TreeClassifier(max_leaf_nodes=6, min_samples_leaf=15)
model.fit(heart.X[~other], heart.y[~other])
held_out = cw.risk_table(model, heart.X[other], heart.y[other], event="disease")
training = cw.risk_table(model, event="disease")
print(held_out)

# %%
# The same as a curve:
#
# .. image:: /images/curves_with_rules.svg
#    :alt: Two ROC curves whose vertices are labelled with rules.

picture = chart_svg(roc_chart({"held-out": held_out, "training": training}))
