// The classes of the vault as a graph: a box for each class, a line for each reference.
import { byId, h, plural, show } from "/page.js";

const SVG = "http://www.w3.org/2000/svg";
const BOX = { width: 212, head: 34, row: 21, gap: 28, least: 60, greatest: 130, edge: 44, most: 9 };

function s(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const shortened = (text, length) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** Returns the rows of a class: its object ID and references first, then other properties. */
function rowsOf(description, classes) {
  const isID = (name) => description.objectID !== "generated" && description.objectID.includes(name);
  const references = description.references ?? [];
  const rows = description.properties.map((property) => {
    const reference = references.find(({ properties }) => properties.includes(property.name));
    const weight = isID(property.name) ? 0 : reference ? 1 : 2;
    const target = reference && classes.find(({ table }) => table === reference.target);
    const type = target ? target.name : property.type;
    return { name: property.name, type, optional: property.optional, reference, weight };
  });
  rows.sort((a, b) => a.weight - b.weight);
  const rest = rows.length - BOX.most;
  return rest > 1 ? [...rows.slice(0, BOX.most), { name: `${rest} more`, type: "", weight: 3 }] : rows;
}

/** Returns the number of references on the longest way from a class to one without references. */
function depths(classes) {
  const depth = new Map();
  function visit(description, path) {
    if (depth.has(description.table)) return depth.get(description.table);
    if (path.includes(description.table)) return 0;
    const targets = (description.references ?? [])
      .map(({ target }) => classes.find(({ table }) => table === target))
      .filter((target) => target && target !== description);
    const found = targets.map((target) => 1 + visit(target, [...path, description.table]));
    depth.set(description.table, Math.max(0, ...found));
    return depth.get(description.table);
  }
  classes.forEach((description) => visit(description, []));
  return depth;
}

/** Returns the boxes of the classes in as many columns as the width has room for. */
function layOut(classes, width) {
  const room = width - BOX.edge;
  const columns = Math.max(1, Math.floor((room + BOX.least) / (BOX.width + BOX.least)));
  const spread = (room - columns * BOX.width) / Math.max(1, columns - 1);
  const step = BOX.width + Math.min(BOX.greatest, Math.max(BOX.least, spread));
  const depth = depths(classes);
  const isLinked = (description) => (description.references ?? []).length > 0
    || classes.some((other) => (other.references ?? []).some(({ target }) => target === description.table));
  const order = [...classes].sort((a, b) => isLinked(b) - isLinked(a)
    || depth.get(a.table) - depth.get(b.table) || a.name.localeCompare(b.name));
  const bottoms = Array(columns).fill(8);
  const boxes = new Map();
  for (const description of order) {
    const rows = rowsOf(description, classes);
    const lowest = bottoms.indexOf(Math.min(...bottoms));
    const wanted = Math.min(depth.get(description.table), columns - 1);
    // A class is one column to the right of those it refers to, unless that column is much longer.
    const height = BOX.head + rows.length * BOX.row + 8;
    const isFree = isLinked(description) && bottoms[wanted] - bottoms[lowest] < 2.5 * height;
    const column = isFree ? wanted : lowest;
    boxes.set(description.table, {
      description, rows, column, height, x: 2 + column * step, y: bottoms[column],
    });
    bottoms[column] += height + BOX.gap;
  }
  const used = 1 + Math.max(0, ...[...boxes.values()].map(({ column }) => column));
  return { boxes, height: Math.max(...bottoms), width: (used - 1) * step + BOX.width + BOX.edge };
}

function boxElement({ description, rows, x, y, height }) {
  const texts = rows.map((row, index) => {
    const top = y + BOX.head + index * BOX.row + 17;
    const kind = row.weight === 0 ? "id" : row.weight === 1 ? "ref" : row.weight === 3 ? "more" : "";
    return s("g", { class: `row ${kind}` },
      s("text", { x: x + 12, y: top }, shortened(row.name, row.type ? 19 : 26)),
      s("text", { x: x + BOX.width - 12, y: top, class: "type" }, shortened(row.type, 18) + (row.optional ? "?" : "")));
  });
  return s("a", { href: `#/class/${encodeURIComponent(description.table)}`, class: "box" },
    s("title", {}, `Show the objects of ${description.name}`),
    s("rect", { x, y, width: BOX.width, height, rx: 8, class: "body" }),
    s("path", { class: "head", d: `M${x} ${y + BOX.head}V${y + 8}a8 8 0 0 1 8-8H${x + BOX.width - 8}a8 8 0 0 1 8 8V${y + BOX.head}Z` }),
    s("text", { x: x + 12, y: y + 22, class: "name" }, shortened(description.name, 24)), ...texts);
}

/** Returns the line of a reference from its row to the head of its target. */
function lineElement(box, reference, target, offset) {
  const found = box.rows.findIndex((row) => row.reference?.name === reference.name);
  const row = found < 0 ? box.rows.length - 1 : found;
  const fromY = box.y + BOX.head + row * BOX.row + 12;
  const toY = target.y + 17 + offset;
  let path;
  if (target.column === box.column) {
    const side = box.x + BOX.width;
    const bend = side + Math.min(46, 22 + Math.abs(fromY - toY) / 20) + offset;
    path = `M${side} ${fromY}C${bend} ${fromY} ${bend} ${toY} ${side + 2} ${toY}`;
  } else {
    const isLeft = target.column < box.column;
    const from = isLeft ? box.x : box.x + BOX.width;
    const to = isLeft ? target.x + BOX.width + 2 : target.x - 2;
    const bend = (isLeft ? -1 : 1) * 42;
    path = `M${from} ${fromY}C${from + bend} ${fromY} ${to - bend} ${toY} ${to} ${toY}`;
  }
  return s("path", { class: "line", d: path, "marker-end": "url(#arrow)" },
    s("title", {}, `${box.description.name}.${reference.name} → ${target.description.name}, on delete ${reference.onDelete}`));
}

export function graphElement(classes, width) {
  const plan = layOut(classes, width);
  const svg = s("svg", {
    class: "graph", viewBox: `0 0 ${plan.width} ${plan.height}`, width: plan.width, height: plan.height,
    role: "group", "aria-label": "Graph of the classes and their references",
  }, s("defs", {}, s("marker", {
    id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto",
  }, s("path", { d: "M0 0.5 7.5 4 0 7.5Z" }))));
  const arrivals = new Map();
  for (const box of plan.boxes.values()) {
    for (const reference of box.description.references ?? []) {
      const target = plan.boxes.get(reference.target);
      if (!target) continue;
      const count = arrivals.get(reference.target) ?? 0;
      arrivals.set(reference.target, count + 1);
      svg.append(lineElement(box, reference, target, (count % 4) * 5 - 6));
    }
  }
  svg.append(...[...plan.boxes.values()].map(boxElement));
  return svg;
}

/** Shows the graph and a table of the classes. */
export function showSchema(vault, countOf) {
  const place = h("div", { class: "graph-place" });
  const named = (table) => vault.classes.find((other) => other.table === table)?.name ?? table;
  const rows = vault.classes.map((description) => h("tr", {},
    h("th", { scope: "row", "data-name": "Class" }, h("a", { href: `#/class/${encodeURIComponent(description.table)}` }, description.name)),
    h("td", { class: "number", "data-name": "Objects" }, h("span", { "data-count": description.table }, countOf(description.table))),
    h("td", { "data-name": "Object ID" }, description.objectID === "generated" ? "generated" : description.objectID.join(", ")),
    h("td", { "data-name": "References" }, (description.references ?? []).map(({ name, target }) => `${name} → ${named(target)}`).join(", ") || "–"),
    h("td", { "data-name": "Indexes" }, (description.indexes ?? []).map(({ properties, unique }) => properties.join(" + ") + (unique ? " (unique)" : "")).join(", ") || "–")));
  const heads = ["Class", "Objects", "Object ID", "References", "Indexes"].map((title) =>
    h("th", { scope: "col", class: title === "Objects" && "number" }, title));
  const others = vault.otherTables;
  show("Schema", h("h1", {}, "Schema"),
    h("p", { class: "quiet" }, `${plural(vault.classes.length, "class", "classes")} · ${vault.cipher}`),
    place, h("h2", {}, "Classes"),
    h("div", { class: "scroller" }, h("table", { class: "objects" },
      h("caption", { class: "unseen" }, "Classes of the vault"),
      h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows))),
    others.length > 0 && h("p", { class: "quiet" },
      `Tables that cannot be used as classes: ${others.join(", ")}.`));
  const draw = () => {
    if (!place.isConnected) return removeEventListener("resize", draw);
    place.replaceChildren(graphElement(vault.classes, byId("main").clientWidth - 16));
  };
  draw();
  addEventListener("resize", draw);
}
