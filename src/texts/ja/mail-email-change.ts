import type { Translation } from "../translation.ts";

export const mailEmailChange = {
  confirmSubject: "{seller}：メールアドレスの確認",
  confirmTitle: "メールアドレスをご確認ください",
  confirm:
    "{seller}のアカウントのメールアドレスとして、このアドレスを登録する手続きが行われました。お客様ご本人のアドレスであることをご確認ください。",
  confirmLink: "このアドレスを確認する",
  confirmOnce: "{hours, plural, other {リンクの有効期間は#時間です。1回のみご使用いただけます。}}",
  confirmIgnore: "お心当たりのない場合は、このメールを破棄してください。確認されるまで、このアドレスは使用されません。",
  confirmReason: "このメールは、{seller}のアカウントのメールアドレスとして入力されたアドレスにお送りしています。",
  changedSubject: "{seller}：メールアドレスが変更されました",
  changedTitle: "メールアドレスが変更されました",
  changed:
    "{seller}のアカウントのメールアドレスが{address}に変更されました。今後、アカウントに関するメールは、このメールの宛先のアドレスには届きません。",
  changedIgnore: "ご自身で変更された場合は、何もする必要はありません。",
  changedUndo:
    "お心当たりのない場合は、{days, plural, other {#日}}以内に変更を取り消してください。アカウントのアドレスが元に戻り、すべての端末からログアウトされます。",
  undoLink: "変更を取り消す",
} as const satisfies Translation["mailEmailChange"];
