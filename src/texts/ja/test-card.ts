import type { Translation } from "../translation.ts";

export const brand = {
  accepted: "利用できるカード",
} as const satisfies Translation["brand"];
/** The behaviour of each test card of a sandbox, after the number of the card. */
export const testCard = {
  pays: "支払いが成功します",
  otherCard: "支払いが成功します（1枚目とは別のカード）",
  card_declined: "カードが拒否されます",
  insufficient_funds: "カードが拒否されます（残高不足）",
  card_expired: "カードが拒否されます（有効期限切れ）",
  fails_later: "今回は成功し、更新のたびに拒否されます",
  authenticates: "購入者に本人認証を求めます",
  processing_error: "カードが拒否されます（処理エラー）",
  answer_lost: "支払いは成功しますが、応答が失われます",
  refund_fails: "支払いは成功し、その後の返金が失敗します",
  account_refused: "決済会社が販売者の請求をすべて拒否するようになります",
  charge_refused: "拒否されます（決済会社がどの金額も高すぎると判断します）",
  processing: "しばらくしてから支払いが成功します",
} as const satisfies Translation["testCard"];
