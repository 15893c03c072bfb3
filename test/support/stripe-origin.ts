/*
 * `node --import` loads this file into a process of Billow before Billow's own files. The process then reaches the
 * local Stripe server of the tests in place of Stripe. So Billow itself needs no setting that leads its keys elsewhere.
 */
const local = process.env["TEST_STRIPE_URL"]!;
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname !== "api.stripe.com") throw new Error(`A test must not reach ${url.origin}`);
  return fetch(new URL(`${url.pathname}${url.search}`, local), init);
};
