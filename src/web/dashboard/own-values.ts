import { html } from "hono/html";
import { labelIn, type CheckoutField, type FieldAnswer } from "../../domain/model/checkout-field.ts";
import { answerIn } from "../../texts/own-field.ts";
import { ENGLISH } from "../../texts/words.ts";
import type { Html } from "../layout.ts";
import type { Definition } from "./components/definitions.ts";

/** The values of a purchase's own fields with their labels (rule C14d). */
export const ownValueFacts = (answers: readonly FieldAnswer[] | null): Definition[] =>
  (answers ?? []).map((answer) => {
    const { label, value } = answerIn(ENGLISH, answer);
    return [html`<bdi>${label}</bdi>`, html`<bdi>${value}</bdi>`];
  });

/** The same, each as one line. */
export const ownValueLines = (answers: readonly FieldAnswer[] | null): Html[] =>
  ownValueFacts(answers).map(([label, value]) => html`${label}: ${value}`);

/** The labels of the own fields for which a Checkout asks. */
export const ownLabels = (fields: readonly CheckoutField[]): Html =>
  html`<bdi>${fields.map(({ label }) => labelIn(label, "en")).join(", ")}</bdi>`;
