-- The events of a trigger without a callback are only kept: their deliveries are never due.
ALTER TABLE sources ALTER COLUMN callback_url DROP NOT NULL;
ALTER TABLE deliveries ALTER COLUMN due_at DROP NOT NULL;
