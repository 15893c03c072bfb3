import { html, raw } from "hono/html";
import type { Html } from "../layout.ts";

const SHAPES = {
  done: '<circle cx="12" cy="12" r="10.5"/><path d="M7 12.5l3.4 3.4L17 9.3"/>',
  waiting: '<circle cx="12" cy="12" r="10.5"/><path d="M12 1.5a10.5 10.5 0 0 1 10.5 10.5"/>',
  late: '<circle cx="12" cy="12" r="10.5"/><path d="M12 6.5V12l3.5 2"/>',
  stopped: '<circle cx="12" cy="12" r="10.5"/><path d="M12 7.5v5.2M12 16.2v.1"/>',
} as const;

export type IconName = keyof typeof SHAPES;

/** A sign in a circle. Words beside it always say the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 24 24" aria-hidden="true">${raw(SHAPES[name])}</svg>`;
}
