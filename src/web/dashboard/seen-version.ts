import { html } from "hono/html";
import { AppError } from "../../errors.ts";
import type { Html } from "../layout.ts";
import { typed, type Sent } from "./sent.ts";

const VERSION = "version";

type Versioned = { version: number };

/** The hidden field with the version of the row that the page shows. */
export const versionField = ({ version }: Versioned): Html =>
  html`<input type="hidden" name="${VERSION}" value="${version}">`;

/** Refuses a form if its page showed another version of the row. @throws AppError `precondition_failed` */
export function requireSeen({ version }: Versioned, sent: Sent): void {
  if (typed(sent, VERSION) !== String(version)) throw new AppError("precondition_failed");
}
