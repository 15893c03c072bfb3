// Buttons that copy a text of the page. Without this script they stay hidden, and the text can be selected.

/** Copies the text of an element. Old browsers, and pages without TLS, have no clipboard and copy the selection. */
async function copy(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(element);
    return document.execCommand("copy");
  }
}

for (const button of document.querySelectorAll("[data-copies]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(document.getElementById(button.dataset.copies));
    if (!done) return;
    button.textContent = button.dataset.copied;
    const status = button.parentElement.querySelector("[role=status]");
    if (status) status.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
      if (status) status.textContent = "";
    }, 4000);
  });
}
