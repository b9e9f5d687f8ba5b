/**
 * SQL: what who disables sources sets. What somebody is about to enable is ended when that is over, as far as it came, or has to be: until then nobody
 * knows what was registered.
 */
export const SET_DISABLED = `status = 'disabling', suspended_at = coalesce(suspended_at, now()), updated_at = now(),
  unregister_at = CASE status WHEN 'enabling' THEN created_at + interval '2 minutes' ELSE unregister_at END`;
