import { accentColors } from "../domain/organization/accent.ts";

/** The style sheet with the merchant's colour. It goes after `pages.css`. */
export function accentStyles(hex: string): string {
  const { ground, ink, text, darkText } = accentColors(hex);
  return `:root{--accent:${ground};--accent-ink:${ink};--accent-text:${text}}
@media screen and (prefers-color-scheme:dark){:root{--accent-text:${darkText}}}
`;
}
