// One object: its properties, its associations, and the forms that change it.
import { failureText, h, plural, request, say, show, valueElement } from "/page.js";

/** Shows an object. `number` is a number of the inspector, not the object ID. */
export async function showObject(vault, number) {
  const root = h("article", {});
  let isEditing = false;

  async function load(background = false) {
    if (isEditing) return;
    const object = await request("object", { object: number, background });
    const description = vault.classes.find(({ table }) => table === object.class);
    const name = description?.name ?? object.class;
    document.title = `${name} – ObjectVault Inspector`;
    const focused = [...root.querySelectorAll("a, button")].indexOf(document.activeElement);
    root.replaceChildren(
      h("p", { class: "trail" }, h("a", { href: `#/class/${encodeURIComponent(object.class)}` }, name),
        " / object"),
      h("div", { class: "title" }, h("h1", {}, "Object of ", name),
        vault.writable && h("div", { class: "actions" },
          h("button", { type: "button", onclick: () => edit(object, description) }, "Edit"),
          h("button", { type: "button", class: "danger", onclick: () => remove(object) }, "Remove"))),
      h("dl", { class: "properties" }, object.properties.map((property) => [
        h("dt", {}, property.name, h("small", {}, property.type)),
        h("dd", {}, valueElement(property.value))])),
      object.ways.length > 0 && h("section", {}, h("h2", {}, "Associations"),
        h("ul", { class: "ways" }, object.ways.map((way) => wayElement(vault, number, way)))));
    if (focused >= 0) [...root.querySelectorAll("a, button")][focused]?.focus();
  }

  function edit(object, description) {
    isEditing = true;
    const properties = object.properties.filter(({ editable }) => editable)
      .map((property) => ({ ...propertyOf(description, property.name), value: property.value }));
    const end = () => {
      isEditing = false;
      return load();
    };
    const form = valuesForm(properties, "Save", end, async (fields) => {
      const changed = fields.filter(({ property, value }) => value() !== property.value);
      const values = Object.fromEntries(changed.map(({ property, value }) => [property.name, value()]));
      const before = Object.fromEntries(changed.map(({ property }) => [property.name, property.value]));
      if (changed.length) await request("update", { object: number, values, before });
      await end();
      say("The object was saved.");
    });
    root.querySelector(".properties").replaceWith(form);
    root.querySelector(".title .actions").remove();
    form.querySelector("input, textarea, select")?.focus();
  }

  async function remove(object) {
    const plan = await request("plan", { object: number });
    const failure = h("div", {});
    const effects = plan.classes.map((effect) => h("li", {}, `${effect.name}: `, [
      effect.removed && `${plural(effect.removed, "object")} removed`,
      effect.nullified && `${plural(effect.nullified, "reference")} set to nil`,
      effect.denying && `${plural(effect.denying, "reference")} prevent it`,
    ].filter(Boolean).join(", ")));
    const dialog = h("dialog", { "aria-labelledby": "removal", onclose: () => dialog.remove() },
      h("h2", { id: "removal" }, plan.allowed ? "Remove this object?" : "The object cannot be removed"),
      h("ul", {}, effects), failure,
      h("div", { class: "actions" },
        plan.allowed && h("button", { type: "button", class: "danger", onclick: async () => {
          try {
            await request("remove", { object: number });
            dialog.close();
            say("The object was removed.");
            location.hash = `#/class/${encodeURIComponent(object.class)}`;
          } catch (error) {
            failure.replaceChildren(failureText(error));
          }
        } }, "Remove"),
        h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Cancel")));
    document.body.append(dialog);
    dialog.showModal();
  }

  show("Object", root);
  await load();
  return { refresh: () => load(true) };
}

function wayElement(vault, number, way) {
  const name = vault.classes.find(({ table }) => table === way.class)?.name ?? way.class;
  if (way.count == null) {
    return h("li", {}, h("span", { class: "arrow", "aria-hidden": "true" }, "→"),
      way.object == null ? h("span", {}, way.name)
        : h("a", { href: `#/object/${way.object}` }, way.name),
      h("span", { class: "quiet" }, way.object == null ? "missing object" : name));
  }
  const href = `#/from/${number}/${encodeURIComponent(way.name)}/${encodeURIComponent(way.class)}`;
  return h("li", {}, h("span", { class: "arrow", "aria-hidden": "true" }, "←"),
    h("a", { href }, way.name),
    h("span", { class: "quiet" }, plural(way.count, "object")));
}

const propertyOf = (description, name) =>
  description.properties.find((property) => property.name === name);

/** Returns a form for values. `save` receives its fields; its errors are shown in the form. */
function valuesForm(properties, title, cancel, save) {
  const failure = h("div", {});
  const fields = properties.map((property, index) => valueField(property, `value-${index}`));
  return h("form", { class: "values", onsubmit: async (event) => {
    event.preventDefault();
    try {
      await save(fields);
    } catch (error) {
      failure.replaceChildren(failureText(error));
    }
  } },
  fields.map(({ element }) => element), failure,
  h("div", { class: "actions" }, h("button", { type: "submit", class: "main" }, title),
    h("button", { type: "button", onclick: cancel }, "Cancel")));
}

/** Returns a field for a value, which is text or null. */
function valueField(property, id) {
  const isNil = property.value === null || property.value === undefined;
  const isLong = property.type === "JSON" || property.type === "String";
  const original = property.value ?? (property.type === "Bool" ? "false" : "");
  const input = property.type === "Bool"
    ? h("select", { id }, ["true", "false"].map((text) => h("option", {}, text)))
    : h(isLong ? "textarea" : "input", { id, rows: isLong && "1", spellcheck: "false", autocomplete: "off" });
  input.value = original;
  // An element changes or removes the ends of lines, so this can differ from the value.
  const shown = input.value;
  const text = () => (input.value === shown ? original : withLineEnds(input.value, original));
  const nil = property.optional && h("input", { type: "checkbox", id: `${id}-nil` });
  if (nil) {
    nil.checked = isNil;
    nil.addEventListener("change", () => { input.disabled = nil.checked; });
    input.disabled = isNil;
  }
  const element = h("div", { class: "field" },
    h("label", { for: id }, property.name, h("small", {}, property.type)), input,
    nil && h("label", { class: "check", for: `${id}-nil` }, nil, "nil"));
  return { property, element, value: () => (nil && nil.checked ? null : text()) };
}

/** Returns text with the ends of lines of another one, or "\n" if that has several kinds. */
function withLineEnds(text, other) {
  const [end, ...others] = new Set(other.match(/\r\n|\r|\n/g));
  return end && others.length === 0 ? text.replaceAll("\n", end) : text;
}

/** Returns the form for a new object, which begins with the defaults of its class. */
export function newObjectForm(vault, description, close) {
  const isNumbered = (property) => description.objectID.length === 1
    && description.objectID[0] === property.name && /^U?Int/.test(property.type);
  const defaults = vault.defaults[description.table] ?? {};
  const properties = description.properties.filter(({ type }) => type !== "Data")
    .map((property) => ({
      ...property, optional: property.optional || isNumbered(property),
      value: defaults[property.name] ?? null,
    }));
  return valuesForm(properties, "Insert", close, async (fields) => {
    const values = Object.fromEntries(fields.map(({ property, value }) => [property.name, value()]));
    const { object } = await request("insert", { class: description.table, values });
    close();
    say("The object was inserted.");
    if (object != null) location.hash = `#/object/${object}`;
  });
}
