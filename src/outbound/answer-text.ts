const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** The text of a piece of HTML, a line for each element. */
function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script)\b.*?<\/\1\s*>/gis, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** A page's title, or the first line of its text if that line says more: many servers put the fault only there. */
function ofPage(html: string): string {
  const [, title = ""] = /<title[^>]*>(.*?)<\/title>/is.exec(html) ?? [];
  const [named, said] = [title, html.replace(/^.*<\/head>/is, "")].map((part) => textOfHtml(part).trim());
  const first = said!.split(/[\r\n]/)[0]!;
  return first.length > named!.length ? first : named!;
}

/**
 * The beginning of a stranger's text or HTML page, as a terminal may show it: no character in it moves the cursor.
 */
export function firstLine(text: string): string {
  const isPage = /^\s*<(!doctype html|html)\b/i.test(text);
  return (isPage ? ofPage(text) : text)
    .trim()
    .split(/[\r\n]/)[0]!
    .replace(/\p{Cc}/gu, "")
    .slice(0, 100);
}
