-- Spans of a provider's book that are read again for late entries, as a list of pages to read (rule I4a).
ALTER TABLE provider_book_imports
  -- Null: the payments and refunds without an entry have not been looked for since the last comparison.
  ADD COLUMN late jsonb;
