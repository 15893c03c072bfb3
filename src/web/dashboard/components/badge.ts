import { html } from "hono/html";
import type { Html } from "../../layout.ts";

/** `good`: done. `busy`: goes on by itself. `warn`: somebody may have to act. `bad`: has failed. `quiet`: is over. */
export type Tone = "good" | "busy" | "warn" | "bad" | "quiet";

/** A short state. The words say the same as the colour. */
export const badge = (tone: Tone, text: string): Html => html`<span class="badge ${tone}">${text}</span>`;
