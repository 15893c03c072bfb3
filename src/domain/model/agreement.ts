import type { Instant } from "../calendar.ts";

/**
 * The figures on a page to which a person agreed with a click. `shownAt`: the instant as of which the page computed the
 * figures; null: the figures count as of now.
 */
export type Agreed<Figures> = { figures: Figures; shownAt: Instant | null };

/**
 * Returns whether each figure of the page is still so. `agreed` null: there was no page. A figure that was missing in
 * the form, or had another form, is NaN and agrees with no figure.
 */
export function isAgreed<Figures extends object>(now: Figures, agreed: Agreed<Partial<Figures>> | null): boolean {
  const figures = agreed?.figures ?? {};
  return (Object.keys(figures) as (keyof Figures)[]).every((name) => now[name] === (figures as Figures)[name]);
}
