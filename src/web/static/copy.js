/** Copies a text, such as a license key or a command. Without this script the text can be selected. */
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.nextElementSibling.textContent = button.dataset.copied;
  });
}
