import type { Translation } from "../translation.ts";

export const portalDone = {
  details: "お客様情報を保存しました。",
  card: "カードを登録しました。",
  cancel: "解約のお手続きが完了しました。",
  keep: "解約を取り消しました。サブスクリプションは継続されます。",
  keepPlan: "プランは変更されません。",
  withdrawEmail: "メールアドレスは変更されません。確認リンクは無効になりました。",
} as const satisfies Translation["portalDone"];
