import type { Translation } from "../translation.ts";

export const invoicePage = {
  resultAwaited: "{provider}でのお支払いの結果を確認しています。二重に請求されることはありません。",
  notCompleted: "{provider}での{day}のお支払いは完了していません。請求は行われていません。",
  confirm: "{card}での{amount}のお支払いには、カード会社による本人認証が必要です。",
  earlierFirst: "先に以前の請求書が処理されます。この請求書はその後に処理されます。",
  processing: "{card}での{amount}のお支払いを処理しています。二重に請求されることはありません。",
  charging: "現在、{card}に{amount}を請求しています。このページを閉じても、二重に請求されることはありません。",
  yourCard: "ご登録のカード",
  failed: "{day}に{card}への{amount}の請求を完了できませんでした。",
  notCharged: "{day}の{card}への{amount}の請求は行われませんでした。",
  retry: "{day}より前にお支払いがない場合は、同日に{card}で再度お支払い処理を行います。",
  restart: "前回の期間は終了しています。未払いの{owed}と、{day}までの{product}の料金{amount}をお支払いいただきます。",
  noProvider: "販売者側の都合により、現在お支払いを受け付けることができません。販売者にご連絡ください。",
  tooManyCards:
    "承認されなかったカードが多すぎるため、このページではこれ以上カードをご利用いただけません。まずカード会社に、解決しない場合は販売者にお問い合わせください。",
  settled: "お支払いありがとうございます。未払い分のお支払いはすべて完了しており、{product}をご利用いただけます。",
  payWithCard: "カードで支払う",
  payWithOther: "別のカードで支払う",
  pay: "{amount}を支払う",
  busy: "しばらくお待ちください。お支払いを処理しています。",
  processingTitle: "お支払いを処理しています",
  consent:
    "お支払いになると、{seller}がその他の未払い額と、解約されるまでの今後のお支払いをこのカードに請求することに同意したことになります。",
  consentHosted:
    "お支払いになると、{seller}がその他の未払い額と、解約されるまでの今後のお支払いを、使用したカードに請求することに同意したことになります。",
} as const satisfies Translation["invoicePage"];
