import type { Origin, VersionCheck } from "../actions/origin.ts";
import type { SubscriptionView } from "../actions/views.ts";
import type { Context } from "../context.ts";
import type { Answer } from "./answer.ts";
import { commit, type Call } from "./commit.ts";
import { subscriptionAnswer, subscriptionTag } from "./settled-answers.ts";

/** The parts of a request that a change of the Subscription of its path needs. */
type Request = { call: Call; params: { subscriptionId: string }; checkVersion(etag: string): void };

/** Commits a change of the Subscription of a path, unless `If-Match` names another version. Answers the Subscription. */
export const commitChange = (
  ctx: Context,
  { call, params, checkVersion }: Request,
  change: (
    origin: Origin<SubscriptionView>,
    id: string,
    check: VersionCheck<SubscriptionView>,
  ) => Promise<SubscriptionView>,
): Promise<Answer> =>
  commit(
    ctx,
    call,
    (origin) => change(origin, params.subscriptionId, (shown) => checkVersion(subscriptionTag(shown))),
    (shown: SubscriptionView) => subscriptionAnswer(200, shown),
  );
