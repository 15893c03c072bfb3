// Shows the progress of a sandbox's clock. Without this script, the page has a link "Refresh".

const WAIT_MILLISECONDS = 1000;

/** Opens the page again when the advance has ended. A reload would send a form again, if the page answered a form. */
function openAgain(live) {
  const { search } = location;
  // With `since` the page counts the events of the advance. Any other message is over.
  location.replace(live.dataset.page + (new URLSearchParams(search).has("since") ? search : ""));
}

/** Puts the fresh part in the place of the old one. A focused link keeps the focus, if it is still there. */
function takeOver(live, fresh) {
  const href = live.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  const status = live.querySelector("[role=status]");
  const freshStatus = fresh.querySelector("[role=status]");
  // The region of the status stays, so that a screen reader says its changes.
  status.replaceChildren(...freshStatus.childNodes);
  freshStatus.replaceWith(status);
  live.replaceChildren(...fresh.childNodes);
  if (href !== null) live.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus();
}

/** Asks for the progress. Scripts may not turn text into elements, so an XMLHttpRequest parses the answer. */
function look(live) {
  const asked = new XMLHttpRequest();
  asked.open("GET", live.dataset.live);
  asked.responseType = "document";
  asked.addEventListener("loadend", () => {
    const fresh = asked.status === 200 ? asked.response?.querySelector("#live") : null;
    if (asked.status >= 400 && asked.status < 500) return;
    if (fresh && fresh.dataset.live === undefined) return openAgain(live);
    if (fresh) takeOver(live, fresh);
    setTimeout(look, WAIT_MILLISECONDS, live);
  });
  asked.send();
}

const live = document.querySelector("#live[data-live]");
if (live) {
  for (const link of document.querySelectorAll("[data-scripted]")) link.hidden = true;
  setTimeout(look, WAIT_MILLISECONDS, live);
}
