// The page: exchanges the token, follows the address, and refreshes what is shown.
import { byId, failureText, h, isOver, leave, request, say, show, showBanner } from "/page.js";
import { showObject } from "/object.js";
import { showObjects, showSizes } from "/objects.js";
import { showSchema } from "/schema.js";

let vault;
let view;
const counts = new Map();

const countOf = (table) => counts.get(table)?.toLocaleString("en") ?? "";

/** Exchanges the token in the address for a cookie, which scripts cannot read. */
async function enter() {
  const token = location.hash.slice(1);
  history.replaceState(null, "", "/");
  if (!token) return showBanner("Open the address that the terminal shows.");
  const response = await fetch("/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(token),
  });
  if (!response.ok) {
    return showBanner("This address was used already. If you did not use it, end the inspector with Control-C. "
      + "Start it again for a new one.");
  }
  location.replace(await response.json());
}

async function loadVault(background = false) {
  vault = await request("vault", { background }, null);
  byId("vault").textContent = vault.name;
  byId("access").textContent = vault.writable ? "can be changed" : "read only";
  byId("access").classList.toggle("warn", vault.writable);
  byId("access").hidden = false;
  byId("classes").replaceChildren(h("h2", {}, "Classes"), h("ul", {}, vault.classes.map((description) =>
    h("li", {}, h("a", { href: `#/class/${encodeURIComponent(description.table)}`, "data-table": description.table },
      h("span", {}, description.name),
      h("span", { class: "number", "data-count": description.table }, countOf(description.table)))))));
}

/** Counts the objects of each class, one class at a time. */
async function countAll(background = false) {
  for (const { table } of vault.classes) {
    try {
      counts.set(table, (await request("count", { class: table, background }, null)).count);
    } catch {
      counts.delete(table);
    }
    for (const element of document.querySelectorAll("[data-count]")) {
      if (element.dataset.count === table) element.textContent = countOf(table);
    }
  }
}

/** Shows what the address names: a class, an object, an association, sizes or the schema. */
async function follow() {
  const [kind, ...names] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const described = (table) => vault.classes.find((description) => description.table === table);
  for (const link of document.querySelectorAll("#classes a, header nav a")) {
    const isCurrent = link.getAttribute("href") === (location.hash || "#/");
    link.toggleAttribute("aria-current", isCurrent);
    if (isCurrent) link.setAttribute("aria-current", "page");
  }
  leave();
  document.querySelector("dialog")?.close();
  view = undefined;
  showBanner("");
  const address = location.hash;
  let shown;
  try {
    if (kind === "class" && described(names[0])) shown = await showObjects(vault, described(names[0]));
    else if (kind === "object") shown = await showObject(vault, Number(names[0]));
    else if (kind === "from" && described(names[2])) {
      shown = await showObjects(vault, described(names[2]), { object: Number(names[0]), way: names[1] });
    } else if (kind === "sizes") await showSizes(vault);
    else showSchema(vault, countOf);
  } catch (error) {
    if (error.name !== "AbortError") show("Not found", h("h1", {}, "Not found"), failureText(error));
  }
  if (address === location.hash) view = shown;
}

/** Shows the present state when any process has changed the file. */
async function watch() {
  if (isOver()) return;
  if (!document.hidden && byId("live").checked) {
    try {
      const { stamp } = await request("state", {}, null);
      if (stamp !== vault.stamp) {
        await loadVault(true);
        vault.stamp = stamp;
        await Promise.all([view?.refresh(), countAll(true)]);
        say("The vault has changed. The page shows its present state.");
      }
    } catch (error) {
      if (!isOver()) showBanner(error.message);
    }
  }
  setTimeout(watch, 1000);
}

async function start() {
  if (location.pathname === "/") return enter();
  await loadVault();
  addEventListener("hashchange", () => {
    byId("main").focus({ preventScroll: true });
    scrollTo(0, 0);
    follow();
  });
  await follow();
  await countAll();
  watch();
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
start().catch((error) => {
  show("No access", failureText(error));
});
