import { html } from "hono/html";
import type { Context } from "../context.ts";
import { displayName, type Organization } from "../domain/model/organization.ts";
import { sentences } from "../texts/phrases.ts";
import type { Words } from "../texts/words.ts";
import { assetPaths } from "./assets.ts";
import { sellerFooter } from "./components/seller-footer.ts";

export type Html = ReturnType<typeof html>;

/**
 * `words`: the reader's language. `organization`: the owner of the page; null: Billow itself. `head`: further elements
 * of the head. `isSellers`: false for a page that buyers see as another party's, or not at all; it has no links to the
 * seller.
 */
export type Page = {
  words: Words;
  organization: Organization | null;
  title: string;
  head?: Html | undefined;
  body: Html;
  isSellers?: boolean;
};

/** The banner keeps visitors from taking a sandbox for a shop, and from typing a real card into it. */
function sandboxBanner(words: Words, { clockAt, timeZone }: Organization): Html {
  const { frame, day } = words;
  const clock = clockAt === null ? "" : frame.sandboxClock({ day: day(clockAt, timeZone) });
  return html`<header class="sandbox">
<strong>${frame.sandbox}</strong> <span>${sentences(words, frame.sandboxNote, clock)}</span>
</header>`;
}

/** The merchant's initial on their colour, and their name. Texts of merchants may be in any script and direction. */
export function merchantName(organization: Organization): Html {
  const name = displayName(organization);
  const initial = [...name][0]!.toUpperCase();
  return html`<p class="merchant"><span class="initial" aria-hidden="true">${initial}</span> <bdi>${name}</bdi></p>`;
}

export const stylesheet = (path: string) => html`<link rel="stylesheet" href="${path}">`;

export function layout(ctx: Context, { words, organization, title, head, body, isSellers = true }: Page): Html {
  const { styles, scripts, icon } = assetPaths(ctx, organization?.branding.accentColor ?? null);
  return html`<!doctype html>
<html lang="${words.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}${organization ? ` · ${displayName(organization)}` : ""}</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
${styles.map((href) => html`${stylesheet(href)}\n`)}
${scripts.map((src) => html`<script src="${src}" type="module"></script>\n`)}
${head ?? ""}
</head>
<body>
${organization?.mode === "sandbox" ? sandboxBanner(words, organization) : ""}
${body}
${organization && isSellers ? sellerFooter(words, organization) : ""}
</body>
</html>
`;
}
