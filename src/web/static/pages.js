// Makes the pages smoother. Each of them works without it.

/** A second click must not send the form again. */
for (const form of document.querySelectorAll("form[data-once]")) {
  const status = form.querySelector("[data-busy]");
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    if (status) status.textContent = status.dataset.busy;
  });
  // A page that the browser kept as it was left, for its back button.
  addEventListener("pageshow", () => {
    delete form.dataset.sent;
    if (status) status.textContent = "";
  });
}

/** Groups what is typed as it stands on the card, unless somebody is correcting it. */
function shape(id, format) {
  const input = document.getElementById(id);
  input?.addEventListener("input", (event) => {
    const isAtEnd = input.selectionStart === input.value.length;
    if (isAtEnd && !event.inputType?.startsWith("delete")) input.value = format(input.value);
  });
}

shape("number", (value) => value.replace(/\D/g, "").slice(0, 19).replace(/(\d{4})(?=\d)/g, "$1 "));
shape("expiry", (value) => {
  const [, month, slash, year] = /^\s*(\d{0,2})\s*(\/?)\s*(\d{0,4})/.exec(value);
  if (slash) return `${month.padStart(2, "0")} / ${year}`;
  return month.length === 2 ? `${month} / ${year}` : month;
});

/** Asks whether there is news, every second at first and then less and less often, and shows it. */
function poll({ poll: address, progress }, seconds) {
  setTimeout(async () => {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok && (await answer.text()) !== progress) location.reload();
    else poll({ poll: address, progress }, Math.min(seconds * 1.3, 15));
  }, seconds * 1000);
}

const waiting = document.querySelector("[data-poll]");
if (waiting) poll(waiting.dataset, 1);
