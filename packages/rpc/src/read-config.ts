import { cleanEnv } from 'envalid';
import { SECRETS, type Variable, VARIABLES } from './config.js';

const MAX_SHOWN = 100;

export type Config = ReturnType<typeof parse>;

/** What one process wants of its configuration beyond the table. */
export interface Wanted {
  /** Has no default here. */
  required?: readonly Variable[];
  /** Grammars that live with who reads them; each throws an Error that says what is allowed. Asked when there is a value. */
  checks?: Checks;
}

export type Checks = Partial<Record<Variable, (value: string) => unknown>>;

/** Fails with every wrong variable, its value unless that is a secret, and what is allowed. An empty variable is an unset one. */
export function readConfig(env: NodeJS.ProcessEnv, wanted: Wanted = {}): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const problems = new Map<string, string>();
  const config = parse(given, problems);
  for (const name of wanted.required ?? []) if (given[name] === undefined) problems.set(name, 'is required');
  for (const [name, check] of Object.entries(wanted.checks ?? {})) {
    const value = String(config[name as Variable] ?? '');
    if (value !== '' && !problems.has(name))
      problemOf(
        () => check(value),
        (problem) => problems.set(name, problem),
      );
  }
  if (problems.size === 0) return config;
  const lines = [...problems].map(([name, problem]) => `  ${shown(name, given[name])}: ${withoutName(name, problem)}`);
  throw new Error(`Wrong configuration:\n${lines.join('\n')}`);
}

function parse(env: NodeJS.ProcessEnv, problems: Map<string, string>) {
  return cleanEnv(env, VARIABLES, {
    reporter: ({ errors }) => {
      for (const [name, error] of Object.entries(errors)) problems.set(name, allowed(name, error));
    },
  });
}

function allowed(name: string, error: Error | undefined): string {
  const { choices } = VARIABLES[name as Variable] as { choices?: readonly string[] };
  return choices ? `must be one of ${choices.join(', ')}` : (error?.message ?? 'is invalid');
}

function problemOf(check: () => unknown, tell: (problem: string) => void): void {
  try {
    check();
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error));
  }
}

/** Passwords in URLs are hidden whatever variable they stand in. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined || SECRETS.includes(name)) return name;
  const plain = value.replace(/\/\/[^/@\s]*@/g, '//…@');
  return `${name}=${JSON.stringify([...plain].slice(0, MAX_SHOWN).join(''))}`;
}

function withoutName(name: string, problem: string): string {
  return problem.startsWith(name) ? problem.slice(name.length).replace(/^:?\s*/, '') : problem;
}
