// Elements, requests and messages that all views use.

/** Returns a new element. Properties that begin with "on" are listeners; others are attributes. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** The error of an answer, with the offset of a mistake in a condition. */
export class Failure extends Error {
  constructor(status, { message, offset }) {
    super(message);
    this.status = status;
    this.offset = offset;
  }
}

let hasEnded = false;
let navigation = new AbortController();

/** Stops the requests of the present view, and with them their queries. */
export function leave() {
  navigation.abort();
  navigation = new AbortController();
}

/**
 * Performs an operation. Values travel in the body only, never in the address. The request ends
 * with the view, and with `signal` if there is one; `null` is for requests of no view. A request
 * with `background` refreshes the page, which is not a use of the inspector.
 */
export async function request(operation, content = {}, signal) {
  const signals = signal === null ? [] : [navigation.signal, signal].filter(Boolean);
  let response;
  try {
    response = await fetch(location.pathname + operation, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
      signal: AbortSignal.any(signals),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    hasEnded = true;
    showBanner("The inspector has ended. Start it again in the terminal, and open the new address.");
    throw new Failure(0, { message: "The inspector does not answer." });
  }
  if (!(response.headers.get("Content-Type") ?? "").startsWith("application/json")) {
    throw new Failure(response.status, {
      message: response.status === 403
        ? "This browser has no access. Open the address that the terminal shows."
        : `The inspector rejected the request (${response.status}).`,
    });
  }
  const answer = await response.json();
  if (answer.error) throw new Failure(response.status, answer.error);
  return answer;
}

export const isOver = () => hasEnded;

export function showBanner(text) {
  byId("banner").textContent = text;
  byId("banner").hidden = !text;
}

/** Says something to readers of the screen that is visible to others anyway. */
export function say(text) {
  byId("status").textContent = text;
}

/** Replaces the content of the page. */
export function show(title, ...content) {
  byId("main").replaceChildren(...content.flat(Infinity).filter(Boolean));
  document.title = `${title} – ObjectVault Inspector`;
}

export function failureText(error) {
  return h("p", { class: "failure", role: "alert" }, error.message);
}

export const plural = (count, noun, nouns = `${noun}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;

export function bytesText(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) {
    count /= 1024;
    unit += 1;
  }
  return `${unit && count < 10 ? count.toFixed(1) : Math.round(count)} ${units[unit]}`;
}

/** Returns the element for a value: null for nil, text, or the beginning of a long value. */
export function valueElement(value) {
  if (value === null) return h("span", { class: "nil" }, "nil");
  if (value === "") return h("span", { class: "nil" }, "empty text");
  if (typeof value === "string") return h("span", { class: "value" }, value);
  const size = h("span", { class: "size" }, bytesText(value.bytes));
  const end = value.data && value.text.length >= value.bytes * 3 - 1 ? "" : " …";
  return h("span", { class: value.data ? "value data" : "value" }, value.text + end, " ", size);
}

const numbers = /^(U?Int\d*|Float|Double|Decimal)$/;
export const isNumber = (column) => numbers.test(column.type);
