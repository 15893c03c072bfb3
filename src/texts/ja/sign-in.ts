import type { Translation } from "../translation.ts";

export const signIn = {
  title: "ログイン",
  intro: "サブスクリプションと請求書をご確認いただけます。リンクをお送りするので、パスワードは不要です。",
  send: "リンクを送信",
  sentTitle: "メールをご確認ください",
  sent: `{seller}に登録されているメールアドレスの場合、リンクを記載したメールをお送りします。リンクは1回限り、{minutes, plural,
    other {#分間}}有効です。`,
  missing: "数分たってもメールが届かない場合は、迷惑メールフォルダーをご確認いただくか、{another}。",
  another: "別のメールアドレスをお試しください",
  as: "{person}としてログインします。",
  signedInAs: "現在、{person}としてログインしています。",
  insteadAs: "このリンクを使うと、{person}としてログインします。",
  stay: "このまま利用する",
  goneTitle: "このリンクは無効です",
  gone: "リンクは1回限り、短時間のみ有効です。前のページに戻ってアカウントを開き直すか、ここで新しいリンクをお受け取りください。",
} as const satisfies Translation["signIn"];
