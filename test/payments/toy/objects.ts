// Acorn's own objects, as its API answers them. Amounts are decimal text in major units, such as "12.50".

export type AcornCard = { id: string; fingerprint: string; brand: string; last4: string; month: number; year: number };

/**
 * `reference`: the key that the seller sent; null for a charge that was made in Acorn's dashboard. `shop`: free text of
 * the seller. `amount` null: the card was only saved. `url`: the page that waits for the buyer. `page`: the buyer gave
 * the card on Acorn's page.
 */
export type AcornCharge = {
  kind: "charge";
  id: string;
  reference: string | null;
  shop: string | null;
  amount: string | null;
  currency: string | null;
  status: "waiting" | "processing" | "succeeded" | "declined";
  code: string | null;
  url: string | null;
  page: boolean;
  card: AcornCard | null;
  createdAt: string;
};

/** `charge`: the refunded charge. A refund that succeeded may fail weeks later. */
export type AcornRefund = {
  kind: "refund";
  id: string;
  reference: string | null;
  charge: AcornCharge;
  amount: string;
  status: "processing" | "succeeded" | "failed";
  code: string | null;
  createdAt: string;
};

export type AcornDispute = {
  kind: "dispute";
  id: string;
  charge: AcornCharge;
  amount: string;
  status: "question" | "open" | "won" | "lost" | "withdrawn";
  reason: string;
  answerBy: string | null;
  fee: { amount: string; currency: string } | null;
};

/** `card` null: the bank has ended the card. */
export type AcornCardChange = { kind: "card"; id: string; shop: string | null; card: AcornCard | null };

export type AcornObject = AcornCharge | AcornRefund | AcornDispute | AcornCardChange;

/** `object`: the id of the object that has changed. */
export type AcornEvent = { id: string; type: string; object: string };
export type AcornEvents = { events: AcornEvent[]; cursor: string };
export type AcornBook = { entries: (AcornCharge | AcornRefund)[]; next: string | null };
