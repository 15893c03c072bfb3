// The settings of the dashboard. Each page works without this script.

/** The previews follow the typing after this pause, in milliseconds. */
const PAUSE = 300;

const frames = [...document.querySelectorAll("[data-preview] iframe")];
const form = document.querySelector("form.settings");
let waiting;
let asked = new XMLHttpRequest();

/** The typed values of a preview. */
function typedIn() {
  const typed = new URLSearchParams();
  for (const { name, value } of form.querySelectorAll("input[name*='.']")) typed.set(name, value);
  return typed;
}

/** Replaces the parts that the server computes, by the form's own preview. XMLHttpRequest parses the page. */
function refreshParts() {
  const body = new URLSearchParams(new FormData(form));
  body.set("action", "preview");
  asked.abort();
  asked = new XMLHttpRequest();
  asked.open("POST", location.pathname);
  asked.responseType = "document";
  asked.addEventListener("load", ({ target: { response: page } }) => {
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page?.querySelector(`[data-live="${part.dataset.live}"]`);
      if (fresh) part.replaceChildren(...fresh.childNodes);
    }
  });
  asked.send(body);
}

/** A replaced address adds no entry to the browser's history. */
function refresh() {
  const typed = typedIn();
  for (const frame of frames) {
    const address = new URL(frame.src);
    address.search = typed;
    frame.contentWindow.location.replace(address);
  }
  refreshParts();
}

if (frames.length > 0 && form)
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, PAUSE);
  });
