import type { Translation } from "../translation.ts";

export const buy = {
  title: "ご希望の商品をお選びください",
  billing: "お支払いの間隔",
  once: "1回限りの購入",
  onward: "次へ",
  onwardWith: "{product}で次へ進む",
  nextPage: "次のページでお客様の情報を入力し、お支払いください。",
  others: "すべての商品を見る",
  ignored: "リンクに含まれる「{value}」は、ここではご利用になれません。",
  offTitle: "このリンクは停止されています",
  off: "このリンクからの販売は終了しました。料金は発生していません。",
  endedTitle: "この特典は終了しました",
  ended: "このリンクの割引はご利用になれなくなりました。料金は発生していません。",
  table: "プランと料金",
} as const satisfies Translation["buy"];
