import type { Translation } from "../translation.ts";

export const plan = {
  change: "プランを変更",
  title: "プランの変更",
  youHave: "現在のプランは{product}です。",
  others: "プラン一覧",
  billedByDay: "{count, plural, =1 {毎日のお支払い} other {#日ごとのお支払い}}",
  billedByWeek: "{count, plural, =1 {毎週のお支払い} other {#週間ごとのお支払い}}",
  billedByMonth: "{count, plural, =1 {毎月のお支払い} other {#か月ごとのお支払い}}",
  billedByYear: "{count, plural, =1 {毎年のお支払い} other {#年ごとのお支払い}}",
  current: "現在のプラン",
  planned: "{day}から",
  included: "含まれるもの",
  lost: "含まれなくなるもの",
  choose: "{product}を選択",
  noOthers: "ここで変更できるほかのプランはありません。",
  ending: "サブスクリプションは{day}に終了する予定です。プランを変更すると継続されます。",
  pending: "プランは{day}に{product}へ変更されます。",
  keep: "{product}を継続する",
  begins: "変更日",
  atOnce: "本日",
  paidWith: "お支払い方法",
  paidLaterWith: "次回以降のカード",
  card: "カード",
  otherCard: "別のカードを使う",
  cardNext: "カード情報は次のページで入力します。",
  nextCharge: "次回のお支払い",
  fromBalance: "{day}に{amount}（残高からのお支払い）",
  noCharge: "{day}の請求はありません",
  confirmPay: "変更を確定して{amount}を支払う",
  confirmOn: "{day}に変更する",
  orderNow: "有料プランへの変更を確定する",
  orderOn: "{day}からの有料プランへの変更を確定する",
  busy: "しばらくお待ちください。プランを変更しています。",
  priceChanged:
    "{product}の価格は現在、{rhythm}{price}です。請求は行われておらず、プランも変更されていません。" +
    "よろしければ、確定してください。",
  checkAgain: "変更内容をもう一度ご確認ください",
  endScheduled:
    "サブスクリプションは{day}に終了する予定になりました。プランを変更すると継続されます。" +
    "請求は行われておらず、プランも変更されていません。よろしければ、確定してください。",
  endUndone:
    "サブスクリプションの解約は取り消されています。" +
    "請求は行われておらず、プランも変更されていません。よろしければ、確定してください。",
  cardChanged:
    "登録されているカードは{card}に変わりました。" +
    "請求は行われておらず、プランも変更されていません。よろしければ、確定してください。",
  cardGone:
    "登録されているカードには請求できなくなりました。" +
    "請求は行われておらず、プランも変更されていません。よろしければ、確定してください。",
  changedTitle: "プランが変更されました",
  plannedTitle: "プランの変更が予約されました",
  changeQuantity: "数量を変更",
  otherQuantity: "別の数量を選択",
  showPrice: "変更後の価格を表示",
  quantityEnding: "サブスクリプションは{day}に終了する予定です。数量を変更すると継続されます。",
  quantityTooSmall: "この数量の合計金額が低すぎます。より大きい数を入力してください。",
  soldIn: "{minimum}から{maximum}までの数量でご利用いただけます。",
  soldOnlyIn: "数量{quantity}でのみご利用いただけます。",
  otherPlans: "すべてのプランを見る",
  back: "アカウントに戻る",
} as const satisfies Translation["plan"];
