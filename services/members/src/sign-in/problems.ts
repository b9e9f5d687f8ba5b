const PASSWORD = { min: 8, max: 200 };
export const NAME = { min: 1, max: 100 };

/** Returns the problem of a new password: its length alone, as NIST SP 800-63B requires; undefined if there is none. */
export const passwordProblem = (password: string): string | undefined => lengthProblem(password, PASSWORD);

/** Returns the problem of a user's trimmed name; undefined if there is none. */
export const nameProblem = (name: string): string | undefined => lengthProblem(name, NAME);

function lengthProblem(text: string, { min, max }: typeof NAME): string | undefined {
  const { length } = [...text];
  return length < min || length > max ? `must have ${min} to ${max} characters` : undefined;
}
