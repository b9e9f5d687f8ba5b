const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 200;

/** What is wrong with a password that somebody chooses: its length alone, as NIST SP 800-63B asks; undefined when nothing. */
export function passwordProblem(password: string): string | undefined {
  const { length } = [...password];
  return length < MIN_CHARACTERS || length > MAX_CHARACTERS
    ? `must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`
    : undefined;
}
