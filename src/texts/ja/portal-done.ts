import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "お客様情報を保存しました。",
  card: "カードを登録しました。",
  cancel: "解約のお手続きが完了しました。",
  keep: "解約を取り消しました。サブスクリプションは継続されます。",
  pause: "一時停止が予定されました。",
  undoPause: "一時停止を取り消しました。サブスクリプションは継続されます。",
  resume: "サブスクリプションが再開されました。",
  price: "新しい料金への同意を承りました。",
  keepPlan: "プランの変更を取り消しました。現在のプランが継続されます。",
  withdrawEmail: "メールアドレスの変更を取り消しました。確認リンクは無効になりました。",
  disown: "サブスクリプションは終了しました。購入の覚えがないことは販売者に伝わります。",
  planCard: "今後、このサブスクリプションはお客様のカードに請求されます。",
} as const satisfies Translation["portalDone"];
