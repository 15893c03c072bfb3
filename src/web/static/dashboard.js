// Keys for people who look through many rows. Each page works without this script.

/** Remembered in this browser: the keys are off. */
const OFF = "billow.keys.off";

const keys = document.querySelector("[data-keys]");
const choice = keys?.querySelector("input");
if (choice) {
  keys.hidden = false;
  choice.checked = localStorage.getItem(OFF) === null;
  choice.addEventListener("change", () => {
    if (choice.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "yes");
  });
}

/** The link of each row. */
const rows = () => [...document.querySelectorAll(".list tbody th a, .hits a")];

/** Moves the focus by a row. Without a focused row, both keys begin at the first one. */
function move(by) {
  const links = rows();
  const present = links.indexOf(document.activeElement);
  const next = links[present === -1 ? 0 : Math.min(Math.max(present + by, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const DEEDS = {
  "/"() {
    document.querySelector("#q")?.select();
  },
  j: () => move(1),
  k: () => move(-1),
  o() {
    if (rows().includes(document.activeElement)) document.activeElement.click();
  },
  n: () => document.querySelector("a[rel=next]")?.click(),
  p: () => document.querySelector("a[rel=prev]")?.click(),
};

addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (!choice?.checked || ctrlKey || metaKey || altKey || isComposing || !Object.hasOwn(DEEDS, key)) return;
  if (target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
  event.preventDefault();
  DEEDS[key]();
});
