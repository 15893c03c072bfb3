-- The seller's own fields of a Checkout, and the buyer's answers with their labels (rule C14). Null: there are no fields. A Subscription
-- and its invoices keep the answers of the purchase.
ALTER TABLE checkouts
  ADD COLUMN fields json,
  ADD COLUMN field_answers json;
ALTER TABLE subscriptions ADD COLUMN field_answers json;
ALTER TABLE invoices ADD COLUMN field_answers json;
