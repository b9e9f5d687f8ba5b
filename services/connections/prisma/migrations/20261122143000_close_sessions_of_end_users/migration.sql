-- Whoever deletes a person: a link that is open still would make them anew.
CREATE FUNCTION "delete_sessions_of_end_users" () RETURNS TRIGGER LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM connect_sessions USING gone
  WHERE connect_sessions.org_id = gone.org_id AND connect_sessions.workspace_id = gone.workspace_id
    AND connect_sessions.end_user_id = gone.external_id;
  RETURN NULL;
END $$;

CREATE TRIGGER "delete_sessions" AFTER DELETE ON "end_users" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "delete_sessions_of_end_users"();
