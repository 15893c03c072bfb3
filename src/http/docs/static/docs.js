/** Copy buttons, and the choice of a language that the next pages keep. Without this script all texts can be read. */
const LANGUAGE = "billow-docs-language";

async function copy(text, status) {
  await navigator.clipboard.writeText(text);
  status.textContent = "Copied";
}

for (const button of navigator.clipboard ? document.querySelectorAll(".bar button") : []) {
  button.hidden = false;
  const block = button.closest(".code");
  button.addEventListener("click", () =>
    copy(block.querySelector("code").textContent.replace(/\n$/, ""), block.querySelector("[role=status]")),
  );
}

const page = navigator.clipboard && document.querySelector("[data-copy-page]");
if (page) {
  page.hidden = false;
  page.addEventListener("click", async () => {
    const tools = page.parentElement;
    const answer = await fetch(tools.querySelector("a").href);
    await copy(await answer.text(), tools.querySelector("[role=status]"));
  });
}

/** A browser may forbid storage. The choice then holds for this page only. */
function stored(language) {
  try {
    if (language === undefined) return localStorage.getItem(LANGUAGE);
    localStorage.setItem(LANGUAGE, language);
  } catch {}
  return language ?? null;
}

function choose(language) {
  for (const input of document.querySelectorAll(".tabs > input")) if (input.value === language) input.checked = true;
}

choose(stored());
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs > input")) return;
  const before = target.getBoundingClientRect().top;
  choose(stored(target.value));
  // Blocks above may have another height now. The chosen tab stays under the pointer.
  scrollBy(0, target.getBoundingClientRect().top - before);
});

document.querySelector("#tree [aria-current]")?.scrollIntoView({ block: "center" });
scrollTo(scrollX, scrollY);
