import { cleanEnv } from 'envalid';
import { type Config, type Variable, type Variables } from './variables.js';

const MAX_SHOWN = 100;

/**
 * Throws an error that names every wrong variable, its value unless that is a secret, and what is allowed. An empty variable is an unset one.
 * `mayLack`: what a process of its own must be given may be missing.
 */
export function readConfig<V extends Variables>(env: NodeJS.ProcessEnv, variables: V, mayLack = false): Config<V> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const problems = new Map<string, string>();
  const config = parse(given, variables, problems);
  for (const [name, { isRequired, check }] of Object.entries(variables)) {
    if (given[name] === undefined && isRequired && !mayLack) problems.set(name, 'is required');
    if (!check || problems.has(name) || config[name] === '') continue;
    problemOf(
      () => check(String(config[name])),
      (problem) => problems.set(name, problem),
    );
  }
  if (problems.size === 0) return config;
  const lines = [...problems].map(([name, problem]) => {
    const isSecret = variables[name]?.isSecret ?? false;
    return `  ${isSecret ? name : shown(name, given[name])}: ${withoutName(name, problem)}`;
  });
  throw new Error(`Wrong configuration:\n${lines.join('\n')}`);
}

function parse<V extends Variables>(env: NodeJS.ProcessEnv, variables: V, problems: Map<string, string>): Config<V> {
  const read = cleanEnv(
    env,
    { ...variables },
    {
      reporter: ({ errors }) => {
        for (const [name, error] of Object.entries(errors)) problems.set(name, allowed(variables[name]!, error));
      },
    },
  );
  return read as unknown as Config<V>;
}

function allowed({ choices }: Variable, error: Error | undefined): string {
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
  if (value === undefined) return name;
  const plain = value.replace(/\/\/[^/@\s]*@/g, '//…@');
  return `${name}=${JSON.stringify([...plain].slice(0, MAX_SHOWN).join(''))}`;
}

function withoutName(name: string, problem: string): string {
  return problem.startsWith(name) ? problem.slice(name.length).replace(/^:?\s*/, '') : problem;
}
