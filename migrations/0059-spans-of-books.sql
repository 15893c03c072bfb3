ALTER TABLE provider_book_imports
  -- The span whose orphans are being looked for, with the mark of the next page; null between two spans.
  ADD COLUMN orphans jsonb,
  -- Payments and refunds that were settled until then and had no entry were looked for again. Null: none was.
  ADD COLUMN late_until timestamptz;
