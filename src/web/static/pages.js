// Makes the pages smoother. Each page works without this script.

/** The actions of buttons that change only the amounts. */
const DESCRIBING = ["update", "quantity", "apply", "remove"];

/** A second click must not send the form again. */
for (const form of document.querySelectorAll("form[data-once]")) {
  const status = form.querySelector("[data-busy]");
  form.addEventListener("submit", (event) => {
    const action = event.submitter?.value;
    if (DESCRIBING.includes(action)) {
      event.preventDefault();
      describe(form, action);
      return;
    }
    // Such a button shows other figures, and makes no change.
    if (event.submitter?.hasAttribute("data-shows")) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    if (status) status.textContent = status.dataset.busy;
  });
  // The browser's back button may show a page in the state in which the buyer left it.
  addEventListener("pageshow", () => {
    delete form.dataset.sent;
    if (status) status.textContent = "";
  });
}

/** Groups the typed digits as on the card, unless the buyer is correcting earlier digits. */
const shapes = {
  number: (value) =>
    value
      .replace(/\D/g, "")
      .slice(0, 19)
      .replace(/(\d{4})(?=\d)/g, "$1 "),
  expiry(value) {
    const [, month, slash, year] = /^\s*(\d{0,2})\s*(\/?)\s*(\d{0,4})/.exec(value);
    if (slash) return `${month.padStart(2, "0")} / ${year}`;
    return month.length === 2 ? `${month} / ${year}` : month;
  },
};
addEventListener("input", (event) => {
  const { target: input } = event;
  const format = shapes[input.id];
  if (!format) return;
  const isAtEnd = input.selectionStart === input.value.length;
  if (isAtEnd && !event.inputType?.startsWith("delete")) input.value = format(input.value);
});

/** The brands of cards by the first digits of their numbers. */
const BRANDS = {
  visa: /^4/,
  mastercard: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
  amex: /^3[47]/,
  discover: /^(6011|64[4-9]|65)/,
  jcb: /^35(2[89]|[3-8])/,
  diners: /^3(0[0-5]|09|[689])/,
  unionpay: /^(62|81)/,
};

/** Fades the brands that the typed number does not belong to. */
function showBrand(typed) {
  const digits = typed.replace(/\D/g, "");
  const found = Object.keys(BRANDS).find((brand) => BRANDS[brand].test(digits));
  for (const sign of document.querySelectorAll(".brands [data-brand]"))
    sign.toggleAttribute("data-off", found !== undefined && sign.dataset.brand !== found);
}
addEventListener("input", ({ target }) => {
  if (target.id === "number") showBrand(target.value);
});

const CARD = ["number", "expiry", "cvc"];
const TYPED = "input:not([type=radio], [type=hidden]), select";
let asked = new XMLHttpRequest();

/** Shows the amounts of an answer: replaces each part that has another state in the answer. */
function takeOver(form, page) {
  for (const part of document.querySelectorAll("[data-part]")) {
    // A part within another part has gone if the other part was replaced.
    if (!part.isConnected) continue;
    const fresh = page.querySelector(`[data-part="${part.dataset.part}"]`);
    if (fresh.dataset.state !== undefined && fresh.dataset.state === part.dataset.state) continue;
    const held = part.contains(document.activeElement) && part !== document.activeElement;
    if (fresh.dataset.state !== undefined) part.dataset.state = fresh.dataset.state;
    const isOpen = part.querySelector("details")?.open;
    const typed = new Map([...part.querySelectorAll(TYPED)].map((field) => [field.name, field]));
    part.replaceChildren(...fresh.childNodes);
    keepTyped(part, typed);
    hideScriptless(part);
    // The buyer has unfolded the fields of this part.
    if (isOpen) part.querySelector("details")?.setAttribute("open", "");
    if (held) (part.querySelector("[aria-invalid]") ?? part.querySelector("input, button"))?.focus();
  }
  dropMended(form.querySelector(".notice"));
  // The page shows the amount above the button. Only a screen reader needs to hear the change.
  form.querySelector("[data-heard]").textContent = page.querySelector("form[data-said]").dataset.said;
  form.querySelector("[data-busy]").textContent = "";
}

/**
 * The buyer may have typed on while the request was under way. A text that the buyer left as it was gives way to that
 * of the answer: another tab may have chosen another quantity. A part with a fault is unfolded.
 */
function keepTyped(part, typed) {
  for (const field of part.querySelectorAll(TYPED)) {
    const { value, defaultValue } = typed.get(field.name) ?? {};
    const isLeft = value === defaultValue && field.value !== "";
    if (value && !isLeft && (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === value)))
      field.value = value;
  }
  if (part.querySelector("[aria-invalid]")) part.closest("details")?.setAttribute("open", "");
}

/** Hides the buttons whose work the script does at once. */
function hideScriptless(within) {
  for (const button of within.querySelectorAll("[data-scriptless]")) button.hidden = true;
}

/** Removes each field without a fault from the notice above the form, and a notice without fields. */
function dropMended(notice) {
  for (const link of notice?.querySelectorAll('a[href^="#"]') ?? []) {
    if (!document.querySelector(link.hash)?.matches("[aria-invalid]")) link.closest("li").remove();
  }
  if (notice && !notice.querySelector("li")) notice.remove();
}

/**
 * Sends the fields that the amounts depend on, never the card. All other fields keep their typed values. Scripts may
 * not turn text into elements (`require-trusted-types-for`), so an XMLHttpRequest parses the answer.
 */
function describe(form, action) {
  const typed = new URLSearchParams(new FormData(form));
  for (const name of CARD) typed.delete(name);
  typed.set("action", action);
  asked.abort();
  asked = new XMLHttpRequest();
  asked.open("POST", location.href);
  asked.responseType = "document";
  asked.addEventListener("load", ({ target: { response: page, status } }) => {
    if (page?.querySelector("form[data-said]")) takeOver(form, page);
    else if (status === 429 || status >= 500) failed(form);
    else openAgain();
  });
  asked.addEventListener("error", () => failed(form));
  asked.send(typed);
}

function failed(form) {
  for (const button of form.querySelectorAll("[data-scriptless]")) button.hidden = false;
  const status = form.querySelector("[data-busy]");
  status.textContent = status.dataset.failed;
}

const checkout = document.querySelector("form[data-said]");
if (checkout) {
  hideScriptless(checkout);
  checkout.addEventListener("change", ({ target }) => {
    const part = target.closest("[data-affects-total]");
    if (part) describe(checkout, part.dataset.affectsTotal || "update");
  });
  // An answer that checks.js has fetched.
  checkout.addEventListener("answer", ({ detail: page }) => takeOver(checkout, page));
  checkout.addEventListener("keydown", (event) => {
    const action = { code: "apply", quantity: "quantity" }[event.target.id];
    if (event.key !== "Enter" || !action) return;
    event.preventDefault();
    describe(checkout, action);
  });
}

/**
 * Opens the page's address again. A reload would send a form again, if the page is the answer to that form. An address
 * with a fragment (`#invoices`) would only be scrolled.
 */
function openAgain() {
  location.replace(location.pathname + location.search);
}

/**
 * Polls for the progress, after one second at first and then at growing intervals. Reloads the page when the progress
 * has changed.
 */
function poll({ poll: address, progress }, seconds) {
  setTimeout(async () => {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok && (await answer.text()) !== progress) openAgain();
    else poll({ poll: address, progress }, Math.min(seconds * 1.3, 15));
  }, seconds * 1000);
}

const waiting = document.querySelector("[data-poll]");
if (waiting) poll(waiting.dataset, 1);
