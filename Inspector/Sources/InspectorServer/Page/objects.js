// The objects of a class or an association: conditions, pages, and how a query runs.
import { bytesText, h, isNumber, plural, request, say, show, valueElement } from "/page.js";
import { conditionField, mistakeElement } from "/condition.js";
import { newObjectForm } from "/object.js";

// The condition, terms, order and page of each list. They are in memory only.
const states = new Map();

const stateOf = (key) => {
  if (!states.has(key)) states.set(key, { condition: "", search: "", sort: [], page: 1 });
  return states.get(key);
};

/** Shows a list. `from` is the association of an object, or undefined for all of the class. */
export async function showObjects(vault, description, from) {
  const state = stateOf(location.hash);
  const content = () => ({ class: description.table, from, ...state });
  const mistake = h("div", { id: "mistake", class: "mistake", role: "alert" });
  const result = h("div", { class: "result" });
  const explanation = h("section", { class: "explanation", "aria-label": "Explanation", hidden: true });
  let running;

  const entered = () => ({ condition: field.input.value.trim(), search: search?.value.trim() ?? "" });

  function read() {
    const changed = entered();
    if (changed.condition !== state.condition || changed.search !== state.search) state.page = 1;
    Object.assign(state, changed);
  }

  async function load(isRefresh = false) {
    running?.abort();
    running = new AbortController();
    result.setAttribute("aria-busy", "true");
    try {
      const page = await request("objects", { ...content(), background: isRefresh }, running.signal);
      state.page = page.page;
      mistake.replaceChildren();
      const focused = [...result.querySelectorAll("a, button")].indexOf(document.activeElement);
      result.replaceChildren(...pageElements(page));
      if (focused >= 0) [...result.querySelectorAll("a, button")][focused]?.focus();
      if (!isRefresh) say(plural(page.total, "object"));
    } catch (error) {
      if (error.name === "AbortError") return;
      mistake.replaceChildren(...mistakeElement(error, state.condition));
      if (!isRefresh) result.replaceChildren();
    }
    result.removeAttribute("aria-busy");
  }

  function submit() {
    read();
    explanation.hidden = true;
    return load();
  }

  async function explain() {
    const wanted = entered();
    try {
      const answer = await request("explain", { ...content(), ...wanted });
      explanation.replaceChildren(...explanationElements(answer));
      explanation.hidden = false;
      mistake.replaceChildren();
      say("The explanation is shown.");
    } catch (error) {
      mistake.replaceChildren(...mistakeElement(error, wanted.condition));
    }
  }

  function orderOf(name) {
    const sort = state.sort[0];
    return sort?.name !== name ? "none" : sort.descending ? "descending" : "ascending";
  }

  function sortBy(name) {
    const order = orderOf(name);
    state.sort = order === "descending" ? [] : [{ name, descending: order === "ascending" }];
    state.page = 1;
    load();
  }

  function pageElements(page) {
    const count = h("p", { class: "count" }, plural(page.total, "object"),
      page.pages > 1 && ` · page ${page.page} of ${page.pages.toLocaleString("en")}`);
    if (!page.rows.length) {
      return [h("p", { class: "quiet" },
        state.condition || state.search ? "No object matches." : "There are no objects.")];
    }
    const heads = page.columns.map((column) => h("th",
      { scope: "col", "aria-sort": orderOf(column.name), class: isNumber(column) && "number" },
      h("button", { type: "button", title: "Sort", onclick: () => sortBy(column.name) },
        column.name, h("small", {}, column.type))));
    const rows = page.rows.map((row) => h("tr", {}, row.cells.map((cell, index) => {
      const column = page.columns[index];
      const value = valueElement(cell);
      const isLink = index === 0 && row.object != null;
      return h(index === 0 ? "th" : "td",
        { scope: index === 0 && "row", class: isNumber(column) && "number", "data-name": column.name },
        isLink ? h("a", { href: `#/object/${row.object}` }, value) : value);
    })));
    const turn = (text, by, isPossible) => h("button", {
      type: "button", disabled: !isPossible,
      onclick: () => {
        state.page += by;
        load().then(() => scrollTo(0, 0));
      },
    }, text);
    const pages = page.pages > 1 && h("nav", { class: "pages", "aria-label": "Pages" },
      turn("Previous", -1, page.page > 1), turn("Next", 1, page.page < page.pages));
    const table = h("table", { class: "objects" },
      h("caption", { class: "unseen" }, `Objects of ${description.name}`),
      h("thead", {}, h("tr", {}, heads)), h("tbody", {}, rows));
    return [h("div", { class: "over" }, count, pages),
      h("div", { class: "scroller", role: "region", tabindex: "0", "aria-label": "Table of objects" },
        table)];
  }

  const field = conditionField(description.table, state.condition, submit);
  const search = description.search
    && h("input", { id: "search", type: "search", spellcheck: "false", autocomplete: "off" });
  if (search) search.value = state.search;
  const form = h("form", { class: "query", onsubmit: (event) => {
    event.preventDefault();
    submit();
  } },
  h("div", { class: "field wide" }, h("label", { for: "condition" }, "Condition"), field.element),
  search && h("div", { class: "field" }, h("label", { for: "search" }, "Search"), search),
  h("div", { class: "actions" }, h("button", { type: "submit", class: "main" }, "Show"),
    h("button", { type: "button", onclick: explain }, "Explain")));
  const added = h("div", {});
  const add = vault.writable && !from && h("button", { type: "button", onclick: () => {
    add.disabled = true;
    added.replaceChildren(newObjectForm(vault, description, () => {
      add.disabled = false;
      added.replaceChildren();
    }));
    added.querySelector("input, textarea, select")?.focus();
  } }, "New object");
  show(description.name,
    h("div", { class: "title" }, h("h1", {}, description.name),
      from ? h("p", {}, "Associated objects: ", h("code", {}, from.way), " of ",
        h("a", { href: `#/object/${from.object}` }, "this object")) : add),
    added, form, mistake, explanation, result);
  await load();
  return { refresh: () => load(true) };
}

function explanationElements(answer) {
  const part = (title, ...content) => [h("dt", {}, title), h("dd", {}, ...content)];
  const list = (texts) => h("ul", {}, texts.map((text) => h("li", {}, text)));
  return [
    h("h2", {}, "How the query runs"),
    h("dl", {},
      part("Rows read", answer.rows == null ? "unknown" : `about ${answer.rows.toLocaleString("en")}`,
        answer.costly && h("span", { class: "badge warn" }, "reads or sorts the whole table")),
      part("Plan", list(answer.plan)),
      answer.warnings.length > 0 && part("Warnings", list(answer.warnings)),
      answer.suggestions.length > 0 && part("An index would help",
        answer.suggestions.map((text) => h("pre", {}, text))),
      answer.condition && part("Condition", h("pre", {}, answer.condition)),
      part("Statement", h("pre", { class: "wrap" }, answer.statement)),
      answer.bindings.length > 0 && part("Bound values", answer.bindings.join(", "))),
  ];
}

/** Shows the sizes of the parts of the file. */
export async function showSizes(vault) {
  show("Sizes", h("h1", {}, "Sizes"), h("p", { class: "quiet" }, "Reading the whole file …"));
  const report = await request("sizes");
  const names = {
    objects: (part) => part.of, index: (part) => `${part.of}: index ${part.name}`,
    searchIndex: (part) => `${part.of}: full-text index`, sharedBlobs: () => "Shared blobs",
    catalogue: () => "Catalogue", freeSpace: () => "Free space", unknown: () => "Unknown pages",
  };
  const rows = report.parts.map((part) => h("tr", {},
    h("th", { scope: "row" }, names[part.part](part)),
    h("td", { class: "number" }, bytesText(part.bytes)),
    h("td", { class: "bar" }, h("meter", {
      min: "0", max: report.bytes, value: part.bytes, "aria-label": "Share of the file",
    }))));
  show("Sizes", h("h1", {}, "Sizes"),
    h("p", { class: "quiet" }, `${bytesText(report.bytes)} · ${vault.cipher}`),
    h("table", { class: "sizes" }, h("caption", { class: "unseen" }, "Parts of the file"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Part"),
        h("th", { scope: "col", class: "number" }, "Size"), h("th", { scope: "col" }, "Share"))),
      h("tbody", {}, rows)));
}
