import type { Translation } from "../translation.ts";

export const invoicePage = {
  resultAwaited: "{provider}でのお支払いの結果を確認しています。二重に請求されることはありません。",
  notCompleted: "{provider}での{day}のお支払いは完了していません。カードへの請求は行われていません。",
  confirm: "カード会社より、{card}での{amount}のお支払いの確認が求められています。",
  earlierFirst: "先に以前の請求書が処理されます。この請求書はその後に処理されます。",
  processing: "{card}での{amount}のお支払いを処理しています。二重に請求されることはありません。",
  charging: "現在、{card}に{amount}を請求しています。このページを閉じても、二重に請求されることはありません。",
  yourCard: "ご登録のカード",
  failed: "{day}に{card}への{amount}の請求を完了できませんでした。",
  notCharged: "{day}の{card}への{amount}の請求は行われませんでした。",
  retry: "それまでにお支払いがない場合、{day}に{card}へ再度請求されます。",
  restart: "前回の期間は終了しています。未払いの{owed}と、{day}までの{product}の料金{amount}をお支払いいただきます。",
  noProvider: "現在、販売者はお支払いを受け付けることができません。販売者にお知らせください。",
  tooManyCards:
    "承認されなかったカードが多すぎるため、このページではこれ以上カードをご利用いただけません。" +
    "カード会社、次に販売者にお問い合わせください。",
  payWithCard: "カードで支払う",
  payWithOther: "別のカードで支払う",
  pay: "{amount}を支払う",
  busy: "お支払いを処理しています。少々お待ちください。",
  consent:
    "お支払いになると、{seller}がその他の未払い額と、" +
    "解約されるまでの今後のお支払いをこのカードに請求することを承認したことになります。",
} as const satisfies Translation["invoicePage"];
