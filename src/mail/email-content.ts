import { html, raw } from "hono/html";
import { accentColors } from "../domain/organization/accent.ts";
import { displayName, type Organization } from "../domain/model/organization.ts";
import { sellerLinks, type SellerAddresses, type SellerLink } from "../domain/organization/seller-links.ts";
import { ENGLISH, type Words } from "../texts/words.ts";

export type Row = { name: string; value: string; strong?: boolean };
export type Link = { label: string; url: string };
/** A text to copy, such as a license key. `notes`: lines below. */
export type Code = { name: string; code: string; notes: string[] };
/**
 * A part of an e-mail: a paragraph, the title of the parts after it, rows of names and values, a text to copy, a link
 * to the next step, or further links.
 */
export type Block = { text: string } | { title: string } | { rows: Row[] } | Code | Link | { links: Link[] };
/**
 * The contents of an e-mail, before they are set as plain text and as HTML. All strings are plain text without markup,
 * in any script. `reason`: why the reader gets the e-mail, if the reader may be a stranger to the seller.
 */
export type EmailContent = { subject: string; heading: string; blocks: Block[]; reason?: string };
/** An e-mail that is ready to be sent. */
export type Message = { subject: string; text: string; html: string };

/** The Organization that an e-mail comes from. */
export type Sender = Pick<Organization, "name" | "branding" | "mode"> & SellerAddresses;

/** The reader of an e-mail: a Customer with the words of their language, the seller, or an invited person. */
export type Reader = Words | "seller" | "invited";
type LabelledLink = SellerLink & { label: string };
/** The words around an e-mail. `reason`: why the reader gets the e-mail. `links`: to the seller. */
type Frame = {
  locale: string;
  label: Words["mailFrame"]["label"];
  sandbox: string;
  reason: string;
  links: LabelledLink[];
};

const OUR_ACCENT = "1f4fd8";
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
const MONOSPACE = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace";
const SOFT = "color: #565d6d; font-size: 14px;";
const LINE = "border-bottom: 1px solid #e1e4ea;";

type Colors = ReturnType<typeof accentColors>;

/**
 * The colours of a dark mail program or frame, as on our dark pages. Mail programs that know no media queries keep the
 * colours in the attributes of the elements, which only `!important` overrules.
 */
const darkStyles = ({ darkText }: Colors) => `@media screen and (prefers-color-scheme: dark) {
  .ground { background: #12141a !important; color: #e8eaf0 !important; }
  .surface { background: #1b1e26 !important; border-color: ${darkText} #353a47 #353a47 !important; }
  .line { border-color: #353a47 !important; }
  .soft { color: #aab1c0 !important; }
  .accent { color: ${darkText} !important; }
}`;

/** No last line of a single word or letter, and no gap below the last part, where a mail program knows these rules. */
const LINE_STYLES = `h1, h2 { text-wrap: balance; }
p, dt, dd, li { text-wrap: pretty; }
:is(h1, h2, p, dd, li):lang(ja) { word-break: auto-phrase; }
main > :last-child { margin-bottom: 0 !important; }`;

/** The links to the seller, each with its label. */
function linksOf(sender: Sender, { seller }: Words): LabelledLink[] {
  const labels: Partial<Record<SellerLink["kind"], string>> = {
    contact: seller.contact({ seller: displayName(sender) }),
    terms: seller.terms,
    privacy: seller.privacy,
  };
  return sellerLinks(sender).map((link) => ({ ...link, label: labels[link.kind] ?? link.shown }));
}

const REASONS = {
  seller: (name: string) => `You are receiving this e-mail because this is the contact address of ${name} in Billow.`,
  invited: (name: string) =>
    `You are receiving this e-mail because someone entered this address for an invitation to ${name}. If you did not ` +
    "expect the invitation, you can ignore this e-mail.",
};

/** Letters to the seller's own people have no links to the seller. */
function frameFor(sender: Sender, reader: Reader): Frame {
  const seller = displayName(sender);
  const words = typeof reader === "string" ? ENGLISH : reader;
  const { label, sandbox, reason } = words.mailFrame;
  const around = { locale: words.locale, label, sandbox };
  return typeof reader === "string"
    ? { ...around, reason: REASONS[reader](seller), links: [] }
    : { ...around, reason: reason({ seller }), links: linksOf(sender, words) };
}

function lineOf({ label, shown, url }: LabelledLink, frame: Frame): string {
  const target = url.startsWith("mailto:") ? shown : url;
  return label === shown ? target : `${frame.label({ name: label })} ${target}`;
}

const anchorOf = ({ label, url }: LabelledLink) =>
  html`<a href="${url}" target="_blank" rel="noreferrer"
class="soft" style="display: inline-block; margin: 0 16px 0 0; padding: 4px 0; color: #565d6d">${label}</a>`;

function textOf(block: Block, { label: labelled }: Frame): string {
  const linked = ({ label, url }: Link) => `${labelled({ name: label })}\n${url}`;
  if ("text" in block) return block.text;
  if ("title" in block) return block.title;
  if ("rows" in block) return block.rows.map(({ name, value }) => `${labelled({ name })} ${value}`).join("\n");
  if ("code" in block) return [labelled({ name: block.name }), block.code, ...block.notes].join("\n");
  return "links" in block ? block.links.map(linked).join("\n\n") : linked(block);
}

/** A text for programs that search, sort and wrap texts: its spaces are plain ones, and no word joiners are left. */
const withPlainSpaces = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u2060", "");

function asText({ heading, blocks }: EmailContent, sender: Sender, frame: Frame): string {
  const parts = [
    ...(sender.mode === "sandbox" ? [frame.sandbox] : []),
    heading,
    ...blocks.map((block) => textOf(block, frame)),
    [`-- \n${frame.reason}`, ...frame.links.map((link) => lineOf(link, frame))].join("\n"),
  ];
  return withPlainSpaces(`${parts.join("\n\n")}\n`);
}

function rowHtml({ name, value, strong }: Row) {
  const weight = strong ? "font-weight: 600;" : "";
  return html`<div class="line" style="overflow: hidden; padding: 8px 0; ${LINE} ${weight}">
<dt dir="auto" style="display: inline-block; margin: 0; max-width: 100%">${name}</dt>
<dd style="float: right; margin: 0 0 0 16px; text-align: right">${value}</dd>
</div>`;
}

function codeHtml({ name, code, notes }: Code) {
  const box = "display: block; margin: 4px 0; padding: 12px; border: 1px solid #e1e4ea; border-radius: 8px";
  // A key of 31 characters fits a phone of 375 pixels.
  return html`<p dir="auto" style="margin: 0 0 16px">${name}
<code dir="ltr" class="ground line"
style="${box}; background: #f4f5f8; font-family: ${raw(MONOSPACE)}; font-size: 14px; user-select: all">${code}</code>
${notes.map((note) => html`<span class="soft" style="display: block; ${SOFT}">${note}</span>`)}</p>\n`;
}

function linksHtml(links: readonly Link[], { text }: Colors) {
  const item = ({ label, url }: Link) => html`<li style="margin: 0 0 8px">
<a href="${url}" target="_blank" rel="noreferrer" class="accent" style="color: ${text}">${label}</a></li>\n`;
  return html`<ul style="margin: 0 0 16px; padding: 0; list-style: none">${links.map(item)}</ul>\n`;
}

function blockHtml(block: Block, colors: Colors) {
  if ("text" in block) return html`<p dir="auto" style="margin: 0 0 16px">${block.text}</p>\n`;
  if ("title" in block)
    return html`<h2 dir="auto"
style="margin: 24px 0 8px; font-size: 16px; line-height: 1.3">${block.title}</h2>\n`;
  if ("rows" in block) return html`<dl style="margin: 0 0 16px">${block.rows.map(rowHtml)}</dl>\n`;
  if ("code" in block) return codeHtml(block);
  if ("links" in block) return linksHtml(block.links, colors);
  return buttonHtml(block, colors);
}

function buttonHtml({ label, url }: Link, { ground, ink }: Colors) {
  const button = `display: inline-block; padding: 12px 20px; border-radius: 8px; background: ${ground}; color: ${ink}`;
  return html`<p style="margin: 8px 0 24px"><a href="${url}" target="_blank" rel="noreferrer"
style="${button}; font-weight: 600; text-align: center; text-decoration: none">${label}</a></p>\n`;
}

/**
 * The blocks with one loud step at most: after the first button, a further one is a link. Buttons that follow each
 * other are choices of the same weight.
 */
function withOneStep(blocks: readonly Block[]): Block[] {
  const first = blocks.findIndex((block) => "url" in block);
  return blocks.map((block, n) =>
    "url" in block && n > first && !("url" in blocks[n - 1]!) ? { links: [block] } : block,
  );
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

function asHtml({ subject, heading, blocks }: EmailContent, sender: Sender, frame: Frame): string {
  const { locale, sandbox, reason } = frame;
  const colors = accentColors(sender.branding.accentColor?.slice(1) ?? OUR_ACCENT);
  const links = frame.links.map((link) => html`${anchorOf(link)}\n`);
  const box =
    "padding: 24px; background: #ffffff; border: 1px solid #e1e4ea; border-top: " +
    `4px solid ${colors.ground}; border-radius: 8px`;
  const page = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
${raw(LINE_STYLES)}
${raw(darkStyles(colors))}
</style>
</head>
<body class="ground"
style="margin: 0; background: #f4f5f8; color: #14171f; font-family: ${raw(FONT)}; font-size: 16px; line-height: 1.5">
<div style="max-width: 560px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere">
<header>
${sender.mode === "sandbox" ? html`<p class="soft" style="margin: 0 0 16px; ${SOFT}">${sandbox}</p>` : ""}
${brand(sender)}
</header>
<main class="surface" style="${box}">
<h1 dir="auto" class="accent"
style="margin: 0 0 16px; font-size: 20px; line-height: 1.3; color: ${colors.text}">${heading}</h1>
${withOneStep(blocks).map((block) => blockHtml(block, colors))}</main>
<footer class="soft" style="margin: 16px 0 0; ${SOFT}">
<p style="margin: 0">${reason}</p>
${links.length === 0 ? "" : html`<p style="margin: 8px 0 0">${links}</p>`}
</footer>
</div>
</body>
</html>
`;
  return String(page);
}

/** Sets the same words as plain text and as HTML, in the sender's name and colours, and in the reader's language. */
export function formatEmail(content: EmailContent, sender: Sender, reader: Reader): Message {
  const subject = withPlainSpaces(sender.mode === "sandbox" ? `[Sandbox] ${content.subject}` : content.subject);
  const around = frameFor(sender, reader);
  const frame = { ...around, reason: content.reason ?? around.reason };
  return { subject, text: asText(content, sender, frame), html: asHtml({ ...content, subject }, sender, frame) };
}

/** The language of a message, as its HTML names it. */
export const languageIn = (messageHtml: string): string => /<html lang="([\w-]+)">/.exec(messageHtml)?.[1] ?? "en";
