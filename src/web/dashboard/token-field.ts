import { html } from "hono/html";
import type { Html } from "../layout.ts";

/** The name of the hidden field that every form of a signed-in person has. */
export const TOKEN = "token";

export const tokenField = (token: string): Html => html`<input type="hidden" name="${TOKEN}" value="${token}">`;
