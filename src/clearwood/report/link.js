"use strict";
// Lights a rule everywhere on the page as soon as it is pointed at anywhere: in a chart, a picture
// or a table, by mouse, touch or keyboard. What shows a rule carries its name as data-rule; a chart
// has the signals `hover` (what is pointed at in it) and `hot` (what is to be lit in it).
(() => {
  const views = [];
  const told = document.getElementById("lit");
  let lit = "";
  let byTouch = false;

  const ruleAt = (node) => (node instanceof Element && node.closest("[data-rule]")?.dataset.rule) || "";

  function light(rule) {
    const next = rule || ruleAt(document.activeElement);
    if (next === lit) return;
    lit = next;
    paint(lit, "runAsync");
  }

  function paint(rule, run) {
    let words = "";
    for (const place of document.querySelectorAll("[data-rule]")) {
      const isLit = rule !== "" && place.dataset.rule === rule;
      place.classList.toggle("hot", isLit);
      if (isLit && !words) words = place.getAttribute("aria-label") ?? "";
    }
    if (told) told.textContent = words;
    document.body.dataset.hot = rule;
    for (const view of views) view.signal("hot", rule)[run]();
  }

  // On paper nothing is pointed at; the browser does not wait for what is asynchronous.
  addEventListener("beforeprint", () => paint("", "run"));
  addEventListener("afterprint", () => paint(lit, "runAsync"));

  // A finger leaves as soon as it has tapped: what it lit stays until it taps elsewhere.
  addEventListener("pointerdown", (event) => {
    byTouch = event.pointerType === "touch";
    if (byTouch && !event.target.closest(".chart")) light(ruleAt(event.target));
  }, true);
  addEventListener("pointermove", (event) => { byTouch = event.pointerType === "touch"; }, true);
  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch" && !event.target.closest?.(".chart")) light(ruleAt(event.target));
  });
  addEventListener("focusin", (event) => light(ruleAt(event.target)));
  addEventListener("focusout", (event) => light(ruleAt(event.relatedTarget)));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && ruleAt(document.activeElement)) document.activeElement.blur();
  });
  document.documentElement.addEventListener("pointerleave", () => { if (!byTouch) light(""); });

  for (const row of document.querySelectorAll("tr[data-rule]")) row.tabIndex = 0;

  async function draw() {
    const { specs, options } = JSON.parse(document.getElementById("charts").textContent);
    for (const [id, spec] of Object.entries(specs)) {
      const { view } = await vegaEmbed(`#${id}`, spec, options);
      view.addSignalListener("hover", (_, found) => {
        const rule = found?.rule?.[0] ?? "";
        if (rule || !byTouch) light(rule);
      });
      views.push(view);
    }
  }

  const ready = () => { document.body.dataset.ready = "1"; };
  if (document.getElementById("charts")) {
    draw().then(ready, (error) => { document.body.dataset.error = String(error); });
  } else {
    ready();
  }
})();
