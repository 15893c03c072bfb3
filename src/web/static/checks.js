// Checks the fields of a form before the form is sent, by the server's rules and in the server's words. The server
// checks each form again.

const digitsOf = (value) => value.replace(/[\s-]/g, "");

function hasCheckDigit(digits) {
  const doubled = (digit) => (digit > 4 ? digit * 2 - 9 : digit * 2);
  const sum = [...digits].reverse().reduce((total, each, n) => total + (n % 2 === 1 ? doubled(+each) : +each), 0);
  return sum % 10 === 0;
}

/** The words of the fault of a trimmed value, or null. An empty value fits all rules but `required`. */
const rules = {
  required: (value, words) => (value === "" ? words : null),
  match: (value, words, pattern, flags) => (value === "" || new RegExp(pattern, flags).test(value) ? null : words),
  without: (value, words, pattern, flags) => (new RegExp(pattern, flags).test(value) ? words : null),
  most: (value, words, characters) => ([...value].length > characters ? words : null),
  number(value, incomplete, wrong) {
    const digits = digitsOf(value);
    if (!/^\d{12,19}$/.test(digits)) return incomplete;
    return digits.startsWith("62") || hasCheckDigit(digits) ? null : wrong;
  },
  expiry(value, incomplete, past, earliest) {
    const [, month, year] = /^(\d{1,2})\s*[/.\s-]?\s*(\d{4}|\d{2})$/.exec(value) ?? [];
    if (!month || +month < 1 || +month > 12) return incomplete;
    const fullYear = year.length === 2 ? 2000 + +year : +year;
    return fullYear * 100 + +month < earliest ? past : null;
  },
  cvc(value, incomplete, three, four) {
    const number = digitsOf(document.getElementById("number").value);
    if (!/^\d/.test(number)) return /^\d{3,4}$/.test(value) ? null : incomplete;
    const length = /^3[47]/.test(number) ? 4 : 3;
    return /^\d+$/.test(value) && value.length === length ? null : length === 4 ? four : three;
  },
};

/** Whether the field belongs to a group that may be left out, and that is empty. */
function isLeftOut(input) {
  const group = input.closest("[data-optional]");
  return group !== null && [...group.querySelectorAll("input")].every(({ value }) => value.trim() === "");
}

function faultOf(input) {
  if (isLeftOut(input)) return null;
  const value = input.type === "checkbox" && !input.checked ? "" : input.value.trim();
  for (const [rule, ...words] of JSON.parse(input.dataset.checks)) {
    const fault = rules[rule](value, ...words);
    if (fault) return fault;
  }
  return null;
}

/** Shows the fault below its field, as the server does; null removes the fault. */
function show(input, fault) {
  const id = `${input.id}-fault`;
  const others = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each && each !== id);
  const said = document.getElementById(id);
  if (fault === null) {
    said?.remove();
    input.removeAttribute("aria-invalid");
  } else {
    const text = said ?? Object.assign(document.createElement("p"), { id, className: "fault" });
    text.textContent = fault;
    if (!said) input.closest(".field").append(text);
    input.closest("details")?.setAttribute("open", "");
    input.setAttribute("aria-invalid", "true");
    others.push(id);
  }
  if (others.length > 0) input.setAttribute("aria-describedby", others.join(" "));
  else input.removeAttribute("aria-describedby");
}

const CARD = ["number", "expiry", "cvc"];
const fieldsOf = (form) => [...form.querySelectorAll("[data-checks]")];
const noticeOf = (form) => form.querySelector(".notice");

/** Puts a notice with these faults above the form, in place of an earlier one. */
function announce(form, faulty) {
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const entry = ([input, fault]) => make("li", {}, make("a", { href: `#${input.id}`, textContent: fault }));
  const { notice: words } = (form.querySelector("[data-notice]") ?? form).dataset;
  const title = make("h2", { id: "notice-title", textContent: words });
  const notice = make("div", { className: "notice", tabIndex: -1 }, title, make("ul", {}, ...faulty.map(entry)));
  notice.setAttribute("role", "alert");
  notice.setAttribute("aria-labelledby", "notice-title");
  noticeOf(form)?.remove();
  form.prepend(notice);
}

/** Removes a field without a fault from the notice, and a notice without entries. */
function mend(input) {
  show(input, null);
  // The same fault in the next answer of the server is shown again. The part of the card is never replaced for that.
  const part = input.closest("[data-part][data-state]");
  if (part && !CARD.includes(input.id)) part.dataset.state = "";
  const notice = noticeOf(input.form);
  notice?.querySelector(`a[href="#${input.id}"]`)?.closest("li").remove();
  if (notice && !notice.querySelector("li")) notice.remove();
}

let isPressed = false;
addEventListener("pointerdown", () => (isPressed = true), { capture: true });
for (const type of ["pointerup", "pointercancel"]) addEventListener(type, () => (isPressed = false), { capture: true });

/** Checks a field that the buyer leaves. An empty field is left alone until the form is sent. */
function leave(input) {
  const fault = input.value.trim() === "" ? null : faultOf(input);
  if (fault) show(input, fault);
}

addEventListener("focusout", ({ target: input }) => {
  if (!input.matches?.("[data-checks]")) return;
  // A fault moves the page. A button that is being pressed must stay where it is.
  if (isPressed) addEventListener("pointerup", () => setTimeout(leave, 0, input), { once: true });
  else leave(input);
});

addEventListener("input", ({ target: input }) => {
  // A fault that only the server finds was about the earlier value.
  if (input.matches("[aria-invalid]") && (!input.dataset.checks || faultOf(input) === null)) mend(input);
});

/** Shows the faults of an answer of the server. The card stays as it was typed. */
function takeFaults(form, page, answered) {
  form.dispatchEvent(new CustomEvent("answer", { detail: page }));
  noticeOf(form)?.remove();
  form.prepend(noticeOf(answered));
  const faulty = [...answered.querySelectorAll("[aria-invalid]")].filter(({ id }) => !CARD.includes(id));
  for (const { id } of faulty) {
    const said = page.getElementById(`${id}-fault`) ?? document.getElementById(`${id}-fault`);
    if (said) show(document.getElementById(id), said.textContent);
  }
  (form.querySelector("[aria-invalid]") ?? noticeOf(form)).focus();
}

/**
 * Sends all fields but the card first. If the answer has faults, the page shows them and keeps the typed card. A page
 * that is sent and comes back never has the card.
 */
function preflight(form, button) {
  const status = form.querySelector("[data-busy]");
  const typed = new URLSearchParams(new FormData(form));
  for (const name of CARD) typed.delete(name);
  typed.set("action", "check");
  form.dataset.checking = "yes";
  status.textContent = status.dataset.busy;
  const request = new XMLHttpRequest();
  request.open("POST", location.href);
  request.responseType = "document";
  const fail = () => {
    delete form.dataset.checking;
    status.textContent = status.dataset.unsent;
  };
  request.addEventListener("error", fail);
  request.addEventListener("load", () => {
    const { response: page, status: code } = request;
    if (code === 429 || code >= 500) return fail();
    delete form.dataset.checking;
    const answered = page?.querySelector("form[data-said]");
    if (answered && noticeOf(answered)) return takeFaults(form, page, answered);
    form.dataset.checked = "yes";
    form.requestSubmit(button);
  });
  request.send(typed);
}

function onSubmit(event) {
  const { target: form, submitter } = event;
  const fields = fieldsOf(form);
  const isPage = form.matches("[data-said]");
  // The other buttons send a part of the form, such as a code.
  if (submitter?.name === "action" || (fields.length === 0 && !isPage)) return;
  const stop = () => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  if (form.dataset.checking) return stop();
  const faulty = fields.map((input) => [input, faultOf(input)]).filter(([, fault]) => fault !== null);
  if (faulty.length > 0) {
    stop();
    delete form.dataset.checked;
    for (const [input, fault] of faulty) show(input, fault);
    announce(form, faulty);
    faulty[0][0].focus();
  } else if (form.dataset.said && !form.dataset.checked) {
    // Only the page of a Checkout says its amount and answers a check. Another server would act twice.
    stop();
    preflight(form, submitter);
  } else delete form.dataset.checked;
}

// Before the listeners of pages.js.
addEventListener("submit", onSubmit, { capture: true });
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form")) {
    delete form.dataset.checked;
    delete form.dataset.checking;
  }
});
