/** A sentence for each deed after which the page of the Customer is shown, by the word in `?done=`. */
export const DONE: Readonly<Record<string, string>> = {
  created: "The Customer has been created.",
  edited: "The Customer has been changed.",
  deleted: "The Customer has been deleted.",
  subscribed: "The Subscription has been created.",
  plan: "The plan has been changed.",
  planned: "The plan will change at the end of the period.",
  kept: "The scheduled change has been canceled.",
  ending: "The Subscription will end with its period.",
  ended: "The Subscription has ended.",
  resumed: "The cancellation has been undone.",
};
