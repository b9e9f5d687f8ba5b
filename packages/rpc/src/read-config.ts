import { cleanEnv } from 'envalid';
import { type Config, type Variable, type Variables } from './variables.js';

const MAX_SHOWN = 100;

/**
 * Parses the variables. Throws an error that lists each invalid variable, its value unless it is a secret, and the allowed values. An empty variable
 * counts as unset. With `mayLack`, variables that a separate process requires may be missing.
 */
export function readConfig<V extends Variables>(env: NodeJS.ProcessEnv, variables: V, mayLack = false): Config<V> {
  const given = withFormerNames(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')), variables);
  const problems = new Map<string, string>();
  const config = parse(given, variables, problems);
  for (const [name, { isRequired, check }] of Object.entries(variables)) {
    if (given[name] === undefined && isRequired && !mayLack) problems.set(name, 'is required');
    if (!check || problems.has(name) || config[name] === '') continue;
    try {
      check(String(config[name]));
    } catch (error) {
      problems.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  for (const [missing, name] of lacking(given, variables)) {
    if (!problems.has(missing)) problems.set(missing, `is required with ${name}`);
  }
  if (problems.size === 0) return config;
  const lines = [...problems].map(([name, problem]) => {
    const isSecret = variables[name]?.isSecret ?? false;
    return `  ${isSecret ? name : shown(name, given[name])}: ${withoutName(name, problem)}`;
  });
  throw new Error(`Invalid configuration:\n${lines.join('\n')}`);
}

/** Returns a warning for each variable that is set by its former name. */
export function formerNames(env: NodeJS.ProcessEnv, variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, { formerly }]) =>
    formerly && env[formerly]
      ? [`${formerly}: is now called ${name}. The next release no longer reads the old name`]
      : [],
  );
}

function withFormerNames(given: Given, variables: Variables): NodeJS.ProcessEnv {
  const former = Object.entries(variables).flatMap(([name, { formerly = '' }]) =>
    given[formerly] === undefined ? [] : [[name, given[formerly]] as const],
  );
  return { ...Object.fromEntries(former), ...given };
}

type Given = Readonly<Record<string, string | undefined>>;

/** Returns each unset variable that a set variable requires. */
function lacking(given: Given, variables: Variables): (readonly [missing: string, name: string])[] {
  const set = Object.entries(variables).filter(([name]) => given[name] !== undefined);
  return set.flatMap(([name, { requires = [] }]) =>
    requires.filter((other) => given[other] === undefined).map((other) => [other, name] as const),
  );
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

/** Hides passwords in URLs, in any variable. */
function shown(name: string, value: string | undefined): string {
  if (value === undefined) return name;
  const plain = value.replace(/\/\/[^/@\s]*@/g, '//…@');
  return `${name}=${JSON.stringify([...plain].slice(0, MAX_SHOWN).join(''))}`;
}

function withoutName(name: string, problem: string): string {
  return problem.startsWith(name) ? problem.slice(name.length).replace(/^:?\s*/, '') : problem;
}
