import { accentColours } from "../domain/organization/accent.ts";

/** The style sheet that goes after `pages.css`. */
export function accentStyles(hex: string): string {
  const { ground, ink, text } = accentColours(hex);
  return `:root{--accent:${ground};--accent-ink:${ink};--accent-text:${text}}\n`;
}
