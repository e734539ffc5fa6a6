"""Sends rows down a model file by its schema's words alone; knows nothing of clearwood."""


def leaf_shares(document, row):
    """Node number of each leaf that a row (mapping) reaches, with its share; None is missing."""
    found, todo = {}, [(0, 1.0)]
    while todo:
        at, share = todo.pop()
        node = document["nodes"][at]
        if node["kind"] == "leaf":
            found[at] = share
            continue
        branch = branch_of(node, document["columns"][node["column"]], row)
        if branch is None:
            parts = zip(node["children"], node["missing_share"], strict=True)
            todo.extend((child, share * part) for child, part in parts if part > 0)
        else:
            todo.append((node["children"][branch], share))
    return found


def branch_of(node, column, row):
    value = row[column["name"]]
    if value is None:
        return None
    if column["kind"] != "numeric":
        if value not in column["levels"]:
            return None
        value = column["levels"].index(value)
    if node["kind"] == "cut":
        first = value < node["threshold"] if node["strict"] else value <= node["threshold"]
        return 0 if first else 1
    branches = node["branch_of_level"]
    branch = branches[value] if value < len(branches) else -1
    return None if branch == -1 else branch
