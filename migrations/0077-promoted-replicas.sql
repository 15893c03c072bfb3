-- The timeline of PostgreSQL's log on which this installation works. The promotion of a replica, and a restore in place,
-- begin another one. Null: no worker has looked yet, or the server does not show its timeline.
ALTER TABLE installation ADD COLUMN timeline bigint;

-- Since another timeline began, the account's off-session charges wait until its book reaches beyond that instant and
-- shows no more differences than before. Real time, and the number of differences before.
ALTER TABLE provider_book_imports
  ADD COLUMN held_since timestamptz,
  ADD COLUMN held_differences bigint,
  ADD CHECK ((held_since IS NULL) = (held_differences IS NULL));
