-- The events of a trigger without a callback are only kept: their deliveries are never due.
ALTER TABLE triggers.sources ALTER COLUMN callback_url DROP NOT NULL;
ALTER TABLE triggers.deliveries ALTER COLUMN due_at DROP NOT NULL;
