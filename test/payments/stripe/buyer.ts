/** The answer of a page to a form, as a browser gets it: no redirect is followed. `location`: empty without one. */
export type PageAnswer = { status: number; location: string; html: string };

export async function submit(url: string, fields: Record<string, string>): Promise<PageAnswer> {
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
  return { status: answer.status, location: answer.headers.get("location") ?? "", html: await answer.text() };
}

/** The fields of the hosted page for a card that is valid until the end of 2034. */
export const typed = (cardNumber: string) => ({ cardNumber, cardExpiry: "12 / 34", cardCvc: "123" });

/** Types a card on a Session's page. A declined buyer stays on the page: 200, and the message is in `html`. */
export const payOn = (url: string, cardNumber: string): Promise<PageAnswer> => submit(url, typed(cardNumber));

/** Passes or fails the bank's authentication. `location` leads back: to the return_url, or to the Session's page. */
export const authenticateOn = (url: string, result: "complete" | "fail"): Promise<PageAnswer> =>
  submit(url, { result });
