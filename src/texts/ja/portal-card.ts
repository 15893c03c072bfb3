import type { Translation } from "../translation.ts";

export const portalCard = {
  title: "別のカードを使う",
  account: "カードは{person}のアカウントに登録されます。",
  note: "カードの登録時に請求は行われません。未払いの請求書がある場合は、すぐにこのカードに請求されます。",
  save: "カードを登録",
  saving: "少々お待ちください。カードを登録しています。",
  consent:
    "カードを登録すると、未払い額と、解約されるまでの今後のお支払いを{seller}がこのカードに請求することを承認したことになります。",
  impossibleTitle: "現在、この操作はできません",
  no_provider: "現在、販売者はカードを受け付けることができません。販売者にご連絡ください。",
  payments_paused: "現在、販売者はカードを受け付けることができません。数分後にもう一度お試しください。",
  waiting: "カードを登録しています。請求は行われません。",
  hosted: "次のページでカード情報を入力してください。その後、このページに戻ります。",
  confirm: "カードの使用について、カード会社の認証が必要です。その後、このページに戻ります。",
  failedTitle: "カードを登録できませんでした",
  otherWaits: "別のカードを登録しています。1分後にもう一度お試しください。",
  tooManyTitle: "試行回数が上限に達しました",
  tooMany: "承認されなかったカードが多すぎます。カード会社にお問い合わせのうえ、明日もう一度お試しください。",
} as const satisfies Translation["portalCard"];
