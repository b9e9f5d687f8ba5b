import { invalid } from '@drawbridge/contracts';
import { isEmail } from '@drawbridge/members/admin';

type Rule = (text: string) => string | undefined;

const MAX_NAME = 100;
const MAX_EMAIL = 254;
const MIN_PASSWORD = 8;
const MAX_PASSWORD = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What each option takes. Who is created by these commands is not asked again by the services. */
const RULES: Record<string, Rule> = {
  name: (text) => (isBetween(text.trim(), 1, MAX_NAME) ? undefined : `must have 1 to ${MAX_NAME} characters`),
  email: (text) => emailProblem(text),
  password: (text) => passwordProblem(text),
  ownerEmail: (text) => emailProblem(text),
  userEmail: (text) => emailProblem(text),
  ownerPassword: (text) => passwordProblem(text),
  head: (text) => (/^\d{1,15}:[0-9a-f]{64}$/.test(text) ? undefined : 'must be a `head` that this command printed'),
  org: (text) => (UUID.test(text) ? undefined : 'must be the id of an organization; `admin org list` shows them'),
};

/** Throws VALIDATION_ERROR on every option that is wrong, by the flag as it is typed. */
export function requireValidOptions(options: Record<string, string>): void {
  const problems = Object.entries(options).flatMap(([name, value]): [string, string][] => {
    const problem = RULES[name]?.(value);
    return problem ? [[toFlag(name), problem]] : [];
  });
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
}

function passwordProblem(text: string): string | undefined {
  return isBetween(text, MIN_PASSWORD, MAX_PASSWORD)
    ? undefined
    : `must have ${MIN_PASSWORD} to ${MAX_PASSWORD} characters`;
}

function emailProblem(text: string): string | undefined {
  return isEmail(text) && isBetween(text, 3, MAX_EMAIL) ? undefined : 'must be an email address';
}

/** In characters as people count them, and none of them a control character: it would not show. */
function isBetween(text: string, min: number, max: number): boolean {
  const { length } = [...text];
  return length >= min && length <= max && !/\p{Cc}/u.test(text);
}

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
