-- The events of a trigger without a callback are only kept. Their deliveries have the status kept.
ALTER TABLE sources ALTER COLUMN callback_url DROP NOT NULL;
