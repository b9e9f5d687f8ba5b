const PASSWORD = { min: 8, max: 200 };
export const NAME = { min: 1, max: 100 };

/** What is wrong with a password that somebody chooses: its length alone, as NIST SP 800-63B asks; undefined when nothing. */
export const passwordProblem = (password: string): string | undefined => lengthProblem(password, PASSWORD);

/** The same of a person's name, without the spaces around it. */
export const nameProblem = (name: string): string | undefined => lengthProblem(name, NAME);

function lengthProblem(text: string, { min, max }: typeof NAME): string | undefined {
  const { length } = [...text];
  return length < min || length > max ? `must have ${min} to ${max} characters` : undefined;
}
