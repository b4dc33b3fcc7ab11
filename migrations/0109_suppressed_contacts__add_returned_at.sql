-- A person who was erased may come back by their own act: a double opt-in that they confirm. The row stays, since a backup from before
-- the erasure still has to be erased when it is restored; from then on the person is written to for what they agree to.
alter table suppressed_contacts add column returned_at timestamptz;
