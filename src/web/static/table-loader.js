// Puts a pricing table into a page of any site: into the first empty `<div data-billow-table>`, else before this script.
// A script in the head has no place in sight, so its table ends the page.
(() => {
  const script = document.currentScript;
  const address = new URL(script.src);
  address.pathname = address.pathname.replace(/\.js$/, "");
  for (const name of ["accent", "scheme", "radius", "lang", "currency", "product", "discount"])
    if (script.dataset[name]) address.searchParams.set(name, script.dataset[name]);

  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = script.dataset.title ?? "Plans and prices";
  frame.width = "100%";
  frame.height = "640";
  frame.setAttribute("frameborder", "0");

  // Only the frame itself, with a page of its own origin, sets the height.
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin) return;
    const height = Number(data?.billowTableHeight);
    if (height >= 1 && height <= 20000) frame.height = String(Math.ceil(height));
  });

  const place = () => {
    const empty = [...document.querySelectorAll("[data-billow-table]")].find((each) => !each.hasChildNodes());
    if (empty) empty.append(frame);
    else if (script.closest("body")) script.before(frame);
    else document.body.append(frame);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", place);
  else place();
})();
