import type { Translation } from "../translation.ts";

export const deliverables = {
  title: "ご購入に含まれるもの",
  paidWith: "{card}で{amount}をお支払いいただきました。",
  paid: "{amount}をお支払いいただきました。",
  cardSaved: "カード（{card}）を登録しました。",
  cardName: "末尾{last4}の{brand}",
  valued: "{benefit}：{value}",
  preparing: "準備しています。準備ができ次第、ここに表示されます。",
  invoice: "請求書{number}",
  pdf: "PDF",
  pdfOf: "請求書{number}（PDF）",
  account: "{seller}のアカウント",
  keySent: "ライセンスキーを{email}宛てにメールでお送りしました。",
  receiptSent: "領収書を{email}宛てにメールでお送りしました。",
  signInFor: "ご購入内容を確認するには、{email}でログインしてください。",
  signIn: "ログインして購入内容を見る",
  managePlan: "プランを管理する",
} as const satisfies Translation["deliverables"];
