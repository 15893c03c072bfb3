import { connectAccount } from "../../src/actions/payment/connect.ts";
import { disconnectAccount } from "../../src/actions/payment/disconnect.ts";
import { createToyBank } from "../support/toy-bank.ts";
import type { Action, Shop } from "./world.ts";

const bank = createToyBank();

async function connect({ story: { app } }: Shop): Promise<void> {
  const { key } = bank.account("acct_1");
  const result = await connectAccount(app.ctx, bank.connectable, app.organization, { key, variable: null });
  if ("fault" in result) throw new Error(result.fault);
}

const connected = async (shop: Shop) => {
  await connect(shop);
  return {};
};

/** Rows of docs/events.md for accounts at payment providers. */
export const ACCOUNTS: Record<string, Action> = {
  "`billow payments connect`": { act: connect },
  "`billow payments connect` with another key of the account": { before: connected, act: connect },
  "`billow payments disconnect`": {
    before: connected,
    act: ({ story: { app } }) =>
      disconnectAccount(app.ctx, { organizationId: app.organization.id, provider: "toy", providerAccount: "acct_1" }),
  },
};
