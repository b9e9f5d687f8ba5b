/**
 * SQL: the columns that a statement sets to disable sources. A source that is being enabled is unregistered only after its enabling has ended or was
 * abandoned: until then it is unknown what was registered.
 */
export const SET_DISABLED = `status = 'disabling', suspended_at = coalesce(suspended_at, now()), updated_at = now(),
  unregister_at = CASE status WHEN 'enabling' THEN created_at + interval '2 minutes' ELSE unregister_at END`;
