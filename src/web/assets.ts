import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { compressible } from "../compression.ts";
import type { Context } from "../context.ts";
import { accentColors } from "../domain/organization/accent.ts";

/** `encoded`: the file in a coding that an Accept-Encoding header allows. */
type Asset = { path: string; type: string; encoded: ReturnType<typeof compressible> };

const read = (name: string) => readFileSync(new URL(`static/${name}`, import.meta.url), "utf8");

/**
 * The hash in the path depends on the content, so a browser may keep the file for good and never shows an old one.
 * `before`: another file whose text comes first.
 */
function load(name: string, type: string, before?: string): Asset {
  const body = (before === undefined ? "" : read(before)) + read(name);
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16);
  return { path: `/static/${name.replace(".", `.${hash}.`)}`, type, encoded: compressible(body) };
}

const CSS = "text/css; charset=utf-8";
const [LIGHT, DARK] = [...read("tokens.css").matchAll(/:root \{[^}]*\}/g)].map(([block]) => block);
/** The colours of one scheme, whatever the visitor's device prefers. They go after `pages.css`. */
const SCHEMES = new Map([
  ["/static/scheme-light.css", LIGHT!],
  ["/static/scheme-dark.css", DARK!],
]);
const STYLES = [load("pages.css", CSS, "tokens.css"), load("checkout.css", CSS), load("documents.css", CSS)];
/** Only for the pages that list e-mails. */
const EMAIL_STYLES = load("emails.css", CSS);
/** Only for the portal. */
const PORTAL_STYLES = load("portal.css", CSS);
/** Only for the page after a purchase. */
const DELIVERABLES_STYLES = load("deliverables.css", CSS);
/** Only for the pages on which a Customer changes the plan. */
const PLAN_STYLES = load("plans.css", CSS);
/** Only for the pages of payment links. */
const BUY_STYLES = load("buy.css", CSS);
/** Only for the dashboard. */
const DASHBOARD_STYLES = load("dashboard.css", CSS);
/** Only for the overview of the dashboard and the pages behind its figures. */
const METRICS_STYLES = load("metrics.css", CSS);
/** Only for the pages of one Customer in the dashboard. */
const CUSTOMER_STYLES = load("customer.css", CSS);
/** Only for the page of a sandbox in the dashboard. */
const SANDBOX_STYLES = load("sandbox.css", CSS);
/** Only for the catalogue in the dashboard. */
const CATALOGUE_STYLES = load("catalogue.css", CSS);
/** Only for the settings in the dashboard. */
const SETTINGS_STYLES = load("settings.css", CSS);
/** Only for the dashboard's pages for developers. */
const DEVELOPERS_STYLES = load("developers.css", CSS);
/** Only for the page of the built-in provider. */
const SANDBOX_PAY_STYLES = load("sandbox-pay.css", CSS);
const JAVASCRIPT = "text/javascript; charset=utf-8";
/** `checks.js` comes first: a form with a fault is not sent. */
const SCRIPTS = [load("checks.js", JAVASCRIPT), load("pages.js", JAVASCRIPT), load("copy.js", JAVASCRIPT)];
/** Only for the dashboard. */
const DASHBOARD_SCRIPT = load("dashboard.js", JAVASCRIPT);
/** Only for the page of a sandbox in the dashboard. */
const SANDBOX_SCRIPT = load("sandbox.js", JAVASCRIPT);
/** Only for the forms of the catalogue in the dashboard. */
const CATALOGUE_SCRIPT = load("catalogue.js", JAVASCRIPT);
/** Only for the settings in the dashboard. */
const SETTINGS_SCRIPT = load("settings.js", JAVASCRIPT);
/** Only for pricing tables. */
const TABLE_STYLES = load("table.css", CSS);
const TABLE_SCRIPT = load("table.js", JAVASCRIPT);
/** The path of the script that other sites load. They load it under the path of a payment link. */
const TABLE_LOADER_SCRIPT = load("table-loader.js", JAVASCRIPT);
export const TABLE_LOADER = TABLE_LOADER_SCRIPT.path;
const ICON = load("icon.svg", "image/svg+xml; charset=utf-8");
/** Search engines read the documentation alone: all other pages belong to a buyer or to the seller. */
export const ROBOTS = "User-agent: *\nAllow: /docs\nDisallow: /\n";
/** The path at which a browser looks for the sign of a page that names none, such as an answer in JSON. */
const FAVICON = { ...ICON, path: "/favicon.ico" };
const ASSETS = new Map(
  [
    ...STYLES,
    EMAIL_STYLES,
    PORTAL_STYLES,
    DELIVERABLES_STYLES,
    PLAN_STYLES,
    BUY_STYLES,
    DASHBOARD_STYLES,
    METRICS_STYLES,
    CUSTOMER_STYLES,
    SANDBOX_STYLES,
    CATALOGUE_STYLES,
    SETTINGS_STYLES,
    DEVELOPERS_STYLES,
    SANDBOX_PAY_STYLES,
    ...SCRIPTS,
    DASHBOARD_SCRIPT,
    SANDBOX_SCRIPT,
    CATALOGUE_SCRIPT,
    SETTINGS_SCRIPT,
    TABLE_STYLES,
    TABLE_SCRIPT,
    TABLE_LOADER_SCRIPT,
    ICON,
    FAVICON,
  ].map((asset) => [asset.path, asset]),
);
const ACCENT = /^\/static\/accent-([0-9a-f]{6})(-light|-dark)?\.css$/;
const RADIUS = /^\/static\/radius-(\d{1,2})\.css$/;

/** The prefix of every path in a browser: PUBLIC_ORIGIN may lead to a directory of a site. */
export function basePath({ config }: Pick<Context, "config">): string {
  return new URL(config.publicOrigin).pathname.replace(/\/$/, "");
}

/** The paths of a page's style sheets, scripts and icon. `accentColor`: `#rrggbb`; null: Billow's own colour. */
export function assetPaths(ctx: Pick<Context, "config">, accentColor: string | null) {
  const base = basePath(ctx);
  const accent = accentColor === null ? [] : [`/static/accent-${accentColor.slice(1)}.css`];
  const styles = [...STYLES.map(({ path }) => path), ...accent].map((path) => base + path);
  return { styles, scripts: SCRIPTS.map(({ path }) => base + path), icon: base + ICON.path };
}

export function emailStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + EMAIL_STYLES.path;
}

export function portalStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + PORTAL_STYLES.path;
}

export function deliverablesStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + DELIVERABLES_STYLES.path;
}

export function planStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + PLAN_STYLES.path;
}

export function buyStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + BUY_STYLES.path;
}

export function customerStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + CUSTOMER_STYLES.path;
}

/** The styles and the script of the catalogue's forms. */
export function catalogueAssets(ctx: Pick<Context, "config">) {
  const base = basePath(ctx);
  const styles = [PLAN_STYLES, BUY_STYLES, DELIVERABLES_STYLES, CATALOGUE_STYLES].map(({ path }) => base + path);
  return { styles, script: base + CATALOGUE_SCRIPT.path };
}

export function developersStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + DEVELOPERS_STYLES.path;
}

export function dashboardStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + DASHBOARD_STYLES.path;
}

export function dashboardScriptPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + DASHBOARD_SCRIPT.path;
}

export function settingsStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + SETTINGS_STYLES.path;
}

export function settingsScriptPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + SETTINGS_SCRIPT.path;
}

export function metricsStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + METRICS_STYLES.path;
}

export function sandboxStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + SANDBOX_STYLES.path;
}

export function sandboxScriptPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + SANDBOX_SCRIPT.path;
}

export function sandboxPayStylesPath(ctx: Pick<Context, "config">): string {
  return basePath(ctx) + SANDBOX_PAY_STYLES.path;
}

/** The look of a pricing table. `accent`: `rrggbb`; null: Billow's own colour. `radius`: of corners, in pixels. */
export type Theme = { accent: string | null; scheme: "auto" | "light" | "dark"; radius: number | null };

/** The styles and the script of a pricing table. */
export function tableAssets(ctx: Pick<Context, "config">, { accent, scheme, radius }: Theme) {
  const base = basePath(ctx);
  const forced = scheme === "auto" ? "" : `-${scheme}`;
  const styles = [
    ...[...STYLES, PORTAL_STYLES, PLAN_STYLES, BUY_STYLES, TABLE_STYLES].map(({ path }) => path),
    ...(scheme === "auto" ? [] : [`/static/scheme${forced}.css`]),
    ...(accent === null ? [] : [`/static/accent-${accent}${forced}.css`]),
    ...(radius === null ? [] : [`/static/radius-${radius}.css`]),
  ];
  return { styles: styles.map((path) => base + path), script: base + TABLE_SCRIPT.path };
}

/** The style sheet with the merchant's colour. It goes after `pages.css`. `scheme`: of one scheme alone. */
function accentStyles(hex: string, scheme: string | undefined): string {
  const { ground, ink, text, darkText } = accentColors(hex);
  const own = `--accent:${ground};--accent-ink:${ink};`;
  if (scheme !== undefined) return `:root{${own}--accent-text:${scheme === "-dark" ? darkText : text}}\n`;
  return `:root{${own}--accent-text:${text}}
@media screen and (prefers-color-scheme:dark){:root{--accent-text:${darkText}}}
`;
}

/** The text of a style sheet that depends on its path alone; undefined: the path names no such sheet. */
function madeStyles(path: string): string | undefined {
  const [, hex, scheme] = ACCENT.exec(path) ?? [];
  if (hex !== undefined) return accentStyles(hex, scheme);
  const [, radius] = RADIUS.exec(path) ?? [];
  return radius === undefined ? SCHEMES.get(path) : `:root{--radius:${radius}px}\n`;
}

export function findAsset(path: string): Omit<Asset, "path"> | null {
  const made = madeStyles(path);
  return made === undefined ? (ASSETS.get(path) ?? null) : { type: CSS, encoded: compressible(made) };
}
