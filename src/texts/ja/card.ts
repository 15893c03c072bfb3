import type { Translation } from "../translation.ts";

const SELLER_UNABLE =
  "販売者側の都合により、現在お支払いを受け付けることができません。請求は行われていません。後でもう一度お試しください。";
const OTHER_CARD = "カードが承認されませんでした。別のカードをお試しください。";

export const card = {
  legend: "カード情報",
  number: "カード番号",
  expiry: "有効期限",
  expiryForm: "月 / 年",
  cvc: "セキュリティコード",
  cvcForm: "CVC",
  numberMissing: "カード番号を入力してください。",
  numberIncomplete: "カード番号をすべて入力してください（12～19桁）。",
  numberWrong: "このカード番号は正しくありません。番号をご確認ください。",
  expiryIncomplete: "カードに記載された月と年を入力してください（例：04\u00a0/\u00a029）。",
  expiryPast: "この有効期限は過ぎています。ご確認いただくか、別のカードをご利用ください。",
  cvcIncomplete: "セキュリティコードを入力してください（3桁または4桁）。",
  cvcThree: "カード裏面の3桁の番号を入力してください。",
  cvcFour: "カード表面の4桁の番号を入力してください。",
  emptied: "もう一度カード番号を入力してください。安全のため、このページにカード番号は保持されません。",
  emptiedToo: "こちらももう一度入力してください。",
  testCards: "テストカード",
  testCardsNote: "有効期限は今月以降の任意の月、セキュリティコードは任意の数字をご利用いただけます。",
  toPayment: "お支払いに進む",
  toCard: "カード情報の入力に進む",
  paidAt: "{provider}のページでお支払いいただきます。",
  savedAt: "{provider}のページでカード情報を入力していただきます。本日の請求はありません。",
  enteredAt: "{provider}のページでカード情報を入力していただきます。",
  theProvider: "決済代行会社",
} as const satisfies Translation["card"];

export const refusedCode = {
  unknown_discount: "この割引コードは存在しません。入力内容をご確認ください。",
  discount_not_active: "この割引コードは現在ご利用いただけません。",
  discount_exhausted: "この割引コードは利用上限に達しました。",
  discount_not_for_product: "この割引コードはこの商品にはご利用いただけません。",
  discount_other_currency: "この割引コードは、この通貨ではご利用いただけません。",
  discount_below_minimum: "この割引コードを適用すると請求可能な最低金額を下回るため、ご利用いただけません。",
} as const satisfies Translation["refusedCode"];

export const decline = {
  card_declined: "カードが承認されませんでした。別のカードをお試しいただくか、カード会社にお問い合わせください。",
  insufficient_funds: "カードの残高または利用可能額が不足しています。別のカードをお試しください。",
  card_expired: "カードの有効期限が切れています。別のカードをお試しください。",
  processing_error: "カード会社でお支払いを処理できませんでした。請求は行われていません。もう一度お試しください。",
  authentication_failed:
    "カード会社による本人認証が完了しませんでした。請求は行われていません。もう一度お試しいただくか、別のカードをご利用ください。",
  canceled: "お支払いはキャンセルされました。請求は行われていません。",
  card_lost: OTHER_CARD,
  card_stolen: OTHER_CARD,
  card_gone: "このカードは現在登録されていません。別のカードをご利用ください。",
  account_closed: OTHER_CARD,
  do_not_retry: OTHER_CARD,
  card_disputed:
    "このカードでの以前のお支払いがカード会社により取り消されたため、このカードに自動で請求されることはありません。" +
    "お客様ご自身でお支払いの手続きをされた場合にのみ請求されます。",
  provider_refused: SELLER_UNABLE,
  amount_too_small: SELLER_UNABLE,
  amount_too_large: SELLER_UNABLE,
  currency_unsupported: SELLER_UNABLE,
  request_invalid: SELLER_UNABLE,
} as const satisfies Translation["decline"];

export const cardFault = {
  card_number_invalid: "このカード番号は無効です。カードに記載された番号をご確認ください。",
  sandboxNumber:
    "テスト環境では、4242 4242 4242 4242などのテストカードのみご利用いただけます。" +
    "実在するカードは絶対に入力しないでください。",
  card_expired: "この有効期限は過ぎています。カードに記載された日付をご確認いただくか、別のカードをご利用ください。",
  cvc_invalid: "このセキュリティコードは正しくありません。3桁または4桁の番号をご確認ください。",
} as const satisfies Translation["cardFault"];
