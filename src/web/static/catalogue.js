// Keeps the picture beside a form of the catalogue up to date. Without this script, the button "Preview" does so.

/** The time without a key press after which the picture is drawn again. */
const PAUSE_MILLISECONDS = 300;

const form = document.querySelector("form[data-pictured]");
const previews = form?.querySelectorAll("[data-scriptless]") ?? [];
let timer = 0;
let asked = new XMLHttpRequest();

const showButtons = (shown) => previews.forEach((button) => (button.hidden = !shown));

/** Scripts may not turn text into elements (`require-trusted-types-for`), so an XMLHttpRequest parses the answer. */
function draw() {
  const typed = new URLSearchParams(new FormData(form));
  typed.set("action", "picture");
  asked.abort();
  asked = new XMLHttpRequest();
  asked.open("POST", location.href);
  asked.responseType = "document";
  asked.addEventListener("load", ({ target: { response: page } }) => {
    if (!page?.querySelector("form[data-pictured]")) return showButtons(true);
    for (const part of document.querySelectorAll("[data-live]")) {
      if (part.contains(document.activeElement)) continue;
      const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
      if (fresh) part.replaceChildren(...fresh.childNodes);
    }
  });
  asked.addEventListener("error", () => showButtons(true));
  asked.send(typed);
}

if (form) {
  showButtons(false);
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(draw, PAUSE_MILLISECONDS);
  });
}
