/**
 * Results while a reader types, as a combobox (WAI-ARIA). The index and MiniSearch are loaded when the field gets the
 * focus for the first time. Without this script the form leads to a page of results.
 */
const MOST = 12;
const EXCERPT = 140;
const WEIGHTS = { Errors: 0.6, Reference: 0.8, Decisions: 0.4, Contribute: 0.4 };

const form = document.querySelector("form.search");
const field = form.querySelector("input");
const panel = form.querySelector(".found");
const url = new URL(form.dataset.index, location.href);

form.hidden = false;
form.querySelector("kbd").hidden = false;
const list = document.createElement("ul");
list.id = "found";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Results");
const state = document.createElement("p");
state.setAttribute("role", "status");
panel.append(list, state);
for (const [name, value] of [
  ["role", "combobox"],
  ["aria-autocomplete", "list"],
  ["aria-controls", "found"],
  ["aria-expanded", "false"],
])
  field.setAttribute(name, value);

let index;
/** The index of all sections. @throws if a file can't be loaded. */
async function load() {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import(new URL(form.dataset.library, location.href)),
    fetch(url),
  ]);
  const sections = await answer.json();
  const found = new MiniSearch({
    // A name such as already_subscribed or invoice.paid is a word, and each of its parts is one.
    tokenize: (text) => [...text.split(/[^\p{L}\p{N}]+/u), ...(text.match(/\w+(?:[._]\w+)+/g) ?? [])].filter(Boolean),
    fields: ["title", "page", "heading", "text"],
    storeFields: ["href", "group", "title", "heading", "text"],
    searchOptions: {
      boost: { title: 2, page: 26, heading: 8 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
      boostDocument: (_id, _term, { group }) => WEIGHTS[group] ?? 1,
    },
  });
  await found.addAllAsync(
    sections.map((section, id) => ({ id, ...section })),
    { chunkSize: 100 },
  );
  return found;
}

/** A text with its words of the question marked. */
function marked(text, words) {
  const any = words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, (sign) => `\\${sign}`)).join("|");
  const parts = text.split(new RegExp(`\\b(${any})`, "i"));
  return parts.map((part, at) => {
    if (at % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

function excerptOf(text, words) {
  const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
  const from = at > EXCERPT / 2 ? text.indexOf(" ", at - EXCERPT / 2) + 1 : 0;
  const part = text.slice(from, from + EXCERPT);
  const isCut = text.length > from + EXCERPT;
  return `${from > 0 ? "… " : ""}${isCut ? `${part.slice(0, part.lastIndexOf(" "))} …` : part}`;
}

function option({ href, group, title, heading, text, terms }, number) {
  const item = document.createElement("li");
  item.id = `found-${number}`;
  item.dataset.href = new URL(href, url).href;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const name = document.createElement("b");
  name.append(...marked(heading || title, terms));
  const where = document.createElement("span");
  where.textContent = heading ? `${group} › ${title}` : group;
  const excerpt = document.createElement("span");
  excerpt.append(...marked(excerptOf(text, terms), terms));
  item.append(name, where, excerpt);
  return item;
}

let selected = -1;
function select(number) {
  const options = list.children;
  if (options[selected]) options[selected].setAttribute("aria-selected", "false");
  selected = number;
  const now = options[selected];
  if (!now) return field.removeAttribute("aria-activedescendant");
  now.setAttribute("aria-selected", "true");
  now.scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", now.id);
}

function show(isShown) {
  panel.hidden = !isShown;
  field.setAttribute("aria-expanded", String(isShown && list.children.length > 0));
}

async function update() {
  const question = field.value.trim();
  if (question === "") {
    list.replaceChildren();
    return show(false);
  }
  try {
    const found = await (index ??= load());
    // A later letter has its own search.
    if (question !== field.value.trim()) return;
    const results = found.search(question).slice(0, MOST);
    list.replaceChildren(...results.map(option));
    state.textContent = results.length === 0 ? `No page has “${question}”.` : "";
    state.hidden = results.length > 0;
  } catch {
    index = undefined;
    list.replaceChildren();
    state.textContent = "The search can’t be loaded.";
    state.hidden = false;
  }
  show(true);
  select(list.children.length > 0 ? 0 : -1);
}

function open(item) {
  show(false);
  field.blur();
  location.href = item.dataset.href;
}

field.addEventListener("focus", () => (index ??= load().catch(() => (index = undefined))));
field.addEventListener("input", update);
field.addEventListener("keydown", (event) => {
  const { length } = list.children;
  if (event.key === "Escape" && !panel.hidden) {
    event.preventDefault();
    return show(false);
  }
  if (panel.hidden || length === 0) return;
  if (event.key === "ArrowDown") select((selected + 1) % length);
  else if (event.key === "ArrowUp") select((selected - 1 + length) % length);
  else return;
  event.preventDefault();
});
form.addEventListener("submit", (event) => {
  const item = list.children[selected];
  if (panel.hidden || !item) {
    if (!form.hasAttribute("action")) event.preventDefault();
    return;
  }
  event.preventDefault();
  open(item);
});
list.addEventListener("pointerdown", (event) => event.preventDefault());
list.addEventListener("click", ({ target }) => {
  const item = target.closest("li");
  if (item) open(item);
});
form.addEventListener("focusout", ({ relatedTarget }) => {
  if (!form.contains(relatedTarget)) show(false);
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]");
  const isShortcut =
    event.key === "/" ? !isTyping && !event.ctrlKey : event.key === "k" && (event.ctrlKey || event.metaKey);
  if (!isShortcut) return;
  event.preventDefault();
  field.focus();
  field.select();
});
