"""The style and the script of a report, which are part of its file."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --box: #f5f6f8; --line: #d9dde3; --ink: #1b1f24; --soft: #57606a;
  --accent: #0b5cad; --up: #0067a3; --down: #b54708; --same: #7d8793; --mark: #fff3bf;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #14171c; --box: #1e232a; --line: #39414c; --ink: #e8eaed; --soft: #a5afbb;
    --accent: #7db7f5; --up: #6cb6ff; --down: #ff9e64; --same: #7f8a97; --mark: #4a3f10;
  }
}
@media print { :root { color-scheme: light; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
main, footer { max-width: 68rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding: 2.5rem 0 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 {
  font-size: 1.3rem; line-height: 1.3; margin: 3rem 0 0.75rem; padding-top: 0.9rem; border-top: 1px solid var(--line);
}
h3 { font-size: 1.02rem; line-height: 1.3; margin: 1.75rem 0 0.5rem; }
h4 { font-size: 0.95rem; line-height: 1.3; margin: 1rem 0 0.5rem; }
p, ul { margin: 0.6rem 0; max-width: 46rem; }
li { margin: 0.3rem 0; }
.soft { color: var(--soft); }
.text { white-space: pre-line; }
.verdicts {
  margin: 1.4rem 0 0; padding: 0.9rem 1.2rem; background: var(--box); border-left: 4px solid var(--accent);
  border-radius: 0 6px 6px 0; font-size: 1.08rem;
}
.verdicts p { margin: 0.35rem 0; max-width: none; }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: 0.8rem; margin: 1.2rem 0 0;
}
.figures div { border: 1px solid var(--line); border-radius: 6px; padding: 0.6rem 0.9rem 0.7rem; }
.figures dt { color: var(--soft); font-size: 0.85rem; }
.figures dd { margin: 0; font-size: 1.45rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.figures dd + dd { font-size: 0.85rem; line-height: 1.4; color: var(--soft); }
nav { margin: 1.2rem 0 0; font-size: 0.92rem; }
nav a { margin-right: 1.1rem; white-space: nowrap; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, .box:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 0 2rem; }
.beside > * { min-width: 0; }
.beside .box, .beside table { width: 100%; }
.beside th, .beside td { padding-left: 0.45rem; padding-right: 0.45rem; }
.beside td.long { min-width: 13rem; }
figure { margin: 0.75rem 0 1rem; }
figcaption { color: var(--soft); font-size: 0.88rem; max-width: 46rem; }
.box {
  overflow: auto; max-height: 34rem; width: fit-content; max-width: 100%; border: 1px solid var(--line);
  border-radius: 6px; margin: 0.6rem 0 1rem;
}
table {
  border-collapse: separate; border-spacing: 0; min-width: min(100%, 22rem); font-size: 0.9rem; line-height: 1.35;
}
th, td { padding: 0.32rem 0.7rem; text-align: left; vertical-align: top; }
th { position: sticky; top: 0; background: var(--box); border-bottom: 1px solid var(--line); vertical-align: bottom; }
td { border-bottom: 1px solid var(--line); min-width: 3.5rem; max-width: 24rem; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover td { background: var(--box); }
th.n, td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.u { color: var(--soft); }
td.long, td.prose { min-width: 14rem; white-space: normal; }
.whole { white-space: nowrap; }
th button {
  all: unset; cursor: pointer; font-weight: 600; box-sizing: border-box; min-height: 1.5rem;
  overflow-wrap: break-word; max-width: 12rem;
}
th button::after { content: "\\2195"; color: var(--soft); margin-left: 0.3em; font-weight: 400; }
th[aria-sort="ascending"] button::after { content: "\\2191"; color: var(--ink); }
th[aria-sort="descending"] button::after { content: "\\2193"; color: var(--ink); }
.matrix { min-width: 0; }
.matrix thead th, .matrix tbody th { font-weight: 600; }
.matrix tbody th { position: static; border-bottom: 1px solid var(--line); }
.matrix .same { background: var(--mark); }
svg { display: block; width: 100%; overflow: hidden; font-size: 11.5px; }
svg text { fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .head { font-weight: 600; font-size: 12.5px; }
.intervals text { stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.narrow { display: none; }
.grid { stroke: var(--line); }
.zero { stroke: var(--soft); stroke-dasharray: 3 3; }
.bar { stroke: var(--accent); stroke-width: 2.5; }
.dot { fill: var(--accent); }
.hit { stroke: transparent; stroke-linecap: round; }
.seen { stroke-width: 1.4; }
.up .seen { stroke: var(--up); } .up circle { fill: var(--up); }
.down .seen { stroke: var(--down); } .down circle { fill: var(--down); }
.same .seen { stroke: var(--same); } .same circle { fill: var(--same); }
.most .seen { stroke-width: 3; }
.tip { visibility: hidden; text-anchor: middle; font-size: 13px; font-weight: 600; pointer-events: none;
  stroke: var(--paper); stroke-width: 7px; stroke-linejoin: round; paint-order: stroke; }
.slope .item { cursor: pointer; }
.lines:hover .item { opacity: 0.2; }
.lines:hover .item:hover { opacity: 1; }
.item:hover .seen { stroke-width: 3.5; }
.item:hover .tip { visibility: visible; }
figcaption b { font-weight: 600; }
b.up { color: var(--up); } b.down { color: var(--down); } b.same { color: var(--soft); }
pre {
  background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 0.7rem 0.9rem; font-size: 0.88rem;
  white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.6rem 0;
}
footer { color: var(--soft); font-size: 0.85rem; padding-bottom: 3rem; margin-top: 3rem; }
@media screen and (max-width: 45rem) {
  main, footer { padding: 0 1rem; }
  header { padding-top: 1.5rem; }
  h1 { font-size: 1.5rem; }
  .figures { grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
  .wide { display: none; }
  .narrow { display: inline; }
  th, td { padding: 0.32rem 0.5rem; }
}
@media print {
  @page { margin: 14mm; }
  body { font-size: 10.5pt; }
  main, footer { max-width: none; padding: 0; }
  nav { display: none; }
  .box { overflow: visible; max-height: none; border: 0; }
  table { font-size: 8.5pt; }
  th { position: static; }
  th, td { padding: 0.15rem 0.35rem; overflow-wrap: anywhere; }
  td, td.long, td.prose { min-width: 0; white-space: normal; }
  td.n { white-space: nowrap; }
  .whole { white-space: normal; }
  /* A button in the heading would be left out where a table goes on on the next page. */
  th button { display: contents; }
  thead { display: table-header-group; }
  tr, .verdicts p, .figures div { break-inside: avoid; }
  header { padding-top: 0; }
  .verdicts { font-size: 1em; }
  svg { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  th button::after { content: none !important; }
  .verdicts, th, .matrix .same { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""

# Sorting by a column: the rows keep their order where it says nothing, and undefined cells come last.
SCRIPT = """
"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th"), body = head.closest("table").tBodies[0];
    const numbers = head.classList.contains("n");
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction === 1 ? "ascending" : "descending");
    const key = row => {
      const cell = row.cells[head.cellIndex];
      if (cell.classList.contains("u")) return null;
      return numbers ? Number(cell.dataset.value) : cell.textContent;
    };
    const order = (a, b) => numbers ? (a > b) - (a < b) : a.localeCompare(b, "en", {numeric: true});
    const rows = Array.from(body.rows, row => [key(row), row]);
    rows.sort(([a], [b]) =>
      a === null || b === null ? (a === null) - (b === null) : direction * order(a, b));
    body.append(...rows.map(([, row]) => row));
  });
}
"""
