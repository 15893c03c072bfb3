import { html, raw } from "hono/html";
import type { Html } from "../layout.ts";

const SHAPES = {
  done: '<path d="M7 12.5l3.4 3.4L17 9.3"/>',
  waiting: '<path d="M12 7v5l3.2 2"/>',
  stopped: '<path d="M12 7.5v5.2M12 16.2v.1"/>',
} as const;

export type IconName = keyof typeof SHAPES;

/** A sign in a circle; what it means is always said in words as well. */
export function icon(name: IconName): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10.5"/>${raw(SHAPES[name])}</svg>`;
}
