/**
 * The search of the reference on a narrow screen, where openapi-explorer shows no navigation, and the key for "Try it".
 * The key is only in the memory of this page.
 */
const explorer = document.querySelector("openapi-explorer");
const search = document.querySelector("#search");
search.addEventListener("click", () => explorer.onShowSearchModalClicked());
explorer.addEventListener("spec-loaded", () => (search.hidden = false));

const field = document.querySelector("#key");
const state = document.querySelector("#key-state");
let key = "";
if (field) {
  field.parentElement.hidden = false;
  field.addEventListener("input", () => {
    const typed = field.value.trim();
    key = typed.startsWith("blw_test_") ? typed : "";
    const isLive = typed.startsWith("blw_live");
    if (isLive) field.value = "";
    state.dataset.refused = String(isLive || (typed !== "" && key === ""));
    state.textContent = isLive
      ? "This was a live key: its requests move real money. Paste a key of a sandbox."
      : typed !== "" && key === ""
        ? "A key of a sandbox begins with blw_test_."
        : "The key stays in this page until you leave it.";
  });
}

/** The server that shows this page, which may have another name in its OpenAPI document. */
const { base, path } = explorer.dataset;
explorer.addEventListener("before-try", ({ detail: { request } }) => {
  const { pathname, search: query } = new URL(request.url, location.href);
  const own = pathname.slice(pathname.indexOf(path) + path.length);
  request.url = `${new URL(base, location.href).href}${own}${query}`;
  if (key !== "") request.headers.set("Authorization", `Bearer ${key}`);
});
