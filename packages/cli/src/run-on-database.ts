import { ApiError, invalid, isId, SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';
import { isEmail, nameProblem, passwordProblem } from '@drawbridge/members/admin';
import { type Config, readConfig, type Variables } from '@drawbridge/rpc';
import { connectToServer } from './database.js';
import { VARIABLES } from './variables.js';

/** The variables that locate the database of every command. */
export const PLACE = { DATABASE_URL: VARIABLES.DATABASE_URL, DATA_DIR: VARIABLES.DATA_DIR };

/** The options as the operator entered them. */
export type Options = Record<string, string>;

/** Runs `work` with its variables on the product's database, and prints its result or error. */
export function runOnDatabase<V extends Variables>(
  { options, variables }: { options: Options; variables: V },
  work: (databaseUrl: string, config: Config<V & typeof PLACE>) => Promise<unknown>,
): Promise<void> {
  return answer(async () => {
    requireValidOptions(options);
    const config = readConfig(process.env, { ...variables, ...PLACE }, true);
    const server = await connectToServer(readConfig(process.env, PLACE, true));
    return work(server.url, config).finally(() => server.stop());
  });
}

/** Prints the result or the error of a command. */
export async function answer(work: () => unknown): Promise<void> {
  try {
    print(await work());
  } catch (error) {
    print(error);
    process.exitCode = 1;
  }
}

/** Prints the only JSON document of a command. */
export function print(result: unknown): void {
  console.log(JSON.stringify(result instanceof Error ? toFailure(result) : result, null, 2));
}

function toFailure(error: Error) {
  const known = error instanceof ApiError ? error : new ApiError('INTERNAL', error.message);
  return { error: known.message, code: known.code, details: known.details };
}

const PUBLISHERS: readonly string[] = SERVICES.filter((name) => SERVICE_TABLE[name].hasDatabase);
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

type Rule = (text: string) => string | undefined;

/** Validates each option. These commands write to the database directly, so the services do not validate their input again. */
const RULES: Record<string, Rule> = {
  name: (text) => unprintable(text) ?? nameProblem(text.trim()),
  email: (text) => emailProblem(text),
  password: (text) => unprintable(text) ?? passwordProblem(text),
  ownerEmail: (text) => emailProblem(text),
  userEmail: (text) => emailProblem(text),
  ownerPassword: (text) => unprintable(text) ?? passwordProblem(text),
  head: (text) => (/^\d{1,15}:[0-9a-f]{64}$/.test(text) ? undefined : 'must be a `head` that this command printed'),
  service: (text) => (PUBLISHERS.includes(text) ? undefined : `must be one of ${PUBLISHERS.join(', ')}`),
  from: (text) =>
    TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : 'must be a time such as 2026-11-22T19:00:00Z',
  org: (text) => (isId(text) ? undefined : 'must be the id of an organization; `admin org list` shows them'),
};

/** Throws VALIDATION_ERROR with every invalid option, named by its flag. */
export function requireValidOptions(options: Record<string, string>): void {
  const problems = Object.entries(options).flatMap(([name, value]): [string, string][] => {
    const problem = RULES[name]?.(value);
    return problem ? [[toFlag(name), problem]] : [];
  });
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
}

/** Control characters are rejected because they are invisible. */
const unprintable = (text: string): string | undefined =>
  /\p{Cc}/u.test(text) ? 'must have no control character' : undefined;

const emailProblem = (text: string): string | undefined =>
  isEmail(text) && !unprintable(text) ? undefined : 'must be an email address';

function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
