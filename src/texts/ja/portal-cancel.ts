import type { Translation } from "../translation.ts";

export const portalCancel = {
  title: "{product}を解約しますか？",
  until: "{product}は{day}までご利用いただけます。今後の請求はありません。",
  untilLast: "{product}は{day}までご利用いただけます。同日に、以前の変更分として最後に{amount}が請求されます。",
  untilOwed: "未払い額{amount}をお支払いいただくと、{product}は{day}までご利用いただけます。その後の請求はありません。",
  trial: "{product}の無料トライアルは{day}まで続きます。請求はありません。",
  suspended: "{product}のサブスクリプションは{day}に終了します。次の期間の請求はありません。",
  now: "{product}はただちに終了します。未払いの請求書は無効となり、解約を取り消すことはできません。",
  lose: "その後ご利用いただけなくなるもの：",
  undo: "その日までは、解約を取り消すことができます。",
  why: "解約の理由をお聞かせください",
  too_expensive: "料金が高い",
  missing_features: "必要な機能がない",
  switched_service: "ほかのサービスを使うことにした",
  unused: "あまり使っていない",
  customer_service: "サポートに満足できなかった",
  low_quality: "品質に満足できなかった",
  too_complex: "使い方が難しい",
  other: "その他",
  submit: "{day}に解約する",
  submitNow: "今すぐ解約する",
  keep: "{product}を継続する",
  busyTitle: "現在、この操作はできません",
  busy: `このサブスクリプションでは別の処理が進行中です。サブスクリプションに変更はありません。
    数分後にもう一度お試しください。`,
} as const satisfies Translation["portalCancel"];
