-- Whether the database can be written to.

-- Emptied and filled anew by /readyz, which so takes pages that the disk must have; unlogged: they are not worth anything.
CREATE UNLOGGED TABLE write_probe (
  n integer NOT NULL
);
