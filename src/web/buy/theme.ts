import type { Theme } from "../assets.ts";

export const SCHEMES = ["auto", "light", "dark"] as const satisfies readonly Theme["scheme"][];
const MOST_RADIUS = 32;

/** The look of a pricing table, by an address. A value that can't be used counts as absent. `accent`: of the seller. */
export function themeOf(query: URLSearchParams, accent: string | null): Theme {
  const hex = /^#?([0-9a-f]{6})$/i.exec(query.get("accent") ?? "")?.[1]?.toLowerCase();
  const radius = /^\d{1,2}$/.test(query.get("radius") ?? "") ? Number(query.get("radius")) : null;
  return {
    accent: hex ?? accent?.slice(1) ?? null,
    scheme: SCHEMES.find((each) => each === query.get("scheme")) ?? "auto",
    radius: radius !== null && radius <= MOST_RADIUS ? radius : null,
  };
}
