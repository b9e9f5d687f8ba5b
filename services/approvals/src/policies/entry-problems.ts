/** Of each list of a policy. */
export const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 255;

/** By the path of the offending key. */
export type Problems = [path: string, problem: string][];

/** What is wrong with a list of texts, and with those that `problemOf` says something of. */
export function entryProblems(
  path: string,
  list: readonly string[] = [],
  problemOf: (entry: string) => string | undefined = () => undefined,
): Problems {
  const ofEntries = list.slice(0, MAX_ENTRIES).flatMap((entry, index): Problems => {
    const problem = lengthProblem(entry) ?? problemOf(entry);
    return problem === undefined ? [] : [[`${path}[${index}]`, problem]];
  });
  return [...tooMany(path, list), ...ofEntries];
}

export function oneOf(values: readonly string[]): (entry: string) => string | undefined {
  return (entry) => (values.includes(entry) ? undefined : `must be one of ${values.join(', ')}`);
}

export function required(path: string, value: unknown): Problems {
  return value === undefined ? [[path, 'is required']] : [];
}

export function tooMany(path: string, list: readonly unknown[]): Problems {
  return list.length > MAX_ENTRIES ? [[path, `must hold at most ${MAX_ENTRIES}`]] : [];
}

function lengthProblem(entry: string): string | undefined {
  const isGood = entry !== '' && [...entry].length <= MAX_CHARACTERS;
  return isGood ? undefined : `must be 1 to ${MAX_CHARACTERS} characters`;
}
