"""
C4.5 against CART
=================

Both methods grow on the same rows, with at least 30 patients in two branches of each condition.
C4.5 chooses columns by gain ratio, groups the levels of a nominal column into as many branches as
pay, and prunes by an estimate of the errors. CART chooses by Gini gain, always makes two branches,
and prunes by a price on each leaf, here 0.006.
"""

# sphinx_gallery_thumbnail_path = 'images/c45_against_cart.svg'

from sklearn.model_selection import StratifiedKFold, cross_val_score

import clearwood as cw
from clearwood.pruning import CostComplexity
from clearwood.table import load_heart_disease

heart = load_heart_disease()
units = dict(heart.columns)
methods = {
    "C4.5": cw.C45Classifier(min_samples_leaf=30, nominal="grouped", columns=units),
    "CART": cw.CARTClassifier(min_samples_leaf=30, pruning=CostComplexity(0.006), columns=units),
}
folds = StratifiedKFold(10, shuffle=True, random_state=0)
for name, method in methods.items():
    areas = cross_val_score(method, heart.X, heart.y, cv=folds, scoring="roc_auc")
    print(f"{name}: {method.fit(heart.X, heart.y).get_n_leaves()} leaves, AUC {areas.mean():.2f}")

# %%
# Both put the kind of chest pain (``cp``) first, and age next where pain is felt. The tree of C4.5
# as text:

print(methods["C4.5"].tree_)

# %%
# and that of CART as a picture:

picture = methods["CART"].tree_.to_svg(title="CART", event="disease")

# %%
# .. image:: /images/c45_against_cart.svg
#    :alt: The tree of CART.
