import type { Translation } from "../translation.ts";

export const signIn = {
  title: "ログイン",
  intro: "サブスクリプションと請求書をご確認いただけます。リンクをお送りするので、パスワードは不要です。",
  send: "リンクを送信",
  sentTitle: "メールをご確認ください",
  sent: "{seller}に登録されているメールアドレスの場合、ログイン用のリンクをメールでお送りします。リンクは{minutes, plural, other {#分}}以内に1回だけ使用できます。",
  missing: "数分たってもメールが届かない場合は、迷惑メールフォルダーをご確認いただくか、{another}。",
  another: "別のメールアドレスをお試しください",
  as: "{person}としてログインします。",
  signedInAs: "現在、{person}としてログインしています。",
  insteadAs: "このリンクを使うと、{person}としてのログインに切り替わります。",
  stay: "このまま利用する",
  goneTitle: "このリンクは無効です",
  gone: "リンクは短時間のみ有効で、1回しか使用できません。前のページに戻ってアカウントを開き直すか、ここで新しいリンクをお受け取りください。",
} as const satisfies Translation["signIn"];
