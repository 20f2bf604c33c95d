// The field for a condition, with completion: a combobox as WAI-ARIA describes it.
import { h, request } from "/page.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns the position in JavaScript's units of an offset in UTF-8 bytes. */
export function position(text, offset) {
  return decoder.decode(encoder.encode(text).slice(0, offset)).length;
}

/** Creates the field. `submit` is called for Enter without a selected suggestion. */
export function conditionField(className, text, submit) {
  const input = h("input", {
    id: "condition", type: "text", role: "combobox", spellcheck: "false", autocomplete: "off",
    autocapitalize: "off", "aria-autocomplete": "list", "aria-expanded": "false",
    "aria-controls": "suggestions", "aria-describedby": "mistake", placeholder: "all objects",
  });
  input.value = text;
  const list = h("ul", { id: "suggestions", role: "listbox", "aria-label": "Suggestions", hidden: true });
  let items = [];
  let start = 0;
  let chosen = -1;
  let running;

  function close() {
    list.hidden = true;
    chosen = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose(index) {
    list.children[chosen]?.removeAttribute("aria-selected");
    chosen = (index + items.length) % items.length;
    const option = list.children[chosen];
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  }

  function accept(index) {
    const end = input.selectionStart;
    const word = items[index].text;
    const tail = input.value.slice(end);
    input.setRangeText(tail.startsWith(" ") ? word : `${word} `, start, end, "end");
    close();
    input.focus();
    suggest();
  }

  async function suggest() {
    running?.abort();
    running = new AbortController();
    const before = input.value.slice(0, input.selectionStart);
    try {
      const answer = await request("complete", { class: className, text: before }, running.signal);
      items = answer.items;
      start = position(before, answer.start);
    } catch {
      items = [];
    }
    if (!items.length || document.activeElement !== input) return close();
    list.replaceChildren(...items.map((item, index) =>
      h("li", { id: `suggestion-${index}`, role: "option", onmousedown: (event) => {
        event.preventDefault();
        accept(index);
      } }, h("span", {}, item.text), h("small", {}, item.note))));
    chosen = -1;
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  }

  input.addEventListener("input", suggest);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const isOpen = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!isOpen) suggest();
      else choose(event.key === "ArrowDown" ? chosen + 1 : chosen < 0 ? -1 : chosen - 1);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      close();
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isOpen && chosen >= 0) accept(chosen);
      else {
        close();
        running?.abort();
        submit();
      }
    }
  });
  return { input, element: h("div", { class: "combobox" }, input, list) };
}

/** Returns the explanation of a mistake: the message, and the condition with a mark below it. */
export function mistakeElement(error, text) {
  const message = h("p", {}, error.message);
  if (error.offset == null || !text) return [message];
  const at = position(text, error.offset);
  const word = /^[\p{L}\p{N}_.]+|^.?/u.exec(text.slice(at))[0];
  return [message, h("pre", {},
    text.slice(0, at), h("mark", {}, word || " "), text.slice(at + word.length))];
}
