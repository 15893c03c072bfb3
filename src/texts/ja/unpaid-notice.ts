import type { Translation } from "../translation.ts";

export const unpaidNotice = {
  noCard: "お支払いに利用できるカードが登録されていません。",
  confirmFirst: "お支払いには、カード会社による本人認証が必要です。",
  accessStays: "{day}まで利用可能",
  accessOff: "未払い分がすべて支払われるまで停止中",
  yourAccessStays: "お支払いがない場合、{day}にご利用いただけなくなります。",
  yourAccessOff: "未払い分がすべて支払われるまで、ご利用を停止しています。",
  endsWithRetry: "その際にお支払いが完了すると、新しい料金への同意がないため、{product}は終了します。",
} as const satisfies Translation["unpaidNotice"];
