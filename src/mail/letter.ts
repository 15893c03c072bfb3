import { html, raw } from "hono/html";
import { accentColours } from "../domain/organization/accent.ts";
import { displayName, type Organization } from "../domain/organization/organization.ts";
import { sellerLinks, type SellerAddresses, type SellerLink } from "../domain/organization/seller-links.ts";
import { ENGLISH, type Words } from "../texts/words.ts";

export type Row = { name: string; value: string; strong?: boolean };
/** A part of a letter: a paragraph, rows of names and values, or a link to the next step. */
export type Block = { text: string } | { rows: Row[] } | { label: string; url: string };
/**
 * The contents of an e-mail, before they are set as plain text and as HTML. All strings are plain text without markup,
 * in any script.
 */
export type Letter = { subject: string; heading: string; blocks: Block[] };
/** A letter that is ready to be sent. */
export type Message = { subject: string; text: string; html: string };

/** The Organization that a letter comes from. */
export type Sender = Pick<Organization, "name" | "branding" | "mode"> & SellerAddresses;

const OUR_ACCENT = "1f4fd8";
const SANDBOX = "This comes from a sandbox: no real money has moved.";
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
const SOFT = "color: #565d6d; font-size: 14px;";

/** The reader of a letter: a Customer of the Organization, or the seller. */
export type Audience = "buyer" | "seller";

const footer = (sender: Sender, audience: Audience) =>
  audience === "buyer"
    ? `You receive this e-mail because you are a customer of ${displayName(sender)}.`
    : `You receive this e-mail because this is the contact address of ${displayName(sender)} in Billow.`;

/** The links to the seller, each with its label. The seller's own letters have no such links. */
function linksOf(sender: Sender, audience: Audience, { seller }: Words = ENGLISH): (SellerLink & { label: string })[] {
  const labels: Partial<Record<SellerLink["kind"], string>> = {
    contact: seller.contact({ seller: displayName(sender) }),
    terms: seller.terms,
    privacy: seller.privacy,
  };
  const links = audience === "buyer" ? sellerLinks(sender) : [];
  return links.map((link) => ({ ...link, label: labels[link.kind] ?? link.shown }));
}

const asLine = ({ label, shown, url }: ReturnType<typeof linksOf>[number]) => {
  const target = url.startsWith("mailto:") ? shown : url;
  return label === shown ? target : `${label}: ${target}`;
};

const asAnchor = ({ label, url }: ReturnType<typeof linksOf>[number]) =>
  html`<a href="${url}" target="_blank" rel="noreferrer"
style="display: inline-block; margin: 0 16px 0 0; color: #565d6d">${label}</a>`;

function textOf(block: Block): string {
  if ("text" in block) return block.text;
  if ("rows" in block) return block.rows.map(({ name, value }) => `${name}: ${value}`).join("\n");
  return `${block.label}:\n${block.url}`;
}

function asText({ heading, blocks }: Letter, sender: Sender, audience: Audience): string {
  const parts = [
    ...(sender.mode === "sandbox" ? [SANDBOX] : []),
    heading,
    ...blocks.map(textOf),
    [`-- \n${footer(sender, audience)}`, ...linksOf(sender, audience).map(asLine)].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function rowHtml({ name, value, strong }: Row) {
  const weight = strong ? "font-weight: 600;" : "";
  return html`<div style="overflow: hidden; padding: 8px 0; border-bottom: 1px solid #e1e4ea; ${weight}">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">${name}</dt>
<dd style="float: right; margin: 0 0 0 16px">${value}</dd>
</div>`;
}

function blockHtml(block: Block, { ground, ink }: { ground: string; ink: string }) {
  if ("text" in block) return html`<p dir="auto" style="margin: 0 0 16px">${block.text}</p>\n`;
  if ("rows" in block) return html`<dl style="margin: 0 0 16px">${block.rows.map(rowHtml)}</dl>\n`;
  const button = `display: inline-block; padding: 12px 20px; border-radius: 8px; background: ${ground}; color: ${ink}`;
  return html`<p style="margin: 8px 0 24px"><a href="${block.url}" target="_blank" rel="noreferrer"
style="${button}; font-weight: 600; text-decoration: none">${block.label}</a></p>\n`;
}

/**
 * The name or logo on top. The merchant's logo is the only remote content, and its URL is the same for all recipients.
 */
function brand(sender: Sender) {
  const name = displayName(sender);
  const { logoUrl } = sender.branding;
  if (logoUrl === null) return html`<p dir="auto" style="margin: 0 0 16px; font-weight: 600">${name}</p>`;
  return html`<p style="margin: 0 0 16px; font-weight: 600"><img src="${logoUrl}" alt="${name}" height="32"></p>`;
}

function asHtml({ subject, heading, blocks }: Letter, sender: Sender, audience: Audience): string {
  const colours = accentColours(sender.branding.accentColor?.slice(1) ?? OUR_ACCENT);
  const links = linksOf(sender, audience).map((link) => html`${asAnchor(link)}\n`);
  const box =
    "padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: " +
    `4px solid ${colours.ground}; border-radius: 8px`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: ${raw(FONT)}; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
${sender.mode === "sandbox" ? html`<p style="margin: 0 0 16px; ${SOFT}">${SANDBOX}</p>` : ""}
${brand(sender)}
</header>
<main style="${box}">
<h1 dir="auto" style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: ${colours.text}">${heading}</h1>
${blocks.map((block) => blockHtml(block, colours))}</main>
<footer style="margin: 16px 0 0; ${SOFT}">
<p style="margin: 0">${footer(sender, audience)}</p>
${links.length === 0 ? "" : html`<p style="margin: 8px 0 0">${links}</p>`}
</footer>
</div>
</body>
</html>
`;
  return String(page);
}

/** Sets the same words as plain text and as HTML, in the sender's name and colours. */
export function setLetter(letter: Letter, sender: Sender, audience: Audience = "buyer"): Message {
  const subject = sender.mode === "sandbox" ? `[Sandbox] ${letter.subject}` : letter.subject;
  return { subject, text: asText(letter, sender, audience), html: asHtml({ ...letter, subject }, sender, audience) };
}
